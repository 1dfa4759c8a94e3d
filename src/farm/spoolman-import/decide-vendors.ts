// Decides what the vendors of a Spoolman become. A vendor that the farm has already gets the values that it has not.
import { compareMembers, explainKept, extraMembers, type Member, writeExtra } from './again';
import type { Deciding } from './deciding';
import type { ImportRow } from './import-plan';
import type { ReadVendor } from './spoolman-objects';
import { externalKey } from './stock-here';

export function decideVendor(vendor: ReadVendor, deciding: Deciding): ImportRow {
  const { here, vendorsByName, vendorsById, isKnownField, describeLeftOutFields } = deciding;
  const key = externalKey('VENDOR', vendor.id, vendor.registered);
  const external = here.externals.get(key);
  const found = vendorsById.get(external?.vendorId ?? 0) ?? vendorsByName.get(vendor.name);
  const isKnown = (field: string) => isKnownField('VENDOR', field);
  const plain = (name: string, there: string | null, at: string | null): Member => ({
    name,
    there,
    target: there,
    here: at,
  });
  const members = [
    plain('comment', vendor.comment, found?.comment ?? null),
    plain('emptySpoolWeight', vendor.emptySpoolWeight, found?.emptySpoolWeight ?? null),
    plain('externalId', vendor.externalId, found?.externalId ?? null),
    ...extraMembers(vendor.extra, found?.extra ?? {}, isKnown),
  ];
  const again = compareMembers(members, external?.imported ?? null);
  const notes = [...vendor.notes, ...describeLeftOutFields('VENDOR', vendor.extra), ...explainKept(again.kept)];
  const value = (name: string, there: string | null, at: string | null | undefined) =>
    again.written.has(name) ? there : (at ?? null);
  const { changes } = again;
  const written = {
    wantedId: vendor.id as number,
    name: found?.name ?? vendor.name,
    comment: value('comment', vendor.comment, found?.comment),
    emptySpoolWeight: value('emptySpoolWeight', vendor.emptySpoolWeight, found?.emptySpoolWeight),
    externalId: value('externalId', vendor.externalId, found?.externalId),
    extra: writeExtra(found?.extra ?? {}, members, again.written),
  };
  // Another vendor of the same name is the same vendor here.
  vendorsByName.set(written.name, { id: 0, ...found, ...written });
  return {
    kind: 'VENDOR',
    spoolmanId: vendor.id,
    action: found === undefined ? 'CREATE' : changes.length > 0 ? 'UPDATE' : again.kept.length > 0 ? 'KEPT' : 'SAME',
    number: null,
    name: vendor.name,
    reason: notes.length === 0 ? null : notes.join(' '),
    changes: found === undefined ? [{ member: 'name', from: null, to: vendor.name }, ...changes] : changes,
    object: vendor,
    createsId: null,
    write: {
      vendor: written,
      registered: vendor.registered,
      imported: again.imported,
    },
  };
}
