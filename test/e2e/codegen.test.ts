// The typed documents that are committed, against what the tool makes now.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..', '..');
const committed = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('the typed documents are what codegen makes (else: npm run codegen)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-codegen-'));
  try {
    const config = join(folder, 'codegen.yml');
    const settings = committed('codegen.yml');
    const outputs = [...settings.matchAll(/^ {2}src\/generated\/(\S+):$/gm)].map(([, name]) => name as string);
    expect(outputs.length).toBe(2);
    writeFileSync(config, settings.replaceAll(/^ {2}src\/generated\//gm, `  ${folder}/`));
    const cli = require.resolve('@graphql-codegen/cli/package.json');
    const { bin } = JSON.parse(readFileSync(cli, 'utf8'));
    const program = join(dirname(cli), bin['graphql-codegen']);
    await promisify(execFile)(process.execPath, [program, '--config', config], { cwd: ROOT });
    for (const name of outputs) {
      expect(committed(`src/generated/${name}`)).toBe(readFileSync(join(folder, name), 'utf8'));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
