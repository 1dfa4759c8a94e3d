// Creates and changes spools. One request writes all of its members or none.
import { BadInput, Conflict, NotFound, orNotFound, unknownLink } from '../../errors';
import type { Context } from '../../farm/graph/context';
import type { Filament } from '../../farm/inventory/filament.types';
import type { CreateSpoolInput, UpdateSpoolInput } from '../../farm/inventory/inventory.inputs';
import { MAX_COMMENT_LENGTH, MAX_LOT_LENGTH, readPlace } from '../../farm/inventory/inventory.members';
import type { Spool } from '../../farm/inventory/inventory.types';
import { findUidsInExtra } from '../../farm/inventory/tags-in-extra';
import { NOTE_OF_API } from '../../farm/stock/adjustment.service';
import { trimZeros } from '../../values/decimal';
import type { ApiParts } from './api';
import { type Body, readExtra, readId, readTextUpTo, readWeight } from './body';
import { readFlag, readTime } from './query';
import { subtract } from './spool.rows';

const readPlaceOrNull = (value: unknown, member: string) => readPlace(value, member) ?? null;

/** What is on the spool: at most one of the two is given. */
function readContent(body: Body): { remaining: string | undefined; used: string | undefined } {
  const remaining = body.readKept('remaining_weight', readWeight);
  const used = body.readKept('used_weight', readWeight);
  if (remaining !== undefined && used !== undefined)
    throw new BadInput('Send either remaining_weight or used_weight, not both');
  return { remaining, used };
}

/** The members that a spool does not take from its filament. */
const readMembers = (body: Body) => ({
  purchasePrice: body.read('price', readWeight),
  tareGrams: body.read('spool_weight', readWeight),
  place: body.read('location', readPlaceOrNull),
  lotNumber: body.read('lot_nr', readTextUpTo(MAX_LOT_LENGTH)),
  comment: body.read('comment', readTextUpTo(MAX_COMMENT_LENGTH)),
});

async function requireFilament({ filaments }: ApiParts, number: number): Promise<Filament> {
  const filament = await filaments.filamentByNumber(number);
  if (filament === null) throw unknownLink('filament', 'filament_id');
  return filament;
}

/** @returns the number of the new spool */
export async function createSpool(parts: ApiParts, body: Body, context: Context): Promise<number> {
  const filamentNumber = body.readKept('filament_id', readId);
  if (filamentNumber === undefined) throw new BadInput('is required', 'filament_id');
  const filament = await requireFilament(parts, filamentNumber);
  const weight = body.readKept('initial_weight', readWeight) ?? filament.weightTotalGrams;
  const { remaining, used } = readContent(body);
  const left = remaining ?? (used === undefined ? weight : subtract(weight, used));
  const extra = body.readKept('extra', readExtra) ?? {};
  await parts.fields.check('spool', extra);
  const times = {
    firstUsedAt: body.readKept('first_used', readTime),
    lastUsedAt: body.readKept('last_used', readTime),
  };
  const input = {
    // Until the spool has its number.
    spoolSerial: context.newId(),
    filamentId: filament.id,
    ...readMembers(body),
    weightTotalGrams: weight,
    remainingGrams: trimZeros(left) === trimZeros(weight) ? null : left,
  };
  const spool = await parts.inventory.createSpool(input as CreateSpoolInput, context);
  await nameByNumber(parts, spool, context.now);
  await parts.store.keep('spools', spool.id, times, extra, context);
  await parts.tags.linkUnused(spool.id, findUidsInExtra(extra));
  if (body.readKept('archived', readFlag)) await parts.inventory.archive('spool', spool.id, true, context);
  return spool.number;
}

/** The serial is the number. If another spool has this serial, a suffix is added. */
async function nameByNumber({ inventory }: ApiParts, { id, number }: Spool, now: string): Promise<void> {
  for (let suffix = 1; ; suffix += 1) {
    const spoolSerial = suffix === 1 ? String(number) : `${number}-${suffix}`;
    try {
      await inventory.updateSpool(id, { spoolSerial } as UpdateSpoolInput, { now } as Context);
      return;
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
    }
  }
}

export async function changeSpool(
  parts: ApiParts,
  number: number | null,
  body: Body,
  context: Context,
): Promise<number> {
  const spool = orNotFound(number === null ? null : await parts.store.lockSpool(number), 'spool', String(number));
  const { remaining, used } = readContent(body);
  const extra = body.readKept('extra', readExtra) ?? {};
  await parts.fields.check('spool', extra);
  const input = {
    ...(await readFilamentChange(parts, body, spool.filamentId === null ? number : null)),
    ...readMembers(body),
    weightTotalGrams: body.readKept('initial_weight', readWeight),
  };
  if (Object.values(input).some((value) => value !== undefined))
    await parts.inventory.updateSpool(spool.id, input as UpdateSpoolInput, context);
  await parts.store.keep('spools', spool.id, {}, extra, context);
  await parts.tags.linkUnused(spool.id, findUidsInExtra(extra));
  if (remaining !== undefined || used !== undefined)
    await weigh(parts, { id: spool.id, number: number as number }, remaining, used, context);
  const archived = body.readKept('archived', readFlag);
  if (archived !== undefined && archived !== spool.isArchived)
    await parts.inventory.archive('spool', spool.id, archived, context);
  return number as number;
}

/**
 * Another filament also brings its material, diameter, colour and vendor.
 * @param ownNumber the number of a spool without a filament, which is shown with a filament of this number; null for other spools
 */
async function readFilamentChange(parts: ApiParts, body: Body, ownNumber: number | null): Promise<object> {
  const number = body.read('filament_id', readId);
  if (number === null) return { filamentId: null };
  if (number === undefined || number === ownNumber) return {};
  const { id, material, filamentDiameterMm, colorHex, vendor } = await requireFilament(parts, number);
  return { filamentId: id, materialId: material.id, filamentDiameterMm, colorHex, vendor };
}

/** A value that the API shows already is no weighing, so a client may send back what it has read. */
async function weigh(
  parts: ApiParts,
  { id, number }: { id: string; number: number },
  remaining: string | undefined,
  used: string | undefined,
  context: Context,
): Promise<void> {
  const left = (await parts.left.ofSpools([id])).get(id) ?? '0';
  const [spool] = await parts.lists.spools([number]);
  if (spool === undefined) throw new NotFound('spool', [String(number)]);
  const [given, shown] =
    used === undefined ? [remaining as string, subtract(left, '0')] : [used, subtract(spool.weightTotalGrams, left)];
  if (trimZeros(given) === trimZeros(shown)) return;
  const netGrams = remaining ?? subtract(spool.weightTotalGrams, given);
  await parts.adjustments.weigh(id, { netGrams, note: NOTE_OF_API }, context);
}
