// Decides which jobs have recordings, and refuses a request that would read too much of the status log.
import { BadInput } from '../../errors';
import type { RequestTime } from '../../values/request-time';
import { MAX_FILM_RECORDS } from './film.reader';
import type { FilmedJob } from './filming.rows';
import type { FilmingStore } from './filming.store';
import type { CameraWatch, JobFilming } from './filming.types';

const TOO_MANY = `The cameras of these jobs have more than ${MAX_FILM_RECORDS.ofRequest} status records. Request the field filming for fewer jobs, or for this job alone. Jobs that ended more than a day ago do not count`;

export class FilmingService {
  /** The reader of each running request. */
  private readonly readers = new WeakMap<object, ReturnType<FilmingStore['createRequestReader']>>();

  constructor(private readonly store: FilmingStore) {}

  /** All fields of an operation call this in the same turn of the event loop, so the jobs of a request are read together. */
  async listOfJob(job: FilmedJob, request: RequestTime): Promise<JobFilming[]> {
    const { id, printerId, status, startedAt, completedAt, updatedAt } = job;
    if (startedAt === null) return [];
    const reader = this.readers.get(request) ?? this.store.createRequestReader(request);
    this.readers.set(request, reader);
    const filmedJob = { id, printerId, status, startedAt, completedAt, updatedAt, now: request.now };
    const found = await reader.load(filmedJob, request.deadline);
    if (found === null) throw new BadInput(TOO_MANY);
    return found;
  }

  async watches(cameraId: string): Promise<CameraWatch[]> {
    return (await this.store.watches.load(cameraId)) ?? [];
  }
}
