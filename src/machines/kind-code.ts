// Holds the code of each kind of machine: its facts, the function that connects to it, and its adapter.

import {
  CAMERA_KINDS,
  type CameraFacts,
  type CameraKindName,
  type DeviceKind,
  PRINTER_KINDS,
  type PrinterFacts,
  type PrinterKindName,
} from '../kind-facts';
import { bambu } from './bambu/adapter';
import { connectBambu } from './bambu/connection';
import { gopro } from './gopro/adapter';
import { connectGoPro } from './gopro/connection';
import type { Adapter, CameraReading } from './machine-adapter';
import type { Connect } from './machine-connection';
import { moonraker } from './moonraker/adapter';
import { connectMoonraker } from './moonraker/connection';
import { octoprint } from './octoprint/adapter';
import { connectOctoPrint } from './octoprint/connection';
import { prusalink } from './prusalink/adapter';
import { connectPrusaLink } from './prusalink/connection';

export interface PrinterKind extends PrinterFacts {
  connect: Connect;
  adapter: Adapter<unknown>;
}
export interface CameraKind extends CameraFacts {
  connect: Connect;
  adapter: Adapter<unknown, CameraReading>;
}
export type MachineKind = PrinterKind | CameraKind;
export type { DeviceKind };

export const KIND_CODE: Readonly<Record<PrinterKindName, PrinterKind> & Record<CameraKindName, CameraKind>> = {
  MOONRAKER: { ...PRINTER_KINDS.MOONRAKER, connect: connectMoonraker, adapter: moonraker },
  OCTOPRINT: { ...PRINTER_KINDS.OCTOPRINT, connect: connectOctoPrint, adapter: octoprint },
  PRUSALINK: { ...PRINTER_KINDS.PRUSALINK, connect: connectPrusaLink, adapter: prusalink },
  BAMBU: { ...PRINTER_KINDS.BAMBU, connect: connectBambu, adapter: bambu },
  OPEN_GOPRO: { ...CAMERA_KINDS.OPEN_GOPRO, connect: connectGoPro, adapter: gopro },
};
