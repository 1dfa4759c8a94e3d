// Decides what each filament of a Spoolman becomes here: its name, its material and its members.
// Decides what the filaments of a Spoolman become: name, vendor and material, and which members a new import changes.
import { UNKNOWN_MATERIAL } from '../inventory/filament-names';
// Decides what the filaments of a Spoolman become: products with names that are unique, their materials, and which members a new import changes.
// Decides what the filaments of a Spoolman become: name, material, colours, and which members a new import changes.
import { compareMembers, explainKept, extraMembers, listText, type Member, writeExtra } from './again';
import type { Deciding } from './deciding';
import type { ImportRow, PlannedFilament } from './import-plan';
import { refuse } from './refused-rows';
import type { ReadFilament } from './spoolman-objects';
import { externalKey } from './stock-here';

/** The weight of a filament of which Spoolman knows none. */
const USUAL_WEIGHT = '1000';

export function decideFilament(filament: ReadFilament, deciding: Deciding): ImportRow {
  const { here, materials, vendorsRead, isKnownField, describeLeftOutFields } = deciding;
  const vendor = filament.vendorId === null ? null : vendorsRead.get(filament.vendorId);
  if (vendor === undefined) return refuse(filament, 'Its vendor is missing.');
  if (vendor !== null && vendor.fault !== null) return refuse(filament, 'Its vendor is refused.');
  const external = here.externals.get(externalKey('FILAMENT', filament.id, filament.registered));
  const found = here.filaments.get(external?.filamentId ?? '');
  const before = external?.imported ?? null;
  const notes = [...filament.notes, ...describeLeftOutFields('FILAMENT', filament.extra)];

  const material = materials.find(filament.material ?? UNKNOWN_MATERIAL, filament.density);
  const wantedName = filament.name ?? filament.material ?? `Filament ${filament.id}`;
  const vendorName = vendor?.name ?? null;
  const isNameNew = found === undefined || (before !== null && before.values['name'] !== wantedName);
  const name = isNameNew ? deciding.names.choose(filament, wantedName, vendorName, found) : found.name;
  const weight = filament.weight ?? deciding.usualSpoolWeights.get(filament.id as number) ?? USUAL_WEIGHT;
  if (filament.weight === null) notes.push(`Its weight is unknown, so ${weight} g are assumed.`);

  const member = (member: string, there: string | null, at: string | null | undefined): Member => ({
    name: member,
    there,
    target: there,
    here: at ?? null,
  });
  const degrees = (value: number | null | undefined) => (value == null ? null : String(value));
  const members: Member[] = [
    { name: 'name', there: wantedName, target: name, here: found?.name ?? null },
    member('vendor', vendorName, found?.vendor),
    {
      name: 'material',
      there: `${filament.material ?? UNKNOWN_MATERIAL} ${filament.density}`,
      target: material.id,
      here: found?.materialId ?? null,
      show: { from: found === undefined ? null : materials.nameOf(found.materialId), to: material.name },
    },
    member('filamentDiameterMm', filament.diameter, found?.filamentDiameterMm),
    member('weightTotalGrams', weight, found?.weightTotalGrams),
    member('tareGrams', filament.spoolWeight ?? vendor?.emptySpoolWeight ?? null, found?.tareGrams),
    member('purchasePrice', filament.price, found?.purchasePrice),
    member('minimumGrams', filament.minimumGrams, found?.minimumGrams),
    member('articleNumber', filament.articleNumber, found?.articleNumber),
    member('comment', filament.comment, found?.comment),
    member('colorHex', filament.colorHex, found?.colorHex),
    member('colorHexes', listText(filament.colorHexes), listText(found?.colorHexes ?? [])),
    member('colorArrangement', filament.colorArrangement, found?.colorArrangement),
    member('extruderTempC', degrees(filament.extruderTempC), degrees(found?.extruderTempC)),
    member('bedTempC', degrees(filament.bedTempC), degrees(found?.bedTempC)),
    member('externalId', filament.externalId, found?.externalId),
    ...extraMembers(filament.extra, found?.extra ?? {}, (key) => isKnownField('FILAMENT', key)),
  ];
  joinColors(members);
  const again = compareMembers(members, before);
  if (again.written.has('name') && name !== wantedName)
    notes.push(`Another filament of the vendor has the name ${wantedName}.`);
  notes.push(...explainKept(again.kept));

  const id = found?.id ?? deciding.createId('FILAMENT', filament);
  const take = <Value>(member: string, there: Value, at: Value | undefined): Value =>
    found === undefined || again.written.has(member) ? there : (at as Value);
  const planned: PlannedFilament = {
    id,
    name: take('name', name, found?.name),
    vendor: take('vendor', vendorName, found?.vendor),
    materialId: take('material', material.id, found?.materialId),
    filamentDiameterMm: take('filamentDiameterMm', filament.diameter, found?.filamentDiameterMm),
    weightTotalGrams: take('weightTotalGrams', weight, found?.weightTotalGrams),
    tareGrams: take('tareGrams', filament.spoolWeight ?? vendor?.emptySpoolWeight ?? null, found?.tareGrams),
    purchasePrice: take('purchasePrice', filament.price, found?.purchasePrice),
    minimumGrams: take('minimumGrams', filament.minimumGrams, found?.minimumGrams),
    articleNumber: take('articleNumber', filament.articleNumber, found?.articleNumber),
    comment: take('comment', filament.comment, found?.comment),
    colorHex: take('colorHex', filament.colorHex, found?.colorHex),
    colorHexes: take('colorHex', filament.colorHexes, found?.colorHexes),
    colorArrangement: take('colorHex', filament.colorArrangement, found?.colorArrangement),
    extruderTempC: take('extruderTempC', filament.extruderTempC, found?.extruderTempC),
    bedTempC: take('bedTempC', filament.bedTempC, found?.bedTempC),
    externalId: take('externalId', filament.externalId, found?.externalId),
    extra: writeExtra(found?.extra ?? {}, members, again.written),
  };
  deciding.plannedFilaments.set(filament.id as number, planned);
  const isChanged = again.changes.length > 0;
  return {
    kind: 'FILAMENT',
    spoolmanId: filament.id,
    action: found === undefined ? 'CREATE' : isChanged ? 'UPDATE' : again.kept.length > 0 ? 'KEPT' : 'SAME',
    number: found?.number ?? null,
    name: [planned.vendor, planned.name].filter(Boolean).join(' '),
    reason: notes.length === 0 ? null : notes.join(' '),
    changes: again.changes,
    object: filament,
    createsId: found === undefined ? id : null,
    write: { filament: planned, registered: filament.registered, imported: again.imported },
  };
}

/** The three members of the colours change together: one colour cannot have the arrangement of several. */
function joinColors(members: Member[]): void {
  const names = ['colorHex', 'colorHexes', 'colorArrangement'];
  const [color, colors, arrangement] = names.map(
    (name) => members.find((member) => member.name === name) as Member,
  ) as [Member, Member, Member];
  if (colors.there === null && colors.here === null) return;
  const join = (side: 'there' | 'target' | 'here') =>
    [color[side], colors[side], arrangement[side]].some((text) => text !== null)
      ? `${color[side] ?? ''} ${colors[side] ?? ''} ${arrangement[side] ?? ''}`.trim()
      : null;
  const joined = { name: 'colorHex', there: join('there'), target: join('target'), here: join('here') };
  members.splice(members.indexOf(color), 3, joined);
}
