// The paths of the farm's own fields.
import { BadInput, NotFound } from '../../errors';
import { MAX_VALUE_LENGTH } from '../../farm/inventory/extra-field.service';
import {
  type ExtraField,
  type ExtraFieldOwner,
  FIELD_TYPES,
  type FieldType,
} from '../../farm/inventory/extra-field.store';
import { MAX_KEY_LENGTH, nonEmptyText, textUpTo } from '../../values/text';
import { Body, readInteger } from './body';
import { writeList, writeNumber, writeObject, writeText } from './json-object';
import { readFlag } from './query';
import { type ApiAnswer, type ApiRequest, defineRoutes } from './route';

const OWNERS: readonly ExtraFieldOwner[] = ['vendor', 'filament', 'spool'];
const MAX_ORDER = 1_000_000;
const MAX_CHOICES = 1000;

function readOwner({ params: [text = ''] }: ApiRequest): ExtraFieldOwner {
  const owner = OWNERS.find((one) => one === text);
  if (owner === undefined) throw new NotFound('kind of object', [text]);
  return owner;
}

const writeField = (field: ExtraField): string =>
  writeObject({
    key: writeText(field.key),
    entity_type: writeText(field.entityType),
    name: writeText(field.name),
    order: writeNumber(field.order),
    field_type: writeText(field.fieldType),
    unit: writeText(field.unit),
    default_value: writeText(field.defaultValue),
    choices: field.choices && JSON.stringify(field.choices),
    multi_choice: field.multiChoice === null ? null : String(field.multiChoice),
  });

export const writeFields = (fields: readonly ExtraField[]): string => writeList(fields.map(writeField));

const answer = (fields: readonly ExtraField[]): ApiAnswer => ({ status: 200, json: writeFields(fields) });

function readField(entityType: ExtraFieldOwner, key: string, body: Body): ExtraField {
  if (!/^[a-z0-9_]{1,64}$/.test(key))
    throw new BadInput('The key of a field must have 1 to 64 small letters, digits and underscores');
  const name = body.readKept('name', nonEmptyText(MAX_KEY_LENGTH));
  if (name === undefined) throw new BadInput('is required', 'name');
  const fieldType = body.readKept('field_type', readFieldType);
  if (fieldType === undefined) throw new BadInput('is required', 'field_type');
  const isChoice = fieldType === 'choice';
  return {
    entityType,
    key,
    name,
    fieldType,
    order: body.readKept('order', readInteger(-MAX_ORDER, MAX_ORDER)) ?? 0,
    unit: body.readKept('unit', textUpTo(MAX_KEY_LENGTH)) || null,
    defaultValue: body.readKept('default_value', textUpTo(MAX_VALUE_LENGTH)) ?? null,
    choices: body.readKept('choices', readChoices) ?? null,
    multiChoice: body.readKept('multi_choice', readFlag) ?? (isChoice ? false : null),
  };
}

function readFieldType(value: unknown, member: string): FieldType {
  const type = FIELD_TYPES.find((one) => one === value);
  if (type === undefined) throw new BadInput(`must be one of ${FIELD_TYPES.join(', ')}`, member);
  return type;
}

function readChoices(value: unknown, member: string): string[] | null {
  if (!Array.isArray(value) || value.length > MAX_CHOICES)
    throw new BadInput(`must be a list of at most ${MAX_CHOICES} texts`, member);
  const read = nonEmptyText(MAX_KEY_LENGTH);
  return value.length === 0 ? null : value.map((choice) => read(choice, member));
}

export const FIELD_ROUTES = defineRoutes({
  'GET /field/{kind}': async (api, request) => answer(await api.parts.fields.list(readOwner(request))),
  'POST /field/{kind}/{key}': async (api, request) => {
    const field = readField(readOwner(request), request.params[1] as string, Body.parse(request.body));
    return api.write(async ({ fields }) => answer(await fields.define(field)));
  },
  'DELETE /field/{kind}/{key}': async (api, request) => {
    const owner = readOwner(request);
    return api.write(async ({ fields }) => answer(await fields.remove(owner, request.params[1] as string)));
  },
  'GET /field/{kind}/{key}/values': async (api, request) => ({
    status: 200,
    json: JSON.stringify(await api.parts.fields.values(readOwner(request), request.params[1] as string)),
  }),
});
