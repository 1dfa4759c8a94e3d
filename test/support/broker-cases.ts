// The cases that every MQTT broker must pass, whichever product it is.

import { BrokerRegistry, type VersionedTarget } from '../../src/notifications/mqtt/broker-registry';
import type {
  BrokerCamera,
  BrokerFilament,
  BrokerPrinter,
  FarmStates,
} from '../../src/notifications/mqtt/states.store';
import { createTimeoutSignal } from '../../src/values/timers';
import { Reach } from '../../src/wire/networks';
import { LOOPBACK } from './device-session';
import { type RunningBroker, readRetained, type StartBroker, watchBroker } from './mqtt-brokers';
import { atLeast, until } from './waiting';

const NOW = '2026-11-26T12:00:00.000Z';
const PRINTER: BrokerPrinter = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Prusa 1',
  activity: 'PRINTING',
  progress: 0.25,
  remainingSec: 600,
  print: 'gear',
  spool: 'PLA-1',
  spools: ['PLA-1'],
};
const CAMERA: BrokerCamera = {
  id: 'bay 1/left+#',
  name: 'Bay',
  printerId: PRINTER.id,
  liveness: 'LIVE',
  batteryPct: 80,
  videoRemainingSec: 3600,
  recordingState: 'recording',
};
const OTHER = { ...PRINTER, id: '00000000-0000-4000-8000-000000000002', name: 'Prusa 2' };
const FARM: FarmStates = {
  name: 'f00d',
  printers: [PRINTER],
  cameras: [CAMERA],
  filaments: [],
  farm: { alerts: 1, jobsPrinting: 1 },
};
const FILAMENT: BrokerFilament = {
  id: '00000000-0000-4000-8000-000000000003',
  name: 'Galaxy Black',
  number: 12,
  spools: 2,
  remainingGrams: '812.5',
  plannedGrams: '100.25',
  freeGrams: '712.25',
  isLow: false,
};
const CAMERA_TOPIC = 'print-farm/cameras/bay%201%2Fleft%2B%23';
const FARM_CONFIG = 'homeassistant/device/f00d_farm/config';
const CONFIG = (of: { id: string }) => `homeassistant/device/f00d_printer_${of.id}/config`;

export function brokerCases(start: StartBroker): void {
  let broker: RunningBroker;
  const running: { stop(): Promise<void> }[] = [];
  const target = (changes: Partial<VersionedTarget> = {}): VersionedTarget => ({
    id: '00000000-0000-4000-8000-00000000000a',
    url: `mqtt://127.0.0.1:${broker.port}`,
    username: null,
    secret: null,
    certificateFingerprint: null,
    printerIds: null,
    events: ['PRINT_ENDED'],
    version: '1',
    ...changes,
  });

  /** Publishes again until the connection is open and the broker has the wanted retained messages. */
  function publishing(first: FarmStates = FARM) {
    const faults: (string | null)[] = [];
    const state = { farm: first };
    const brokers = new BrokerRegistry({
      store: { listBrokers: async () => [], updateConnectionState: async (_id, fault) => faults.push(fault) },
      secrets: { decrypt: () => null },
      reach: new Reach(LOOPBACK, LOOPBACK, []),
      publicUrl: 'http://farm.local',
      readStates: async () => state.farm,
    });
    running.push(brokers);
    const held = async () => {
      await brokers.publish(NOW);
      return readRetained(broker.port);
    };
    return {
      brokers,
      faults,
      state,
      holds: <Found>(what: string, find: (held: Map<string, string>) => Found) => until(what, held, find),
    };
  }

  beforeEach(async () => {
    broker = await start();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
    await broker.stop();
  });

  test('it holds the states of the farm, and is told of each change', async () => {
    const { brokers, state, holds } = publishing();
    brokers.setTargets([target()]);
    const held = await holds('all is held', (all) => all.size >= 7 && all);
    expect([...held.keys()]).toEqual([
      expect.stringMatching(/^homeassistant\/device\/camera_[0-9a-f]{64}\/config$/),
      FARM_CONFIG,
      CONFIG(PRINTER),
      CAMERA_TOPIC,
      'print-farm/farm',
      `print-farm/printers/${PRINTER.id}`,
      'print-farm/status',
    ]);
    expect(held.get('print-farm/status')).toBe('online');
    expect(JSON.parse(held.get('print-farm/farm') as string)).toEqual({ alerts: 1, jobsPrinting: 1 });
    const { id: _, ...shown } = PRINTER;
    expect(JSON.parse(held.get(`print-farm/printers/${PRINTER.id}`) as string)).toEqual(shown);
    expect(JSON.parse(held.get(CAMERA_TOPIC) as string)).toEqual({
      name: 'Bay',
      liveness: 'LIVE',
      batteryPct: 80,
      videoRemainingSec: 3600,
      recordingState: 'recording',
    });

    const watcher = await watchBroker(broker.port);
    state.farm = { ...FARM, printers: [{ ...PRINTER, progress: 0.5 }] };
    await holds('the change is held', (all) => all.get(`print-farm/printers/${PRINTER.id}`)?.includes('0.5'));
    const readState = () =>
      watcher.heard.flatMap(({ topic, retain }) => (retain || topic.startsWith('mark') ? [] : [topic]));
    await until('the watcher receives it', readState, atLeast(1));
    expect(readState()).toEqual([`print-farm/printers/${PRINTER.id}`]);
    await watcher.stop();
  });

  test('an object that is gone leaves nothing, also one that was removed while nobody told', async () => {
    const first = publishing({ ...FARM, printers: [PRINTER, OTHER] });
    first.brokers.setTargets([target()]);
    await first.holds('both printers are held', (all) => all.has(CONFIG(OTHER)) && all.size >= 9);
    first.state.farm = FARM;
    await first.holds('one printer is gone', (all) => all.size === 7 && !all.has(CONFIG(OTHER)));
    await first.brokers.stop();
    expect((await readRetained(broker.port)).get('print-farm/status')).toBe('offline');

    const second = publishing({ ...FARM, printers: [] });
    second.brokers.setTargets([target()]);
    const held = await second.holds('the other is gone too', (all) => all.size === 5 && all);
    expect([...held.keys()]).not.toContain(CONFIG(PRINTER));
  });

  test('a filament is held while it has a minimum, also where it lost that while nobody told', async () => {
    const [topic, config] = [
      `print-farm/filaments/${FILAMENT.id}`,
      `homeassistant/device/f00d_filament_${FILAMENT.id}/config`,
    ];
    const first = publishing({ ...FARM, filaments: [FILAMENT] });
    first.brokers.setTargets([target()]);
    const held = await first.holds('the filament is held', (all) => all.has(topic) && all.size >= 9 && all);
    const { id: _, ...shown } = FILAMENT;
    expect(JSON.parse(held.get(topic) as string)).toEqual(shown);
    expect(JSON.parse(held.get(config) as string).state_topic).toBe(topic);
    first.state.farm = { ...FARM, filaments: [{ ...FILAMENT, isLow: true }] };
    await first.holds('it is low', (all) => all.get(topic)?.includes('"isLow":true'));
    await first.brokers.stop();

    const second = publishing();
    second.brokers.setTargets([target()]);
    await second.holds('it is gone', (all) => all.size === 7 && !all.has(topic) && !all.has(config));
    second.state.farm = { ...FARM, filaments: [FILAMENT] };
    await second.holds('it is there again', (all) => all.has(topic));
    second.state.farm = FARM;
    await second.holds('and gone', (all) => all.size === 7 && !all.has(topic));
  });

  test('Home Assistant that starts is given all again, also what somebody emptied, and nothing of what is gone', async () => {
    const { brokers, state, holds } = publishing({ ...FARM, printers: [PRINTER, OTHER] });
    brokers.setTargets([target()]);
    const before = await holds('both printers are held', (all) => all.size >= 9 && all);
    state.farm = FARM;
    const rest = await holds('one printer is gone', (all) => all.size === 7 && all);
    const watcher = await watchBroker(broker.port);
    for (const topic of rest.keys()) await watcher.publish(topic, '', true);
    await brokers.publish(NOW);
    expect(await readRetained(broker.port)).toEqual(new Map());
    watcher.heard.length = 0;
    await watcher.publish('homeassistant/status', 'online');
    expect(await holds('all is held again', (all) => all.size >= 7 && all)).toEqual(rest);
    const gone = [...before.keys()].filter((topic) => !rest.has(topic));
    expect(gone).toHaveLength(2);
    expect(watcher.heard.filter(({ topic }) => gone.includes(topic))).toEqual([]);
    await watcher.stop();
  });

  test('a target that is removed leaves nothing, and one that moves leaves nothing where it was', async () => {
    const { brokers, holds } = publishing();
    brokers.setTargets([target()]);
    await holds('all is held', (all) => all.size >= 7);
    brokers.setTargets([target({ url: `mqtt://127.0.0.1:${broker.port}/farms/1`, version: '2' })]);
    const moved = await holds('it has moved', (all) => all.has('farms/1/farm') && !all.has('print-farm/status') && all);
    expect([...moved.keys()].filter((topic) => topic.startsWith('print-farm/'))).toEqual([]);
    const again = await holds('its devices have moved', (all) => all.has(CONFIG(PRINTER)) && all.size >= 7 && all);
    expect(JSON.parse(again.get(CONFIG(PRINTER)) as string).state_topic).toBe(`farms/1/printers/${PRINTER.id}`);
    brokers.setTargets([]);
    await until(
      'no message is retained',
      () => readRetained(broker.port),
      (all) => all.size === 0,
    );
  });

  test('a filter by printers holds for states', async () => {
    const { brokers, holds } = publishing({
      ...FARM,
      printers: [PRINTER, OTHER],
      cameras: [CAMERA, { ...CAMERA, id: 'yard', printerId: null }],
      filaments: [FILAMENT],
    });
    brokers.setTargets([target({ printerIds: [OTHER.id] })]);
    const held = await holds('all is held', (all) => all.has('print-farm/farm') && all.size >= 5 && all);
    expect([...held.keys()]).toEqual([
      FARM_CONFIG,
      CONFIG(OTHER),
      'print-farm/farm',
      `print-farm/printers/${OTHER.id}`,
      'print-farm/status',
    ]);
  });

  test('an event is published as soon as there is a connection, and not held', async () => {
    const { brokers } = publishing();
    const watcher = await watchBroker(broker.port);
    brokers.setTargets([target()]);
    const event = { type: 'print.ended', body: '{"type":"print.ended"}' };
    await brokers.send(target().id, event, createTimeoutSignal(60_000));
    const topic = 'print-farm/events/print.ended';
    await until(
      'the event arrives',
      () => watcher.heard,
      (heard) => heard.some((one) => one.topic === topic),
    );
    expect(watcher.heard.find((one) => one.topic === topic)).toEqual({
      topic,
      text: event.body,
      retain: false,
      qos: 1,
    });
    await watcher.stop();
    expect((await readRetained(broker.port)).has(topic)).toBe(false);
  });

  test('a broker that was gone is told everything again, and an event meanwhile fails', async () => {
    const { brokers, faults, holds } = publishing();
    brokers.setTargets([target()]);
    await holds('all is held', (all) => all.size >= 7);
    await broker.stop();
    await until(
      'the end is seen',
      () => faults,
      (seen) => seen.length >= 2 && seen[0] === null,
    );
    await expect(
      brokers.send(target().id, { type: 'print.ended', body: '{}' }, createTimeoutSignal(60_000)),
    ).rejects.toMatchObject({ fault: 'NOT_REACHABLE' });
    broker = await start(broker.port);
    await holds('all is held again', (all) => all.size >= 7 && all.get('print-farm/status') === 'online');
  });

  test('a process that is lost is offline, and the next one is online', async () => {
    const first = publishing();
    first.brokers.setTargets([target()]);
    await first.holds('all is held', (all) => all.size >= 7);
    const watcher = await watchBroker(broker.port);
    watcher.heard.length = 0;
    // The second client has the same id, so the broker drops the first connection like a lost one.
    const second = publishing();
    second.brokers.setTargets([target()]);
    const words = () => watcher.heard.flatMap(({ topic, text }) => (topic === 'print-farm/status' ? [text] : []));
    await until('the second is online', words, (seen) => seen.join(' ').includes('offline online'));
    await watcher.stop();
  });

  test('a refused password is a fault, and is not tried again at once', async () => {
    await broker.stop();
    broker = await start(broker.port, 'right');
    const { brokers, faults } = publishing();
    brokers.setTargets([target({ username: 'farm', secret: 'wrong' })]);
    await until('the message is refused', () => faults.length, atLeast(1));
    expect(faults).toEqual(['CREDENTIALS_REFUSED']);
    // A user edits the target. A password alone cannot be sent over MQTT.
    brokers.setTargets([target({ username: null, secret: 'right', version: '2' })]);
    await until('the message is refused again', () => faults.length, atLeast(2));
    brokers.setTargets([target({ username: 'farm', secret: 'right', version: '3' })]);
    await until(
      'the message is accepted',
      () => faults,
      (seen) => seen.includes(null),
    );
    expect(faults).toEqual(['CREDENTIALS_REFUSED', 'CREDENTIALS_REFUSED', null]);
  });
}
