// The machines of the example farm: small programs on this computer that speak as printers and a camera do, and work by themselves.
import type { Client } from '../client/client';
import {
  type AddDeviceInput,
  ConnectDeviceDocument,
  DevicesDocument,
  LoadSpoolDocument,
  PrintersDocument,
  ReconnectDeviceDocument,
  SpoolsDocument,
} from '../generated/operations';
import { type FakeMachine, startFake } from './machines/start';

interface Machine {
  kind: 'MOONRAKER' | 'OCTOPRINT' | 'PRUSALINK' | 'BAMBU';
  printer: string;
  /** null: its prints wait for a person. */
  spool: string | null;
  /** Where the spool is, if the printer has more places than one. */
  slot?: string;
  file: string;
  seconds: number;
  /** A printer that measures nothing does not tell it. */
  mm?: number;
}

const REST_SECONDS = 20;
const SECRET = 'farm-of-the-example';

const MACHINES: readonly Machine[] = [
  {
    ...{ kind: 'PRUSALINK', printer: 'Bay 1 · Prusa MK4S', spool: 'PLA-GALAXY-0412' },
    ...{ file: 'gear_0.2mm_PLA.gcode', seconds: 240, mm: 1840.5 },
  },
  {
    ...{ kind: 'OCTOPRINT', printer: 'Bay 3 · Prusa XL', spool: null },
    ...{ file: 'cable_clip.gcode', seconds: 180, mm: 612.25 },
  },
  {
    ...{ kind: 'BAMBU', printer: 'Bay 4 · Bambu Lab X1C', spool: 'PLA-WHITE-0413', slot: 'ams:0:0' },
    ...{ file: 'tool_holder.gcode', seconds: 150 },
  },
  {
    ...{ kind: 'MOONRAKER', printer: 'Bay 5 · Voron 2.4', spool: 'PETG-BLACK-0220' },
    ...{ file: 'corner_bracket.gcode', seconds: 120, mm: 990.25 },
  },
];

/** A camera that films print after print, and rests in between. */
const CAMERA = { id: 'bay-5-nozzle', script: { seconds: 120, restSeconds: REST_SECONDS } };

/**
 * Starts them, and makes each the device of its printer or camera. Returns the cameras that report by themselves from now on.
 * @param started gets each at once; the caller closes them
 */
export async function startMachines(client: Client, started: FakeMachine[]): Promise<string[]> {
  const [{ devices }, { printers }, { spools }] = await Promise.all([
    client.request(DevicesDocument),
    client.request(PrintersDocument, { first: 1000 }),
    client.request(SpoolsDocument, { first: 1000 }),
  ]);
  for (const { kind, printer, spool, slot, ...script } of MACHINES) {
    const found = printers.nodes.find(({ name }) => name === printer);
    if (found === undefined) continue;
    const machine = await startFake(kind, { secret: SECRET, script: { ...script, restSeconds: REST_SECONDS } });
    started.push(machine);
    const device = devices.find((one) => one.printer?.id === found.id);
    await connect(client, machine, device?.id, { kind, printerId: found.id });
    const loaded = spools.nodes.find(({ spoolSerial }) => spoolSerial === spool);
    if (loaded !== undefined) {
      await client.request(LoadSpoolDocument, { printerId: found.id, spoolId: loaded.id, ...(slot && { slot }) });
    }
  }
  const camera = await startFake('OPEN_GOPRO', { secret: SECRET, script: CAMERA.script });
  started.push(camera);
  const device = devices.find((one) => one.camera?.id === CAMERA.id);
  await connect(client, camera, device?.id, { kind: 'OPEN_GOPRO', cameraId: CAMERA.id });
  return [CAMERA.id];
}

/** @param id of the device that an earlier run has made */
async function connect(
  client: Client,
  { port, serial, certificateFingerprint }: FakeMachine,
  id: string | undefined,
  input: Pick<AddDeviceInput, 'kind' | 'printerId' | 'cameraId'>,
): Promise<void> {
  const target = { address: `127.0.0.1:${port}`, secret: SECRET, serial, certificateFingerprint };
  if (id !== undefined) await client.request(ReconnectDeviceDocument, { id, input: target });
  else await client.request(ConnectDeviceDocument, { input: { ...input, ...target } });
}
