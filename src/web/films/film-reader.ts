// Reads the recordings of the jobs whose rows are in view. One request reads all rows that come into view at about the same time.
import type { ApolloClient } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import DataLoader from 'dataloader';
import { useEffect, useState } from 'react';
import { JobFilmsDocument, type JobFilmsQuery } from '../../generated/web-operations';
import { useNow } from '../parts/moment';
import { type Problem, toProblem } from '../parts/problem';
import type { PrintedJob } from './recorded-share';

type Job = PrintedJob & { id: string };
export type Film = NonNullable<
  Extract<NonNullable<JobFilmsQuery['_entities'][number]>, { __typename: 'PrintJob' }>['filming']
>[number];

/** The last result for a job: its recordings, or the problem that prevented reading them. */
export interface FilmsResult {
  films?: readonly Film[];
  problem?: Problem;
  readAt: number;
  /** The version of the job that the recordings were read for. */
  jobVersion: string;
}

/** While the reader scrolls, rows come into view one after the other. A request waits this long for further rows. */
const BATCH_DELAY_MS = 100;
const MAX_BATCH_SIZE = 50;
/** While a job prints, and while records may still arrive, recordings grow without a message of the change feed. They are read again after this time. */
const REFRESH_MS = 60_000;

const readers = new WeakMap<ApolloClient, FilmReader>();

class FilmReader {
  readonly results = new Map<string, FilmsResult>();
  private readonly loader: DataLoader<string, readonly Film[]>;

  constructor(apollo: ApolloClient) {
    this.loader = new DataLoader((ids) => readFilms(apollo, ids), {
      cache: false,
      maxBatchSize: MAX_BATCH_SIZE,
      batchScheduleFn: (read) => setTimeout(read, BATCH_DELAY_MS),
    });
  }

  async read(job: Job): Promise<FilmsResult> {
    const stored = this.results.get(job.id);
    if (stored !== undefined && isFresh(stored, job)) return stored;
    const answer = await this.loader.load(job.id).then(
      (films) => ({ films }),
      (error) => ({ problem: toProblem(error) }),
    );
    const result = { ...answer, jobVersion: getJobVersion(job), readAt: Date.now() };
    this.results.set(job.id, result);
    return result;
  }
}

const getJobVersion = ({ status, startedAt, completedAt, updatedAt }: Job) =>
  [status, startedAt, completedAt, updatedAt].join();

function isFresh({ films = [], readAt, jobVersion }: FilmsResult, job: Job): boolean {
  const isFinal = films.length > 0 && films.every(({ final }) => final);
  return jobVersion === getJobVersion(job) && (isFinal || Date.now() - readAt < REFRESH_MS / 2);
}

/**
 * One request reads a limited number of records, and the gateway refuses each job beyond that number. These jobs are requested again, as
 * long as each request returns some recordings.
 */
async function readFilms(apollo: ApolloClient, ids: readonly string[]): Promise<(readonly Film[] | Error)[]> {
  const { data, error } = await apollo.query({
    query: JobFilmsDocument,
    variables: { jobs: ids.map((id) => ({ __typename: 'PrintJob', id })) },
    fetchPolicy: 'no-cache',
    errorPolicy: 'all',
    // Otherwise the request may share the answer of an earlier request, which may be older than the job.
    context: { queryDeduplication: false },
  });
  const films = ids.map((_, index) => {
    const job = data?._entities?.[index];
    // The row of a removed job disappears soon, so a missing job is no error.
    return (job?.__typename === 'PrintJob' ? job.filming : undefined) ?? error ?? [];
  });
  const rejectedIds = ids.filter((_, index) => films[index] === error);
  const hasTooManyRecords = error !== undefined && toProblem(error).codes.includes('BAD_USER_INPUT');
  if (!hasTooManyRecords || rejectedIds.length === ids.length) return films;
  const retried = await readFilms(apollo, rejectedIds);
  return films.map((jobFilms, index) =>
    jobFilms === error ? (retried[rejectedIds.indexOf(ids[index] as string)] ?? jobFilms) : jobFilms,
  );
}

/** Returns undefined until the first answer. While the recordings are read again, the previous result stays. */
export function useFilms(job: Job): FilmsResult | undefined {
  const apollo = useApolloClient();
  const reader = readers.get(apollo) ?? new FilmReader(apollo);
  readers.set(apollo, reader);
  const [result, setResult] = useState(reader.results.get(job.id));
  const hasStarted = job.startedAt !== null;
  const minute = Math.floor(useNow() / REFRESH_MS);
  const isFinished = job.status !== 'PRINTING' && result?.problem === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the version of the job, and on the minute while recordings may still change
  useEffect(() => {
    let isCurrent = hasStarted;
    if (hasStarted) void reader.read(job).then((read) => isCurrent && setResult(read));
    return () => {
      isCurrent = false;
    };
  }, [reader, job.id, getJobVersion(job), isFinished || minute]);
  return result;
}
