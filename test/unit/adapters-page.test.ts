// The code of docs/guides/add-a-machine-kind.md compiles when it is assembled as the steps say.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findCodeBlocks, readPage } from '../support/docs';
import { temporaryFolder } from '../support/temporary-folder';

const ROOT = join(__dirname, '..', '..');
/** The files of the kind in the order of the steps, after its row. */
const FILES = ['status', 'prints', 'adapter', 'connection'];

test('the steps for a new kind of machine make code that compiles', async () => {
  const [row = '', ...files] = findCodeBlocks(
    readPage('docs/guides/add-a-machine-kind.md').replaceAll(/^ {3}/gm, ''),
  ).flatMap(({ language, text }) => (language === 'ts' ? [text] : []));
  expect(files).toHaveLength(FILES.length);
  const folder = temporaryFolder('adapters');
  try {
    fs.cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true });
    fs.symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const kinds = join(folder, 'src', 'kind-facts.ts');
    const before = fs.readFileSync(kinds, 'utf8');
    const after = before.replace(/^export const PRINTER_KINDS = .*\{$/m, (line) => `${line}\n${row}`);
    expect(after).not.toBe(before);
    fs.writeFileSync(kinds, after);
    const kind = join(folder, 'src', 'machines', 'acme');
    fs.mkdirSync(kind);
    for (const [at, name] of FILES.entries()) fs.writeFileSync(join(kind, `${name}.ts`), files[at] as string);
    const project = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { noEmit: true, incremental: false, tsBuildInfoFile: null, rootDir: '.', noUnusedLocals: true },
      include: [],
      files: ['src/machines/acme/adapter.ts', 'src/machines/acme/connection.ts'],
    };
    fs.writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const compiled = promisify(execFile)(process.execPath, [compiler, '-p', folder], { cwd: folder });
    const { stdout } = await compiled.catch(({ stdout }: { stdout: string }) => ({ stdout }));
    // A new kind lacks rows in other tables, which `npm run typecheck` reports.
    expect(stdout.split('\n').filter((line) => line.startsWith('src/machines/acme/'))).toEqual([]);
    expect(stdout).not.toContain('TS5');
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
