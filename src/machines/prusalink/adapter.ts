// PrusaLink by its answers to polls: what each of them adds to memory.
import { type Adapter, type MachineMessage, withReadings } from '../machine-adapter';
import { type Memory, trackPrint } from './prints';
import { readJob, readStatus } from './status';

export const prusalink: Adapter<Memory> = {
  start: ({ externalId }) =>
    withReadings({
      ranBefore: externalId,
      status: null,
      job: null,
      idWithoutJob: null,
      print: null,
      sawIdle: false,
      sawOtherJob: false,
    }),
  receive(memory, message, now) {
    const known = remember(memory, message);
    return known === null ? withReadings(memory) : trackPrint(known, now);
  },
};

/** null: the message says nothing of prints. */
function remember(memory: Memory, { source, body, failed }: MachineMessage): Memory | null {
  if (source === '/api/v1/status') {
    const status = failed ? null : readStatus(body);
    return status === null ? null : { ...memory, status };
  }
  if (source !== '/api/v1/job' || memory.status === null) return null;
  // 204: it has no job any more.
  const job = failed ? null : readJob(body);
  return job === null ? { ...memory, idWithoutJob: memory.status.id } : { ...memory, job };
}
