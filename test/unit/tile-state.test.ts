// Which state the tile of a printer shows, why, and what solves it; and the order of the tiles.
import { collectFacts } from '../../src/web/farm/farm-facts';
import { keepOrder, type Order, orderPrinters } from '../../src/web/farm/printer-order';
import { decideTileState, type TileFacts } from '../../src/web/farm/tile-state';

type State = NonNullable<TileFacts['state']>;
type Connection = NonNullable<TileFacts['connection']>;

const createState = (activity: State['activity'], more: Partial<State> = {}): State => ({
  activity,
  message: null,
  isPausedByUser: false,
  activitySince: '2026-03-02T10:00:00Z',
  heardAt: '2026-03-02T10:00:00Z',
  stale: false,
  remainingSec: null,
  ...more,
});
const createConnection = (state: Connection['state'], message: string | null = null): Connection => ({
  state,
  message,
});
const createFacts = (facts: Partial<TileFacts> = {}): TileFacts => ({
  state: null,
  connection: createConnection('CONNECTED'),
  hasJob: false,
  waiting: { forSpool: 0, forOutcome: 0 },
  snoozed: new Set(),
  ...facts,
});
const decide = (facts: Partial<TileFacts>) => {
  const { name, reason, action } = decideTileState(createFacts(facts));
  return [name, reason, action];
};

const FAULT = createState('ERROR', { message: 'MCU shutdown' });
const PAUSED = createState('PAUSED', { message: 'Filament ran out' });
const PRINTING = createState('PRINTING');
const REFUSED = createConnection('REFUSED', 'The password is wrong.');
const SPOOLS = { forSpool: 2, forOutcome: 0 };
const OUTCOME = { forSpool: 0, forOutcome: 1 };

test.each<[string, Partial<TileFacts>, unknown[]]>([
  ['a fault', { state: FAULT }, ['NEEDS_YOU', /^Fault since .+: MCU shutdown$/, 'OPEN_PRINTER']],
  [
    'a fault without a message',
    { state: createState('ERROR') },
    ['NEEDS_YOU', /^Fault since [^:]+:\d\d/, 'OPEN_PRINTER'],
  ],
  ['a fault before waiting prints', { state: FAULT, waiting: SPOOLS }, ['NEEDS_YOU', /^Fault/, 'OPEN_PRINTER']],
  ['an old fault', { state: { ...FAULT, stale: true } }, ['OFFLINE', /^No contact since /, null]],
  ['a snoozed fault', { state: FAULT, snoozed: new Set(['PRINTER_FAULT']) }, ['IDLE', 'Fault', null]],
  ['a runout', { state: PAUSED }, ['NEEDS_YOU', /^Paused since .+: Filament ran out$/, 'CHANGE_SPOOL']],
  [
    'a pause for another reason',
    { state: { ...PAUSED, message: 'Door open' } },
    ['NEEDS_YOU', /^Paused since .+: Door open$/, 'OPEN_PRINTER'],
  ],
  ['a pause by a user', { state: { ...PAUSED, isPausedByUser: true } }, ['PRINTING', 'Paused by a user', null]],
  ['a snoozed pause', { state: PAUSED, snoozed: new Set(['PRINTER_PAUSED']) }, ['PRINTING', 'Paused', null]],
  ['an old pause', { state: { ...PAUSED, stale: true } }, ['OFFLINE', /^No contact since /, null]],
  ['a refusal', { connection: REFUSED }, ['NEEDS_YOU', 'The password is wrong.', 'EDIT_CONNECTION']],
  [
    'a refusal after contact',
    { connection: REFUSED, state: { ...PRINTING, stale: true } },
    ['NEEDS_YOU', 'The password is wrong.', 'EDIT_CONNECTION'],
  ],
  [
    'a snoozed refusal',
    { connection: createConnection('REFUSED'), snoozed: new Set(['DEVICE_REFUSED']) },
    ['OFFLINE', 'Access denied', null],
  ],
  [
    'unknown spools',
    { state: PRINTING, waiting: SPOOLS },
    ['NEEDS_YOU', '2 prints wait for their spools', 'CHOOSE_SPOOL'],
  ],
  [
    'unknown spools of a lost printer',
    { state: { ...PRINTING, stale: true }, waiting: SPOOLS },
    ['NEEDS_YOU', /^No contact since .+\. 2 prints wait for their spools$/, 'CHOOSE_SPOOL'],
  ],
  ['an unknown outcome', { waiting: OUTCOME }, ['NEEDS_YOU', 'How did 1 print end?', 'SET_OUTCOME']],
  [
    'snoozed spools and an outcome',
    { waiting: { forSpool: 1, forOutcome: 1 }, snoozed: new Set(['PRINT_WAITS']) },
    ['NEEDS_YOU', 'How did 1 print end?', 'SET_OUTCOME'],
  ],
  [
    'waiting prints of a printer without a machine',
    { connection: null, waiting: OUTCOME },
    ['NEEDS_YOU', 'How did 1 print end?', 'SET_OUTCOME'],
  ],
  ['printing', { state: PRINTING }, ['PRINTING', null, null]],
  ['preparing', { state: createState('PREPARING') }, ['PRINTING', 'Preparing', null]],
  ['a job by hand', { connection: null, hasJob: true }, ['PRINTING', null, null]],
  ['finished', { state: createState('FINISHED') }, ['FINISHED', null, null]],
  ['idle', { state: createState('IDLE') }, ['IDLE', null, null]],
  ['idle beside an open job', { state: createState('IDLE'), hasJob: true }, ['IDLE', null, null]],
  ['off', { state: createState('OFFLINE') }, ['OFFLINE', null, null]],
  ['off for long', { state: createState('OFFLINE', { stale: true }) }, ['OFFLINE', null, null]],
  ['silent', { state: createState('PRINTING', { stale: true }) }, ['OFFLINE', /^No contact since /, null]],
  [
    'not reached',
    { connection: createConnection('OFFLINE', 'Nothing listens there.') },
    ['OFFLINE', 'Nothing listens there.', null],
  ],
  ['without data', {}, ['OFFLINE', 'No data yet', null]],
  [
    'disabled',
    { connection: createConnection('DISABLED'), state: PRINTING },
    ['OFFLINE', 'The connection is disabled', null],
  ],
  ['no machine', { connection: null }, ['NO_MACHINE', null, null]],
  ['still loading', { connection: undefined }, ['IDLE', null, null]],
])('%s', (_, facts, [name, reason, action]) => {
  const shown = decide(facts);
  expect(shown).toEqual([name, reason instanceof RegExp ? expect.stringMatching(reason) : reason, action]);
});

const printer = (id: string) => ({ id });
const print = (id: string, waitsFor: 'SPOOL' | 'OUTCOME' | null) => ({ printer: { id, name: id }, waitsFor });
const alert = (id: string, kind: 'PRINT_WAITS' | 'PRINTER_FAULT', prints: number | null, isSnoozed = false) => ({
  kind,
  prints,
  printer: printer(id),
  silence: isSnoozed ? { by: null, until: null } : null,
});

test('prints are counted by printer; alerts count prints that the limited list does not have, and name what is snoozed', () => {
  const forSpool = { totalCount: 3, nodes: [print('1', 'SPOOL'), print('1', 'SPOOL'), print('2', null)] };
  const forOutcome = { totalCount: 1, nodes: [print('1', 'OUTCOME')] };
  const alerts = [alert('1', 'PRINT_WAITS', 9), alert('3', 'PRINTER_FAULT', null, true)];
  const whole = collectFacts(alerts, { forSpool, forOutcome });
  expect(whole.get('1')).toEqual({ waiting: { forSpool: 2, forOutcome: 1 }, snoozed: new Set() });
  expect(whole.get('2')).toBeUndefined();
  expect(whole.get('3')?.snoozed).toEqual(new Set(['PRINTER_FAULT']));
  const limited = collectFacts(alerts, { forSpool: { ...forSpool, totalCount: 200 }, forOutcome });
  expect(limited.get('1')?.waiting.forSpool).toBe(9);
});

test.each<[Order, string]>([
  ['needs', 'fault 9, spool 1, done 2, late 10, off 3, soon 4'],
  ['name', 'done 2, fault 9, late 10, off 3, soon 4, spool 1'],
  ['state', 'fault 9, spool 1, off 3, done 2, late 10, soon 4'],
  ['time', 'soon 4, late 10, done 2, fault 9, off 3, spool 1'],
])('the order %s', (order, expected) => {
  const rows = Object.entries({
    'soon 4': { facts: { state: PRINTING }, endsAt: 1 },
    'late 10': { facts: { state: PRINTING }, endsAt: 2 },
    'spool 1': { facts: { waiting: SPOOLS }, endsAt: null },
    'off 3': { facts: {}, endsAt: null },
    'fault 9': { facts: { state: FAULT }, endsAt: null },
    'done 2': { facts: { state: createState('FINISHED') }, endsAt: null },
  }).map(([name, { facts, endsAt }]) => ({
    printer: { id: name, name },
    tile: decideTileState(createFacts(facts)),
    endsAt,
  }));
  expect(orderPrinters(rows, order).join(', ')).toBe(expected);
});

test('a kept order loses removed printers, and new ones follow', () => {
  expect(keepOrder(['b', 'c', 'a'], ['a', 'd', 'b'])).toEqual(['b', 'a', 'd']);
});
