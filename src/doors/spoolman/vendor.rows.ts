// The vendor as the API shows it.
import { columnMember, rowShape } from '../../database/rows';
import { writeNumber, writeObject, writeText, writeTime } from './json-object';

export interface VendorRow {
  id: number;
  createdAt: string;
  name: string;
  comment: string | null;
  emptySpoolWeight: string | null;
  externalId: string | null;
  extra: Record<string, string>;
}

/** The members of a vendor `v`. */
export const VENDOR_ROW = rowShape<VendorRow, 'extra'>(
  'v',
  {
    id: 'int',
    createdAt: 'timestamptz',
    name: 'text',
    comment: 'text',
    emptySpoolWeight: 'numeric',
    externalId: 'text',
  },
  { extra: columnMember('v.extra', 'json') },
);

export const writeVendor = (vendor: VendorRow): string =>
  writeObject({
    id: writeNumber(vendor.id),
    registered: writeTime(vendor.createdAt),
    name: writeText(vendor.name),
    comment: writeText(vendor.comment),
    empty_spool_weight: writeNumber(vendor.emptySpoolWeight),
    external_id: writeText(vendor.externalId),
    extra: JSON.stringify(vendor.extra),
  });
