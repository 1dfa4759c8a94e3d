// Records the decisions of the rules, each step in one transaction, on the condition that this process holds the device.
import type { Lease } from '../../sharing/lease';
import type { RequestTime } from '../../values/deadline';
import type { Decision } from '../print-rules/print.model';
import type { DevicePrintsStore } from './device-prints.store';
import type { PrinterOfDevice } from './print.store';
import { putAside, type Recorded, record, type Step } from './print-writing.service';
import type { InTransaction } from './prints.service';

export type { Recorded, Step };

export class PrintRecorderService {
  /** @param ofDevice outside of a transaction */
  constructor(
    private readonly inTransaction: InTransaction,
    private readonly ofDevice: Pick<DevicePrintsStore, 'unplanned'>,
  ) {}

  async record(lease: Lease, printer: PrinterOfDevice, step: Step, time: RequestTime): Promise<Recorded> {
    const { decision } = step;
    // Most answers about a file tell nothing new: no transaction begins for them, in which other requests wait.
    const isNews =
      decision.do !== 'AMEND' ||
      (await this.ofDevice.unplanned(printer.deviceId, decision.filePath, decision.since)).length > 0;
    return isNews ? this.inTransaction((prints) => record(prints, lease, printer, step, time)) : 'STALE';
  }

  putAside(lease: Lease, printer: PrinterOfDevice, step: Step, time: RequestTime): Promise<void> {
    return this.inTransaction((prints) => putAside(prints, lease, printer, step, time));
  }
}

/** Steps of the decisions of one evaluation. @param newId of the prints that begin, and of sightings */
export function stepsOf(decisions: readonly Decision[], runningId: string | null, newId: () => string): Step[] {
  const steps: Step[] = [];
  for (const decision of decisions) {
    if (decision.do !== 'SIGHT') {
      const isNew = decision.do === 'BEGIN' || decision.do === 'RECORD';
      const printId = isNew ? newId() : (runningId ?? '');
      steps.push({ printId, decision, sightings: [] });
    } else {
      const { kind, at, text } = decision;
      steps.at(-1)?.sightings.push({ key: newId(), kind, at, text });
    }
  }
  return steps;
}
