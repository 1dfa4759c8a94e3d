// The status machine of print jobs, pair by pair, compared with a table that is written here by hand.
import {
  allowedTransitions,
  decideDeletion,
  decideTransition,
  JOB_STATUSES,
  type JobStatus,
} from '../../src/farm/print-jobs/print-job.status';
import { catchRefusal } from '../support/catch-refusal';

const NOW = '2026-11-20T08:30:00.000Z';

/** §3 of the print job document, a row per status and a letter per requested one, in the order of its list: + accepted, - rejected. */
const TABLE: Record<JobStatus, string> = {
  //          Q P C C F
  Queued: '   + + - + +',
  Printing: ' - + + + +',
  Completed: '- - + + +',
  Cancelled: '- - - + +',
  Failed: '   - - - + +',
};
const pairs = JOB_STATUSES.flatMap((from) =>
  JOB_STATUSES.map((to, index) => [from, to, TABLE[from].trim().split(/\s+/)[index] === '+'] as const),
);

test('the statuses are those of the document', () => {
  expect(JOB_STATUSES).toEqual(['Queued', 'Printing', 'Completed', 'Cancelled', 'Failed']);
  expect(pairs).toHaveLength(25);
});

test.each(pairs)('%s to %s: accepted %s', (from, to, accepted) => {
  expect(allowedTransitions(from).includes(to)).toBe(accepted);
  if (accepted) {
    expect(decideTransition(from, to, NOW)).toEqual({
      status: to,
      startedAtIfEmpty: to === 'Printing' ? NOW : null,
      completedAt: ['Completed', 'Cancelled', 'Failed'].includes(to) ? NOW : null,
    });
    return;
  }
  const refusal = catchRefusal(() => decideTransition(from, to, NOW));
  // §7: the message "names the current and requested status and states what is allowed".
  for (const name of [from, to, ...allowedTransitions(from)]) expect(refusal.message).toContain(name);
});

test.each([
  ['Queued', 'cancels'],
  ['Printing', 'cancels'],
  ['Failed', 'cancels'],
  ['Cancelled', 'changes nothing'],
  ['Completed', 'is refused'],
] as const)('the deletion of a %s job %s', (from, outcome) => {
  const expected = { status: 'Cancelled', startedAtIfEmpty: null, completedAt: NOW };
  if (outcome === 'is refused')
    expect(catchRefusal(() => decideDeletion(from, NOW)).message).toMatch(/status operation/);
  else expect(decideDeletion(from, NOW)).toEqual(outcome === 'cancels' ? expected : undefined);
});
