// How the machine kinds report a fault, the cause of a pause, and who paused a print.
import type { StateReading } from '../../src/farm/print-rules/print.model';
import { bambu } from '../../src/machines/bambu/adapter';
import { moonraker } from '../../src/machines/moonraker/adapter';
import { prusalink } from '../../src/machines/prusalink/adapter';
import { BambuMachine } from '../recordings/bambu/machine';
import { AdapterRun } from '../support/adapter-run';

describe('a Bambu printer', () => {
  const stateAfter = (members: object) => {
    const print = { ...new BambuMachine().report, print_type: 'local', subtask_name: 'cube', gcode_file: 'cube.gcode' };
    const listening = new AdapterRun(bambu);
    listening.receive(1, { source: 'report', body: { print: { ...print, gcode_state: 'RUNNING', msg: 0 } } });
    return listening.receive(9, { source: 'report', body: { print: { msg: 1, ...members } } }).last as StateReading;
  };

  test.each<[string, object, string | null, boolean]>([
    ['by its code', { print_error: 0x0300_8013 }, null, true],
    ['by its stage', { print_error: 0, stg_cur: 16 }, null, true],
    ['by its stage as a text', { stg_cur: '16' }, null, true],
    ['not if there is also an error', { print_error: 0x0300_8015, stg_cur: 16 }, 'Out of filament (0300_8015)', false],
    ['not without filament', { print_error: 0, stg_cur: 6 }, 'Out of filament', false],
    ['not by a pause in the file', { stg_cur: 30 }, 'The file paused the print', false],
    ['not by an unknown stage', { stg_cur: 99 }, null, false],
    ['not by a stage that is no number', { stg_cur: { id: 16 } }, null, false],
  ])('reports that a user paused a print: %s', (_, members, message, isPausedByUser) => {
    expect(stateAfter({ gcode_state: 'PAUSE', ...members })).toMatchObject({
      activity: 'PAUSED',
      message,
      isPausedByUser,
    });
  });

  test('that prints again is not paused by a user, although it still shows the stage', () => {
    expect(stateAfter({ stg_cur: 16 })).toMatchObject({ activity: 'PRINTING', message: null, isPausedByUser: false });
  });
});

describe('Klipper', () => {
  const SENSOR = 'filament_switch_sensor runout';
  const PRINTING = {
    print_stats: { state: 'printing', filename: 'cube.gcode', print_duration: 60, total_duration: 60 },
    webhooks: { state: 'ready' },
    toolhead: { extruder: 'extruder' },
  };
  const connect = (names: string[], status: object = {}) => {
    const listening = new AdapterRun(moonraker);
    listening.receive(1, { source: 'printer.objects.list', body: { objects: names } });
    listening.receive(1, { source: 'server.history.list', body: { jobs: [] } });
    return listening.receive(1, { source: 'printer.objects.subscribe', body: { status: { ...PRINTING, ...status } } });
  };
  const update = (listening: AdapterRun, at: number, status: object) =>
    listening.receive(at, { source: 'notify_status_update', body: [status, at] }).last as StateReading;

  test('is asked for its filament sensors, and only if it has some', () => {
    const subscriptions = [connect([SENSOR, 'filament_motion_sensor wheel', 'heater_bed']), connect([])].map(
      ({ asks }) => asks.find(({ ask }) => ask.source === 'printer.objects.subscribe')?.ask.parameters['objects'],
    );
    const sensor = ['enabled', 'filament_detected'];
    expect(subscriptions[0]).toMatchObject({ [SENSOR]: sensor, 'filament_motion_sensor wheel': sensor });
    expect(Object.keys(subscriptions[1] as object).filter((name) => name.startsWith('filament'))).toEqual([]);
  });

  test('that pauses without filament names the sensor, until there is filament again', () => {
    const listening = connect([SENSOR], { [SENSOR]: { enabled: true, filament_detected: true } });
    update(listening, 20, { [SENSOR]: { filament_detected: false } });
    expect(update(listening, 21, { print_stats: { state: 'paused' } })).toMatchObject({
      activity: 'PAUSED',
      message: 'Out of filament (sensor runout)',
      isPausedByUser: false,
    });
    expect(update(listening, 60, { [SENSOR]: { filament_detected: true } })).toMatchObject({ message: null });
    expect(update(listening, 61, { print_stats: { state: 'printing' } })).toMatchObject({ activity: 'PRINTING' });
  });

  test('a sensor that is switched off is no reason for a pause', () => {
    const listening = connect([SENSOR], { [SENSOR]: { enabled: false, filament_detected: false } });
    const display_status = { message: 'Change to red' };
    expect(update(listening, 21, { print_stats: { state: 'paused' }, display_status })).toMatchObject({
      activity: 'PAUSED',
      message: 'Change to red',
    });
  });
});

test('PrusaLink that needs attention is paused, and nobody has paused it', () => {
  const listening = new AdapterRun(prusalink);
  const status = (state: string, status_printer: object) => ({
    printer: { state, status_printer },
    job: { id: 7, progress: 20, time_printing: 60 },
  });
  listening.receive(1, { source: '/api/v1/status', body: status('PRINTING', { ok: true }) });
  const attention = status('ATTENTION', { ok: false, message: 'Filament runout' });
  expect(listening.receive(20, { source: '/api/v1/status', body: attention }).last).toMatchObject({
    activity: 'PAUSED',
    message: 'Filament runout',
    isPausedByUser: false,
  });
});
