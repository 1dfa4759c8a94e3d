// Whether Home Assistant would take what it is told of devices: the rules of its own schemas for discovery by MQTT, written down as
// facts (device config: components/mqtt/schemas.py; sensors: components/mqtt/sensor.py and the units of components/sensor/const.py).
import { cameraConfig, configTopic, printerConfig } from '../../src/notifications/mqtt/discovery';
import type { CameraOnBroker, PrinterOnBroker } from '../../src/notifications/mqtt/farm-states';

const NAME = 'f00dcafe';
const FARM = { prefix: 'farms/1', url: 'https://farm.example.org' };
const PRINTER: PrinterOnBroker = {
  ...{ id: '00000000-0000-4000-8000-000000000001', name: 'Prusa 1', activity: 'IDLE' },
  ...{ progress: null, remainingSec: null, print: null, spool: null },
};
const CAMERA: CameraOnBroker = {
  ...{ id: 'bay 1/ä+#', name: 'Bay', printerId: null, liveness: 'LIVE' },
  ...{ batteryPct: null, videoRemainingSec: null, recordingState: null },
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
const SENSOR = [
  'platform',
  'unique_id',
  'name',
  'device_class',
  'options',
  'unit_of_measurement',
  'value_template',
  'icon',
];
const UNITS: Record<string, (string | undefined)[]> = {
  enum: [undefined],
  battery: ['%'],
  duration: ['d', 'h', 'min', 's', 'ms', 'µs'],
};

// biome-ignore lint/suspicious/noExplicitAny: a config is JSON
type Config = any;
const CONFIGS: [what: string, config: Config][] = [
  ['a printer', printerConfig(NAME, FARM, PRINTER)],
  ['a camera', cameraConfig(NAME, FARM, CAMERA)],
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

  test('has sensors whose units fit their classes, each with an id of its own', () => {
    const sensors: [string, Config][] = Object.entries(config.components);
    for (const [key, sensor] of sensors) {
      expect([key, Object.keys(sensor).filter((one) => !SENSOR.includes(one))]).toEqual([key, []]);
      expect([key, sensor.platform, typeof sensor.value_template]).toEqual([key, 'sensor', 'string']);
      const units = sensor.device_class === undefined ? ['%', undefined] : UNITS[sensor.device_class];
      expect([key, units?.includes(sensor.unit_of_measurement)]).toEqual([key, true]);
      // An enum has its options, and nothing else has any.
      expect([key, sensor.device_class === 'enum']).toEqual([key, Array.isArray(sensor.options)]);
    }
    const ids = sensors.map(([, sensor]) => sensor.unique_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => id.startsWith('f00dcafe_'))).toBe(true);
  });
});

test('the topic of a config is one that Home Assistant listens to, whatever the id is', () => {
  // components/mqtt/discovery.py: TOPIC_MATCHER, below the prefix of discovery.
  const taken = /^homeassistant\/\w+\/(?:[a-zA-Z0-9_-]+\/)?[a-zA-Z0-9_-]+\/config$/;
  const ids = [CAMERA.id, 'bay_1', 'bay-1', '日本', '..', 'x'.repeat(500), 'bay/1', 'bay.1'];
  const topics = ids.map((id) => configTopic(NAME, 'camera', id));
  expect(topics.filter((topic) => !taken.test(topic) || topic.length > 300)).toEqual([]);
  expect(new Set(topics).size).toBe(ids.length);
});
