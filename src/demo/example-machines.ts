// Starts the simulated printers and the simulated camera of the example farm on this computer, and connects the gateway to them.
import { type Client, GatewayRequestError } from '../client/client';
import {
  type AddDeviceInput,
  ConnectDeviceDocument,
  DevicesDocument,
  type DevicesQuery,
  LoadSpoolDocument,
  ObservedPrintsDocument,
  PrintersDocument,
  SpoolsDocument,
  UpdateDeviceDocument,
  type UpdateDeviceMutationVariables,
} from '../generated/operations';
import { sleep } from '../values/timers';
import { BAY_1, BAY_2, BAY_4, BAY_5 } from './example-inventory';
import type { ExamplePrograms } from './example-programs';
import { FakeMoonraker } from './machines/moonraker';
import { type FakeMachine, startFake } from './machines/start-machine';

interface MachineRow {
  kind: 'MOONRAKER' | 'OCTOPRINT' | 'PRUSALINK' | 'BAMBU';
  printer: string;
  /** The spool in the printer; `null` if prints wait until a user enters their spool. */
  spool: string | null;
  /** The slot of the spool, if the printer has several slots. */
  slot?: string;
  file: string;
  seconds: number;
  /** The filament of a print; missing for a printer that does not measure it. */
  mm?: number;
  /** How long the printer waits for filament in each print; missing for a printer that never runs out. */
  runoutSeconds?: number;
}

const REST_SECONDS = 20;
/** How long the end waits until the gateway knows that all prints have ended. It polls a printer at least every 5 s. */
const MAX_ENDING_MS = 8_000;
const SECRET = 'farm-of-the-example';
const LOOPBACK = '127.0.0.1';

const PRINTERS: MachineRow[] = [
  {
    kind: 'PRUSALINK',
    printer: BAY_1,
    spool: 'PLA-GALAXY-0412',
    file: 'gear_0.2mm_PLA.gcode',
    seconds: 240,
    mm: 1840.5,
  },
  { kind: 'OCTOPRINT', printer: BAY_2, spool: null, file: 'cable_clip.gcode', seconds: 180, mm: 612.25 },
  {
    kind: 'BAMBU',
    printer: BAY_4,
    spool: 'PLA-WHITE-0413',
    slot: 'ams:0:0',
    file: 'tool_holder.gcode',
    seconds: 150,
  },
  {
    kind: 'MOONRAKER',
    printer: BAY_5,
    spool: 'PETG-BLACK-0220',
    file: 'corner_bracket.gcode',
    seconds: 120,
    mm: 990.25,
    runoutSeconds: 90,
  },
];

/** The camera records one video after another, with a pause in between. */
const CAMERA = { id: 'bay-5-nozzle', seconds: 120 };

type Device = DevicesQuery['devices'][number];

export class Machines {
  /** The running machines by the ids of their devices. */
  private readonly running = new Map<string, FakeMachine>();
  private readonly printerIds = new Set<string>();
  /** What Moonraker has reported of its print; `null` before its first report. */
  private reported: { print: number; mm: number } | null = null;
  /** The cameras that the gateway polls. */
  readonly cameras: string[] = [];

  /** @param programs asks the Spoolman of the Moonraker printer, which is the gateway */
  constructor(
    private readonly client: Client,
    private readonly programs: ExamplePrograms,
  ) {}

  get printers(): number {
    return this.printerIds.size;
  }

  /** Starts the machines, and connects each as the device of its printer or camera, unless a user has connected another device. */
  async start(): Promise<void> {
    const { client } = this;
    const [{ devices }, { printers }, { spools }] = await Promise.all([
      client.request(DevicesDocument),
      client.request(PrintersDocument, { first: 1000 }),
      client.request(SpoolsDocument, { first: 1000 }),
    ]);
    for (const { kind, printer, spool, slot, ...script } of PRINTERS) {
      const printerId = printers.nodes.find(({ name }) => name === printer)?.id;
      if (printerId === undefined) continue;
      const device = devices.find((known) => known.printer?.id === printerId);
      const chosen = spools.nodes.find(({ spoolSerial }) => spoolSerial === spool);
      if (!(await this.startMachine({ kind, printerId }, device, script, chosen?.number))) continue;
      this.printerIds.add(printerId);
      const spoolId = chosen?.id;
      if (spoolId !== undefined) await client.request(LoadSpoolDocument, { printerId, spoolId, ...(slot && { slot }) });
    }
    const { id: cameraId, seconds } = CAMERA;
    const device = devices.find((known) => known.camera?.id === cameraId);
    if (await this.startMachine({ kind: 'OPEN_GOPRO', cameraId }, device, { seconds })) this.cameras.push(cameraId);
  }

  /**
   * @param device the device that exists already
   * @param activeNumber the number of the active spool, for Moonraker
   * @returns whether the machine was started
   */
  private async startMachine(
    input: Pick<AddDeviceInput, 'kind' | 'printerId' | 'cameraId'>,
    device: Device | undefined,
    script: Pick<MachineRow, 'seconds' | 'mm' | 'runoutSeconds'> & { file?: string },
    activeNumber: number | null = null,
  ): Promise<boolean> {
    if (device && !(device.kind === input.kind && device.address.startsWith(`${LOOPBACK}:`))) return false;
    const machine = await startFake(input.kind, { secret: SECRET, script: { ...script, restSeconds: REST_SECONDS } });
    if (machine instanceof FakeMoonraker) {
      // The slot of this printer follows the active spool of its Moonraker.
      machine.machine.connectSpoolman(await this.programs.readInfo()).chooseSpool(activeNumber);
    }
    const { serial, certificateFingerprint } = machine;
    const target = { address: addressOf(machine), secret: SECRET, serial, certificateFingerprint };
    try {
      // An earlier run has disabled the device at its end.
      if (device) await this.update(device.id, { ...target, enabled: true });
      const id =
        device?.id ??
        (await this.client.request(ConnectDeviceDocument, { input: { ...input, ...target } })).addDevice.id;
      this.running.set(id, machine);
    } catch (error) {
      // A machine that still listens would keep the process running.
      await machine.close();
      throw error;
    }
    return true;
  }

  /** Lets Moonraker report what its print has used since the last report, as it does every few seconds. */
  async reportUse(): Promise<void> {
    for (const machine of this.running.values()) {
      if (!(machine instanceof FakeMoonraker)) continue;
      const { number: print, mm } = machine.print;
      const reported = this.reported?.print === print ? this.reported.mm : 0;
      const active = machine.machine.spoolman?.active ?? null;
      this.reported = { print, mm };
      if (active !== null && mm > reported) await this.programs.reportUseOfMoonraker(active, mm - reported);
    }
  }

  private async update(id: string, input: UpdateDeviceMutationVariables['input']): Promise<void> {
    await this.client.request(UpdateDeviceDocument, { id, input });
  }

  /** Cancels the prints of the machines, then disables their devices. If a user has changed a device, it is left alone. */
  async close(): Promise<void> {
    try {
      for (const machine of this.running.values()) machine.print.cancel();
      for (const end = Date.now() + MAX_ENDING_MS; Date.now() < end && (await this.arePrinting()); ) await sleep(500);
      if (this.running.size > 0) await this.disable();
    } catch (error) {
      // The gateway may not be running any more.
      if (!(error instanceof GatewayRequestError)) throw error;
    } finally {
      for (const machine of this.running.values()) await machine.close();
      this.running.clear();
      this.printerIds.clear();
    }
  }

  /** Whether the gateway still shows a running print of these printers. */
  private async arePrinting(): Promise<boolean> {
    if (this.printerIds.size === 0) return false;
    const running = { first: 1000, filter: { outcome: ['RUNNING' as const] } };
    const { observedPrints } = await this.client.request(ObservedPrintsDocument, running);
    return observedPrints.nodes.some(({ printer }) => this.printerIds.has(printer.id));
  }

  private async disable(): Promise<void> {
    for (const { id, address } of (await this.client.request(DevicesDocument)).devices) {
      const machine = this.running.get(id);
      if (machine && address === addressOf(machine)) await this.update(id, { enabled: false });
    }
  }
}

const addressOf = ({ port }: FakeMachine) => `${LOOPBACK}:${port}`;
