// Whether Home Assistant would take what it is told of devices: the rules of its own schemas for discovery by MQTT, written down as
// facts (device config: components/mqtt/schemas.py; components: components/mqtt/sensor.py, binary_sensor.py and event.py, the units of
// components/sensor/const.py, the classes of components/binary_sensor).
import type { BrokerCamera, BrokerFilament, BrokerPrinter } from '../../src/notifications/mqtt/states.store';
import {
  buildCameraConfig,
  buildFarmConfig,
  buildFilamentConfig,
  buildPrinterConfig,
  configTopic,
} from '../../src/notifications/mqtt/topics';

const NAME = 'f00dcafe';
const FARM = { prefix: 'farms/1', url: 'https://farm.example.org', hasEndedPrints: true };
const PRINTER: BrokerPrinter = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Prusa 1',
  activity: 'IDLE',
  progress: null,
  remainingSec: null,
  print: null,
  spool: null,
  spools: [],
};
const CAMERA: BrokerCamera = {
  id: 'bay 1/ä+#',
  name: 'Bay',
  printerId: null,
  liveness: 'LIVE',
  batteryPct: null,
  videoRemainingSec: null,
  recordingState: null,
};

const FILAMENT: BrokerFilament = {
  id: '00000000-0000-4000-8000-000000000002',
  name: 'Galaxy Black',
  number: 12,
  spools: 1,
  remainingGrams: '5',
  plannedGrams: '0',
  freeGrams: '5',
  isLow: true,
};

const DEVICE_LEVEL = [
  'device',
  'origin',
  'components',
  'availability_topic',
  'state_topic',
  'command_topic',
  'qos',
  'encoding',
];
const DEVICE = [
  'identifiers',
  'connections',
  'manufacturer',
  'model',
  'model_id',
  'name',
  'hw_version',
  'serial_number',
  'sw_version',
];
const DEVICE_MORE = ['via_device', 'suggested_area', 'configuration_url'];
const COMPONENT = ['platform', 'unique_id', 'name', 'device_class', 'value_template', 'icon', 'state_topic'];
const MORE: Record<string, string[]> = {
  sensor: ['options', 'unit_of_measurement', 'state_class'],
  binary_sensor: ['payload_on', 'payload_off'],
  event: ['event_types'],
};
const UNITS: Record<string, (string | undefined)[]> = {
  enum: [undefined],
  battery: ['%'],
  weight: ['kg', 'g', 'mg', 'µg', 'oz', 'lb', 'st'],
  duration: ['d', 'h', 'min', 's', 'ms', 'µs'],
};

// biome-ignore lint/suspicious/noExplicitAny: a config is JSON
type Config = any;
const CONFIGS: [what: string, config: Config][] = [
  ['the farm', buildFarmConfig(NAME, FARM)],
  ['a printer', buildPrinterConfig(NAME, FARM, PRINTER)],
  ['a camera', buildCameraConfig(NAME, FARM, CAMERA)],
  ['a filament', buildFilamentConfig(NAME, FARM, FILAMENT)],
];

describe.each(CONFIGS)('the config of %s', (_what, config) => {
  test('has the members of a device config, and an origin with a name', () => {
    expect(Object.keys(config).filter((key) => !DEVICE_LEVEL.includes(key))).toEqual([]);
    expect(Object.keys(config.device).filter((key) => ![...DEVICE, ...DEVICE_MORE].includes(key))).toEqual([]);
    expect(config.device.identifiers).toEqual([expect.any(String)]);
    expect(Object.values(config.device).flat()).toEqual(expect.arrayContaining([expect.any(String)]));
    expect(config.device.configuration_url).toMatch(/^https?:\/\/[^\s]+$/);
    expect(config.origin).toEqual({ name: 'Print Farm Gateway' });
  });

  test('names the topic of its availability, which is the last will of the gateway', () => {
    expect(config.availability_topic).toBe('farms/1/status');
    expect(config.state_topic).not.toMatch(/[+#\0]/);
  });

  test('has components whose units fit their classes, each with a unique id', () => {
    const components: [string, Config][] = Object.entries(config.components);
    for (const [key, component] of components) {
      const allowed = [...COMPONENT, ...(MORE[component.platform] ?? [])];
      expect([key, Object.keys(component).filter((one) => !allowed.includes(one))]).toEqual([key, []]);
      expect([key, typeof component.value_template]).toEqual([key, 'string']);
      if (component.platform !== 'sensor') continue;
      const units = component.device_class === undefined ? ['%', undefined] : UNITS[component.device_class];
      expect([key, units?.includes(component.unit_of_measurement)]).toEqual([key, true]);
      // An enum has options and no state class, and nothing else has options.
      expect([key, component.device_class === 'enum']).toEqual([key, Array.isArray(component.options)]);
      if (component.state_class !== undefined)
        expect([key, component.device_class, component.state_class]).not.toContain('enum');
    }
    const ids = components.map(([, component]) => component.unique_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => id.startsWith('f00dcafe_'))).toBe(true);
  });
});

const [farm, printer, camera, filament] = CONFIGS.map(([, config]) => config);

test('figures are measurements, a camera is connected or not, and each device has its page', () => {
  const measured = [farm, printer, camera, filament].map(({ components }) =>
    Object.keys(components).filter((key) => components[key].state_class === 'measurement'),
  );
  expect(measured).toEqual([['alerts', 'printing'], ['progress'], ['battery'], ['remaining']]);
  expect(filament.components).toMatchObject({
    remaining: { device_class: 'weight', unit_of_measurement: 'g' },
    low: { platform: 'binary_sensor', device_class: 'problem' },
  });
  expect(camera.components.connectivity).toMatchObject({ platform: 'binary_sensor', device_class: 'connectivity' });
  expect([farm, printer, camera, filament].map(({ device }) => device.configuration_url)).toEqual([
    'https://farm.example.org/',
    `https://farm.example.org/printers/${PRINTER.id}`,
    `https://farm.example.org/camera/${encodeURIComponent(CAMERA.id)}`,
    `https://farm.example.org/filaments/${FILAMENT.id}`,
  ]);
  expect(farm).toMatchObject({ state_topic: 'farms/1/farm', device: { identifiers: ['f00dcafe_farm'] } });
});

test('the end of a print is an event of its printer, and is left out if the target does not get it', () => {
  expect(printer.components.ended).toMatchObject({
    platform: 'event',
    event_types: ['COMPLETED', 'FAILED', 'CANCELLED'],
    state_topic: 'farms/1/events/print.ended',
    value_template: expect.stringContaining(`data.printer.id == '${PRINTER.id}'`),
  });
  const without: Config = buildPrinterConfig(NAME, { ...FARM, hasEndedPrints: false }, PRINTER);
  // A component that has only its platform is removed.
  expect(without.components.ended).toEqual({ platform: 'event' });
});

test('the topic of a config is one that Home Assistant subscribes to, whatever the id is', () => {
  // components/mqtt/discovery.py: TOPIC_MATCHER, below the prefix of discovery.
  const taken = /^homeassistant\/\w+\/(?:[a-zA-Z0-9_-]+\/)?[a-zA-Z0-9_-]+\/config$/;
  const ids = [CAMERA.id, 'bay_1', 'bay-1', '日本', '..', 'x'.repeat(500), 'bay/1', 'bay.1'];
  const topics = ids.map((id) => configTopic(NAME, 'camera', id));
  expect(topics.filter((topic) => !taken.test(topic) || topic.length > 300)).toEqual([]);
  expect(new Set(topics).size).toBe(ids.length);
});
