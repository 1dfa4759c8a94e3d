// What a Bambu Lab printer is: by its own words, by its certificate, and by its serial number.

import { PRINTER_KINDS } from '../../kind-facts';
import type { Dialled } from '../../wire/dial';
import { Failure } from '../../wire/faults';
import type { Identity, Target } from '../machine-connection';
import { memberAt, readMessage } from '../message-values';

/** 01P00A451601106. A certificate that names something else says nothing about the printer. */
const SERIAL = /^\d[\dA-Z]{14}$/;

/** By the first three characters of a serial number. */
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

/** The serial number as the printer writes it: topics of MQTT distinguish capital letters from small ones. */
export function findSerial({ serial }: Target, { commonName }: Dialled): string {
  if (serial === null || !PRINTER_KINDS.BAMBU.serial.pattern.test(serial)) throw new Failure('WRONG_DEVICE');
  if (commonName?.toUpperCase() === serial.toUpperCase()) return commonName;
  if (commonName !== null && SERIAL.test(commonName)) throw new Failure('WRONG_DEVICE');
  return serial;
}

/** The modules of the printer in the answer to get_version; undefined where it is another message. */
export function readModules(message: unknown): unknown[] | undefined {
  const modules = memberAt(message, 'info', 'module');
  return memberAt(message, 'info', 'command') === 'get_version' && Array.isArray(modules) ? modules : undefined;
}

/** @param modules none where the printer did not answer */
export function toIdentity(serial: string, modules: unknown[], certificateFingerprint: string | null): Identity {
  const names = modules.map((module) => readMessage(memberAt(module, 'product_name')));
  const firmware = modules.find((module) => memberAt(module, 'name') === 'ota');
  return {
    name: null,
    // The AMS is a module too.
    model: names.find((name) => name?.startsWith('Bambu Lab ')) ?? MODELS[serial.slice(0, 3)] ?? null,
    serial,
    firmware: readMessage(memberAt(firmware, 'sw_ver')),
    certificateFingerprint,
  };
}
