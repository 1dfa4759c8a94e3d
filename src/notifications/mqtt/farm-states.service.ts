// Reads what the farm does now, for all brokers at once.
import type { ShownState } from '../../farm/printer-states/printer-state.service';
import type { Instant } from '../../values/instant';
import type { FarmStates, PrinterOnBroker } from './farm-states';
import type { FarmStatesStore, PrinterWithJob } from './farm-states.store';

export class FarmStatesService {
  constructor(
    private readonly store: FarmStatesStore,
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

/** What a machine says comes before what is known of its job. One that is not heard of is offline. */
function onBroker({ isPrinting, ...printer }: PrinterWithJob, state: ShownState | null): PrinterOnBroker {
  if (state === null)
    return { ...printer, activity: isPrinting ? 'PRINTING' : 'UNKNOWN', progress: null, remainingSec: null };
  const { activity, progress, remainingSec, printName, stale } = state;
  if (stale) return { ...printer, activity: 'OFFLINE', progress: null, remainingSec: null };
  return { ...printer, activity, progress, remainingSec, print: printName ?? printer.print };
}
