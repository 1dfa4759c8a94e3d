// What tools have made and is committed, against what they make now: stale files fail here.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { manifestText } from '../../src/commands/emit-manifest';
import { schemaText } from '../../src/commands/emit-schema';
import { structureText } from '../../src/commands/emit-structure';

const ROOT = join(__dirname, '..', '..');
const OUTPUT = 'src/generated/operations.ts';
const committed = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('src/generated/schema.graphql is what the resolvers make (else: npm run codegen)', () => {
  expect(committed('src/generated/schema.graphql')).toBe(schemaText());
});

test('prisma/structure.sql is what the migrations make (else: npm run codegen)', async () => {
  expect(committed('prisma/structure.sql')).toBe(await structureText());
});

test('src/generated/persisted-operations.json has what src/generated/operations.ts has (else: npm run codegen)', () => {
  expect(committed('src/generated/persisted-operations.json')).toBe(manifestText());
});

test('src/generated/operations.ts is what codegen makes (else: npm run codegen)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-codegen-'));
  try {
    const made = join(folder, 'operations.ts');
    const config = join(folder, 'codegen.yml');
    const settings = committed('codegen.yml');
    expect(settings).toContain(`${OUTPUT}:`);
    writeFileSync(config, settings.replace(`${OUTPUT}:`, `${JSON.stringify(made)}:`));
    const cli = require.resolve('@graphql-codegen/cli/package.json');
    const { bin } = JSON.parse(readFileSync(cli, 'utf8'));
    const program = join(dirname(cli), bin['graphql-codegen']);
    await promisify(execFile)(process.execPath, [program, '--config', config], { cwd: ROOT });
    expect(committed(OUTPUT)).toBe(readFileSync(made, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
