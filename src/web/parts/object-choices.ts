// The printers and spools of the farm to choose from, in natural order.
import { useQuery } from '@apollo/client/react';
import {
  FilamentChoicesDocument,
  type FilamentRowFragment,
  PrinterChoicesDocument,
  type PrinterRowFragment,
  SpoolChoicesDocument,
  type SpoolRowFragment,
} from '../../generated/web-operations';
import { filamentName, inNaturalOrder } from './formats';
import type { Choices } from './search-choice';

const WHOLE = { context: { isWhole: true } };

export const usePrinters = () => useQuery(PrinterChoicesDocument, WHOLE);
export const useSpools = () => useQuery(SpoolChoicesDocument, WHOLE);
export const useFilaments = () => useQuery(FilamentChoicesDocument, WHOLE);

/** The rows in use, and archived ones that the object has already or that were chosen before. */
export const offered = <Row extends { id: string; archivedAt: string | null }>(
  rows: readonly Row[],
  ...kept: (string | undefined)[]
) => rows.filter(({ id, archivedAt }) => archivedAt === null || kept.includes(id));

export const printerChoices = (printers: readonly PrinterRowFragment[]): Choices =>
  sorted(printers.map(({ id, name }) => [id, name]));

export const spoolChoices = (spools: readonly SpoolRowFragment[]): Choices =>
  sorted(spools.map(({ id, spoolSerial, material }) => [id, `${spoolSerial} (${material.name})`]));

export const filamentChoices = (filaments: readonly FilamentRowFragment[]): Choices =>
  sorted(filaments.map((filament) => [filament.id, `${filamentName(filament)} (#${filament.number})`]));

const sorted = (choices: Choices): Choices => [...choices].sort(([, one], [, other]) => inNaturalOrder(one, other));
