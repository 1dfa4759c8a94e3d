// Creates, changes and removes filaments, with the material that the API names by its name and density.
import { BadInput, Conflict, NotFound } from '../../errors';
import type { Context } from '../../farm/graph/context';
import type { CreateFilamentInput, UpdateFilamentInput } from '../../farm/inventory/filament.inputs';
import { readPositiveAmount, trimZeros } from '../../values/decimal';
import { MAX_KEY_LENGTH, tidied } from '../../values/text';
import type { ApiParts } from './api';
import type { FoundFilament } from './api.store';
import { type Body, readExtra, readId, readInteger, readTextUpTo, readWeight } from './body';
import { readColors } from './colors';
import { findOrCreateMaterial, UNKNOWN_MATERIAL } from './materials';
import { MAX_COMMENT_LENGTH } from './spool-writes';

const DEFAULT_WEIGHT = '1000';
const MAX_TEMPERATURE = 1000;

const readShort = tidied(readTextUpTo(MAX_KEY_LENGTH));
const readSize = (value: unknown, member: string) =>
  readPositiveAmount(typeof value === 'string' ? value.trim() : value, member);

/** The members of a body that need no other object. */
const readMembers = (body: Body) => ({
  purchasePrice: body.read('price', readWeight),
  tareGrams: body.read('spool_weight', readWeight),
  articleNumber: body.read('article_number', readShort),
});

const readDetails = (body: Body) => ({
  extruderTempC: body.read('settings_extruder_temp', readInteger(0, MAX_TEMPERATURE)),
  bedTempC: body.read('settings_bed_temp', readInteger(0, MAX_TEMPERATURE)),
  comment: body.read('comment', readTextUpTo(MAX_COMMENT_LENGTH)),
  externalId: body.read('external_id', readTextUpTo(MAX_KEY_LENGTH)),
});

/** @returns undefined if the body does not name a vendor */
async function readVendor({ vendors }: ApiParts, body: Body): Promise<string | null | undefined> {
  const id = body.read('vendor_id', readId);
  if (id == null) return id;
  const name = await vendors.nameOf(id);
  if (name === null) throw new BadInput('must be the id of a vendor', 'vendor_id');
  return name;
}

/** @returns the number of the new filament */
export async function createFilament(parts: ApiParts, body: Body, context: Context): Promise<number> {
  const density = body.readKept('density', readSize);
  const diameter = body.readKept('diameter', readSize);
  if (density === undefined) throw new BadInput('is required', 'density');
  if (diameter === undefined) throw new BadInput('is required', 'diameter');
  const materialName = body.readKept('material', readShort) ?? UNKNOWN_MATERIAL;
  const colors = readColors(body, { isMulticolor: false });
  const extra = body.readKept('extra', readExtra) ?? {};
  await parts.fields.check('filament', extra);
  const vendor = await readVendor(parts, body);
  const input = {
    ...readMembers(body),
    vendor,
    colorHex: colors.colorHex,
    materialId: await findOrCreateMaterial(parts, materialName, density, context),
    filamentDiameterMm: diameter,
    weightTotalGrams: body.readKept('weight', readWeight) ?? DEFAULT_WEIGHT,
  };
  const given = body.readKept('name', readShort);
  // Until the filament has its number, from which the last name is made.
  const temporary = context.newId();
  const { id, number } = await parts.filaments.create({ ...input, name: temporary } as CreateFilamentInput, context);
  const names = listNames(given ?? undefined, body.readKept('material', readShort) ?? null, diameter, number);
  await takeFreeName(names, (name) => parts.filaments.update(id, { name } as UpdateFilamentInput, false, context));
  const details = { ...readDetails(body), colorArrangement: colors.arrangement };
  await parts.store.updateFilament(id, details, colors.hexes, extra, context.now);
  return number;
}

export async function changeFilament(parts: ApiParts, number: number, body: Body, context: Context): Promise<void> {
  const filament = await requireStored(parts, number);
  const colors = readColors(body, filament);
  const extra = body.readKept('extra', readExtra) ?? {};
  await parts.fields.check('filament', extra);
  const diameter = body.readKept('diameter', readSize);
  const material = await readMaterialChange(parts, body, filament, context);
  const weight = body.read('weight', readWeight);
  const input = {
    ...readMembers(body),
    vendor: await readVendor(parts, body),
    colorHex: colors.colorHex,
    materialId: material?.id,
    filamentDiameterMm: diameter,
    weightTotalGrams: weight === null ? DEFAULT_WEIGHT : weight,
  };
  const name = body.read('name', readShort);
  const change = (newName: string | undefined) =>
    parts.filaments.update(filament.id, { ...input, name: newName } as UpdateFilamentInput, true, context);
  const shownMaterial = material?.name ?? withoutDensity(filament.materialName, filament.density);
  const names = listNames(
    name === undefined ? filament.name : (name ?? undefined),
    shownMaterial,
    diameter ?? filament.filamentDiameterMm,
    number,
  );
  if (name !== undefined || input.vendor !== undefined) await takeFreeName(names, change);
  else if (Object.values(input).some((value) => value !== undefined)) await change(undefined);
  const details = { ...readDetails(body), colorArrangement: colors.arrangement };
  await parts.store.updateFilament(filament.id, details, colors.hexes, extra, context.now);
}

export async function removeFilament(parts: ApiParts, number: number): Promise<void> {
  const { id } = await requireStored(parts, number);
  await parts.inventory.remove('filament', id);
}

async function requireStored({ store }: ApiParts, number: number): Promise<FoundFilament> {
  const filament = await store.findFilament(number);
  if (filament !== null) return filament;
  if (await store.hasFilament(number))
    throw new Conflict(
      'This filament exists only because its spool has none, so it cannot be changed or removed. Give the spool a filament',
    );
  throw new NotFound('filament', [String(number)]);
}

async function readMaterialChange(parts: ApiParts, body: Body, filament: FoundFilament, context: Context) {
  const given = body.read('material', readShort);
  const density = body.readKept('density', readSize);
  if (given === undefined && density === undefined) return undefined;
  const shown = withoutDensity(filament.materialName, filament.density);
  const name = given === undefined ? shown : (given ?? UNKNOWN_MATERIAL);
  // A client may send back what it has read.
  if (name === shown && (density === undefined || trimZeros(density) === filament.density))
    return { id: filament.materialId, name };
  return { id: await findOrCreateMaterial(parts, name, density ?? filament.density, context), name };
}

const withoutDensity = (name: string, density: string) =>
  name.endsWith(` ${density}`) ? name.slice(0, -density.length - 1) : name;

/** The names that a filament may get, the best first. Two filaments of a vendor have different names. */
function listNames(
  name: string | null | undefined,
  material: string | null,
  diameter: string,
  number: number,
): string[] {
  const first = name || material || `Filament ${number}`;
  const withMaterial = material === null || first === material ? first : `${first} ${material}`;
  const withDiameter = `${withMaterial} ${trimZeros(diameter)}`;
  return [...new Set([first, withMaterial, withDiameter, `${withDiameter} #${number}`])].map((one) =>
    one.slice(-MAX_KEY_LENGTH),
  );
}

async function takeFreeName(names: readonly string[], write: (name: string) => Promise<unknown>): Promise<void> {
  for (const [at, name] of names.entries()) {
    try {
      await write(name);
      return;
    } catch (error) {
      if (!(error instanceof Conflict) || at === names.length - 1) throw error;
    }
  }
}
