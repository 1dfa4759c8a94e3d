// Decides what each answer of PrusaLink adds to memory.
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
    const remembered = remember(memory, message);
    return remembered === null ? withReadings(memory) : trackPrint(remembered, now);
  },
};

/** Adds a message to memory. Returns `null` if the message is not about prints. */
function remember(memory: Memory, { source, body, failed }: MachineMessage): Memory | null {
  if (source === '/api/v1/status') {
    const status = failed ? null : readStatus(body);
    return status === null ? null : { ...memory, status };
  }
  if (source !== '/api/v1/job' || memory.status === null) return null;
  // A refusal here is status 204: the printer no longer has a job.
  const job = failed ? null : readJob(body);
  return job === null ? { ...memory, idWithoutJob: memory.status.id } : { ...memory, job };
}
