// How a spool is made and changed.
import {
  ArchiveSpoolDocument,
  CreateSpoolDocument,
  RemoveSpoolDocument,
  type SpoolsQuery,
  UpdateSpoolDocument,
} from '../../generated/web-operations';
import type { Kind } from '../parts/editor';

export type Spool = SpoolsQuery['spools']['nodes'][number];

const textsOf = (spool: Spool | undefined) => ({
  spoolSerial: spool?.spoolSerial ?? '',
  materialId: spool?.material.id ?? '',
  filamentDiameterMm: spool?.filamentDiameterMm ?? '1.75',
  weightTotalGrams: spool?.weightTotalGrams ?? '1000',
  purchasePrice: spool?.purchasePrice ?? '',
  colorHex: spool?.colorHex ?? '',
  vendor: spool?.vendor ?? '',
});

/** The next number of a serial: S-0413 behind S-0412, S-99 behind S-98, S-100 behind S-99. */
export const nextSerial = (serial: string): string =>
  serial.replace(/\d+$/, (digits) => String(BigInt(digits) + 1n).padStart(digits.length, '0'));

/** Empty texts of members that may be missing take them away. */
const inputOf = ({ purchasePrice, colorHex, vendor, ...texts }: ReturnType<typeof textsOf>) => ({
  ...texts,
  purchasePrice: purchasePrice || null,
  colorHex: colorHex || null,
  vendor: vendor || null,
});

export const SPOOL_KIND: Kind<Spool, keyof ReturnType<typeof textsOf>, ReturnType<typeof inputOf>> = {
  noun: 'spool',
  nameOf: ({ spoolSerial }) => spoolSerial,
  textsOf,
  copyOf: (spool) => ({ ...textsOf(spool), spoolSerial: nextSerial(spool.spoolSerial) }),
  inputOf,
  changesOf: inputOf,
  create: CreateSpoolDocument,
  update: UpdateSpoolDocument,
  archive: ArchiveSpoolDocument,
  remove: RemoveSpoolDocument,
};
