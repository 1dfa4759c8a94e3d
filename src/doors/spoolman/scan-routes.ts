// The paths of tag readers: a scan of a tag, and the list of readers that scanned recently.
import { BadInput } from '../../errors';
import { MAX_FORMAT_LENGTH, readTagUid } from '../../farm/inventory/tag.service';
import { parseText, textUpTo } from '../../values/text';
import type { SpoolmanApi } from './api';
import { Body } from './body';
import { Unprocessable } from './errors';
import { writeList, writeObject, writeText, writeTime } from './json-object';
import { defineRoutes } from './route';

const MAX_NAME_LENGTH = 64;
const MAX_PAYLOAD_LENGTH = 8192;
const READER_ID = /^[A-Za-z0-9._:-]{1,64}$/;

function readReaderId(value: unknown, member: string): string {
  const id = parseText(value, member);
  if (!READER_ID.test(id)) throw new Unprocessable('must have 1 to 64 letters, digits and the signs . _ : -', member);
  return id;
}

/** A reader without an id is named by its address. */
const nameByAddress = (address: string) =>
  `ip-${address.replace(/^::ffff:/i, '').replace(/[^A-Za-z0-9]+/g, '-')}`.slice(0, 64);

export const SCAN_ROUTES = defineRoutes(
  {
    'POST /tag/scan': async (api, { body: bytes, client }) => {
      const body = Body.parse(bytes);
      const uid = body.readKept('uid', readTagUid);
      if (uid === undefined) throw new BadInput('is required', 'uid');
      const readerId = body.readKept('reader_id', readReaderId) ?? nameByAddress(client.address);
      const name = body.readKept('name', textUpTo(MAX_NAME_LENGTH)) ?? null;
      const format = body.readKept('format', textUpTo(MAX_FORMAT_LENGTH)) ?? null;
      const payload = body.readKept('payload_b64', textUpTo(MAX_PAYLOAD_LENGTH)) ?? null;
      const now = Date.now();
      const owner = await api.parts.tags.findSpool(uid);
      const spool = owner && (await api.parts.lists.writeOne('spool', owner.number));
      const scan = {
        uid: writeText(uid),
        reader_id: writeText(readerId),
        name: writeText(name),
        format: writeText(format?.toLowerCase() || null),
        payload_b64: writeText(payload),
      };
      const match = { matched_spool_id: spool && String(owner?.number), spool };
      api.scans.note(readerId, name, now);
      api.scans.pass(readerId, uid, writeObject({ ...scan, ...match }), now);
      // These two members are there even without a value, because readers search for them.
      const answer = {
        ...scan,
        matched_spool_id: match.matched_spool_id ?? 'null',
        spool,
        matched_filament_id: 'null',
      };
      return { status: 200, json: writeObject(answer) };
    },
    'GET /tag/reader': async ({ scans }: SpoolmanApi) => {
      const readers = scans.list(Date.now()).map(({ readerId, name, lastSeenMs }) =>
        writeObject({
          reader_id: writeText(readerId),
          name: writeText(name),
          last_seen: writeTime(new Date(lastSeenMs).toISOString()),
        }),
      );
      return { status: 200, json: writeList(readers) };
    },
  },
  // A scan writes nothing.
  { changes: false },
);
