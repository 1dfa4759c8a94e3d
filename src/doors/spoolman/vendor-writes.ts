// Creates, changes and removes vendors.
import { BadInput, Conflict, NotFound } from '../../errors';
import { MAX_COMMENT_LENGTH } from '../../farm/inventory/inventory.members';
import { MAX_KEY_LENGTH, tidied } from '../../values/text';
import type { ApiParts } from './api';
import { type Body, readExtra, readTextUpTo, readWeight } from './body';

const readName = tidied(readTextUpTo(MAX_KEY_LENGTH));

const readChanges = (body: Body) => ({
  comment: body.read('comment', readTextUpTo(MAX_COMMENT_LENGTH)),
  emptySpoolWeight: body.read('empty_spool_weight', readWeight),
  externalId: body.read('external_id', readTextUpTo(MAX_KEY_LENGTH)),
});

/** A vendor of this name stays as it is. */
export async function createVendor({ vendors, fields }: ApiParts, body: Body): Promise<number> {
  const name = body.readKept('name', readName);
  if (!name) throw new BadInput('is required', 'name');
  const changes = readChanges(body);
  const extra = body.readKept('extra', readExtra) ?? {};
  await fields.check('vendor', extra);
  const { id, isNew } = await vendors.add(name);
  if (isNew) await vendors.update(id, changes, extra);
  return id;
}

export async function changeVendor({ vendors, fields }: ApiParts, id: number, body: Body): Promise<void> {
  const name = await vendors.nameOf(id);
  if (name === null) throw new NotFound('vendor', [String(id)]);
  if (body.has('name') && body.read('name', readName) !== name)
    throw new Conflict(
      'The name of a vendor is changed with its filaments. Change the vendor of the filaments instead',
    );
  const changes = readChanges(body);
  const extra = body.readKept('extra', readExtra) ?? {};
  await fields.check('vendor', extra);
  await vendors.update(id, changes, extra);
}

export async function removeVendor({ vendors }: ApiParts, id: number): Promise<void> {
  if (await vendors.removeUnused(id)) return;
  if ((await vendors.nameOf(id)) === null) throw new NotFound('vendor', [String(id)]);
  throw new Conflict('A filament or a spool has this vendor. Give it another vendor first');
}
