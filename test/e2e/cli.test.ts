// The command line as a process: its help, and its errors for wrong usage, which changes nothing.
import fs from 'node:fs';
import { join } from 'node:path';
import { startChild } from '../support/child-process';
import { CLI, ROOT } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('cli');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

async function run(line: string) {
  const child = startChild(CLI, line.split(' ').filter(Boolean), { PORT: '0', NO_COLOR: '1', COLUMNS: '200' }, folder);
  return { code: await child.ended, output: child.output };
}

const COMMANDS = ['start', 'seed', 'backup', 'restore', 'key', 'export'];
const REPORTS = ['filament-usage', 'print-jobs'].map((report) => `export ${report}`);

test('the help names every command', async () => {
  const { code, output } = await run('--help');
  expect(code).toBe(0);
  const [, listed = ''] = output.split('Commands:\n');
  expect([...listed.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name)).toEqual([...COMMANDS, 'help']);
});

test.each([...COMMANDS, ...REPORTS])(
  '%s --help tells what it does, and what each word and option means',
  async (name) => {
    const { code, output } = await run(`${name} --help`);
    expect(code).toBe(0);
    expect(output).toMatch(new RegExp(`^Usage: print-farm-gateway ${name}\\b.*\\n\\n[A-Z].*\\.\\n`));
    const lines = [...output.matchAll(/^ {2}(?=[-\w])(.+?)(?: {2,}(.*))?$/gm)];
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter(([, , meaning]) => !meaning).map(([line]) => line)).toEqual([]);
  },
);

test('the version is that of the package', async () => {
  const { version } = JSON.parse(fs.readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(await run('--version')).toEqual({ code: 0, output: `${version}\n` });
});

test.each([
  ['bakup farm.sql', "error: unknown command 'bakup'"],
  ['start --port 1', "error: unknown option '--port'"],
  ['start now', 'error: too many arguments'],
  ['backup', "error: missing required argument 'file'"],
  ['key dashboard', "error: missing required argument 'scopes'"],
  ['key dashboard all', 'The scopes must be read, write or read+write, each also with +devices, or devices.'],
  ['export spools', "error: unknown command 'spools'"],
  ['export print-jobs --group-by DAY', "error: unknown option '--group-by'"],
  ['export print-jobs --out', "error: option '--out <file>' argument missing"],
])('%s ends with 1 and says why', async (line, reason) => {
  const { code, output } = await run(line);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(reason) });
  expect(output).not.toMatch(/\n\s+at /);
  expect(fs.readdirSync(folder)).toEqual([]);
});
