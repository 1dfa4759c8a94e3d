// All that a broker holds for one target: the states of the farm and the configs of discovery, each by its topic.
import { cameraConfig, configTopic, type FarmOnBroker, printerConfig } from './discovery';
import type { CameraOnBroker, FarmStates, PrinterOnBroker } from './farm-states';
import { cameraTopic, farmTopic, objectOf, printerTopic } from './topics';

/** The texts by their topics. A config comes before the state that it explains. */
export function retainedOf(states: FarmStates, farm: FarmOnBroker): Map<string, string> {
  const texts = new Map<string, string>([[farmTopic(farm.prefix), JSON.stringify(states.farm)]]);
  for (const printer of states.printers) {
    texts.set(
      configTopic(states.name, 'printer', printer.id),
      JSON.stringify(printerConfig(states.name, farm, printer)),
    );
    texts.set(printerTopic(farm.prefix, printer.id), JSON.stringify(printerState(printer)));
  }
  for (const camera of states.cameras) {
    texts.set(configTopic(states.name, 'camera', camera.id), JSON.stringify(cameraConfig(states.name, farm, camera)));
    texts.set(cameraTopic(farm.prefix, camera.id), JSON.stringify(cameraState(camera)));
  }
  return texts;
}

/** The config of the object whose state has this topic; none for any other topic. */
export function configTopicsOf(topic: string, { name }: FarmStates, { prefix }: FarmOnBroker): string[] {
  const object = objectOf(prefix, topic);
  return object === undefined ? [] : [configTopic(name, object.type, object.id)];
}

const printerState = ({ id: _, ...state }: PrinterOnBroker) => state;
const cameraState = ({ id: _, printerId: __, ...state }: CameraOnBroker) => state;
