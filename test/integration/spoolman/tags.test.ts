// Tags of spools: linking, moving, finding and unlinking them in every spelling of a UID, their limits, races and changes in the feed.
import { randomUUID } from 'node:crypto';
import { collectChanges, summarizeChange } from '../../support/changes';
import { describeOnDatabases } from '../../support/databases';
import { type Farm, makeFarm, unique } from '../../support/farm';
import { expectCode, expectData, type Parsed, test, useGateway } from '../../support/gateway';

const newUid = () => randomUUID().replaceAll('-', '').toUpperCase().slice(0, 14);
const spellings = (uid: string) => [
  uid.toLowerCase(),
  `0x${uid}`,
  (uid.match(/../g) as string[]).join(':'),
  (uid.toLowerCase().match(/../g) as string[]).join('-'),
  ` ${(uid.match(/../g) as string[]).join(' ')}\n`,
];

describeOnDatabases('tags of spools', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  const newSpool = async (): Promise<{ id: string; number: number; spoolSerial: string }> => {
    const input = {
      spoolSerial: unique('TAG'),
      materialId: farm.materialId,
      filamentDiameterMm: '1.75',
      weightTotalGrams: '1000',
    };
    const create = 'mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { id number spoolSerial } }';
    return expectData(await gateway.graphql(create, { input })).createSpool;
  };
  const link = (spoolId: string, uid: string, others: { format?: string | null; move?: boolean } = {}) =>
    gateway.graphql(
      `mutation ($spoolId: ID!, $uid: String!, $format: String, $move: Boolean! = false) {
        linkTag(spoolId: $spoolId, uid: $uid, format: $format, move: $move) { id tags { uid format } } }`,
      { spoolId, uid, ...others },
    );
  const linked = async (...request: Parameters<typeof link>) => expectData(await link(...request)).linkTag.tags;
  const unlink = (uid: string) =>
    gateway.graphql('mutation ($uid: String!) { unlinkTag(uid: $uid) { id tags { uid } } }', { uid });
  const ownerOf = async (uid: string): Promise<string | null> =>
    expectData(await gateway.graphql('query ($uid: String!) { spoolByTag(uid: $uid) { id } }', { uid })).spoolByTag
      ?.id ?? null;
  const found = async (search: string): Promise<string[]> =>
    expectData(
      await gateway.graphql('query ($search: String) { spools(search: $search) { nodes { id } } }', { search }),
    ).spools.nodes.map(({ id }: Parsed) => id);

  test('a tag is found by each spelling of its UID, also in the search and on an archived spool', async () => {
    const [spool, uid] = [await newSpool(), newUid()];
    expect(await linked(spool.id, spellings(uid)[2] as string)).toEqual([{ uid, format: null }]);
    await gateway.graphql('mutation ($id: ID!) { archiveSpool(id: $id) { id } }', { id: spool.id });
    for (const spelling of spellings(uid)) {
      expect(await ownerOf(spelling)).toBe(spool.id);
      expect(await found(spelling)).toEqual([spool.id]);
    }
    // Only the whole UID finds a spool.
    expect(await found(uid.slice(0, -1))).toEqual([]);
    expect(await ownerOf(newUid())).toBeNull();
    for (const uid of ['', '0x', 'G1', 'F'.repeat(65)]) {
      expectCode(
        await gateway.graphql('query ($uid: String!) { spoolByTag(uid: $uid) { id } }', { uid }),
        'BAD_USER_INPUT',
      );
      expectCode(await link(spool.id, uid), 'BAD_USER_INPUT');
    }
    expect(expectData(await unlink(spellings(uid)[1] as string)).unlinkTag).toEqual({ id: spool.id, tags: [] });
    expectCode(await unlink(uid), 'NOT_FOUND');
    expect(await ownerOf(uid)).toBeNull();
  });

  test('linking a tag again changes nothing but the format, which is stored in small letters', async () => {
    const [spool, uid] = [await newSpool(), newUid()];
    expect(await linked(spool.id, uid, { format: ' NTAG ' })).toEqual([{ uid, format: 'ntag' }]);
    const changes = await collectChanges(gateway, async () => {
      expect(await linked(spool.id, uid)).toEqual([{ uid, format: 'ntag' }]);
      expect(await linked(spool.id, uid, { format: 'ntag' })).toEqual([{ uid, format: 'ntag' }]);
      expect(await linked(spool.id, uid, { format: '' })).toEqual([{ uid, format: 'ntag' }]);
    });
    expect(changes).toEqual([]);
    expect(await linked(spool.id, uid, { format: 'Bambu-Tray' })).toEqual([{ uid, format: 'bambu-tray' }]);
    expectCode(await link(spool.id, uid, { format: 'x'.repeat(33) }), 'BAD_USER_INPUT');
    expectCode(await link(randomUUID(), uid), 'NOT_FOUND');
    expectCode(await link(randomUUID(), newUid(), { move: true }), 'NOT_FOUND');
  });

  test('a tag of another spool is refused with the name of that spool, and moves only if the request asks for it', async () => {
    const [first, second, uid] = [await newSpool(), await newSpool(), newUid()];
    await linked(first.id, uid, { format: 'ntag' });
    const refused = await link(second.id, uid);
    expectCode(refused, 'CONFLICT');
    expect(refused.errors?.[0]?.message).toBe(
      `The tag ${uid} belongs to the spool #${first.number} (${first.spoolSerial}). Unlink it there first, or move it to this spool`,
    );
    expect(await ownerOf(uid)).toBe(first.id);
    const changes = await collectChanges(gateway, async () => {
      expect(await linked(second.id, uid, { move: true })).toEqual([{ uid, format: 'ntag' }]);
    });
    // A tag is a part of its spool: both spools changed.
    expect(changes.map(summarizeChange).sort()).toEqual(
      [first.id, second.id].map((id) => `SPOOL UPDATED ${id}`).sort(),
    );
    expect(await ownerOf(uid)).toBe(second.id);
  });

  test('a changed tag is a change of its spool, whichever program writes it', async () => {
    const [spool, uid] = [await newSpool(), newUid()];
    const writes = [
      () => linked(spool.id, uid),
      () => linked(spool.id, uid, { format: 'ntag' }),
      () => gateway.sql(`update spool_tags set format = 'other' where uid = '${uid}'`),
      () => unlink(uid),
    ];
    for (const write of writes) {
      const changes = await collectChanges(gateway, async () => void (await write()));
      expect(changes.map(summarizeChange)).toEqual([`SPOOL UPDATED ${spool.id}`]);
    }
  });

  test('a spool has at most 16 tags, the oldest first, and its removal frees them', async () => {
    const [spool, other] = [await newSpool(), await newSpool()];
    const uids = Array.from({ length: 16 }, newUid);
    for (const uid of uids) await linked(spool.id, uid);
    // The order of the times, not of the UIDs.
    for (const [at, uid] of uids.entries())
      await gateway.sql(`update spool_tags set added_at = now() - interval '${at} minutes' where uid = '${uid}'`);
    expect((await linked(spool.id, uids[3] as string)).map(({ uid }: Parsed) => uid)).toEqual(uids.toReversed());
    const seventeenth = await link(spool.id, newUid());
    expectCode(seventeenth, 'BAD_USER_INPUT');
    expect(seventeenth.errors?.[0]?.message).toBe('A spool has at most 16 tags: unlink one first');
    const [moved] = await linked(other.id, newUid());
    for (const statement of [
      `insert into spool_tags (uid, spool_id) select 'ABC' || n, '${other.id}' from generate_series(1, 16) n`,
      `update spool_tags set spool_id = '${spool.id}' where uid = '${moved.uid}'`,
    ])
      await expect(gateway.sql(statement)).rejects.toMatchObject({
        message: expect.stringContaining('spool_tags_at_most'),
      });
    const added = await Promise.all(Array.from({ length: 20 }, () => link(other.id, newUid())));
    expect(added.filter(({ errors }) => errors.length === 0)).toHaveLength(15);
    expectData(await unlink(moved.uid));
    expectData(await gateway.graphql('mutation ($id: ID!) { removeSpool(id: $id) }', { id: spool.id }));
    expect(await ownerOf(uids[0] as string)).toBeNull();
    expect(await linked(other.id, uids[0] as string)).toContainEqual({ uid: uids[0], format: null });
  });

  test('of many requests that link one tag at the same time, one succeeds', async () => {
    const [spools, uid] = [await Promise.all(Array.from({ length: 6 }, newSpool)), newUid()];
    const answers = await Promise.all(spools.map(({ id }) => link(id, uid)));
    const winners = answers.filter(({ data }) => data != null);
    expect(winners).toHaveLength(1);
    for (const answer of answers) if (answer.data == null) expectCode(answer, 'CONFLICT');
    expect(await ownerOf(uid)).toBe(winners[0]?.data?.linkTag.id);
    // The same spool may ask as often as it likes.
    const [own] = spools;
    const again = newUid();
    const equal = await Promise.all(Array.from({ length: 4 }, () => link(`${own?.id}`, again)));
    for (const answer of equal) expectData(answer);
  });
});
