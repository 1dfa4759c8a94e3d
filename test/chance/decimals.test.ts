// Decimals on their way: every digit through either door, the database and back, and the formulas against whole numbers.

import { describeOnDatabases } from '../support/databases';
import { type Farm, jobRequest, jobUpdate, makeFarm } from '../support/farm';
import { expectData, expectError, expectStatus, test, useGateway } from '../support/gateway';
import fc from '../support/generated';
import { costInWholeNumbers, gramsInWholeNumbers, plainDigits } from '../support/whole-numbers';
import { decimalText } from './values';
import { holds } from './watch';

const AMOUNTS = ['MmExtruded', 'GramsDerived', 'CostPerPrint', 'FilamentDiameterAtPrintMm', 'MaterialDensityAtPrint'];

const graphNames = AMOUNTS.map((name) => name[0]?.toLowerCase() + name.slice(1));

/** Some that are right next to a tie of the second decimal, where a binary float goes the wrong way. */
const measured = fc.oneof(
  fc.nat(1_000_000).map((n) => `${n}.${'5'.repeat(n % 5)}`.replace(/\.$/, '')),
  fc.tuple(fc.nat(999_999), fc.nat(9_999)).map(([whole, rest]) => `${whole}.${rest}5`),
  fc.constantFrom('0', '125000000', '375000000', '0.01', '1000', '999999999', '0.0000000000000000000000000001'),
);

const aboveZero = decimalText.filter((text) => Number(text) > 0);

describeOnDatabases('decimals', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  /** The digits of a member as they stand in a body. */
  function digitsIn(text: string, name: string): string {
    return new RegExp(`"${name}": ?"?([^,"}]+)`).exec(text)?.[1] ?? '';
  }

  test('keep every digit through REST and GraphQL, to the database and back', async () => {
    // Grams of 0 would be derived from the others (POST rule 4).
    const amounts = fc.tuple(...AMOUNTS.map((name) => (name === 'GramsDerived' ? aboveZero : decimalText)));
    await holds(
      fc.asyncProperty(amounts, fc.boolean(), fc.boolean(), async (given, throughRest, asText) => {
        const names = throughRest ? AMOUNTS : graphNames;
        const written = given.map((digits, at) => {
          const value = asText ? JSON.stringify(digits) : digits;
          return throughRest ? `"${names[at]}": ${value}` : `${names[at]}: ${value}`;
        });
        const [id, answer] = throughRest ? await createThroughRest(written) : await createThroughGraph(written);
        const rest = expectStatus(await gateway.rest('GET', `/api/printjobs/${id}`), 200);
        const graph = await gateway.graphql(`query ($id: ID!) { printJob(id: $id) { ${graphNames.join(' ')} } }`, {
          id,
        });
        const found = {
          rest: AMOUNTS.map((name) => digitsIn(rest.text, name)),
          graph: graphNames.map((name) => expectData(graph).printJob[name]),
        };
        const expected = given.map(plainDigits);
        expect({ given, ...found }).toEqual({ given, rest: expected, graph: expected });
        expect(answer).toEqual(throughRest ? rest.text : expectData(graph).printJob);
      }),
      { seconds: 1.2 },
    );
  });

  async function createThroughRest(amounts: string[]): Promise<[id: string, answer: unknown]> {
    const request = `{"PrinterId": "${farm.printerId}", "SpoolId": "${farm.spoolId}", "DataSource": "Mqtt", ${amounts.join(', ')}}`;
    const { body, text } = expectStatus(await gateway.rest('POST', '/api/printjobs', request), 201);
    return [body.Id, text];
  }

  /** As literals of the document: a JSON number among the variables would be read as a binary float. */
  async function createThroughGraph(amounts: string[]): Promise<[id: string, answer: unknown]> {
    const input = `printerId: "${farm.printerId}", spoolId: "${farm.spoolId}", printName: "x", dataSource: MQTT, ${amounts.join(', ')}`;
    const create = `mutation { createPrintJob(input: { ${input} }) { id ${graphNames.join(' ')} } }`;
    const { id, ...answer } = expectData(await gateway.graphql(create)).createPrintJob;
    return [id, answer];
  }

  test('of grams and cost are those of the formulas in whole numbers', async () => {
    const spool = fc.record({
      diameter: fc.constantFrom('1.75', '2.85', '1.1283791671', '0.4'),
      density: fc.constantFrom('1.24', '1.005', '0.0001', '7.85', '1'),
      price: fc.option(measured, { nil: null, freq: 8 }),
      weight: measured,
    });
    const jobs = fc.array(fc.record({ mm: measured, cost: measured, grams: measured, auto: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    });
    await holds(
      fc.asyncProperty(spool, jobs, async (on, changes) => {
        const { printerId, spoolId } = await makeFarm(gateway, on);
        const made = { ...farm, printerId, spoolId };
        const { Id } = expectStatus(await gateway.rest('POST', '/api/printjobs', jobRequest(made)), 201).body;
        for (const { mm, cost, grams, auto } of changes) {
          const body = jobUpdate(made, {
            MmExtruded: mm,
            CostPerPrint: cost,
            GramsDerived: grams,
            AutoDeriveGrams: auto,
          });
          const derived = gramsInWholeNumbers(mm, on.diameter, on.density);
          const priced = on.price !== null && /[1-9]/.test(on.weight) && /[1-9]/.test(derived);
          const expected = {
            grams: auto ? derived : grams,
            cost: auto && priced ? costInWholeNumbers(derived, on.price as string, on.weight) : cost,
          };
          const answer = await gateway.rest('PUT', `/api/printjobs/${Id}`, body);
          if (Object.values(expected).some((digits) => digits.split('.')[0]!.length > 18)) {
            expectError(answer, 400, 'more than 18 digits');
            continue;
          }
          const { text } = expectStatus(answer, 200);
          const found = { grams: digitsIn(text, 'GramsDerived'), cost: digitsIn(text, 'CostPerPrint') };
          expect({ ...found, request: body }).toEqual({ ...expected, request: body });
          expect((await gateway.rest('GET', `/api/printjobs/${Id}`)).text).toBe(text);
        }
      }),
      { seconds: 1.2 },
    );
  });
});
