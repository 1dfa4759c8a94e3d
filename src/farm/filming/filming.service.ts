// The rules of the filming of jobs: which jobs have one, and how much of the log one request may read.
import { BadInput } from '../../errors';
import type { RequestTime } from '../../values/request-time';
import { MAX_FILM_RECORDS } from './film.reader';
import type { FilmedJob } from './filming.rows';
import type { FilmingStore } from './filming.store';
import type { CameraWatch, JobFilming } from './filming.types';

const TOO_MANY = `The cameras of these jobs have more than ${MAX_FILM_RECORDS.ofRequest} status records: ask for the filming of fewer jobs, or of this one alone. That of a job that ended a day ago counts none`;

export class FilmingService {
  /** What each request reads, while it runs. */
  private readonly readers = new WeakMap<object, ReturnType<FilmingStore['createRequestReader']>>();

  constructor(private readonly store: FilmingStore) {}

  /** The fields of an operation ask in the same turn of the event loop: the jobs of a request are read together. */
  async listOfJob(job: FilmedJob, request: RequestTime): Promise<JobFilming[]> {
    const { id, printerId, status, startedAt, completedAt, updatedAt } = job;
    if (startedAt === null) return [];
    const films = this.readers.get(request) ?? this.store.createRequestReader(request);
    this.readers.set(request, films);
    const filmed = { id, printerId, status, startedAt, completedAt, updatedAt, now: request.now };
    const found = await films.load(filmed, request.deadline);
    if (found === null) throw new BadInput(TOO_MANY);
    return found;
  }

  async watches(cameraId: string): Promise<CameraWatch[]> {
    return (await this.store.watches.load(cameraId)) ?? [];
  }
}
