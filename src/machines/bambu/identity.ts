// Decides the model, serial number and firmware of a Bambu Lab printer, from its answer, its certificate and its serial number.

import { PRINTER_KINDS } from '../../kind-facts';
import type { Dialled } from '../../wire/dial';
import { Failure } from '../../wire/faults';
import type { Identity, Target } from '../machine-connection';
import { memberAt, readMessage } from '../message-values';

/** The form of a serial number, such as 01P00A451601106. A certificate without such a name does not identify the printer. */
const SERIAL = /^\d[\dA-Z]{14}$/;

/** The models by the first three characters of the serial number. */
const MODELS: Record<string, string> = {
  '00M': 'Bambu Lab X1 Carbon',
  '03W': 'Bambu Lab X1E',
  '01S': 'Bambu Lab P1P',
  '01P': 'Bambu Lab P1S',
  '22E': 'Bambu Lab P2S',
  '030': 'Bambu Lab A1 mini',
  '039': 'Bambu Lab A1',
  '094': 'Bambu Lab H2D',
};

/** Finds the serial number in the printer's spelling, because MQTT topics distinguish upper and lower case. */
export function findSerial({ serial }: Target, { commonName }: Dialled): string {
  if (serial === null || !PRINTER_KINDS.BAMBU.serial.pattern.test(serial)) throw new Failure('WRONG_DEVICE');
  if (commonName?.toUpperCase() === serial.toUpperCase()) return commonName;
  if (commonName !== null && SERIAL.test(commonName)) throw new Failure('WRONG_DEVICE');
  return serial;
}

/** Reads the modules of the printer from the answer to get_version; undefined for any other message. */
export function readModules(message: unknown): unknown[] | undefined {
  const modules = memberAt(message, 'info', 'module');
  return memberAt(message, 'info', 'command') === 'get_version' && Array.isArray(modules) ? modules : undefined;
}

/** @param modules empty if the printer did not answer get_version */
export function toIdentity(serial: string, modules: unknown[], certificateFingerprint: string | null): Identity {
  const names = modules.map((module) => readMessage(memberAt(module, 'product_name')));
  const firmware = modules.find((module) => memberAt(module, 'name') === 'ota');
  return {
    name: null,
    // The AMS is a module too, with its own product name.
    model: names.find((name) => name?.startsWith('Bambu Lab ')) ?? MODELS[serial.slice(0, 3)] ?? null,
    serial,
    firmware: readMessage(memberAt(firmware, 'sw_ver')),
    certificateFingerprint,
  };
}
