// The kinds of machines: one row each.

import { SILENT_AFTER_SEC } from '../observed-prints/observed-print.limits';
import type { Adapter } from './adapter';
import type { AddressForm } from './address';
import type { Connect } from './connection';
import { moonraker } from './moonraker/adapter';
import { connectMoonraker, MOONRAKER_ADDRESS } from './moonraker/connection';
import { octoprint } from './octoprint/adapter';
import { connectOctoPrint, OCTOPRINT_ADDRESS } from './octoprint/connection';
import { prusalink } from './prusalink/adapter';
import { connectPrusaLink, PRUSALINK_ADDRESS } from './prusalink/connection';

export interface Kind {
  adapter: Adapter<unknown>;
  connect: Connect;
  /** How its address is typed, with its default port. */
  address: AddressForm;
  needsSerial: boolean;
  /** A machine that was not heard of for so long is said to be offline. */
  silentAfterMs: number;
}

const rowOf = (adapter: Adapter<unknown>, connect: Connect, address: AddressForm): Kind => ({
  adapter,
  connect,
  address,
  needsSerial: false,
  silentAfterMs: SILENT_AFTER_SEC * 1000,
});

export const KINDS = {
  MOONRAKER: rowOf(moonraker, connectMoonraker, MOONRAKER_ADDRESS),
  OCTOPRINT: rowOf(octoprint, connectOctoPrint, OCTOPRINT_ADDRESS),
  PRUSALINK: rowOf(prusalink, connectPrusaLink, PRUSALINK_ADDRESS),
};

export type DeviceKind = keyof typeof KINDS;
