// Decides what each object of a Spoolman becomes, from what was read and what the farm has. It reads and writes nothing.
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Decimal from 'decimal.js';
import { listText } from './again';
import { decideFilament } from './decide-filaments';
import { decideSpool } from './decide-spools';
import { decideVendor } from './decide-vendors';
import type { Deciding } from './deciding';
import { FilamentNames } from './filament-names';
import { ImportMaterials } from './import-materials';
import type { ImportPlan, ImportRow } from './import-plan';
import { refuse } from './refused-rows';
import { decideFields, deduceFields, type FieldDefinition, OWNERS } from './spoolman-fields';
import type { ReadFilament, ReadSpool, ReadVendor, SpoolmanObject } from './spoolman-objects';
import { settleSharedTags } from './spoolman-tags';
import { externalKey, type StockHere } from './stock-here';

export interface ReadSpoolman {
  source: string;
  /** Whether all objects of the source were read. */
  isFromUrl: boolean;
  /** null if files were read: the values then show the types. */
  fields: FieldDefinition[] | null;
  /** Vendors, then filaments, then spools, each by id. */
  objects: readonly SpoolmanObject[];
}

/** The rows that are decided before other requests run. */
const ROWS_OF_TURN = 200;

/**
 * @param importId makes the ids of new objects, so that the same import always makes the same ids
 * @param take gets each row, in order. The rows of a large Spoolman are too many to keep whole.
 */
export async function decideImport(
  read: ReadSpoolman,
  here: StockHere,
  importId: string,
  now: string,
  take: (row: ImportRow) => void,
): Promise<ImportPlan> {
  const { source, isFromUrl, objects } = read;
  const fields = decideFields(read.fields ?? deduceFields(objects), here.fields, isFromUrl);
  const known = objects.filter(({ kind, id, registered }) => here.externals.has(externalKey(kind, id, registered)));
  const plan: ImportPlan = {
    materials: [],
    fields: fields.added,
    gone: isFromUrl ? here.externals.size - known.length : 0,
    withoutTare: 0,
    fault: fields.fault,
  };
  if (objects.length > 0 && here.externals.size > 0 && known.length === 0)
    plan.fault = `None of the objects that were imported as "${source}" are there, so this is another Spoolman. Read it with another source, such as "${source}-2".`;
  if (plan.fault !== null) return plan;
  const deciding = prepare(read, here, importId, now, fields.known);
  for (const [at, object] of objects.entries()) {
    if (at % ROWS_OF_TURN === ROWS_OF_TURN - 1) await nextTurn();
    take(decideRow(object, deciding));
  }
  plan.materials = deciding.materials.added;
  plan.withoutTare = deciding.withoutTare;
  return plan;
}

function decideRow(object: SpoolmanObject, deciding: Deciding): ImportRow {
  if (object.fault !== null) return refuse(object, object.fault);
  if (object.kind === 'VENDOR') return decideVendor(object, deciding);
  return object.kind === 'FILAMENT' ? decideFilament(object, deciding) : decideSpool(object, deciding);
}

function prepare(
  { source, objects }: ReadSpoolman,
  here: StockHere,
  importId: string,
  now: string,
  knownFields: ReadonlySet<string>,
): Deciding {
  const ofKind = <Read extends SpoolmanObject>(kind: Read['kind']) =>
    objects.filter((object): object is Read => object.kind === kind);
  const byId = <Read extends SpoolmanObject>(kind: Read['kind']) =>
    new Map(ofKind<Read>(kind).flatMap((object) => (object.id === null ? [] : [[object.id, object] as const])));
  const spools = ofKind<ReadSpool>('SPOOL').filter(({ fault }) => fault === null);
  const vendorsRead = byId<ReadVendor>('VENDOR');
  const serials = new Set(here.serials);
  const createId = (...parts: unknown[]) => idFrom(JSON.stringify([importId, ...parts]));
  return {
    here,
    now,
    materials: new ImportMaterials(here.materials, (name, density) => createId('MATERIAL', name, density)),
    names: new FilamentNames(here.filaments.values()),
    vendorsByName: new Map(here.vendors),
    vendorsById: new Map([...here.vendors.values()].map((vendor) => [vendor.id, vendor])),
    vendorsRead,
    filamentsRead: byId<ReadFilament>('FILAMENT'),
    plannedFilaments: new Map(),
    usualSpoolWeights: findUsualWeights(spools),
    sharedTags: settleSharedTags(
      spools.map(({ id, isArchived, tags }) => ({ spool: id as number, isArchived, uids: tags.map(({ uid }) => uid) })),
    ),
    releasesTag: createReleases(spools, here),
    isKnownField: (kind, key) => knownFields.has(`${OWNERS[kind]} ${key}`),
    describeLeftOutFields: (kind, extra) =>
      Object.keys(extra).every((key) => knownFields.has(`${OWNERS[kind]} ${key}`))
        ? []
        : ['The value of a field that is not defined is left out.'],
    vendorTareOf: ({ vendorId }) => vendorsRead.get(vendorId ?? 0)?.emptySpoolWeight ?? null,
    chooseSerial(id) {
      let serial = `${source}-${id}`;
      for (let next = 2; serials.has(serial); next++) serial = `${source}-${id}-${next}`;
      serials.add(serial);
      return serial;
    },
    createId: (kind, { id, registered }) => createId(kind, id, registered),
    withoutTare: 0,
  };
}

/** A UUID from a text. */
function idFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Of weights that are equally frequent the greatest counts. */
function findUsualWeights(spools: readonly ReadSpool[]): Map<number, string> {
  const counts = new Map<number, Map<string, number>>();
  for (const { filamentId, initialWeight } of spools) {
    if (initialWeight === null || filamentId === null) continue;
    const ofFilament = counts.get(filamentId) ?? new Map<string, number>();
    counts.set(filamentId, ofFilament.set(initialWeight, (ofFilament.get(initialWeight) ?? 0) + 1));
  }
  return new Map(
    [...counts].map(([id, weights]) => {
      const ordered = [...weights].sort(([a, countA], [b, countB]) => countB - countA || new Decimal(b).cmp(a));
      return [id, ordered[0]?.[0] as string];
    }),
  );
}

function createReleases(spools: readonly ReadSpool[], here: StockHere): Deciding['releasesTag'] {
  const wanted = new Map<string, ReadonlySet<string>>();
  for (const { id, registered, tags } of spools) {
    const external = here.externals.get(externalKey('SPOOL', id, registered));
    const spool = here.spools.get(external?.spoolId ?? '');
    if (external === undefined || spool === undefined) continue;
    const { values, written } = external.imported;
    const before = 'tags' in written ? written['tags'] : values['tags'];
    // Tags that have changed here stay as they are.
    if ((listText([...spool.tags].sort()) ?? null) === (before ?? null))
      wanted.set(spool.id, new Set(tags.map(({ uid }) => uid)));
  }
  return (spoolId, uid) => wanted.get(spoolId)?.has(uid) === false;
}
