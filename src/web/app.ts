// The dashboard: reads the farm when it changes, shows it, and sends status changes of jobs.

import { createClient, GatewayRequestError } from '../client/client.js';
import type { WatchState } from '../client/watch.js';
import {
  ChangePrintJobStatusDocument,
  FarmChangesDocument,
  FarmOverviewDocument,
  type FarmOverviewQuery,
  type PrintJobStatus,
} from '../generated/web-operations.js';
import { cameraCard, printerCard } from './cards-view.js';
import { byId, element, keptList, refreshTimes } from './elements.js';
import { type Job, jobRow, STATUS_NAMES } from './jobs-view.js';
import { createSignIn } from './sign-in.js';

/** While changes cannot be watched, the farm is read so often. */
const POLL_MS = 5_000;
/** Changes come in bursts. After one, the farm is read this much later. */
const GATHER_MS = 300;
const JOBS_STEP = 50;
/** The gateway's maximum for a page. */
const MAX_JOBS = 1_000;

const signIn = createSignIn(refresh);
const client = createClient({ url: new URL('graphql', document.baseURI).href, headers: signIn.headers });
const statuses = Object.keys(STATUS_NAMES) as PrintJobStatus[];

let shownStatus: PrintJobStatus | undefined;
let shownJobs = JOBS_STEP;
/** Aborts the running poll at a new request of the user, so that an old answer cannot replace the new one. */
let asking = new AbortController();
let timer = 0;

const showPrinters = keptList(byId('printers'), printerCard);
const showCameras = keptList(byId('cameras'), cameraCard);
const showJobs = keptList(byId('jobs'), (job: Job) => jobRow(job, change));
const more = byId<HTMLButtonElement>('more');
const filters = new Map<PrintJobStatus | undefined, HTMLButtonElement>();

for (const status of [undefined, ...statuses]) {
  const button = element('button', { type: 'button' });
  button.addEventListener('click', () => {
    shownStatus = status;
    shownJobs = JOBS_STEP;
    refresh();
  });
  filters.set(status, button);
  byId('filters').append(button);
}

more.addEventListener('click', () => {
  shownJobs += JOBS_STEP;
  refresh();
});

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) refresh();
});

let isWatching = false;
/** Whether changes came since the farm was read. */
let isStale = false;
let isGathering = false;

/** One reading at a time: where changes come faster than answers, each reading would abort the one before. */
async function gather(): Promise<void> {
  if (isGathering) return;
  isGathering = true;
  while (isStale) {
    await pause(GATHER_MS);
    isStale = false;
    if (!document.hidden) await refresh();
  }
  isGathering = false;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function showState(state: WatchState): void {
  isWatching = state === 'connected';
  byId('live').textContent = isWatching ? 'Live' : 'Reconnecting …';
  void refresh();
}

/** Ends the wait of watchFarm. */
let farmWasRead = () => {};

/** Reads the farm anew after changes; while the stream is lost, refresh polls. Without rights to read it does not ask. */
async function watchFarm(): Promise<void> {
  for (;;) {
    await new Promise<void>((resolve) => {
      farmWasRead = resolve;
    });
    try {
      for await (const _change of client.subscribe(FarmChangesDocument, {}, { onState: showState })) {
        isStale = true;
        void gather();
      }
    } catch {
      // Refused: refresh tells the reason, and asks for credentials where they are needed.
    }
    if (isWatching) showState('behind');
  }
}

async function refresh(): Promise<void> {
  clearTimeout(timer);
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const variables = { jobs: shownJobs, status: shownStatus === undefined ? null : [shownStatus] };
  let isRead = false;
  try {
    const farm = await client.request(FarmOverviewDocument, variables, { signal });
    if (signal.aborted) return;
    show(farm);
    signIn.accepted();
    farmWasRead();
    hideProblem('poll');
    isRead = true;
  } catch (error) {
    if (signal.aborted) return;
    // No new timer: every poll would fail until the user signs in.
    if (signIn.refused(error)) return hideProblem('poll');
    showProblem('poll', 'The farm cannot be read', error, `Trying again every ${POLL_MS / 1000} seconds.`);
  }
  refreshTimes();
  if (!document.hidden && !(isWatching && isRead)) timer = setTimeout(refresh, POLL_MS);
}

function show(farm: FarmOverviewQuery): void {
  const cameras = farm.cameras.nodes;
  const online = cameras.filter((camera) => camera.lastStatus?.online).length;
  const busy = farm.printers.nodes.filter((printer) => printer.jobs.nodes.length > 0).length;
  showPrinters(farm.printers.nodes);
  showCameras(cameras);
  showJobs(farm.printJobs.nodes);
  byId('printers-count').textContent = `${busy} of ${farm.printers.totalCount} printing`;
  byId('cameras-count').textContent = `${online} of ${farm.cameras.totalCount} online`;
  byId('jobs-count').textContent = `${farm.printJobs.nodes.length} of ${farm.printJobs.totalCount} shown`;
  byId('printers-empty').hidden = farm.printers.nodes.length > 0;
  byId('cameras-empty').hidden = cameras.length > 0;
  byId('jobs-empty').hidden = farm.printJobs.nodes.length > 0;
  more.hidden = farm.printJobs.nodes.length >= Math.min(farm.printJobs.totalCount, MAX_JOBS);

  const counts: Record<PrintJobStatus, number> = {
    QUEUED: farm.queued.totalCount,
    PRINTING: farm.printing.totalCount,
    COMPLETED: farm.completed.totalCount,
    CANCELLED: farm.cancelled.totalCount,
    FAILED: farm.failed.totalCount,
  };
  const all = statuses.reduce((sum, status) => sum + counts[status], 0);
  for (const [status, button] of filters) {
    button.textContent = status === undefined ? `All ${all}` : `${STATUS_NAMES[status]} ${counts[status]}`;
    button.setAttribute('aria-pressed', String(status === shownStatus));
  }
  byId('refreshed').textContent = `As of ${new Date().toLocaleTimeString()}`;
}

async function change(job: Job, status: PrintJobStatus, button: HTMLButtonElement): Promise<void> {
  // `disabled` would take the focus away.
  if (button.ariaDisabled === 'true') return;
  const final = status === 'CANCELLED' || status === 'FAILED';
  if (
    final &&
    !window.confirm(`Change "${job.printName}" to ${STATUS_NAMES[status]}? It cannot be printed after that.`)
  ) {
    return;
  }
  button.ariaDisabled = 'true';
  try {
    await client.request(ChangePrintJobStatusDocument, { id: job.id, status });
    hideProblem('change');
    byId('done').textContent = `${job.printName} is ${STATUS_NAMES[status]} now.`;
  } catch (error) {
    showProblem('change', `"${job.printName}" was not changed`, error);
  }
  button.ariaDisabled = null;
  await refresh();
}

/** A problem of polling disappears when a poll succeeds, a problem of a change when a change succeeds. */
const problems = new Map<'poll' | 'change', string>();

function showProblem(kind: 'poll' | 'change', what: string, error: unknown, then = ''): void {
  const why = error instanceof Error ? error.message : String(error);
  const id = error instanceof GatewayRequestError && error.requestId ? ` (request ${error.requestId})` : '';
  problems.set(kind, `${what}: ${why}${id}. ${then}`);
  drawProblems();
}

function hideProblem(kind: 'poll' | 'change'): void {
  if (problems.delete(kind)) drawProblems();
}

function drawProblems(): void {
  const text = [...problems.values()].join('\n');
  const box = byId('problem');
  box.hidden = text === '';
  // A screen reader would read the same text again.
  if (box.textContent !== text) box.textContent = text;
}

void watchFarm();
refresh();
setInterval(refreshTimes, POLL_MS);
