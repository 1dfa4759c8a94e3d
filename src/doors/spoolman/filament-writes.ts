// Creates, changes and removes filaments, with the material that the API names by its name and density.
import { BadInput, Conflict, NotFound } from '../../errors';
import type { Context } from '../../farm/graph/context';
import type { CreateFilamentInput, UpdateFilamentInput } from '../../farm/inventory/filament.inputs';
import type { Filament } from '../../farm/inventory/filament.types';
import { listFilamentNames, UNKNOWN_MATERIAL } from '../../farm/inventory/filament-names';
import { MAX_COMMENT_LENGTH, MAX_TEMPERATURE_C } from '../../farm/inventory/inventory.members';
import type { Material } from '../../farm/inventory/inventory.types';
import { readPositiveAmount, trimZeros } from '../../values/decimal';
import { MAX_KEY_LENGTH, tidied } from '../../values/text';
import type { ApiParts } from './api';
import { type Body, readExtra, readId, readInteger, readTextUpTo, readWeight } from './body';
import { readColors } from './colors';
import { findOrCreateMaterial } from './materials';

const DEFAULT_WEIGHT = '1000';

const readShort = tidied(readTextUpTo(MAX_KEY_LENGTH));
const readTemperature = readInteger(0, MAX_TEMPERATURE_C);
const readSize = (value: unknown, member: string) =>
  readPositiveAmount(typeof value === 'string' ? value.trim() : value, member);

/** The members of a body that need no other object. */
const readMembers = (body: Body) => ({
  purchasePrice: body.read('price', readWeight),
  tareGrams: body.read('spool_weight', readWeight),
  articleNumber: body.read('article_number', readShort),
  extruderTempC: body.read('settings_extruder_temp', readTemperature),
  bedTempC: body.read('settings_bed_temp', readTemperature),
  comment: body.read('comment', readTextUpTo(MAX_COMMENT_LENGTH)),
});

const readKept = (body: Body) => ({ externalId: body.read('external_id', readTextUpTo(MAX_KEY_LENGTH)) });

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
  const kept = readKept(body);
  const extra = body.readKept('extra', readExtra) ?? {};
  await parts.fields.check('filament', extra);
  const vendor = await readVendor(parts, body);
  const input = {
    ...readMembers(body),
    ...colors,
    vendor,
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
  await parts.store.keep('filaments', id, kept, extra, context);
  return number;
}

export async function changeFilament(parts: ApiParts, number: number, body: Body, context: Context): Promise<void> {
  const filament = await requireStored(parts, number);
  const colors = readColors(body, { isMulticolor: filament.colorHexes.length > 0 });
  const kept = readKept(body);
  const extra = body.readKept('extra', readExtra) ?? {};
  await parts.fields.check('filament', extra);
  const diameter = body.readKept('diameter', readSize);
  const material = await readMaterialChange(parts, body, filament, context);
  const weight = body.read('weight', readWeight);
  const input = {
    ...readMembers(body),
    ...colors,
    vendor: await readVendor(parts, body),
    materialId: material?.id,
    filamentDiameterMm: diameter,
    weightTotalGrams: weight === null ? DEFAULT_WEIGHT : weight,
  };
  const name = body.read('name', readShort);
  const change = (newName: string | undefined) =>
    parts.filaments.update(filament.id, { ...input, name: newName } as UpdateFilamentInput, true, context);
  const shownMaterial = material?.name ?? withoutDensity(filament.material);
  const names = listNames(
    name === undefined ? filament.name : (name ?? undefined),
    shownMaterial,
    diameter ?? filament.filamentDiameterMm,
    number,
  );
  if (name !== undefined || input.vendor !== undefined) await takeFreeName(names, change);
  else if (Object.values(input).some((value) => value !== undefined)) await change(undefined);
  await parts.store.keep('filaments', filament.id, kept, extra, context);
}

export async function removeFilament(parts: ApiParts, number: number): Promise<void> {
  const { id } = await requireStored(parts, number);
  await parts.inventory.remove('filament', id);
}

async function requireStored({ store, filaments }: ApiParts, number: number): Promise<Filament> {
  const filament = await filaments.filamentByNumber(number);
  if (filament !== null) return filament;
  if (await store.isSpoolWithoutFilament(number))
    throw new Conflict(
      'This filament exists only because its spool has none, so it cannot be changed or removed. Give the spool a filament',
    );
  throw new NotFound('filament', [String(number)]);
}

async function readMaterialChange(parts: ApiParts, body: Body, { material }: Filament, context: Context) {
  const given = body.read('material', readShort);
  const density = body.readKept('density', readSize);
  if (given === undefined && density === undefined) return undefined;
  const shown = withoutDensity(material);
  const shownDensity = trimZeros(material.densityGPerCm3);
  const name = given === undefined ? shown : (given ?? UNKNOWN_MATERIAL);
  // A client may send back what it has read.
  if (name === shown && (density === undefined || trimZeros(density) === shownDensity))
    return { id: material.id, name };
  return { id: await findOrCreateMaterial(parts, name, density ?? shownDensity, context), name };
}

/** The name as the API shows it. */
function withoutDensity({ name, densityGPerCm3 }: Material): string {
  const ending = ` ${trimZeros(densityGPerCm3)}`;
  return name.endsWith(ending) ? name.slice(0, -ending.length) : name;
}

function listNames(
  name: string | null | undefined,
  material: string | null,
  diameter: string,
  number: number,
): string[] {
  const first = name || material || `Filament ${number}`;
  const additions = [trimZeros(diameter), `#${number}`];
  return listFilamentNames(first, material === null || first === material ? additions : [material, ...additions]);
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
