// Decides which topics a broker retains for one channel: the states of the farm, and the configs with which Home Assistant discovers devices.
import { PrinterActivityEnum } from '../../farm/printer-states/printer-state.types';
import { sha256 } from '../../values/sha256';
import { buildPageUrl } from '../events/messages';
import type { BrokerCamera, BrokerFilament, BrokerPrinter, FarmStates } from './states.store';

/** The topic on which Home Assistant announces that it has started. */
export const HOME_ASSISTANT_STATUS = 'homeassistant/status';

export const statusTopic = (prefix: string) => `${prefix}/status`;
export const eventTopic = (prefix: string, type: string) => `${prefix}/events/${type}`;
export const farmTopic = (prefix: string) => `${prefix}/farm`;

/** The id of a camera may contain the characters "/", "+" and "#", which have a meaning in MQTT topics. */
const printerTopic = (prefix: string, id: string) => `${prefix}/printers/${encodeURIComponent(id)}`;
const filamentTopic = (prefix: string, id: string) => `${prefix}/filaments/${encodeURIComponent(id)}`;
const cameraTopic = (prefix: string, id: string) => `${prefix}/cameras/${encodeURIComponent(id)}`;

/** Subscriptions to the state topics of all objects of a farm. */
export const objectTopics = (prefix: string) => OBJECTS.map((type) => `${prefix}/${type}s/+`);

const OBJECTS = ['printer', 'camera', 'filament'] as const;

/** The object of a state topic; undefined for any other topic. */
export function parseObjectTopic(
  prefix: string,
  topic: string,
): { type: (typeof OBJECTS)[number]; id: string } | undefined {
  for (const type of OBJECTS) {
    const start = `${prefix}/${type}s/`;
    const id = topic.startsWith(start) ? decodeTopicId(topic.slice(start.length)) : undefined;
    if (id !== undefined) return { type, id };
  }
  return undefined;
}

function decodeTopicId(encodedId: string): string | undefined {
  try {
    return decodeURIComponent(encodedId);
  } catch {
    return undefined;
  }
}

/** The settings with which one channel publishes the farm. */
export interface PublishedFarm {
  prefix: string;
  /** The URL of the dashboard; `null` if PUBLIC_URL is not set. */
  url: string | null;
  /** Whether the channel gets the events of ended prints. */
  hasEndedPrints: boolean;
}

/** The retained texts by topic. The config of a device comes before its state, because Home Assistant needs the config to read the state. */
export function buildRetainedTexts(states: FarmStates, farm: PublishedFarm): Map<string, string> {
  const texts = new Map<string, string>([[statusTopic(farm.prefix), 'online']]);
  const add = (topic: string, content: object) => texts.set(topic, JSON.stringify(content));
  add(configTopic(states.name, 'farm'), buildFarmConfig(states.name, farm));
  add(farmTopic(farm.prefix), states.farm);
  for (const printer of states.printers) {
    const { id, ...state } = printer;
    add(configTopic(states.name, 'printer', id), buildPrinterConfig(states.name, farm, printer));
    add(printerTopic(farm.prefix, id), state);
  }
  for (const camera of states.cameras) {
    const { id, printerId: _, ...state } = camera;
    add(configTopic(states.name, 'camera', id), buildCameraConfig(states.name, farm, camera));
    add(cameraTopic(farm.prefix, id), state);
  }
  for (const filament of states.filaments) {
    const { id, ...state } = filament;
    add(configTopic(states.name, 'filament', id), buildFilamentConfig(states.name, farm, filament));
    add(filamentTopic(farm.prefix, id), state);
  }
  return texts;
}

/** All topics of the object with this state topic. The object may have been removed. */
export function listObjectTopics(topic: string, farmName: string, prefix: string): string[] {
  const object = parseObjectTopic(prefix, topic);
  return object === undefined ? [topic] : [configTopic(farmName, object.type, object.id), topic];
}

type DeviceType = 'farm' | (typeof OBJECTS)[number];

/** @param farm the name of the farm, so that two farms on one broker have different devices */
const deviceId = (farm: string, type: DeviceType, id?: string) => [farm, type, id].filter(Boolean).join('_');

/** The topic of the config of a device. Home Assistant allows only letters, digits, _ and - in it, so any other id is replaced by its hash. */
export function configTopic(farm: string, type: DeviceType, id?: string): string {
  const device = deviceId(farm, type, id);
  const object = /^[\w-]{1,200}$/.test(device) ? device : `${type}_${sha256(device)}`;
  return `homeassistant/device/${object}/config`;
}

const valueTemplate = (member: string) => `{{ value_json.${member} }}`;
/** Home Assistant rejects a state of more than 255 characters. */
const textTemplate = (member: string, filter = '') =>
  `{{ (value_json.${member}${filter})[:255] if value_json.${member} else none }}`;

const FARM_SENSORS = {
  alerts: { platform: 'sensor', name: 'Alerts', state_class: 'measurement', value_template: valueTemplate('alerts') },
  printing: {
    platform: 'sensor',
    name: 'Jobs printing',
    state_class: 'measurement',
    value_template: valueTemplate('jobsPrinting'),
  },
};

const PRINTER_SENSORS = {
  activity: {
    platform: 'sensor',
    name: 'Activity',
    device_class: 'enum',
    options: Object.keys(PrinterActivityEnum),
    value_template: valueTemplate('activity'),
  },
  progress: {
    platform: 'sensor',
    name: 'Progress',
    unit_of_measurement: '%',
    state_class: 'measurement',
    value_template: '{{ (value_json.progress * 100) | round(1) if value_json.progress is not none else none }}',
  },
  remaining: {
    platform: 'sensor',
    name: 'Time left',
    device_class: 'duration',
    unit_of_measurement: 's',
    value_template: valueTemplate('remainingSec'),
  },
  print: { platform: 'sensor', name: 'Print', value_template: textTemplate('print') },
  spool: { platform: 'sensor', name: 'Spool', value_template: textTemplate('spools', " | join(', ')") },
};

const CAMERA_SENSORS = {
  connectivity: {
    platform: 'binary_sensor',
    name: 'Connectivity',
    device_class: 'connectivity',
    value_template:
      "{{ 'ON' if value_json.liveness == 'LIVE' else none if value_json.liveness == 'NEVER_SEEN' else 'OFF' }}",
  },
  battery: {
    platform: 'sensor',
    name: 'Battery',
    device_class: 'battery',
    unit_of_measurement: '%',
    state_class: 'measurement',
    value_template: valueTemplate('batteryPct'),
  },
  video: {
    platform: 'sensor',
    name: 'Video left',
    device_class: 'duration',
    unit_of_measurement: 's',
    value_template: valueTemplate('videoRemainingSec'),
  },
  recording: { platform: 'sensor', name: 'Recording state', value_template: textTemplate('recordingState') },
};

const FILAMENT_SENSORS = {
  remaining: {
    platform: 'sensor',
    name: 'Remaining',
    device_class: 'weight',
    unit_of_measurement: 'g',
    state_class: 'measurement',
    value_template: valueTemplate('remainingGrams'),
  },
  low: {
    platform: 'binary_sensor',
    name: 'Low',
    device_class: 'problem',
    value_template: "{{ 'ON' if value_json.isLow else 'OFF' }}",
  },
};

const END_STATUSES = ['COMPLETED', 'FAILED', 'CANCELLED'];

/**
 * The events of all printers have one topic, so the template keeps the events of this printer only. The status that an operator gave the job
 * wins over the outcome of the print.
 */
function buildEndedPrintComponent(prefix: string, printerId: string): object {
  const ends = JSON.stringify(END_STATUSES);
  return {
    platform: 'event',
    name: 'Print ended',
    event_types: END_STATUSES,
    state_topic: eventTopic(prefix, 'print.ended'),
    value_template: [
      '{% set data = value_json.data %}',
      `{% set status = data.job.status if data.job and data.job.status in ${ends} else data.print.outcome if data.print else none %}`,
      `{% if data.printer and data.printer.id == '${printerId}' and status in ${ends} %}`,
      "{{ {'event_type': status, 'print': (data.print or data.job).name, 'text': data.text, 'url': data.url} | to_json }}",
      '{% endif %}',
    ].join(''),
  };
}

/** Home Assistant removes a component that has only a platform. */
const REMOVED_EVENT = { platform: 'event' };

export const buildFarmConfig = (farm: string, published: PublishedFarm): object =>
  buildDeviceConfig(published, {
    device: deviceId(farm, 'farm'),
    name: 'Print farm',
    model: 'Print farm',
    page: buildPageUrl(published.url),
    topic: farmTopic(published.prefix),
    components: FARM_SENSORS,
  });

export const buildPrinterConfig = (farm: string, published: PublishedFarm, { id, name }: BrokerPrinter): object =>
  buildDeviceConfig(published, {
    device: deviceId(farm, 'printer', id),
    name,
    model: '3D printer',
    page: buildPageUrl(published.url, 'Printer', id),
    topic: printerTopic(published.prefix, id),
    components: {
      ...PRINTER_SENSORS,
      ended: published.hasEndedPrints ? buildEndedPrintComponent(published.prefix, id) : REMOVED_EVENT,
    },
  });

export const buildCameraConfig = (farm: string, published: PublishedFarm, { id, name }: BrokerCamera): object =>
  buildDeviceConfig(published, {
    device: deviceId(farm, 'camera', id),
    name,
    model: 'Camera',
    page: buildPageUrl(published.url, 'Camera', id),
    topic: cameraTopic(published.prefix, id),
    components: CAMERA_SENSORS,
  });

export const buildFilamentConfig = (
  farm: string,
  published: PublishedFarm,
  { id, name, number }: BrokerFilament,
): object =>
  buildDeviceConfig(published, {
    device: deviceId(farm, 'filament', id),
    name: `${name} (#${number})`,
    model: 'Filament',
    page: buildPageUrl(published.url, 'Filament', id),
    topic: filamentTopic(published.prefix, id),
    components: FILAMENT_SENSORS,
  });

interface Device {
  device: string;
  name: string;
  model: string;
  page: string | null;
  topic: string;
  components: Record<string, object>;
}

function buildDeviceConfig(farm: PublishedFarm, { device, name, model, page, topic, components }: Device): object {
  const withIds = Object.entries(components).map(([key, component]) => [
    key,
    component === REMOVED_EVENT ? component : { unique_id: `${device}_${key}`, ...component },
  ]);
  return {
    device: { identifiers: [device], name, model, configuration_url: page ?? undefined },
    origin: { name: 'Print Farm Gateway' },
    availability_topic: statusTopic(farm.prefix),
    state_topic: topic,
    components: Object.fromEntries(withIds),
  };
}
