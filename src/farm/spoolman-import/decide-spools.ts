// Decides what the spools of a Spoolman become: serial, weight and what is left, tags, and which members a new import changes.
import { isPositive } from '../../values/decimal';
import { compareMembers, explainKept, extraMembers, listText, type Member, writeExtra } from './again';
import type { Deciding } from './deciding';
import type { ImportChange, ImportRow, PlannedFilament, PlannedSpool, RowWrite } from './import-plan';
import { refuse } from './refused-rows';
import { subtractUsed } from './spoolman-numbers';
import type { ReadSpool } from './spoolman-objects';
import { externalKey, type HereSpool } from './stock-here';

export function decideSpool(spool: ReadSpool, deciding: Deciding): ImportRow {
  const { here, filamentsRead, plannedFilaments, isKnownField, describeLeftOutFields } = deciding;
  const filament = filamentsRead.get(spool.filamentId as number);
  const plannedFilament = plannedFilaments.get(spool.filamentId as number);
  if (filament === undefined) return refuse(spool, 'Its filament is missing.');
  if (plannedFilament === undefined) return refuse(spool, 'Its filament is refused.');
  const weight = spool.initialWeight ?? filament.weight;
  if (weight === null) return refuse(spool, 'Neither the spool nor its filament has a weight.');
  const external = here.externals.get(externalKey('SPOOL', spool.id, spool.registered));
  const found = here.spools.get(external?.spoolId ?? '');
  const before = external?.imported ?? null;
  const notes = [...spool.notes, ...describeLeftOutFields('SPOOL', spool.extra)];
  const tags = chooseTags(spool, found, deciding, notes);

  const price = spool.price ?? filament.price;
  const tare = differing(spool.spoolWeight, filament.spoolWeight ?? deciding.vendorTareOf(filament));
  const plain = (name: string, there: string | null, at: string | null | undefined): Member => ({
    name,
    there,
    target: there,
    here: at ?? null,
  });
  const members: Member[] = [
    {
      name: 'filament',
      there: `${filament.id} ${filament.registered}`,
      target: plannedFilament.id,
      here: found?.filamentId ?? null,
      show: { from: nameOfFilament(found, deciding), to: plannedFilament.name },
    },
    plain('weightTotalGrams', weight, found?.weightTotalGrams),
    plain('purchasePrice', price, found?.purchasePrice),
    plain('tareGrams', tare, found?.tareGrams),
    plain('place', spool.place, found?.place),
    plain('lotNumber', spool.lotNumber, found?.lotNumber),
    plain('comment', spool.comment, found?.comment),
    plain('archived', spool.isArchived ? 'true' : null, found && found.archivedAt !== null ? 'true' : null),
    plain('firstUsed', spool.firstUsedAt, found?.firstUsedAt),
    plain('lastUsed', spool.lastUsedAt, found?.lastUsedAt),
    {
      name: 'tags',
      there: listText(spool.tags.map(({ uid }) => uid).sort()),
      target: listText(tags),
      here: listText([...(found?.tags ?? [])].sort()),
    },
    ...extraMembers(spool.extra, found?.extra ?? {}, (key) => isKnownField('SPOOL', key)),
  ];
  const again = compareMembers(members, before);
  const take = <Value>(member: string, there: Value, at: Value | undefined): Value =>
    found === undefined || again.written.has(member) ? there : (at as Value);
  const hasNewFilament = found === undefined || again.written.has('filament');
  const ofFilament = <Key extends 'materialId' | 'colorHex' | 'vendor' | 'filamentDiameterMm'>(key: Key) =>
    hasNewFilament ? plannedFilament[key] : (found as HereSpool)[key];
  const id = found?.id ?? deciding.createId('SPOOL', spool);
  const planned: PlannedSpool = {
    id,
    spoolSerial: found?.spoolSerial ?? deciding.chooseSerial(spool.id as number),
    filamentId: take<string | null>('filament', plannedFilament.id, found?.filamentId),
    materialId: ofFilament('materialId'),
    colorHex: ofFilament('colorHex'),
    vendor: ofFilament('vendor'),
    filamentDiameterMm: ofFilament('filamentDiameterMm'),
    weightTotalGrams: take('weightTotalGrams', weight, found?.weightTotalGrams),
    tareGrams: take('tareGrams', tare, found?.tareGrams),
    purchasePrice: take('purchasePrice', price, found?.purchasePrice),
    place: take('place', spool.place, found?.place),
    lotNumber: take('lotNumber', spool.lotNumber, found?.lotNumber),
    comment: take('comment', spool.comment, found?.comment),
    archivedAt: take('archived', spool.isArchived ? deciding.now : null, found?.archivedAt),
    firstUsedAt: take('firstUsed', spool.firstUsedAt, found?.firstUsedAt),
    lastUsedAt: take('lastUsed', spool.lastUsedAt, found?.lastUsedAt),
    extra: writeExtra(found?.extra ?? {}, members, again.written),
  };
  const left = decideLeft(spool, weight, planned.weightTotalGrams, found, before?.values['remainingGrams']);
  if (left.there !== null) again.imported.values['remainingGrams'] = left.there;
  const changes: ImportChange[] = [...again.changes];
  if (left.netGrams !== undefined) changes.push({ member: 'remainingGrams', from: left.from, to: left.netGrams });
  if (found === undefined) changes.unshift({ member: 'spoolSerial', from: null, to: planned.spoolSerial });
  notes.push(...explainKept(again.kept));
  if (planned.archivedAt === null && planned.tareGrams === null && plannedFilament.tareGrams === null)
    deciding.withoutTare++;

  const write: RowWrite = { spool: planned, registered: spool.registered, imported: again.imported };
  if (again.written.has('tags')) {
    const had = new Set(found?.tags ?? []);
    const wanted = new Set(tags);
    write.addedTags = spool.tags.filter(({ uid }) => wanted.has(uid) && !had.has(uid));
    write.removedTags = [...had].filter((uid) => !wanted.has(uid));
  }
  if (left.netGrams !== undefined) write.netGrams = left.netGrams;
  return {
    kind: 'SPOOL',
    spoolmanId: spool.id,
    action: found === undefined ? 'CREATE' : changes.length > 0 ? 'UPDATE' : again.kept.length > 0 ? 'KEPT' : 'SAME',
    number: found?.number ?? null,
    name: nameRow(planned, plannedFilament),
    reason: notes.length === 0 ? null : notes.join(' '),
    changes,
    object: spool,
    createsId: found === undefined ? id : null,
    write,
  };
}

const nameRow = ({ spoolSerial }: PlannedSpool, { vendor, name }: PlannedFilament) =>
  [spoolSerial, vendor, name].filter(Boolean).join(' ');

const differing = (own: string | null, ofFilament: string | null) => (own === ofFilament ? null : own);

const nameOfFilament = (found: HereSpool | undefined, { here }: Deciding) =>
  found?.filamentId == null ? null : (here.filaments.get(found.filamentId)?.name ?? null);

/**
 * What is left follows Spoolman only while nothing here says what is left.
 * @param thereBefore what was left there at the last import
 */
function decideLeft(
  spool: ReadSpool,
  weight: string,
  weightAfter: string,
  found: HereSpool | undefined,
  thereBefore: string | null | undefined,
): { there: string | null; netGrams?: string; from: string | null } {
  const there =
    spool.usedWeight === null && spool.remainingWeight !== null
      ? subtractUsed(spool.remainingWeight, '0')
      : subtractUsed(weight, spool.usedWeight ?? '0');
  if (found === undefined) {
    const isUsed =
      isPositive(spool.usedWeight ?? '0') || (spool.remainingWeight !== null && there !== subtractUsed(weight, '0'));
    return isUsed ? { there, netGrams: there, from: null } : { there, from: null };
  }
  if (found.isCounted) return { there: thereBefore ?? null, from: null };
  const from = found.netGrams ?? found.weightTotalGrams;
  const after = found.netGrams ?? weightAfter;
  if (there === thereBefore && weightAfter === found.weightTotalGrams) return { there, from: null };
  return subtractUsed(after, '0') === there ? { there, from: null } : { there, netGrams: there, from };
}

/** The UIDs that the spool gets, in order; the notes say which it does not get. */
function chooseTags(spool: ReadSpool, found: HereSpool | undefined, deciding: Deciding, notes: string[]): string[] {
  const { here, sharedTags, releasesTag } = deciding;
  const chosen: string[] = [];
  for (const { uid } of spool.tags) {
    const shared = sharedTags.get(uid);
    const owner = here.tagOwners.get(uid);
    if (shared === null) notes.push(`The tag ${uid} is left out, because several spools in use have it.`);
    else if (shared !== undefined && shared !== spool.id)
      notes.push(`The tag ${uid} is left out, because spool ${shared} has it too and is in use.`);
    else if (owner !== undefined && owner !== found?.id && !releasesTag(owner, uid))
      notes.push(`The tag ${uid} is left out, because another spool here has it.`);
    else chosen.push(uid);
  }
  return chosen.sort();
}
