// OctoPrint's clock has more digits than a float keeps, so it arrives as a text of digits. Its state has a text that tells nothing.
import { octoprint } from '../../src/devices/octoprint/adapter';
import type { PrintReading } from '../../src/print-rules/readings';
import { parseExactJson } from '../../src/values/json';

const now = '2026-03-01T12:00:00.000Z';
const AHEAD_SEC = 3600;

test('the end of a print that was missed is told by our clock', () => {
  const machineSec = Date.parse(now) / 1000 + AHEAD_SEC;
  const opened = { lastContactAt: '2026-03-01T11:00:00.000Z', filePath: 'cube.gcode', externalId: null };
  const file = `{"name":"cube.gcode","prints":{"last":{"date":${machineSec - 600}.1234567,"printTime":900,"success":true}}}`;
  const current = `{"current":{"state":{"flags":{"operational":true}},"serverTime":${machineSec}.1234567890}}`;
  const messages = [
    { source: 'opened', body: opened },
    { source: '/api/files/local/', parameters: { path: 'cube.gcode' }, body: parseExactJson(Buffer.from(file)) },
    { source: 'push', body: parseExactJson(Buffer.from(current)) },
  ];
  let memory = octoprint.start;
  const readings = messages.flatMap((message) => {
    const heard = octoprint.hear(memory, message, now);
    memory = heard.memory;
    return heard.readings;
  });
  const [record] = readings;
  const print = record?.print as PrintReading;
  expect([record?.kind, print.end?.outcome]).toEqual(['RECORD', 'COMPLETED']);
  expect(Math.abs(Date.parse(String(print.end?.at)) - Date.parse('2026-03-01T11:50:00.000Z'))).toBeLessThanOrEqual(1);
});

test('an exception in the text of the state changes nothing, for only its flags count', () => {
  const flags = { operational: true, printing: false, error: false, closedOrError: false };
  const { memory } = octoprint.hear(octoprint.start, { source: 'opened', body: {} }, now);
  const current = { state: { text: 'Printing: Traceback (most recent call last)', flags }, job: {}, progress: {} };
  const { readings } = octoprint.hear(memory, { source: 'push', body: { current } }, now);
  expect(readings).toMatchObject([{ activity: 'IDLE', print: 'NONE' }]);
});
