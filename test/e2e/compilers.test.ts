// Programs that read the schema: GraphQL Code Generator makes the committed typed documents, and Relay compiles an app.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';

const run = (program: string, args: string[], cwd: string) =>
  promisify(execFile)(process.execPath, [program, ...args], { cwd });
const committed = (path: string) => fs.readFileSync(join(ROOT, path), 'utf8');

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('compilers');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

test('the committed typed documents are what codegen.yml makes (else: npm run codegen)', async () => {
  const settings = committed('codegen.yml');
  const outputs = [...settings.matchAll(/^ {2}src\/generated\/(\S+):$/gm)].map(([, name]) => name as string);
  expect(outputs.length).toBe(2);
  const config = join(folder, 'codegen.yml');
  fs.writeFileSync(config, settings.replaceAll(/^ {2}src\/generated\//gm, `  ${folder}/`));
  const cli = require.resolve('@graphql-codegen/cli/package.json');
  const { bin } = JSON.parse(fs.readFileSync(cli, 'utf8'));
  await run(join(dirname(cli), bin['graphql-codegen']), ['--config', config], ROOT);
  for (const name of outputs) {
    expect(committed(`src/generated/${name}`)).toBe(fs.readFileSync(join(folder, name), 'utf8'));
  }
});

/** The documents of an app's components. */
const APP = `
graphql\`query appQuery($nodeId: ID!) {
  node(nodeId: $nodeId) { ...app_camera @alias ...app_printer @alias }
}\`;
graphql\`fragment app_camera on Camera @refetchable(queryName: "appCameraQuery") {
  friendlyName lastStatus { online } printer { ...app_printer }
}\`;
graphql\`fragment app_printer on Printer
  @argumentDefinitions(first: { type: "Int", defaultValue: 10 }, after: { type: "String" })
  @refetchable(queryName: "appPrinterQuery") {
  name jobs(first: $first, after: $after) @connection(key: "app_jobs") { edges { node { printName } } }
}\`;
`;

test('Relay compiles a query by nodeId, fragments that are refetched by it, and a connection', async () => {
  fs.mkdirSync(join(folder, 'src'));
  fs.writeFileSync(join(folder, 'src', 'app.js'), APP);
  fs.writeFileSync(join(folder, 'schema.graphql'), committed('src/generated/schema.graphql'));
  const schemaConfig = { nodeInterfaceIdField: 'nodeId' };
  const config = { src: 'src', schema: 'schema.graphql', language: 'javascript', schemaConfig };
  fs.writeFileSync(join(folder, 'relay.config.json'), JSON.stringify(config));
  await run(require.resolve('relay-compiler/cli.js'), [], folder);
  const documents = ['appCameraQuery', 'appPrinterQuery', 'appQuery', 'app_camera', 'app_printer'];
  const made = join(folder, 'src', '__generated__');
  expect(fs.readdirSync(made).sort()).toEqual(documents.map((name) => `${name}.graphql.js`).sort());
  // The compiler reads the id of each object, and reads a fragment again by it.
  const text = fs.readFileSync(join(made, 'appCameraQuery.graphql.js'), 'utf8');
  expect(text).toContain('node(nodeId: $nodeId)');
  expect(text).toContain('lastStatus {\\n    online\\n    nodeId\\n  }');
});
