// The rules of the filming of jobs: which jobs have one, and how much of the log one request may read.
import { BadInput } from '../errors';
import type { RequestTime } from '../values/deadline';
import { MAX_FILM_RECORDS } from './filming.limits';
import type { FilmedJob } from './filming.rows';
import type { FilmingStore } from './filming.store';
import type { CameraWatch, JobFilming } from './filming.types';

const TOO_MANY = `The cameras of these jobs have more than ${MAX_FILM_RECORDS} status records: ask for the filming of fewer jobs. That of a job that ended a day ago counts none`;

export class FilmingService {
  /** The records of the jobs that each request has asked for, while it runs. */
  private readonly asked = new WeakMap<object, Promise<number>>();

  constructor(private readonly store: FilmingStore) {}

  /**
   * The fields of an operation ask in the same turn of the event loop, so that they are all refused, or none.
   * @param request of all its jobs together
   */
  async ofJob(job: FilmedJob, request: RequestTime): Promise<JobFilming[]> {
    const { id, printerId, status, startedAt, completedAt, updatedAt } = job;
    if (startedAt === null) return [];
    const filmed = { id, printerId, status, startedAt, completedAt, updatedAt, now: request.now };
    const finding = this.store.ofJob.load(filmed, request.deadline);
    const sum = Promise.all([this.asked.get(request) ?? 0, finding]).then(
      ([before, it]) => before + (it?.records ?? 0),
    );
    this.asked.set(request, sum);
    // Whoever waits for a failed one is told by its own.
    sum.catch(() => {});
    const found = await finding;
    if (((await this.asked.get(request)) ?? 0) > MAX_FILM_RECORDS) throw new BadInput(TOO_MANY);
    if (found?.films) return found.films;
    const counted = await this.store.ofCounted.load({ ...filmed, records: found?.records ?? 0 }, request.deadline);
    // More records came meanwhile.
    if (!counted?.films) throw new BadInput(TOO_MANY);
    return counted.films;
  }

  async watches(cameraId: string): Promise<CameraWatch[]> {
    return (await this.store.watches.load(cameraId)) ?? [];
  }
}
