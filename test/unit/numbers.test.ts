// The numbers that the SQL files and the dashboard have beside the code of the gateway: the same ones.
import fs from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_INTERVAL_SEC, MAX_HOURS_AHEAD } from '../../src/farm/cameras/camera.limits';
import { MAX_SLOTS_OF_PRINTER } from '../../src/farm/inventory/slot.types';

const read = (path: string) => fs.readFileSync(join(__dirname, '..', '..', 'src', path), 'utf8');
const numbers = (path: string, pattern: RegExp) =>
  [...read(path).matchAll(pattern)].map(([, number]) => Number(number));

test('the database refuses a slot more than the gateway', () => {
  expect(numbers('farm/inventory/slots.sql', /count\(\*\) >= (\d+)/g)).toEqual([MAX_SLOTS_OF_PRINTER]);
});

test('the database allows status records an hour more ahead than the gateway', () => {
  const hours = /INTERVAL '(\d+) hours'/g;
  expect(numbers('farm/cameras/status-log.sql', hours)).toEqual([MAX_HOURS_AHEAD + 1]);
  expect(numbers('farm/cameras/status-log.maintenance.sql', hours)).toEqual([MAX_HOURS_AHEAD + 1]);
});

test('the dashboard says after how many seconds a camera is silent', () => {
  expect(numbers('web/camera/camera-now.tsx', /DEFAULT_INTERVAL_SEC = (\d+)/g)).toEqual([DEFAULT_INTERVAL_SEC]);
});
