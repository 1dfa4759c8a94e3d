// What the farm does now, read for all brokers at once: the states behind the topics.
import type { CameraLiveness } from '../../farm/cameras/health.types';
import type { ShownState } from '../../farm/printer-states/printer-state.service';
import type { StateOfPrinter } from '../../farm/printer-states/printer-state.types';
import type { Instant } from '../../values/instant';

export interface PrinterOnBroker {
  id: string;
  name: string;
  activity: StateOfPrinter['activity'];
  /** 0 to 1. */
  progress: number | null;
  remainingSec: number | null;
  /** The name of its print. */
  print: string | null;
  /** The serial of its spool; null where it has several, or none. */
  spool: string | null;
  /** The serials of the spools of its job, its own first; without a job, of the only spool that is in it. */
  spools: string[];
}

export interface CameraOnBroker {
  id: string;
  name: string;
  /** The printer that it watches. */
  printerId: string | null;
  liveness: CameraLiveness;
  batteryPct: number | null;
  videoRemainingSec: number | null;
  /** In the words of the camera. */
  recordingState: string | null;
}

export interface FarmStates {
  /** That of the feed of changes, and the farm's own. */
  name: string;
  printers: PrinterOnBroker[];
  cameras: CameraOnBroker[];
  farm: { alerts: number; jobsPrinting: number };
}

/** The farm as a target with chosen printers sees it: with the cameras that watch them. */
export function onlyOf(states: FarmStates, printerIds: readonly string[]): FarmStates {
  const ids = new Set(printerIds);
  return {
    ...states,
    printers: states.printers.filter(({ id }) => ids.has(id)),
    cameras: states.cameras.filter(({ printerId }) => printerId !== null && ids.has(printerId)),
  };
}

/** A printer, with what is stored of its print and its job; a machine says the rest. */
export type PrinterWithJob = Pick<PrinterOnBroker, 'id' | 'name' | 'print' | 'spools'> & { isPrinting: boolean };

interface StoredStates {
  printers(): Promise<PrinterWithJob[]>;
  cameras(now: Instant): Promise<CameraOnBroker[]>;
  farm(): Promise<FarmStates['farm'] & { name: string }>;
}

export class FarmStatesService {
  constructor(
    private readonly store: StoredStates,
    private readonly stateOf: (printerId: string, now: Instant) => Promise<ShownState | null>,
  ) {}

  async read(now: Instant): Promise<FarmStates> {
    const [withJobs, cameras, { name, ...farm }] = await Promise.all([
      this.store.printers(),
      this.store.cameras(now),
      this.store.farm(),
    ]);
    const printers = withJobs.map(async (printer) => onBroker(printer, await this.stateOf(printer.id, now)));
    return { name, printers: await Promise.all(printers), cameras, farm };
  }
}

/** What a machine says comes before what is stored of its job. A printer that is not heard of is offline. */
function onBroker({ id, name, print, spools, isPrinting }: PrinterWithJob, state: ShownState | null): PrinterOnBroker {
  const isHeard = state !== null && !state.stale;
  const unheard = state !== null ? 'OFFLINE' : isPrinting ? 'PRINTING' : 'UNKNOWN';
  return {
    id,
    name,
    activity: isHeard ? state.activity : unheard,
    progress: isHeard ? state.progress : null,
    remainingSec: isHeard ? state.remainingSec : null,
    print: isHeard ? (state.printName ?? print) : print,
    spool: spools.length === 1 ? (spools[0] as string) : null,
    spools,
  };
}
