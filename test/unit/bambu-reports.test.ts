// Malformed reports of a Bambu printer, and deltas that name only what changed.
import { amsOf, unit } from '../../src/demo/machines/bambu';
import { bambu } from '../../src/machines/bambu/adapter';
import { mergeReport } from '../../src/machines/bambu/merged-reports';
import { readActiveSlot, readMappedSlots, readRequestedSlots } from '../../src/machines/bambu/slots';
import { parseExactJson } from '../../src/values/json';
import { BambuMachine, extruders } from '../recordings/bambu/machine';
import { AdapterRun } from '../support/adapter-run';

const WRONG = [null, true, -1, 1e300, '', '\0\uD800', 'x'.repeat(100_000), [], [null, [[]]], {}, { id: { id: [] } }];

test('a member of any type causes no error', () => {
  for (const name of Object.keys(new BambuMachine().report)) {
    for (const value of WRONG) {
      const listening = new AdapterRun(bambu);
      for (const [seconds, state] of ['IDLE', 'RUNNING', 'PAUSE', 'FAILED', 'FAILED', 'FINISH'].entries()) {
        const print = { ...new BambuMachine().report, gcode_state: state, msg: 0, [name]: value };
        listening.receive(seconds * 20, { source: 'report', body: { print } });
      }
      expect(JSON.parse(JSON.stringify(listening.memory))).toEqual(listening.memory);
    }
  }
});

test.each([null, 'text', [], { print: null }, { print: [] }, { info: {} }, { print: { command: 7 } }])(
  'a report that is %j gives no reading',
  (body) => {
    expect(new AdapterRun(bambu).receiveReadings(1, { source: 'report', body })).toEqual([]);
  },
);

test('a report with a long number is read like any other', () => {
  const told = (text: string) => bambuSays([{ print: new BambuMachine().report }, parseExactJson(Buffer.from(text))]);
  const running = {
    command: 'push_status',
    msg: 1,
    gcode_state: 'RUNNING',
    print_type: 'cloud',
    subtask_id: '1',
    task_id: 45036012,
    subtask_name: 'cube',
    gcode_file: 'cube.3mf',
    mc_percent: 7,
    layer_num: 3,
    total_layer_num: 9,
    ams: { ams: [{ id: 0, tray: [{ id: 3, remain: 5 }] }], tray_now: 255 },
  };
  const plain = JSON.stringify({ print: running });
  const long = plain.replace('"msg"', '"bed_temper":22.10,"msg"');
  const asTexts = (told: unknown) => JSON.stringify(told).replace(/"(\d+)"/g, '$1');
  expect(told(long).readings).toEqual(told(plain).readings);
  expect(asTexts(told(long).memory)).toBe(asTexts(told(plain).memory));
  expect(told(plain).readings.at(-1)).toMatchObject({ print: { externalId: '45036012', progress: '0.07' } });
  // Plain JSON.
  expect(JSON.parse(JSON.stringify(told(long).memory))).toEqual(told(long).memory);
});

function bambuSays(bodies: unknown[]) {
  const listening = new AdapterRun(bambu);
  for (const body of bodies) listening.receive(1, { source: 'report', body });
  return listening;
}

test('a delta of the second unit does not change the others', () => {
  const listUnitIds = (report: unknown) =>
    (report as { ams: { ams: { id: string }[] } }).ams.ams.map(({ id }) => id).sort();
  const whole = mergeReport({}, { ams: amsOf(unit(0), unit(1)), gcode_state: 'IDLE', msg: 0 });
  const delta = mergeReport(whole, { ams: { ams: [{ id: '1', tray: [{ id: '3', remain: 5 }] }] }, msg: 1 });
  expect(delta).toMatchObject({ gcode_state: 'IDLE', ams: { tray_now: '255' } });
  expect(listUnitIds(delta)).toEqual(['0', '1']);
  // A removed unit is missing from the next full push.
  expect(listUnitIds(mergeReport(whole, { ams: { ams: [unit(1)] }, msg: 0 }))).toEqual(['1']);
});

test('a printer that invents names, ids and texts does not fill the memory', () => {
  let report = {};
  for (let count = 0; count < 600; count += 1) {
    const made = { [`name${count}`]: 'x'.repeat(1000), id: `${count}${'x'.repeat(9000)}` };
    const ams = { ...made, tray_now: made, ams: [{ ...made, tray: [made, made] }] };
    const print = { ...made, ams, hms: [made], mapping: Array(600).fill(made), gcode_state: made, msg: count % 2 };
    report = mergeReport(report, { ...print, device: { extruder: { ...made, info: [made] } } });
  }
  // Up to 256 units and extruders, with an id of 1,000 characters.
  expect(JSON.stringify(report).length).toBeLessThan(600_000);
});

/** Values for which JavaScript's own `Number` and `String` fail. */
const NO_NUMBERS = ['{"toString":1,"valueOf":1}', '[{"toString":1}]', '1e400', '-1e400', '{"__proto__":{"id":1}}'];

test.each([
  ['{"print":{"msg":#,"gcode_state":"RUNNING"}}'],
  ['{"print":{"gcode_state":"RUNNING","subtask_name":"a","ams":{"tray_now":#,"ams":[{"id":#}]}}}'],
  ['{"print":{"gcode_state":"FAILED","subtask_name":"a","hms":[{"attr":#,"code":#}],"fail_reason":#,"mapping":[#]}}'],
  ['{"print":{"command":"project_file","use_ams":#,"ams_mapping":[#],"ams_mapping2":[{"ams_id":#}],"plate_idx":#}}'],
  ['{"print":{"gcode_state":"PAUSE","subtask_name":"a","device":{"extruder":{"state":#,"info":[{"id":#,"snow":#}]}}}}'],
  ['{"print":#}'],
])('%s with a value that is not a number causes no error', (text) => {
  for (const value of NO_NUMBERS) bambuSays([parseExactJson(Buffer.from(text.replaceAll('#', value)))]);
});

test.each([
  [[2], amsOf(unit(0)), ['ams:0:2']],
  [[512], amsOf(unit(0), unit(1), unit(2)), ['ams:2:0']],
  [[512], amsOf(unit(0), unit(128, 1)), ['ams:128:0']],
  [[32768], amsOf(unit(128, 1)), ['ams:128:0']],
  [[65535, 65024, 3, 3], amsOf(unit(0)), [null, 'ext:0', 'ams:0:3', 'ams:0:3']],
  [[65535], amsOf(unit(0)), null],
])('mapping %j', (mapping, ams, slots) => expect(readMappedSlots(mapping, ams)).toEqual(findActiveSlots(slots)));

/** The slots of the slicer's filaments, each of them once. */
function findActiveSlots(mapping: (string | null)[] | null) {
  return mapping && { slots: [...new Set(mapping.filter((slot) => slot !== null))], mapping };
}

test('each of two extruders has an external spool', () => {
  const { extruder } = extruders(0, 65280, 65024);
  const used = (command: unknown) => readRequestedSlots(command, extruder)?.slots;
  expect(readMappedSlots([65280, 65024, 1], amsOf(unit(0)), extruder)?.slots).toEqual(['ext:1', 'ext:0', 'ams:0:1']);
  expect(used({ ams_mapping: [255, 254] })).toEqual(['ext:1', 'ext:0']);
  expect(used({ use_ams: false, ams_mapping2: [{ ams_id: 255, slot_id: 0 }] })).toEqual(['ext:1']);
  expect(used({ use_ams: false })).toEqual(['ext:0']);
  expect(readRequestedSlots({ ams_mapping: [255, 254] })?.slots).toEqual(['ext:0']);
});

test('a push of one extruder does not change the other', () => {
  const both = mergeReport({}, { device: extruders(0, 1, 256), msg: 0 });
  const one = { extruder: { info: [{ id: 1, snow: 257 }] } };
  expect(mergeReport(both, { device: one }).extruder).toMatchObject({ state: 2, info: [{ snow: 1 }, { snow: 257 }] });
});

test('while the next print prepares, mapping still belongs to the print before', () => {
  const whole = { ...new BambuMachine().report, mapping: [1], msg: 0 };
  const listening = new AdapterRun(bambu);
  const slots = ['IDLE', 'PREPARE', 'RUNNING'].map((gcode_state, seconds) => {
    const print = { ...whole, gcode_state, ...(gcode_state === 'IDLE' ? {} : { subtask_name: 'cube' }) };
    const readings = listening.receiveReadings(seconds, { source: 'report', body: { print } });
    const [told] = readings.map(({ print }) => (typeof print === 'object' ? print.plan : null));
    return told?.slots.map(({ slot }) => slot);
  });
  expect(slots).toEqual([undefined, undefined, ['ams:0:1']]);
});

test('FINISH of the print before is repeated once while the next one prepares', () => {
  const listening = new AdapterRun(bambu);
  const prints = ['IDLE', 'PREPARE', 'FINISH', 'PREPARE', 'RUNNING', 'FINISH'].map((gcode_state, seconds) => {
    const names = gcode_state === 'IDLE' ? {} : { subtask_name: 'cube' };
    const print = { ...new BambuMachine().report, ...names, gcode_state, msg: 0 };
    const [told] = listening
      .receiveReadings(seconds, { source: 'report', body: { print } })
      .map((reading) => reading.print);
    return typeof told === 'object' ? [told.ordinal, told.end?.outcome] : told;
  });
  expect(prints).toEqual([
    'NO_PRINT',
    [1, undefined],
    'PRINT_UNKNOWN',
    [1, undefined],
    [1, undefined],
    [1, 'COMPLETED'],
  ]);
});

const READY = { ...new BambuMachine().report, msg: 0 };
const BEGUN = { gcode_state: 'PREPARE', subtask_name: 'cube', gcode_file: 'cube.gcode.3mf', msg: 1 };
const COMMAND = { command: 'project_file', subtask_name: 'cube', param: 'Metadata/plate_2.gcode', result: 'success' };

test.each([
  ['an A1', null, [READY, BEGUN], 'cube.gcode.3mf'],
  ['an A1, plate 2', null, [READY, COMMAND, BEGUN], 'cube/plate_2.gcode'],
  ['a command that was refused', null, [READY, { ...COMMAND, result: 'failed' }, BEGUN], 'cube.gcode.3mf'],
  ['the command of another print', null, [READY, { ...COMMAND, subtask_name: 'gear' }, BEGUN], 'cube.gcode.3mf'],
  ['an X1', null, [READY, { ...BEGUN, gcode_file: '/data/Metadata/plate_3.gcode' }], 'cube/plate_3.gcode'],
  ['an H2', null, [READY, { ...BEGUN, plate_idx: 4 }], 'cube/plate_4.gcode'],
  ['a print that ran before, with an unknown plate', 'cube', [{ ...READY, ...BEGUN, msg: 0 }], null],
  ['a print that was already running at the first contact', null, [{ ...READY, ...BEGUN, msg: 0 }], 'cube.gcode.3mf'],
])('the file of %s', (_, name, pushes, filePath) => {
  const listening = new AdapterRun(bambu, { name });
  const told = pushes.map((print, seconds) =>
    listening.receiveReadings(seconds, { source: 'report', body: { print } }),
  );
  expect(told.at(-1)).toMatchObject([{ print: { name: 'cube', filePath } }]);
});

test.each([
  ['3', undefined, 'ams:0:3'],
  ['254', undefined, 'ext:0'],
  ['255', undefined, null],
  ['1', extruders(1, 65535, 1), 'ams:0:1'],
  ['3', extruders(0, 259, 65279), 'ams:1:3'],
  ['0', extruders(0, 65280), 'ext:0'],
  ['0', extruders(0, 255), null],
  ['0', extruders(0, 65280, 65024), 'ext:1'],
  ['0', extruders(1, 65280, 65024), 'ext:0'],
  ['1', extruders(0, 4097), 'ams:16:1'],
  ['1', extruders(3, 1), null],
])('tray_now %j and extruders %j', (tray_now, device, slot) =>
  expect(readActiveSlot({ tray_now }, device?.extruder)).toBe(slot),
);

test.each([
  [{ ams_mapping: [-1, 6, 254, 128, 6] }, [null, 'ams:1:2', 'ext:0', 'ams:128:0', 'ams:1:2']],
  [
    {
      ams_mapping: [0],
      ams_mapping2: [
        { ams_id: 255, slot_id: 255 },
        { ams_id: 1, slot_id: 3 },
      ],
    },
    [null, 'ams:1:3'],
  ],
  [{}, null],
])('the command %j', (command, slots) => expect(readRequestedSlots(command)).toEqual(findActiveSlots(slots)));

test('a command without an AMS uses the external spool for all filaments', () => {
  expect(readRequestedSlots({ use_ams: false, ams_mapping: [0] })).toEqual({ slots: ['ext:0'] });
});
