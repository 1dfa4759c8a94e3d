// The rule of slots that follow the machine: what it reported before, what it reports now, and what the slot has.
import type { SeenSlot, SpoolReference } from '../../src/farm/followed-spools/followed-spools.model';
import {
  type Choice,
  decideSlot,
  type FoundSpool,
  MAX_SENDS,
  needsSending,
} from '../../src/farm/followed-spools/followed-spools.rules';
import { explainSpoolman } from '../../src/farm/followed-spools/spoolman.texts';

const at = (minute: number) => `2026-11-29T10:${String(minute).padStart(2, '0')}:00.000Z`;
const NOW = at(30);

/** The farm has the spools 12, 13 and 14 (archived), and the tags A, B and B's chip B1. */
const SPOOLS: Record<string, FoundSpool> = {
  12: { id: 'twelve', isArchived: false, isLoaded: false },
  13: { id: 'thirteen', isArchived: false, isLoaded: false },
  14: { id: 'fourteen', isArchived: true, isLoaded: false },
  A: { id: 'tagged a', isArchived: false, isLoaded: false },
  B1: { id: 'tagged b', isArchived: false, isLoaded: false },
};
const find = (spool: SpoolReference) =>
  ('number' in spool ? [String(spool.number)] : spool.uids).map((key) => SPOOLS[key]).find((found) => found) ?? null;

const number = (value: number | null): SpoolReference | null => (value === null ? null : { number: value });
const tag = (...uids: string[]): SpoolReference | null => (uids.length === 0 ? null : { uids });
const seen = (spool: SpoolReference | null, more: Partial<SeenSlot> = {}): SeenSlot => ({ spool, at: at(10), ...more });
const slot = (spoolId: string | null, changedAt: string | null = at(5)) => ({ spoolId, changedAt });
const decide = (
  before: SeenSlot | null,
  spool: SpoolReference | null,
  has: ReturnType<typeof slot>,
  {
    isPrinting = false,
    follows = true,
    chosenAt = null as string | null,
    usesNothingSince = null as string | null,
  } = {},
) =>
  decideSlot(
    before,
    { slot: 'tool:0', spool, chosenAt, usesNothingSince },
    has,
    { at: NOW, isPrinting, follows },
    find,
  );

test.each<[string, SeenSlot | null, SpoolReference | null, ReturnType<typeof slot>, string | null | undefined]>([
  ['first contact fills an empty slot', null, number(12), slot(null), 'twelve'],
  ['first contact leaves a full slot', null, number(12), slot('thirteen'), undefined],
  ['first contact without a spool empties nothing', null, null, slot('thirteen'), undefined],
  ['a new choice replaces the spool', seen(number(12)), number(13), slot('twelve'), 'thirteen'],
  ['a new choice wins over an earlier load of a user', seen(number(12)), number(13), slot('x', at(20)), 'thirteen'],
  [
    'a load of a user stays while the machine reports the same',
    seen(number(12)),
    number(12),
    slot('x', at(20)),
    undefined,
  ],
  ['a user takes the spool out, and it stays out', seen(number(12)), number(12), slot(null, at(20)), undefined],
  ['a cleared choice empties the slot', seen(number(12)), null, slot('twelve'), null],
  ['a cleared choice empties a slot with the spool of a user', seen(number(12)), null, slot('x', at(20)), null],
  ['the spool is in the slot already', seen(null), number(12), slot('twelve'), undefined],
  ['a load after the report stays', seen(number(12)), number(13), slot('x', at(31)), undefined],
  ['an unknown number changes nothing', seen(number(12)), number(500), slot('twelve'), undefined],
  ['an archived number changes nothing', seen(number(12)), number(14), slot('twelve'), undefined],
  ['a known tag loads its spool', seen(null), tag('A', 'A1'), slot(null), 'tagged a'],
  ['the chip decides if no spool has the tray_uuid', seen(null), tag('B', 'B1'), slot(null), 'tagged b'],
  [
    'another chip under the same tray_uuid is no change',
    seen(tag('A', 'A1')),
    tag('A', 'A2'),
    slot('x', at(20)),
    undefined,
  ],
  ['a tag that goes takes its spool out', seen(tag('A', 'A1')), null, slot('tagged a'), null],
  ['a tag that goes leaves another spool', seen(tag('A', 'A1')), null, slot('x'), undefined],
  ['an unknown tag takes the spool of the old tag out', seen(tag('A')), tag('C'), slot('tagged a'), null],
  ['an unknown tag leaves a spool that a user loaded', seen(null), tag('C'), slot('x'), undefined],
  [
    'first contact with a tag leaves a full slot, because empty cores are refilled',
    null,
    tag('A'),
    slot('x'),
    undefined,
  ],
])('%s', (_what, before, reported, has, loaded) => {
  const { load, seen: next } = decide(before, reported, has);
  expect(load).toEqual(loaded === undefined ? undefined : { spoolId: loaded, at: NOW });
  expect(next.spool).toEqual(reported);
  // The same report again, as after a restart, changes nothing more.
  const after = load === undefined ? has : slot(load.spoolId, NOW);
  expect(decide(next, reported, after).load).toBeUndefined();
});

test('a spool that is cleared during a print stays until its end, over restarts', () => {
  const { load, seen: waiting } = decide(seen(number(12)), null, slot('twelve'), { isPrinting: true });
  expect(load).toBeUndefined();
  const stored = JSON.parse(JSON.stringify(waiting));
  expect(decide(stored, null, slot('twelve'), { isPrinting: true }).load).toBeUndefined();
  expect(decide(stored, null, slot('twelve')).load).toEqual({ spoolId: null, at: NOW });
  // A user who loads a spool after the machine cleared it knows better.
  expect(decide(stored, null, slot('thirteen', at(31))).load).toBeUndefined();
  expect(decide(stored, number(12), slot('twelve')).load).toBeUndefined();
  expect(decide(stored, number(13), slot('twelve')).load).toEqual({ spoolId: 'thirteen', at: NOW });
});

test('a spool that the farm gets later is loaded then, unless a user changed the slot', () => {
  const { seen: waiting, problem } = decide(seen(number(12)), number(500), slot('twelve'));
  expect(problem).toEqual({ cause: 'UNKNOWN', number: 500 });
  SPOOLS['500'] = { id: 'new', isArchived: false, isLoaded: false };
  expect(decide(waiting, number(500), slot('twelve')).load?.spoolId).toBe('new');
  expect(decide(waiting, number(500), slot('thirteen', at(31))).load).toBeUndefined();
  delete SPOOLS['500'];
  expect(decide(seen(number(12)), number(14), slot('twelve')).problem).toEqual({ cause: 'ARCHIVED', number: 14 });
});

test('a spool that was chosen while nobody listened is there from the start of its print', () => {
  const chosen = { chosenAt: at(15) };
  expect(decide(seen(number(12)), number(13), slot('twelve'), chosen).load).toEqual({
    spoolId: 'thirteen',
    at: at(15),
  });
});

test('a spool that was in no slot is there from the start of a print that has used nothing, and any other one from now on', () => {
  const printing = { usesNothingSince: at(15) };
  expect(decide(seen(number(12)), number(13), slot('twelve'), printing).load?.at).toBe(at(15));
  SPOOLS['500'] = { id: 'elsewhere', isArchived: false, isLoaded: true };
  expect(decide(seen(number(12)), number(500), slot('twelve'), printing).load?.at).toBe(NOW);
  delete SPOOLS['500'];
});

test('a machine that is not followed changes nothing, and is remembered', () => {
  const { load, seen: next } = decide(seen(number(12)), number(13), slot('twelve'), { follows: false });
  expect([load, next]).toEqual([undefined, { spool: { number: 13 }, at: NOW }]);
});

describe('what a user loads', () => {
  const choice = (members: Partial<Choice> = {}): Choice => ({
    active: { number: 12, at: at(10) },
    slot: { number: 13, changedAt: at(20) },
    sent: undefined,
    ...members,
  });

  test('is sent if the machine has chosen nothing since', () => {
    expect(needsSending(choice())).toBe(true);
    expect(needsSending(choice({ active: { number: 12, at: at(21) } }))).toBe(false);
    expect(needsSending(choice({ active: { number: 13, at: at(10) } }))).toBe(false);
  });

  test('is sent a few times at most', () => {
    const sent = { number: 13, changedAt: at(20), tries: MAX_SENDS };
    expect(needsSending(choice({ sent: { ...sent, tries: MAX_SENDS - 1 } }))).toBe(true);
    expect(needsSending(choice({ sent }))).toBe(false);
    expect(needsSending(choice({ sent, slot: { number: 13, changedAt: at(22) } }))).toBe(true);
  });

  test('comes back from the machine and changes nothing, even if the user has changed the slot again', () => {
    const sent = { number: 13, changedAt: at(20), tries: 1 };
    const { load, seen: next } = decide(seen(number(12), { sent }), number(13), slot('x', at(25)));
    expect(load).toBeUndefined();
    expect(next).toEqual({ spool: { number: 13 }, at: at(20) });
    expect(needsSending(choice({ active: { number: 13, at: next.at }, slot: { number: 15, changedAt: at(25) } }))).toBe(
      true,
    );
  });

  test('loses against another choice of the machine, and is not sent again', () => {
    const sent = { number: 13, changedAt: at(20), tries: 1 };
    const { load, seen: next } = decide(seen(number(12), { sent }), number(15), slot('thirteen', at(20)));
    expect(load).toBeUndefined();
    expect(next.sent).toBeUndefined();
    expect(needsSending(choice({ active: { number: 15, at: next.at } }))).toBe(false);
  });
});

test('a message says why the slots do not follow, and nothing if they do', () => {
  const following = { isThisGateway: true, activeNumber: 12, obstacle: null, problem: null };
  expect(explainSpoolman(following, true)).toBeNull();
  expect(explainSpoolman(following, false)).toMatch('followsSpools');
  expect(explainSpoolman({ ...following, isThisGateway: false }, true)).toMatch('another Spoolman');
  expect(explainSpoolman({ ...following, isThisGateway: null }, true)).toMatch('cannot reach');
  expect(explainSpoolman({ ...following, obstacle: { cause: 'UNIT', name: 'AFC' } }, true)).toMatch('AFC');
  expect(explainSpoolman({ ...following, problem: { cause: 'ARCHIVED', number: 14 } }, true)).toMatch('archived');
});
