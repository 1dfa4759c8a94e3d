// Which job the farm page shows for a printer: of several jobs in PRINTING, the job that its machine prints.
import { findCurrentJob, type Printer } from '../../src/web/farm/printer-job';
import type { PrinterState } from '../../src/web/printers/live-states';

type Job = Printer['jobs']['nodes'][number];

const job = (printName: string, print: string | null) =>
  ({ printName, observedPrint: print === null ? null : { id: print } }) as Job;
const createState = (activity: PrinterState['activity'], print: string | null, stale = false) =>
  ({ activity, stale, print: print === null ? null : { id: print } }) as PrinterState;
const BY_HAND = job('by hand', null);
const BEFORE = job('before', 'print 1');
const PRINTED = job('printed', 'print 2');

const shown = (jobs: Job[], state: PrinterState | null) => {
  const now = findCurrentJob({ jobs: { nodes: jobs } as Printer['jobs'] }, state);
  return [now.job?.printName, now.stale?.printName];
};

test.each([
  ['the job of the print', [PRINTED], createState('PRINTING', 'print 2'), ['printed', undefined]],
  ['a newer job beside it', [BY_HAND, PRINTED], createState('PAUSED', 'print 2'), ['printed', 'by hand']],
  ['an older job beside it', [PRINTED, BEFORE], createState('PREPARING', 'print 2'), ['printed', 'before']],
  ['another job alone', [BEFORE], createState('PRINTING', 'print 2'), [undefined, 'before']],
  ['a print that is not recorded yet', [PRINTED], createState('PRINTING', null), ['printed', undefined]],
  ['a machine that prints nothing', [BY_HAND], createState('IDLE', null), [undefined, 'by hand']],
  ['a machine that has printed', [BEFORE], createState('FINISHED', 'print 1'), [undefined, 'before']],
  ['a machine that does not report', [BY_HAND], createState('IDLE', null, true), ['by hand', undefined]],
  ['a machine with a fault', [PRINTED], createState('ERROR', null), ['printed', undefined]],
  ['no machine', [BY_HAND, BEFORE], null, ['by hand', undefined]],
  ['no job', [], createState('PRINTING', 'print 2'), [undefined, undefined]],
])('%s', (_, jobs, state, expected) => {
  expect(shown(jobs, state)).toEqual(expected);
});
