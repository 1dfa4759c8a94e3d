// When a message is tried again, and where its notification links to.

import { chooseWaitSec, decideOutcome } from '../../src/notifications/deliveries/retries';
import { findPageUrl } from '../../src/notifications/events/messages';
import { reportDelivered, reportFailed } from '../../src/wire/faults';

test('the waits grow, and the waits of parked messages vary by a fifth', () => {
  const waits = (random: number) =>
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 50].map((attempts) => chooseWaitSec(attempts, () => random));
  const parked = [0.5, 2, 5, 10, 14, 20, 20, 20].map((hours) => hours * 3600);
  expect(waits(0.5)).toEqual([5, 30, 120, 300, ...parked]);
  const near = (part: number) => [5, 30, 120, 300, ...parked.map((seconds) => expect.closeTo(seconds * part, 3))];
  expect(waits(0)).toEqual(near(0.8));
  expect(waits(1)).toEqual(near(1.2));
});

test('an attempt ends as delivered, to be tried again, or as the last one', () => {
  const failed = reportFailed('BUSY');
  expect(decideOutcome({ ...failed, httpStatus: 503, retryAfterSec: 60 }, 0)).toEqual({
    delivery: 'WAITING',
    target: 'RETRYING',
    waitSec: 5,
    httpStatus: 503,
    fault: 'BUSY',
    pauseSec: 60,
  });
  expect(decideOutcome(reportDelivered(200, null), 4)).toMatchObject({
    delivery: 'DELIVERED',
    target: 'OK',
    waitSec: null,
    fault: null,
  });
  expect(decideOutcome({ ...reportFailed('GONE'), httpStatus: 410 }, 0)).toMatchObject({
    delivery: 'GIVEN_UP',
    target: 'DISABLED',
    waitSec: null,
    fault: 'GONE',
  });
});

test('a notification links to the page of its subject', () => {
  const at = 'https://farm.example/gateway';
  const about = (type: string, id: string) => ({ alert: { about: { type, id } } });
  expect([
    findPageUrl({ print: { id: '1' }, job: { id: '2' } }, at),
    findPageUrl({ print: null, job: { id: '2' }, printer: { id: '3' } }, at),
    findPageUrl({ printer: { id: '3' } }, at),
    findPageUrl(about('Camera', 'cam/1 +'), at),
    findPageUrl(about('Spool', '4'), at),
    findPageUrl(about('Filament', '6'), at),
    findPageUrl(about('NotificationTarget', '5'), at),
    findPageUrl({}, at),
    findPageUrl({ print: { id: '1' } }, null),
  ]).toEqual([
    `${at}/prints/1`,
    `${at}/jobs/2`,
    `${at}/printers/3`,
    `${at}/camera/cam%2F1%20%2B`,
    `${at}/spools/4`,
    `${at}/filaments/6`,
    `${at}/notifications/5`,
    `${at}/`,
    null,
  ]);
});
