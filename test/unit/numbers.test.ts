// Numbers and rules that SQL, the migrations and the dashboard repeat must equal those of the gateway.
import fs from 'node:fs';
import { join } from 'node:path';
import { CLOCK, sql } from '../../src/database/sql';
import { EMPTY_BATTERY_PCT, LOW_BATTERY_PCT } from '../../src/farm/alerts/alert.limits';
import { isSilenced } from '../../src/farm/alerts/silence.store';
import { DEFAULT_INTERVAL_SEC, MAX_HOURS_AHEAD, MAX_INTERVAL_SEC } from '../../src/farm/cameras/camera.limits';
import { MAX_PLACE_LENGTH } from '../../src/farm/inventory/inventory.members';
import { COLOR_FORM, findSearchedNumber } from '../../src/farm/inventory/inventory.texts';
import { MAX_SLOTS_OF_PRINTER } from '../../src/farm/inventory/printer-slot.store';
import { MAX_PARTS } from '../../src/farm/print-jobs/print-job.limits';
import { allowedTransitions, decideTransition } from '../../src/farm/print-jobs/print-job.status';
import { LACKS_SPOOL } from '../../src/farm/prints/observed-print.rows';
import { batteryTone } from '../../src/web/camera/battery-tone';

const ROOT = join(__dirname, '..', '..');
const read = (path: string) => fs.readFileSync(join(ROOT, 'src', path), 'utf8');
const FOLDER = join(ROOT, 'prisma', 'migrations');
const MIGRATIONS = fs
  .readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.sql'))
  .map((path) => fs.readFileSync(join(FOLDER, path), 'utf8'))
  .join('\n');
/** What a pattern finds in a constraint. */
const inConstraint = (name: string, pattern: RegExp) =>
  new RegExp(`CONSTRAINT "${name}" CHECK \\(.*?${pattern.source}`).exec(MIGRATIONS)?.[1];
const numbers = (path: string, pattern: RegExp) =>
  [...read(path).matchAll(pattern)].map(([, number]) => Number(number));

test('the database allows as many slots as the gateway', () => {
  expect(numbers('farm/inventory/slots.sql', /count\(\*\) >= (\d+)/g)).toEqual([MAX_SLOTS_OF_PRINTER]);
});

test('the database accepts status records an hour further ahead than the gateway', () => {
  const hours = /INTERVAL '(\d+) hours'/g;
  expect(numbers('farm/cameras/status-log.sql', hours)).toEqual([MAX_HOURS_AHEAD + 1]);
  expect(numbers('farm/cameras/status-log.maintenance.sql', hours)).toEqual([MAX_HOURS_AHEAD + 1]);
});

test('a battery has the colour of its alert: red if the alert is critical, amber if it is a warning', () => {
  const levels = [EMPTY_BATTERY_PCT, EMPTY_BATTERY_PCT + 1, LOW_BATTERY_PCT, LOW_BATTERY_PCT + 1];
  expect(levels.map(batteryTone)).toEqual(['bad', 'warn', 'warn', 'good']);
});

test('the dashboard states after how many seconds a camera is silent', () => {
  const [usual, most] = [...read('web/camera/camera-now.tsx').matchAll(/_INTERVAL_SEC = ([\d_]+)/g)].map(([, number]) =>
    Number(number?.replaceAll('_', '')),
  );
  expect({ usual, most }).toEqual({ usual: DEFAULT_INTERVAL_SEC, most: MAX_INTERVAL_SEC });
});

test('the ledger refuses times further ahead than the gateway writes', () => {
  const minutes = /interval '(\d+) minute'/g;
  const written = numbers('farm/stock/adjustment.store.ts', minutes);
  expect(written).toHaveLength(1);
  expect(numbers('farm/stock/ledger.sql', minutes)).toEqual(written);
});

test('the triggers of notifications and the lists agree which print waits for its spool', () => {
  const triggers = read('notifications/events/note-unreported.sql').replaceAll('"', '').toLowerCase();
  const lacks = LACKS_SPOOL.text.slice(1, -1);
  expect(triggers.split(`o.job_id, ${lacks}, o.ignored_at is not null`)).toHaveLength(3);
  expect(triggers.split('o.lacking is not null')).toHaveLength(3);
});

test('the statement of the oldest notes, pasted into psql, has the conditions of the program', () => {
  const setting = (name: string) =>
    new RegExp(`^\\\\set ${name} '(.*)'$`, 'm')
      .exec(read('notifications/events/oldest-notes.query.sql'))?.[1]
      ?.replaceAll("''", "'");
  expect(setting('lacks_spool')).toBe(LACKS_SPOOL.text);
  expect(setting('is_silenced')).toBe(isSilenced(sql('a.kind'), sql('o.printer_id::text'), CLOCK).text);
});

test('the dashboard treats the statuses as final that end a job', () => {
  const shown = read('web/parts/job-statuses.ts').matchAll(/[A-Z]+: { name: '(\w+)', tone: '\w+', isFinal: (\w+) }/g);
  const ending = allowedTransitions('Printing').map((status) => [
    status,
    String(decideTransition('Printing', status, 'now').completedAt !== null),
  ]);
  expect([...shown].map(([, name, isFinal]) => [name, isFinal])).toEqual([['Queued', 'false'], ...ending]);
});

test('the tables have the limits of the inputs', () => {
  const bounds = {
    print_job_parts_number: [/BETWEEN 0 AND (\d+)/, MAX_PARTS - 1],
    cameras_expected_interval_sec: [/BETWEEN 1 AND (\d+)/, MAX_INTERVAL_SEC],
    spools_place: [/<= (\d+)/, MAX_PLACE_LENGTH],
    spools_color_hex: [/~ '([^']+)'/, COLOR_FORM.source],
    filaments_color_hex: [/~ '([^']+)'/, COLOR_FORM.source],
  } as const;
  for (const [name, [pattern, bound]] of Object.entries(bounds))
    expect([name, inConstraint(name, pattern)]).toEqual([name, String(bound)]);
});

test.each([
  ['a German keyboard', 'httpsÖ--farm.example-n-15', '15'],
  ['a German keyboard, with a path', 'httpÖ--pi.localÖ4000-farm-n-2-', '2'],
  ['a Swiss keyboard', 'httpé--10.0.0.1é4000-n-15', '15'],
  ['a Spanish keyboard', 'httpÑ--10.0.0.1Ñ4000-n-15', '15'],
  ['a Brazilian keyboard', 'httpÇ;;10.0.0.1Ç4000;n;15', '15'],
  ['a Turkish keyboard', 'httpŞ..10ç0ç0ç1Ş4000.n.15', '15'],
  ['a Canadian keyboard', 'http:éé10.0.0.1:4000éné15', '15'],
  ['a French keyboard', "httpM!!&à:à:à:&M'ààà!n!&(é", '152'],
  ['a French keyboard with the first digit 2', 'httpM!!fqr;:exq;ple!n!éé', '22'],
  ['a Belgian keyboard', "httpM==&à:à:à:&M'ààà=n=§!", '68'],
  ['a Czech keyboard', 'http"--+é.é.é.+"čééé-n-+éř', '105'],
  ['a Slovak keyboard', 'http"--+é.é.é.+"ľééé-n-ľť', '25'],
  ['a Hungarian keyboard', 'httpÉ--1ö.ö.ö.1É4ööö-n-1ö', '10'],
  ['a Russian keyboard', 'реезыЖ..афкьюучфьзду.т.15', '15'],
  ['a scanner set to German on a computer of the United States', 'http>&&10.0.0.1>4000&n&15', '15'],
  ['capitals', 'HTTP://10.0.0.1:4000/N/15', '15'],
  ['a sign and a space', '#\u00a015', '15'],
  ['the sign of a British and of a German keyboard', '£15', '15'],
  ['wide characters', '＃１５', '15'],
  ['a path', '/n/12/', '12'],
  ['an address without a scheme', 'pi.local:4000/n/12', '12'],
])('a label is read by its number through %s', (_keyboard, text, number) => {
  expect(findSearchedNumber(text)).toBe(number);
});

test.each([
  '15',
  'n/x',
  'SN-n-15',
  'PLA--x-n-15',
  'http://farm.example/n/4x',
  'https://farm.example/spools/15',
  '# PLA',
  'AA-BB--n-1',
])('%s is searched as a text, not as a number', (text) => expect(findSearchedNumber(text)).toBeUndefined());
