// PrusaLink by its answers to polls: what each of them adds to memory.
import { type Adapter, type MachineMessage, withReadings } from '../machine-adapter';
import { type Memory, trackPrint } from './prints';
import { jobOf, statusOf } from './status';

export const prusalink: Adapter<Memory> = {
  open: ({ externalId }) =>
    withReadings({
      ranBefore: externalId,
      status: null,
      job: null,
      unnamed: null,
      print: null,
      sawIdle: false,
      sawOther: false,
    }),
  hear(memory, message, now) {
    const known = remember(memory, message);
    return known === null ? withReadings(memory) : trackPrint(known, now);
  },
};

/** null: the message says nothing of prints. */
function remember(memory: Memory, { source, body, failed }: MachineMessage): Memory | null {
  if (source === '/api/v1/status') {
    const status = failed ? null : statusOf(body);
    return status === null ? null : { ...memory, status };
  }
  if (source !== '/api/v1/job' || memory.status === null) return null;
  // 204: it has no job any more.
  const job = failed ? null : jobOf(body);
  return job === null ? { ...memory, unnamed: memory.status.id } : { ...memory, job };
}
