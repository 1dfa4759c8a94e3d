// OctoPrint's clock has more digits than a float keeps, so it arrives as a text of digits. The text of its state is ignored.

import type { PrintReading } from '../../src/farm/print-rules/print.model';
import { octoprint } from '../../src/machines/octoprint/adapter';
import { parseExactJson } from '../../src/values/json';
import { instant } from '../recordings/recording';
import { AdapterRun } from '../support/adapter-run';

const AHEAD_SEC = 3600;

test('the end of a print that was missed is given by the clock of the gateway', () => {
  const machineSec = Date.parse(instant(0)) / 1000 + AHEAD_SEC;
  const file = `{"name":"cube.gcode","prints":{"last":{"date":${machineSec - 600}.1234567,"printTime":900,"success":true}}}`;
  const current = `{"current":{"state":{"flags":{"operational":true}},"serverTime":${machineSec}.1234567890}}`;
  const listening = new AdapterRun(octoprint, { lastContactAt: instant(-3600), filePath: 'cube.gcode' });
  const parameters = { path: 'cube.gcode' };
  listening.receive(0, { source: '/api/files/local/', parameters, body: parseExactJson(Buffer.from(file)) });
  listening.receive(0, { source: 'push', body: parseExactJson(Buffer.from(current)) });
  const [record] = listening.readings;
  const print = record?.print as PrintReading;
  expect([record?.kind, print.end?.outcome]).toEqual(['RECORD', 'COMPLETED']);
  expect(Math.abs(Date.parse(String(print.end?.at)) - Date.parse(instant(-600)))).toBeLessThanOrEqual(1);
});

test('an exception in the text of the state changes nothing, because only the flags count', () => {
  const flags = { operational: true, printing: false, error: false, closedOrError: false };
  const current = { state: { text: 'Printing: Traceback (most recent call last)', flags }, job: {}, progress: {} };
  const { readings } = new AdapterRun(octoprint).receive(0, { source: 'push', body: { current } });
  expect(readings).toMatchObject([{ activity: 'IDLE', print: 'NO_PRINT' }]);
});
