// The paths of spools, filaments and vendors.
import { orNotFound } from '../../errors';
import type { ApiParts, SpoolmanApi } from './api';
import { Body } from './body';
import { changeFilament, createFilament, removeFilament } from './filament-writes';
import { answerList } from './lists';
import type { Kind } from './members.filter';
import { readPathId } from './query';
import { type ApiAnswer, type ApiRequest, defineRoutes } from './route';
import { changeSpool, createSpool } from './spool-writes';
import { changeVendor, createVendor, removeVendor } from './vendor-writes';

const REMOVED: ApiAnswer = { status: 200, json: '{"message":"Success!"}' };

/** The id in the path. @throws NotFound for an id that no object has */
export function requireId(kind: Kind, { params: [text = ''] }: Pick<ApiRequest, 'params'>): number {
  return orNotFound<number>(readPathId(text), kind, text);
}

/** The answer that shows an object, as every write of it answers. */
export async function show({ lists }: Pick<ApiParts, 'lists'>, kind: Kind, id: number): Promise<ApiAnswer> {
  return { status: 200, json: orNotFound(await lists.writeOne(kind, id), kind, String(id)) };
}

const read = (kind: Kind) => async (api: SpoolmanApi, request: ApiRequest) =>
  show(api.parts, kind, requireId(kind, request));

export const OBJECT_ROUTES = defineRoutes({
  'GET /spool': (api, { search }, context) => answerList(api, 'spool', search, context),
  'POST /spool': (api, { body }, context) =>
    api.write(async (parts) => show(parts, 'spool', await createSpool(parts, Body.parse(body), context))),
  'GET /spool/{id}': read('spool'),
  'PATCH /spool/{id}': (api, request, context) => {
    const number = requireId('spool', request);
    return api.write(async (parts) =>
      show(parts, 'spool', await changeSpool(parts, number, Body.parse(request.body), context)),
    );
  },
  'DELETE /spool/{id}': (api, request) => {
    const number = requireId('spool', request);
    return api.write(async ({ store, inventory }) => {
      const { id } = orNotFound(await store.lockSpool(number), 'spool', String(number));
      await inventory.remove('spool', id);
      return REMOVED;
    });
  },
  'GET /filament': (api, { search }, context) => answerList(api, 'filament', search, context),
  'POST /filament': (api, { body }, context) =>
    api.write(async (parts) => show(parts, 'filament', await createFilament(parts, Body.parse(body), context))),
  'GET /filament/{id}': read('filament'),
  'PATCH /filament/{id}': (api, request, context) => {
    const number = requireId('filament', request);
    return api.write(async (parts) => {
      await changeFilament(parts, number, Body.parse(request.body), context);
      return show(parts, 'filament', number);
    });
  },
  'DELETE /filament/{id}': (api, request) => {
    const number = requireId('filament', request);
    return api.write(async (parts) => {
      await removeFilament(parts, number);
      return REMOVED;
    });
  },
  'GET /vendor': (api, { search }, context) => answerList(api, 'vendor', search, context),
  'POST /vendor': (api, { body }) =>
    api.write(async (parts) => show(parts, 'vendor', await createVendor(parts, Body.parse(body)))),
  'GET /vendor/{id}': read('vendor'),
  'PATCH /vendor/{id}': (api, request) => {
    const id = requireId('vendor', request);
    return api.write(async (parts) => {
      await changeVendor(parts, id, Body.parse(request.body));
      return show(parts, 'vendor', id);
    });
  },
  'DELETE /vendor/{id}': (api, request) => {
    const id = requireId('vendor', request);
    return api.write(async (parts) => {
      await removeVendor(parts, id);
      return REMOVED;
    });
  },
});
