// The paths that link tags to a spool and unlink them.
import { BadInput, NotFound, orNotFound } from '../../errors';
import { parseText, textUpTo } from '../../values/text';
import { Body } from './body';
import { TagTaken } from './errors';
import { requireId } from './object-routes';
import { defineRoutes } from './route';
import { writeTag } from './spool.rows';
import { normalizeTagUid } from './tag-uid';

export const MAX_FORMAT_LENGTH = 32;

export function readUid(value: unknown, member: string): string {
  const uid = normalizeTagUid(parseText(value, member));
  if (uid === null) throw new BadInput('must be a UID of 1 to 64 hexadecimal digits', member);
  return uid;
}

const readFormat = (value: unknown, member: string): string | null =>
  textUpTo(MAX_FORMAT_LENGTH)(value, member).toLowerCase() || null;

export const TAG_ROUTES = defineRoutes({
  'POST /spool/{id}/tag': (api, request) => {
    const number = requireId('spool', request);
    return api.write(async ({ store }) => {
      const spool = orNotFound(await store.lockSpool(number), 'spool', String(number));
      const body = Body.parse(request.body);
      const uid = body.readKept('uid', readUid);
      if (uid === undefined) throw new BadInput('is required', 'uid');
      const { tag, owner } = await store.linkTag(spool.id, uid, body.readKept('format', readFormat) ?? null);
      if (owner !== number) throw new TagTaken(uid, owner);
      return { status: 201, json: writeTag(tag) };
    });
  },
  'DELETE /spool/{id}/tag/{uid}': (api, request) => {
    const number = requireId('spool', request);
    const uid = readUid(request.params[1], 'uid');
    return api.write(async ({ store }) => {
      const spool = orNotFound(await store.lockSpool(number), 'spool', String(number));
      if (!(await store.unlinkTag(spool.id, uid))) throw new NotFound(`tag of the spool ${number}`, [uid]);
      return { status: 204 };
    });
  },
});
