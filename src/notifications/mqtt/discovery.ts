// The discovery of Home Assistant: one config for each printer and camera, which makes it a device with sensors.
import { CameraLivenessEnum } from '../../farm/cameras/health.types';
import { PrinterActivityEnum } from '../../farm/printer-states/printer-state.types';
import { sha256 } from '../../values/digest';
import type { CameraOnBroker, PrinterOnBroker } from './farm-states';
import { cameraTopic, printerTopic, statusTopic } from './topics';

/** Where Home Assistant says that it has started, and where it reads configs. */
export const HOME_ASSISTANT_STATUS = 'homeassistant/status';

/** The farm that devices belong to. */
export interface FarmOnBroker {
  prefix: string;
  /** Where its pages are; null: not known. */
  url: string | null;
}

/** Home Assistant refuses a state of more than 255 characters. */
const text = (member: string) => `{{ value_json.${member}[:255] if value_json.${member} else none }}`;
const value = (member: string) => `{{ value_json.${member} }}`;

const PRINTER_SENSORS = {
  activity: {
    name: 'Activity',
    device_class: 'enum',
    options: Object.keys(PrinterActivityEnum),
    value_template: value('activity'),
  },
  progress: {
    name: 'Progress',
    unit_of_measurement: '%',
    value_template: '{{ (value_json.progress * 100) | round(1) if value_json.progress is not none else none }}',
  },
  remaining: {
    name: 'Time left',
    device_class: 'duration',
    unit_of_measurement: 's',
    value_template: value('remainingSec'),
  },
  print: { name: 'Print', value_template: text('print') },
  spool: { name: 'Spool', value_template: text('spool') },
};

const CAMERA_SENSORS = {
  liveness: {
    name: 'Liveness',
    device_class: 'enum',
    options: Object.keys(CameraLivenessEnum),
    value_template: value('liveness'),
  },
  battery: {
    name: 'Battery',
    device_class: 'battery',
    unit_of_measurement: '%',
    value_template: value('batteryPct'),
  },
  video: {
    name: 'Video left',
    device_class: 'duration',
    unit_of_measurement: 's',
    value_template: value('videoRemainingSec'),
  },
  recording: { name: 'Recording state', value_template: text('recordingState') },
};

/** The topic of an object's config. Letters, digits, _ and - alone are allowed in it; any other id is told by its hash. */
export function configTopic(farm: string, type: 'printer' | 'camera', id: string): string {
  const name = deviceName(farm, type, id);
  const object = /^[\w-]{1,200}$/.test(name) ? name : `${type}_${sha256(name)}`;
  return `homeassistant/device/${object}/config`;
}

/** @param farm its own name: two farms on one broker have different devices */
const deviceName = (farm: string, type: string, id: string) => `${farm}_${type}_${id}`;

export const printerConfig = (farm: string, on: FarmOnBroker, { id, name }: PrinterOnBroker): object =>
  config(on, 'printer', {
    device: deviceName(farm, 'printer', id),
    id,
    name,
    topic: printerTopic(on.prefix, id),
    sensors: PRINTER_SENSORS,
  });

export const cameraConfig = (farm: string, on: FarmOnBroker, { id, name }: CameraOnBroker): object =>
  config(on, 'camera', {
    device: deviceName(farm, 'camera', id),
    id,
    name,
    topic: cameraTopic(on.prefix, id),
    sensors: CAMERA_SENSORS,
  });

interface Configured {
  device: string;
  id: string;
  name: string;
  topic: string;
  sensors: Record<string, object>;
}

function config(
  farm: FarmOnBroker,
  type: 'printer' | 'camera',
  { device, id, name, topic, sensors }: Configured,
): object {
  const components = Object.entries(sensors).map(([key, sensor]) => [
    key,
    { platform: 'sensor', unique_id: `${device}_${key}`, ...sensor },
  ]);
  return {
    device: {
      identifiers: [device],
      name,
      model: type === 'printer' ? '3D printer' : 'Camera',
      ...(farm.url === null
        ? {}
        : { configuration_url: `${farm.url}/${type === 'printer' ? 'printers' : 'camera'}/${encodeURIComponent(id)}` }),
    },
    origin: { name: 'Print Farm Gateway' },
    availability_topic: statusTopic(farm.prefix),
    state_topic: topic,
    components: Object.fromEntries(components),
  };
}
