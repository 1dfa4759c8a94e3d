// Loads the printers, spools and products that a user can choose from, in natural order.
import { useQuery } from '@apollo/client/react';
import {
  FilamentChoicesDocument,
  type FilamentRowFragment,
  PrinterChoicesDocument,
  type PrinterRowFragment,
  SpoolChoicesDocument,
  type SpoolRowFragment,
} from '../../generated/web-operations';
import { compareNaturally, filamentName } from './formats';
import type { Choices } from './search-choice';

const WHOLE_LIST = { context: { isWhole: true } };

export const usePrinters = () => useQuery(PrinterChoicesDocument, WHOLE_LIST);
export const useSpools = () => useQuery(SpoolChoicesDocument, WHOLE_LIST);
export const useFilaments = () => useQuery(FilamentChoicesDocument, WHOLE_LIST);

/** The rows that are not archived, and archived rows whose ids are given because they are already selected. */
export const selectableRows = <Row extends { id: string; archivedAt: string | null }>(
  rows: readonly Row[],
  ...keptIds: (string | undefined)[]
) => rows.filter(({ id, archivedAt }) => archivedAt === null || keptIds.includes(id));

export const printerChoices = (printers: readonly PrinterRowFragment[]): Choices =>
  sortByName(printers.map(({ id, name }) => [id, name]));

export const spoolChoices = (spools: readonly SpoolRowFragment[]): Choices =>
  sortByName(spools.map(({ id, spoolSerial, material }) => [id, `${spoolSerial} (${material.name})`]));

export const filamentChoices = (filaments: readonly FilamentRowFragment[]): Choices =>
  sortByName(filaments.map((filament) => [filament.id, `${filamentName(filament)} (#${filament.number})`]));

const sortByName = (choices: Choices): Choices => [...choices].sort(([, a], [, b]) => compareNaturally(a, b));
