// Paging by cursor in generated steps while others insert: no row twice, none of those that were there missing, in order.
import fc from 'fast-check';
import { describeOnDatabases } from '../support/databases';
import { makeFarm } from '../support/farm';
import { expectData, type Parsed, test, useGateway } from '../support/gateway';
import { holds } from './watch';

/** Short keys out of few letters: many rows lie side by side, and many have the same time or name. */
const key = fc.string({ unit: fc.constantFrom('a', 'Z', 'é', '😀', '\u0001'), minLength: 1, maxLength: 3 });
const step = fc.record({ first: fc.integer({ min: 1, max: 6 }), inserted: fc.array(key, { maxLength: 3 }) });

describeOnDatabases('pages in generated steps', (kind) => {
  const gateway = useGateway(kind);
  let links: { printerId: string; spoolId: string; materialId: string };
  let rows = 0;
  beforeAll(async () => {
    links = await makeFarm(gateway);
  });

  const text = (value: string) => `'${value.replaceAll("'", "''")}'`;

  /** How a row of each list is made with a given key, and how two rows of it lie to each other. */
  const lists: Record<string, { insert(key: string, n: number): string; order: string }> = {
    cameras: {
      insert: (key, n) => `insert into cameras (camera_id, friendly_name) values (${text(key + n)}, 'x')`,
      order: 'select camera_id as id from cameras order by camera_id',
    },
    printers: {
      insert: (key) => `insert into printers (id, name) values (gen_random_uuid(), ${text(key)})`,
      order: 'select id::text from printers order by name, id',
    },
    spools: {
      insert: (key, n) => `insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id)
        values (gen_random_uuid(), ${text(key + n)}, 1, 1, '${links.materialId}')`,
      order: 'select id::text from spools order by spool_serial',
    },
    printJobs: {
      insert: (
        key,
      ) => `insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived,
          cost_per_print, status, data_source, filament_diameter_at_print_mm, material_density_at_print, created_at)
        values (gen_random_uuid(), '${links.printerId}', '${links.spoolId}', ${text(key)}, '', 0, 0, 0, 'Queued', 'Manual', 0, 0,
          timestamptz '2026-01-01Z' + interval '1 day' * ${key.length})`,
      order: 'select id::text from print_jobs order by created_at desc, id desc',
    },
  };

  const insert = async (list: string, keys: string[]) => {
    for (const key of keys) await gateway.sql((lists[list] as (typeof lists)[string]).insert(key, ++rows));
  };

  const page = async (list: string, first: number, after: string | null): Promise<Parsed> => {
    const document = `query ($first: Int, $after: String) { ${list}(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }`;
    return expectData(await gateway.graphql(document, { first, after }))[list];
  };

  for (const [list, { order }] of Object.entries(lists)) {
    test(`of ${list} lose and repeat nothing`, async () => {
      const ordered = async (): Promise<string[]> => (await gateway.sql(order)).map(({ id }: Parsed) => id);
      await holds(
        fc.asyncProperty(
          fc.array(key, { minLength: 1, maxLength: 4 }),
          fc.array(step, { minLength: 1 }),
          async (more, steps) => {
            await insert(list, more);
            const before = await ordered();
            const seen: string[] = [];
            let after: string | null = null;
            for (let n = 0; ; n += 1) {
              const { first, inserted } = steps[n % steps.length] as (typeof steps)[number];
              // Some of them are written while the page is read.
              const [answer]: [Parsed, unknown] = await Promise.all([
                page(list, first * 2 ** (n >> 3), after),
                insert(list, n < 20 ? inserted : []),
              ]);
              seen.push(...answer.nodes.map(({ id }: Parsed) => id));
              if (!answer.pageInfo.hasNextPage) break;
              after = answer.pageInfo.endCursor;
            }
            const rank = new Map((await ordered()).map((id, at) => [id, at]));
            const places = seen.map((id) => rank.get(id) ?? -1);
            expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
            expect(before.filter((id) => !seen.includes(id))).toEqual([]);
          },
        ),
        { seconds: 0.8, runs: 100 },
      );
    });
  }
});
