// The kinds of machines: one row each.

import { SILENT_AFTER_SEC, SILENT_AFTER_SEC_OF } from '../kinds';
import type { Adapter, CameraReading } from './adapter';
import type { AddressForm } from './address';
import { bambu } from './bambu/adapter';
import { BAMBU_ADDRESS, connectBambu } from './bambu/connection';
import type { Connect } from './connection';
import { gopro } from './gopro/adapter';
import { connectGoPro, GOPRO_ADDRESS } from './gopro/connection';
import { moonraker } from './moonraker/adapter';
import { connectMoonraker, MOONRAKER_ADDRESS } from './moonraker/connection';
import { octoprint } from './octoprint/adapter';
import { connectOctoPrint, OCTOPRINT_ADDRESS } from './octoprint/connection';
import { prusalink } from './prusalink/adapter';
import { connectPrusaLink, PRUSALINK_ADDRESS } from './prusalink/connection';

interface AnyKind {
  connect: Connect;
  /** How its address is typed, with its default port. */
  address: AddressForm;
  needsSerial: boolean;
  /** A machine that was not heard of for so long is said to be offline. */
  silentAfterMs: number;
}
export interface PrinterKind extends AnyKind {
  of: 'printer';
  adapter: Adapter<unknown>;
}
export interface CameraKind extends AnyKind {
  of: 'camera';
  adapter: Adapter<unknown, CameraReading>;
}
export type Kind = PrinterKind | CameraKind;

/** A camera is asked each 30 s, and an old one takes 45 s to answer. */
const CAMERA_SILENT_AFTER_MS = 120_000;

const rowOf = (adapter: Adapter<unknown>, connect: Connect, address: AddressForm): PrinterKind => ({
  of: 'printer',
  adapter,
  connect,
  address,
  needsSerial: false,
  silentAfterMs: SILENT_AFTER_SEC * 1000,
});

const OPEN_GOPRO: CameraKind = {
  of: 'camera',
  adapter: gopro,
  connect: connectGoPro,
  address: GOPRO_ADDRESS,
  needsSerial: false,
  silentAfterMs: CAMERA_SILENT_AFTER_MS,
};

export const KINDS = {
  MOONRAKER: rowOf(moonraker, connectMoonraker, MOONRAKER_ADDRESS),
  OCTOPRINT: rowOf(octoprint, connectOctoPrint, OCTOPRINT_ADDRESS),
  PRUSALINK: rowOf(prusalink, connectPrusaLink, PRUSALINK_ADDRESS),
  BAMBU: {
    ...rowOf(bambu, connectBambu, BAMBU_ADDRESS),
    needsSerial: true,
    silentAfterMs: Number(SILENT_AFTER_SEC_OF['BAMBU']) * 1000,
  },
  OPEN_GOPRO,
};

export type DeviceKind = keyof typeof KINDS;
