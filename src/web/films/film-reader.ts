// Reads the films of the jobs whose rows a reader sees: those of one moment with one request, and no others.
import type { ApolloClient } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import DataLoader from 'dataloader';
import { useEffect, useState } from 'react';
import { JobFilmsDocument, type JobFilmsQuery } from '../../generated/web-operations';
import { useNow } from '../parts/moment';
import { type Problem, problemOf } from '../parts/problem';
import type { Printed } from './recorded-share';

type Job = Printed & { id: string };
export type Film = NonNullable<
  Extract<NonNullable<JobFilmsQuery['_entities'][number]>, { __typename: 'PrintJob' }>['filming']
>[number];

/** What is known of the films of a job. */
export interface Known {
  films?: readonly Film[];
  problem?: Problem;
  readAt: number;
  /** The job that they were read for. */
  of: string;
}

/** Rows come into view one after the other. */
const GATHER_MS = 100;
const MAX_JOBS = 50;
/** While a job prints, and while records may come late, films grow without a word of the feed. */
const OLD_MS = 60_000;

const readers = new WeakMap<ApolloClient, FilmReader>();

class FilmReader {
  readonly known = new Map<string, Known>();
  private readonly loader: DataLoader<string, readonly Film[]>;

  constructor(apollo: ApolloClient) {
    this.loader = new DataLoader((ids) => filmsOf(apollo, ids), {
      cache: false,
      maxBatchSize: MAX_JOBS,
      batchScheduleFn: (read) => setTimeout(read, GATHER_MS),
    });
  }

  async read(job: Job): Promise<Known> {
    const known = this.known.get(job.id);
    if (known !== undefined && isNew(known, job)) return known;
    const answer = await this.loader.load(job.id).then(
      (films) => ({ films }),
      (error) => ({ problem: problemOf(error) }),
    );
    const read = { ...answer, of: markOf(job), readAt: Date.now() };
    this.known.set(job.id, read);
    return read;
  }
}

const markOf = ({ status, startedAt, completedAt, updatedAt }: Job) =>
  [status, startedAt, completedAt, updatedAt].join();

function isNew({ films = [], readAt, of }: Known, job: Job): boolean {
  const isFixed = films.length > 0 && films.every(({ final }) => final);
  return of === markOf(job) && (isFixed || Date.now() - readAt < OLD_MS / 2);
}

/** Jobs behind the records that one request reads are refused each: they are asked for again, as long as that brings films. */
async function filmsOf(apollo: ApolloClient, ids: readonly string[]): Promise<(readonly Film[] | Error)[]> {
  const { data, error } = await apollo.query({
    query: JobFilmsDocument,
    variables: { jobs: ids.map((id) => ({ __typename: 'PrintJob', id })) },
    fetchPolicy: 'no-cache',
    errorPolicy: 'all',
    // An answer on its way may be older than the job.
    context: { queryDeduplication: false },
  });
  const films = ids.map((_, index) => {
    const job = data?._entities?.[index];
    // A job that is gone has no row for long.
    return (job?.__typename === 'PrintJob' ? job.filming : undefined) ?? error ?? [];
  });
  const refused = ids.filter((_, index) => films[index] === error);
  const isTooMuch = error !== undefined && problemOf(error).codes.includes('BAD_USER_INPUT');
  if (!isTooMuch || refused.length === ids.length) return films;
  const again = await filmsOf(apollo, refused);
  return films.map((found, index) =>
    found === error ? (again[refused.indexOf(ids[index] as string)] ?? found) : found,
  );
}

/** Undefined until the first answer; while it is read again, what was known before. */
export function useFilms(job: Job): Known | undefined {
  const apollo = useApolloClient();
  const reader = readers.get(apollo) ?? new FilmReader(apollo);
  readers.set(apollo, reader);
  const [known, show] = useState(reader.known.get(job.id));
  const hasBegun = job.startedAt !== null;
  const minute = Math.floor(useNow() / OLD_MS);
  const isOver = job.status !== 'PRINTING' && known?.problem === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the members of the job, and the time where it may bring something
  useEffect(() => {
    let isShown = hasBegun;
    if (hasBegun) void reader.read(job).then((read) => isShown && show(read));
    return () => {
      isShown = false;
    };
  }, [reader, job.id, markOf(job), isOver || minute]);
  return known;
}
