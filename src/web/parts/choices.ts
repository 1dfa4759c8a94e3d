// The printers and spools of the farm to choose from, in natural order.
import { useQuery } from '@apollo/client/react';
import {
  PrinterChoicesDocument,
  type PrinterRowFragment,
  SpoolChoicesDocument,
  type SpoolRowFragment,
} from '../../generated/web-operations';
import type { Choices } from './search-choice';
import { inNaturalOrder } from './words';

const WHOLE = { context: { isWhole: true } };

export const usePrinters = () => useQuery(PrinterChoicesDocument, WHOLE);
export const useSpools = () => useQuery(SpoolChoicesDocument, WHOLE);

/** Those in use, and those that an object has already or that were chosen before they were archived. */
export const offered = <Row extends { id: string; archivedAt: string | null }>(
  rows: readonly Row[],
  ...kept: (string | undefined)[]
) => rows.filter(({ id, archivedAt }) => archivedAt === null || kept.includes(id));

export const printerChoices = (printers: readonly PrinterRowFragment[]): Choices =>
  sorted(printers.map(({ id, name }) => [id, name]));

export const spoolChoices = (spools: readonly SpoolRowFragment[]): Choices =>
  sorted(spools.map(({ id, spoolSerial, material }) => [id, `${spoolSerial} (${material.name})`]));

const sorted = (choices: Choices): Choices => [...choices].sort(([, one], [, other]) => inNaturalOrder(one, other));
