// Runs imports from Spoolman in tests: reads, waits and writes as a user does.
import { expectData, type Gateway, type Parsed } from './gateway';
import { until } from './waiting';

const STATE = 'id source state message read creates updates same kept refused gone withoutTare confirm';
const ROWS =
  'rows(first: 1000) { totalCount nodes { kind spoolmanId action number name reason changes { member from to } } }';
export const READ = `mutation ($input: ReadSpoolmanInput!) { readSpoolman(input: $input) { ${STATE} } }`;
export const WRITE = `mutation ($id: ID!, $confirm: String!, $withoutRefused: Boolean! = false) {
  writeSpoolmanImport(id: $id, confirm: $confirm, withoutRefused: $withoutRefused) { ${STATE} } }`;

/** Waits until the import is neither READING nor WRITING. */
export async function settled(gateway: Gateway, id: string): Promise<Parsed> {
  const document = `query ($id: ID!) { spoolmanImport(id: $id) { ${STATE} ${ROWS} } }`;
  return until(
    'the import is settled',
    async () => expectData(await gateway.graphql(document, { id })).spoolmanImport,
    (seen) => (seen.state === 'READING' || seen.state === 'WRITING' ? null : seen),
  );
}

export async function read(gateway: Gateway, input: object): Promise<Parsed> {
  const { id } = expectData(await gateway.graphql(READ, { input })).readSpoolman;
  return settled(gateway, id);
}

export async function write(gateway: Gateway, { id, confirm }: Parsed, withoutRefused = false): Promise<Parsed> {
  expectData(await gateway.graphql(WRITE, { id, confirm, withoutRefused }));
  return settled(gateway, id);
}

/** Reads and writes, and answers the preview. */
export async function importAll(gateway: Gateway, input: object): Promise<Parsed> {
  const shown = await read(gateway, input);
  expect(shown).toMatchObject({ state: 'READY', message: null });
  expect(await write(gateway, shown)).toMatchObject({ state: 'WRITTEN', message: null });
  return shown;
}

export const row = ({ rows }: Parsed, kind: string, id: number): Parsed =>
  rows.nodes.find((one: Parsed) => one.kind === kind && one.spoolmanId === id);

export const spoolOf = async (gateway: Gateway, serial: string): Promise<Parsed> => {
  const { spools } = expectData(
    await gateway.graphql(
      `query ($search: String) { spools(search: $search) { nodes { id number spoolSerial vendor colorHex purchasePrice place tareGrams
        weightTotalGrams remainingGrams archivedAt createdAt material { name densityGPerCm3 } filament { id number name vendor
          weightTotalGrams tareGrams minimumGrams } adjustments { nodes { kind netGrams note } } } } }`,
      { search: serial },
    ),
  );
  return spools.nodes.find((one: Parsed) => one.spoolSerial === serial);
};
