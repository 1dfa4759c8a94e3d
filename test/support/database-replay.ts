// Replays a recording through an adapter, the rules of prints and the store of prints on a database.

import { randomUUID } from 'node:crypto';
import type { DeviceHistoryStore } from '../../src/farm/prints/device-history.store';
import type { PrintWritingService } from '../../src/farm/prints/print-writing.service';
import { findPrintFacts } from '../../src/kind-facts';
import { PrintFollower } from '../../src/machines/collector/print-follower';
import type { Lease } from '../../src/sharing/lease';
import { instant, type Recording, type Step } from '../recordings/recording';
import { PlayedMachine } from './played-machine';

interface Machine {
  lease: Lease;
  printerId: string;
  kind: string;
  store: DeviceHistoryStore;
  prints: PrintWritingService;
}

/** One process, from its start to its end. The next process reads the rows that it wrote. */
export class DatabaseReplay {
  private readonly machine: PlayedMachine;

  /** @param lastContactAt the last contact of the process before it */
  constructor({ adapter }: Pick<Recording, 'adapter'>, machine: Machine, lastContactAt: string | null) {
    const { lease, printerId, kind, store, prints } = machine;
    const { subject: deviceId } = lease;
    const follower = new PrintFollower(
      {
        running: () => store.running(deviceId),
        ended: (externalId) => store.ended(deviceId, externalId),
        unplanned: () => store.lastUnplanned(deviceId),
        lastContact: async (seenAt) => seenAt ?? this.lastContactAt,
      },
      {
        write: async (step) => {
          const time = { now: this.lastContactAt as string, deadline: Number.POSITIVE_INFINITY, newId: randomUUID };
          const result = await prints.writeStep(lease, { deviceId, printerId }, step, time);
          // A plan that is reported again finds no print that lacks one.
          if (step.decision.do === 'AMEND') expect(['DONE', 'STALE']).toContain(result);
          else expect({ step, result }).toEqual({ step, result: 'DONE' });
          return result;
        },
      },
      instant(0),
      findPrintFacts(kind),
    );
    this.machine = new PlayedMachine(adapter, follower);
    this.machine.lastContactAt = lastContactAt;
  }

  get lastContactAt(): string | null {
    return this.machine.lastContactAt;
  }

  open = (step: Step) => this.machine.open(step);
  playStep = (step: Step) => this.machine.playStep(step);
}
