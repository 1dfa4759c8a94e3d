// The paths that link tags to a spool and unlink them.
import { BadInput, orNotFound } from '../../errors';
import { readTagUid } from '../../farm/inventory/tag.service';
import { parseText } from '../../values/text';
import { Body } from './body';
import { requireId } from './object-routes';
import { defineRoutes } from './route';
import { writeTag } from './spool.rows';

export const TAG_ROUTES = defineRoutes({
  'POST /spool/{id}/tag': (api, request, context) => {
    const number = requireId('spool', request);
    return api.write(async ({ store, tags }) => {
      const { id } = orNotFound(await store.lockSpool(number), 'spool', String(number));
      const body = Body.parse(request.body);
      const uid = body.readKept('uid', readTagUid);
      if (uid === undefined) throw new BadInput('is required', 'uid');
      await tags.link({ spoolId: id, uid, format: body.readKept('format', parseText), move: false }, context);
      const tag = (await tags.ofSpool(id)).find((one) => one.uid === uid);
      return { status: 201, json: writeTag(orNotFound(tag ?? null, 'tag', uid)) };
    });
  },
  'DELETE /spool/{id}/tag/{uid}': (api, request) => {
    const number = requireId('spool', request);
    const uid = readTagUid(request.params[1], 'uid');
    return api.write(async ({ store, tags }) => {
      const { id } = orNotFound(await store.lockSpool(number), 'spool', String(number));
      await tags.unlink(uid, id);
      return { status: 204 };
    });
  },
});
