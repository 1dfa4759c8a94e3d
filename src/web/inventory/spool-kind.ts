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
  inputOf,
  changesOf: inputOf,
  create: CreateSpoolDocument,
  update: UpdateSpoolDocument,
  archive: ArchiveSpoolDocument,
  remove: RemoveSpoolDocument,
};
