// Relay's compiler takes the schema: `nodeId` is its id of objects, and it pages the connections.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';

const SCHEMA = join(__dirname, '..', '..', 'src', 'generated', 'schema.graphql');

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

test('a query by nodeId, fragments that are read again by it, and a connection are compiled', () => {
  const folder = temporaryFolder('relay');
  try {
    fs.mkdirSync(join(folder, 'src'));
    fs.writeFileSync(join(folder, 'src', 'app.js'), APP);
    fs.copyFileSync(SCHEMA, join(folder, 'schema.graphql'));
    const schemaConfig = { nodeInterfaceIdField: 'nodeId' };
    const config = { src: 'src', schema: 'schema.graphql', language: 'javascript', schemaConfig };
    fs.writeFileSync(join(folder, 'relay.config.json'), JSON.stringify(config));
    execFileSync(process.execPath, [require.resolve('relay-compiler/cli.js')], { cwd: folder, stdio: 'pipe' });
    const documents = ['appCameraQuery', 'appPrinterQuery', 'appQuery', 'app_camera', 'app_printer'];
    const made = join(folder, 'src', '__generated__');
    expect(fs.readdirSync(made).sort()).toEqual(documents.map((name) => `${name}.graphql.js`).sort());
    // The compiler reads the id of each object, and reads a fragment again by it.
    const text = fs.readFileSync(join(made, 'appCameraQuery.graphql.js'), 'utf8');
    expect(text).toContain('node(nodeId: $nodeId)');
    expect(text).toContain('lastStatus {\\n    online\\n    nodeId\\n  }');
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
