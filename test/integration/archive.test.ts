// Printers, spools and materials out of use: the objects that keep them, those that may no longer take them, and the race for them.
import { randomUUID } from 'node:crypto';
import { changesOf } from '../support/changes';
import { describeOnDatabases, describeOnServer } from '../support/databases';
import { type Farm, GUID, jobRequest, jobUpdate, makeFarm, makeJob, readJob, tables, unique } from '../support/farm';
import { expectCode, expectData, expectError, expectStatus, type Parsed, test, useGateway } from '../support/gateway';

const KINDS = ['Printer', 'Spool', 'Material'] as const;
type Kind = (typeof KINDS)[number];

describeOnDatabases('an archived object', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeEach(async () => {
    farm = await makeFarm(gateway);
  });

  const idOf = (type: Kind, of = farm) => ({ Printer: of.printerId, Spool: of.spoolId, Material: of.materialId })[type];
  const run = async (document: string, variables?: unknown): Promise<Parsed> =>
    expectData(await gateway.graphql(document, variables));
  const archive = async (type: Kind, archived?: boolean, id = idOf(type)): Promise<string | null> => {
    const document = `mutation ($id: ID!, $archived: Boolean! = true) { archive${type}(id: $id, archived: $archived) { archivedAt } }`;
    return (await run(document, { id, archived }))[`archive${type}`].archivedAt;
  };
  const issuesOf = async (document: string, variables: unknown) => {
    const answer = await gateway.graphql(document, variables);
    expectCode(answer, 'BAD_USER_INPUT');
    return answer.errors.flatMap(({ extensions }) => extensions['issues']);
  };
  const refusal = (link: 'printer' | 'spool' | 'material') => ({
    path: ['input', `${link}Id`],
    message: `must be the id of a ${link} in use: this ${link} is archived`,
  });

  const CREATE = 'mutation ($input: CreatePrintJobInput!) { createPrintJob(input: $input) { id } }';
  const UPDATE = 'mutation ($id: ID!, $input: UpdatePrintJobInput!) { updatePrintJob(id: $id, input: $input) { id } }';
  const jobOf = ({ printerId, spoolId }: Farm) => ({ printerId, spoolId, printName: 'x' });

  for (const type of KINDS) {
    test(`(${type}) keeps its time when it is archived again, and is in use again without one`, async () => {
      expect(await archive(type, false)).toBeNull();
      const at = await archive(type);
      expect(Date.parse(at as string)).toBeGreaterThan(Date.now() - 60_000);
      const before = await tables(gateway);
      expect(await archive(type)).toBe(at);
      expect(await tables(gateway)).toEqual(before);
      expect(await archive(type, false)).toBeNull();
      expect(await archive(type, false)).toBeNull();
      expect(await archive(type)).not.toBeNull();
    });

    test(`(${type}) is NOT_FOUND when there is none`, async () => {
      const document = `mutation ($id: ID!) { archive${type}(id: $id) { id } }`;
      expectCode(await gateway.graphql(document, { id: randomUUID() }), 'NOT_FOUND');
      expectCode(await gateway.graphql(document, { id: 'x' }), 'BAD_USER_INPUT');
    });
  }

  test('is in the list of its kind, in the list of those out of use, and not among those in use', async () => {
    const other = await makeFarm(gateway);
    for (const type of KINDS) await archive(type);
    const lists = (argument: string) => `{
      printers(${argument}first: 1000) { totalCount nodes { id } } spools(${argument}first: 1000) { totalCount nodes { id } }
      materials${argument === '' ? '' : `(${argument})`} { id } }`;
    const idsIn = async (argument: string) => {
      const { printers, spools, materials } = await run(lists(argument));
      for (const list of [printers, spools]) expect(list.totalCount).toBe(list.nodes.length);
      return [...printers.nodes, ...spools.nodes, ...materials].map(({ id }) => id);
    };
    const [mine, theirs] = [farm, other].map((of) => KINDS.map((type) => idOf(type, of)));
    const [all, named, out, used] = await Promise.all(
      ['', 'archived: null, ', 'archived: true, ', 'archived: false, '].map(idsIn),
    );
    expect(all).toEqual(expect.arrayContaining([...(mine as string[]), ...(theirs as string[])]));
    expect(named).toEqual(all);
    expect(out).toEqual(expect.arrayContaining(mine as string[]));
    expect(used).toEqual(expect.arrayContaining(theirs as string[]));
    expect([...(out as string[]), ...(used as string[])].sort()).toEqual([...(all as string[])].sort());
    expect((out as string[]).filter((id) => (theirs as string[]).includes(id))).toEqual([]);
    const document =
      'query ($after: String) { printers(archived: false, first: 1, after: $after) { nodes { id archivedAt } pageInfo { endCursor hasNextPage } } }';
    let after: string | null = null;
    do {
      const { nodes, pageInfo }: Parsed = (await run(document, { after })).printers;
      expect(nodes).toEqual([{ id: expect.stringMatching(GUID), archivedAt: null }]);
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
  });

  test('is not taken by new jobs, through either door, and nothing is written', async () => {
    for (const type of ['Printer', 'Spool'] as const) {
      await archive(type);
      const before = await tables(gateway);
      const link = type.toLowerCase() as 'printer' | 'spool';
      expect(await issuesOf(CREATE, { input: { ...jobOf(farm), dataSource: 'MANUAL' } })).toEqual([refusal(link)]);
      expectError(await gateway.rest('POST', '/api/printjobs', jobRequest(farm)), 400, `${type}Id`);
      expect(await tables(gateway)).toEqual(before);
      await archive(type, false);
    }
    await makeJob(gateway, farm);
  });

  test('is kept by its jobs: they are replaced and change their status, but no other job changes to it', async () => {
    const job = await makeJob(gateway, farm);
    const other = await makeFarm(gateway);
    const theirs = await makeJob(gateway, other);
    await archive('Printer');
    await archive('Spool');
    expectStatus(await gateway.rest('PUT', `/api/printjobs/${job.Id}`, jobUpdate(farm)), 200);
    expectStatus(await gateway.rest('PATCH', `/api/printjobs/${job.Id}/status`, { Status: 'Printing' }), 200);
    for (const link of ['printer', 'spool'] as const) {
      const input = { ...jobOf(other), [`${link}Id`]: link === 'printer' ? farm.printerId : farm.spoolId };
      expect(await issuesOf(UPDATE, { id: theirs.Id, input })).toEqual([refusal(link)]);
      const body = { PrinterId: input.printerId, SpoolId: input.spoolId, PrintName: 'x' };
      expectError(await gateway.rest('PUT', `/api/printjobs/${theirs.Id}`, body), 400, 'archived');
    }
    expect(await readJob(gateway, theirs.Id)).toEqual(theirs);
    // A job leaves it for good.
    expectStatus(await gateway.rest('PUT', `/api/printjobs/${job.Id}`, jobUpdate(other)), 200);
    expectError(await gateway.rest('PUT', `/api/printjobs/${job.Id}`, jobUpdate(farm)), 400, 'PrinterId');
    expectStatus(await gateway.rest('DELETE', `/api/printjobs/${theirs.Id}`), 204);
  });

  test('(Material) is kept by its spools, and not taken by others', async () => {
    await archive('Material');
    const spool = { spoolSerial: unique('s'), filamentDiameterMm: 1.75, weightTotalGrams: 1000 };
    const create = 'mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { id } }';
    expect(await issuesOf(create, { input: { ...spool, materialId: farm.materialId } })).toEqual([refusal('material')]);
    const update =
      'mutation ($id: ID!, $input: UpdateSpoolInput!) { updateSpool(id: $id, input: $input) { weightTotalGrams } }';
    const own = { materialId: farm.materialId, weightTotalGrams: '900' };
    expect(await run(update, { id: farm.spoolId, input: own })).toEqual({ updateSpool: { weightTotalGrams: '900' } });
    const { spoolId } = await makeFarm(gateway);
    expect(await issuesOf(update, { id: spoolId, input: own })).toEqual([refusal('material')]);
    const unknown = { input: { ...own, materialId: randomUUID() }, id: spoolId };
    expect(await issuesOf(update, unknown)).toMatchObject([{ message: 'must be the id of a material' }]);
    expectCode(await gateway.graphql(update, { ...unknown, id: randomUUID() }), 'NOT_FOUND');
  });

  test('is told to watchers as updated', async () => {
    const changes = await changesOf(
      gateway,
      async () => {
        for (const type of KINDS) await archive(type);
      },
      KINDS.map((type) => `... on ${type}Changed { ${type.toLowerCase()} { archivedAt } }`).join(' '),
    );
    expect(changes).toMatchObject(
      KINDS.map((type) => ({
        __typename: `${type}Changed`,
        kind: 'UPDATED',
        [type.toLowerCase()]: { archivedAt: expect.any(String) },
      })),
    );
  });

  test('gets no job after the answer that it is archived, however many are made at that moment', async () => {
    for (const type of ['Printer', 'Spool'] as const) {
      const own = await makeFarm(gateway);
      const jobs = async () =>
        (
          await run(`query ($id: ID!) { ${type.toLowerCase()}(id: $id) { jobs { totalCount } } }`, {
            id: idOf(type, own),
          })
        )[type.toLowerCase()].jobs.totalCount;
      const answers = Array.from({ length: 20 }, () => gateway.rest('POST', '/api/printjobs', jobRequest(own)));
      const known = archive(type, true, idOf(type, own)).then(jobs);
      const made = (await Promise.all(answers)).filter(({ status }) => status === 201).length;
      expect(await jobs()).toBe(made);
      expect(await known).toBe(made);
      expectError(await gateway.rest('POST', '/api/printjobs', jobRequest(own)), 400, 'archived');
    }
  });
});

describeOnServer('on a server', () => {
  const gateway = useGateway('server');

  test('a job that waits for the archiving of its printer or spool is refused, and one with others is stored', async () => {
    const [one, other] = [await makeFarm(gateway), await makeFarm(gateway)];
    const unpriced = jobRequest(other);
    for (const [table, id, member] of [
      ['printers', one.printerId, 'PrinterId'],
      ['spools', one.spoolId, 'SpoolId'],
    ] as const) {
      const theirs = await makeJob(gateway, other);
      await gateway.sql(`begin`);
      await gateway.sql(`update ${table} set archived_at = now() where id = '${id}'`);
      const waiting = gateway.rest('POST', '/api/printjobs', jobRequest(one));
      const changing = gateway.rest('PUT', `/api/printjobs/${theirs.Id}`, { ...jobUpdate(other), [member]: id });
      const free = await gateway.rest('POST', '/api/printjobs', unpriced);
      expectStatus(free, 201);
      await gateway.sql('commit');
      expectError(await waiting, 400, `${member} must be the id of a`);
      expectError(await changing, 400, `${member} must be the id of a`);
      await gateway.sql(`update ${table} set archived_at = null where id = '${id}'`);
    }
  });
});
