// Runs the command line: its help, and the commands that call a gateway that works, refuses, breaks off or stays silent.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { program } from '../../src/commands/cli';
import { generateApiKey } from '../../src/doors/auth/api-keys';
import { startChild } from '../support/child-process';
import { freePort } from '../support/free-port';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';
import { CLI, ROOT } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/waiting';

let server: Server;
let GATEWAY_URL: string;
/** Of the server that stands for a gateway. */
let answer: RequestListener;
let asked: IncomingMessage;
let folder: string;

const writer = generateApiKey('writer', 'write');
const importer = generateApiKey('importer', 'read+write');
/** A key of the command `key`, for reading. */
let reader: string;
/** Has the entries of all three. */
let gateway: ListeningGateway;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked = request;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  GATEWAY_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made = startChild(CLI, 'key dashboard read'.split(' '));
  await made.ended;
  const [entry] = /dashboard:read:\w+/.exec(made.output) ?? [];
  reader = made.output.split(/\s+/).find((word) => /^[\w-]{30,}$/.test(word)) as string;
  gateway = await listenInProcess({ API_KEYS: [writer.entry, importer.entry, entry].join() });
});
afterAll(async () => {
  await gateway?.stop();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  folder = temporaryFolder('commands');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => fs.writeFileSync(join(folder, name), text);
const read = (name: string) => fs.readFileSync(join(folder, name), 'utf8');

const start = (line: string, env: Record<string, string> = {}) =>
  startChild(CLI, line.split(' '), { GATEWAY_URL, GATEWAY_KEY: '', NO_COLOR: '1', COLUMNS: '200', ...env }, folder);

async function run(line: string, env?: Record<string, string>) {
  const child = start(line, env);
  return { line, code: await child.ended, output: child.output };
}

async function expectFailure(line: string, reason: string, env?: Record<string, string>): Promise<void> {
  const failed = await run(line, env);
  expect(failed).toMatchObject({ code: 1, output: expect.stringContaining(reason) });
  expect(failed.output).not.toMatch(/\n\s+at /);
}

test('the help lists every command, what each does, and what each word and option means', async () => {
  expect(program.commands.map((command) => command.name())).toEqual([
    'start',
    'collect',
    'seed',
    'backup',
    'restore',
    'key',
    'plan',
    'schema',
    'import',
    'export',
  ]);
  const reports = program.commands.at(-1)?.commands ?? [];
  expect(reports.length).toBeGreaterThan(5);
  for (const command of [...program.commands, ...reports]) {
    const name = `${command.parent?.parent ? 'export ' : ''}${command.name()}`;
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 200 }).outputHelp();
    expect(help).toMatch(new RegExp(`^Usage: print-farm-gateway ${name}\\b.*\\n\\n[A-Z].*\\.\\n`));
    const lines = [...help.matchAll(/^ {2}(?=[-\w])(.+?)(?: {2,}(.*))?$/gm)];
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter(([, , meaning]) => !meaning).map(([text]) => text)).toEqual([]);
  }
  const { output } = await run('--help');
  for (const command of program.commands) expect(output).toContain(`\n  ${command.name()} `);
  const { version } = JSON.parse(fs.readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(await run('--version')).toMatchObject({ code: 0, output: `${version}\n` });
});

test('a wrong usage ends with 1, says why and changes nothing', async () => {
  for (const [line, reason] of [
    ['bakup farm.sql', "error: unknown command 'bakup'"],
    ['start --port 1', "error: unknown option '--port'"],
    ['start now', 'error: too many arguments'],
    ['backup', "error: missing required argument 'file'"],
    [
      'key dashboard all',
      'The scopes must be read, write, read+write, devices or spools. You can add +devices to the first three, and then +spools.',
    ],
    ['seed --live=0', "error: option '--live [seconds]' argument '0' is invalid"],
    ['export print-jobs --out', "error: option '--out <file>' argument missing"],
  ] as const) {
    await expectFailure(line, reason);
  }
  expect(fs.readdirSync(folder)).toEqual([]);
});

test('schema writes the schema of the graph, with --subgraph that of the subgraph, and ends quietly when a pipe closes', async () => {
  for (const [line, file] of [
    ['schema', 'schema.graphql'],
    ['schema --subgraph', 'subgraph.graphql'],
  ] as const) {
    const output = fs.readFileSync(join(ROOT, 'src', 'generated', file), 'utf8');
    expect(await run(line)).toMatchObject({ code: 0, output });
    const { stdout, stderr } = await promisify(execFile)('bash', [
      '-c',
      `"${process.execPath}" "${CLI}" ${line} | head -n 1; echo "\${PIPESTATUS[0]}"`,
    ]);
    expect([stdout, stderr]).toEqual([`${output.split('\n')[0]}\n0\n`, '']);
  }
});

describe('export', () => {
  const REPORT = `from,completedGrams\n${'2026-11-22T00:00:00.000Z,12.50\n'.repeat(20_000)}`;
  beforeEach(() => {
    answer = (_request, response) => response.end(REPORT);
  });

  test('writes a report to standard output, and ends quietly when the reader of a pipe closes it', async () => {
    expect(await run('export filament-usage')).toMatchObject({ code: 0, output: REPORT });
    const command = `"${process.execPath}" "${CLI}" export filament-usage | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const env = { ...process.env, GATEWAY_URL };
    expect(await promisify(execFile)('bash', ['-c', command], { env })).toEqual({
      stdout: 'from,completedGrams\n0\n',
      stderr: '',
    });
  });

  test('writes a report to a file, in place of the previous one', async () => {
    write('jobs.csv', 'the one before');
    const options = '--status COMPLETED,FAILED --printer-id p --bom --decimal-mark comma';
    const env = { GATEWAY_KEY: 'the key' };
    expect(await run(`export print-jobs ${options} --out jobs.csv`, env)).toMatchObject({ code: 0, output: '' });
    expect(read('jobs.csv')).toBe(REPORT);
    const query = 'status=COMPLETED%2CFAILED&printerId=p&bom=true&decimalMark=comma';
    expect(asked.url).toBe(`/reports/print-jobs.csv?${query}`);
    expect(asked.headers.authorization).toBe('Bearer the key');
  });

  test('a download that breaks off, or that a signal stops, ends with 1 and leaves the files unchanged', async () => {
    write('jobs.csv', 'the one before');
    for (const [encoding, bytes, out] of [
      ['identity', Buffer.from(REPORT), ''],
      ['gzip', gzipSync(REPORT, { level: 0 }), ' --out jobs.csv'],
    ] as const) {
      answer = (_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding });
        response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
      };
      await expectFailure(`export print-jobs${out}`, 'so the report is not complete.');
    }
    answer = (_request, response) => void response.writeHead(200).write('from,completedGrams\n');
    const child = start('export filament-usage --out usage.csv');
    await until(
      'the download has started',
      () => fs.readdirSync(folder),
      (names) => names.includes('usage.csv.unfinished'),
    );
    child.kill('SIGINT');
    expect([await child.ended, child.output]).toEqual([1, 'The export was stopped. The file was not changed.\n']);
    expect([fs.readdirSync(folder), read('jobs.csv')]).toEqual([['jobs.csv'], 'the one before']);
  });

  // The other sentences are in test/unit/gateway-commands.test.ts.
  test('a failure is a sentence, and writes no file', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const line = 'export filament-usage --out usage.csv';
    await expectFailure(line, `No gateway answers at ${nowhere}.`, { GATEWAY_URL: nowhere });
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});

describe('import', () => {
  const importing = (line: string) => run(`import ${line}`, { GATEWAY_URL: gateway.url, GATEWAY_KEY: importer.key });
  const HEAD = 'spoolSerial;material;filamentDiameterMm;weightTotalGrams;place\n';

  test('shows what each row does, writes it with --write, and then all rows are unchanged', async () => {
    const query = 'mutation { createMaterial(input: { name: "PLA", densityGPerCm3: 1.24 }) { id } }';
    const headers = { 'content-type': 'application/json', 'x-api-key': importer.key };
    await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    write('spools.csv', `\ufeff${HEAD}A1;PLA;1,75;1000;Box\nB22;PLA;1,75;750;\n`);
    const table = [
      'line  action  number  name  changes',
      '2     add             A1    spoolSerial A1, material PLA, filamentDiameterMm 1.75, weightTotalGrams 1000, place Box',
      '3     add             B22   spoolSerial B22, material PLA, filamentDiameterMm 1.75, weightTotalGrams 750',
    ].join('\n');
    const shown = {
      code: 0,
      output: `${table}\nThis was a preview: 2 added, 0 changed. Nothing was imported. To import the rows, add --write.\n`,
    };
    expect(await importing('spools.csv')).toMatchObject(shown);
    const written = { code: 0, output: `${table}\nImported: 2 added, 0 changed.\n` };
    expect(await importing('spools.csv --write')).toMatchObject(written);
    expect(await importing('spools.csv --write')).toMatchObject({ code: 0, output: 'All 2 rows change nothing.\n' });
    write('spools.csv', `${HEAD}A1;PLA;1,75;1000;\nB22;PLA;1,75;750;\n`);
    expect(await importing('spools.csv')).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /^line .*\n2 {5}change {2}#\d+ +A1 {4}place Box -> nothing\n1 row is unchanged\.\nThis was a preview/,
      ),
    });
  });

  // A file that cannot be read is in test/unit/gateway-commands.test.ts.
  test('a refused row ends with 1 and a sentence', async () => {
    write('spools.csv', `${HEAD}X;Wood;1,75;1000;\n`);
    const { code, output } = await importing('spools.csv --write');
    const refused = expect.stringMatching(/\n2 {5}refused .* "Wood" is unknown: add it with its density/);
    expect([code, output]).toEqual([1, refused]);
    expect(output).toMatch(/Nothing was imported: 1 row is refused\. Correct the file and try again\.\n$/);
  });

  test('ignores columns and adds materials that its options name', async () => {
    write('other.csv', `id;Note;${HEAD}7;x;C3;PCTG;1,75;1000;\n`);
    const { code, output } = await importing('other.csv');
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^id is an unknown column; Note is .*\n.* add: --ignore "id" "Note"\n$/),
    ]);
    const ignoring = 'other.csv --ignore id Note';
    expect((await importing(ignoring)).output).toContain(
      'Missing materials, which --add-materials adds: PCTG (1.23 g/cm³).',
    );
    expect((await importing(`${ignoring} --add-materials`)).output).toMatch(
      /\nNew materials: PCTG \(1\.23 g\/cm³\)\.\nThis was a preview: 1 added, 0 changed\. /,
    );
  });
});

describe('import spoolman', () => {
  const importing = (line: string, env = {}) =>
    run(`import spoolman ${line}`, { GATEWAY_URL: gateway.url, GATEWAY_KEY: importer.key, ...env });
  const filament = {
    id: 1,
    registered: '2025-01-01T00:00:00Z',
    name: 'Red',
    material: 'PETG',
    density: 1.27,
    diameter: 1.75,
    weight: 1000,
  };
  const spool = (id: number, members = {}) => ({
    id,
    registered: '2025-01-01T00:00:00Z',
    filament,
    used_weight: 0,
    ...members,
  });

  test('shows what each object becomes, writes it with --write, and refuses with 1', async () => {
    write('spools.json', JSON.stringify([spool(501), spool(502, { used_weight: 10 }), spool(503, { price: -1 })]));
    const refused = await importing('spools.json --source farm --write');
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('Nothing was imported, because') });
    expect(refused.output).toContain('refuse  spool 503');
    expect(refused.output).toContain('price is not a number from 0 to 1,000,000,000.');
    const written = await importing('spools.json --source farm --write --without-refused');
    expect(written).toMatchObject({
      code: 1,
      output: expect.stringContaining('Imported: 3 added, 0 changed, 0 kept.'),
    });
    expect(written.output).toContain('add  spool 502  #502  farm-502 Red');
    write('spools.json', JSON.stringify([spool(501), spool(502, { used_weight: 20 })]));
    const preview = await importing('spools.json --source farm');
    expect(preview).toMatchObject({
      code: 0,
      output: expect.stringContaining('This was a preview: 0 added, 1 changed, 0 kept.'),
    });
    expect(preview.output).toContain('remainingGrams 990 -> 980');
  });

  test('a long file is sent in parts', async () => {
    const comment = 'x'.repeat(1000);
    write('long.json', JSON.stringify(Array.from({ length: 600 }, (_, at) => spool(at + 1, { comment }))));
    expect(await importing('long.json --source long')).toMatchObject({
      code: 0,
      output: expect.stringContaining('This was a preview: 601 added'),
    });
  });

  test('a URL needs the scope devices, and a wrong login in the environment is explained', async () => {
    const forbidden = await importing('http://127.0.0.1:9');
    expect(forbidden).toMatchObject({ code: 1, output: expect.stringContaining('and devices for a URL') });
    const wrong = await importing('http://127.0.0.1:9', { SPOOLMAN_LOGIN: 'secret' });
    expect(wrong.output).toContain('SPOOLMAN_LOGIN must be apiKey:KEY, token:TOKEN or basic:USER:PASSWORD.');
    expect(wrong.output).not.toContain('secret');
  });
});

describe('plan', () => {
  const PART = '; generated by PrusaSlicer 2.8.0\nG1 X1\n; filament used [mm] = 241.03\n; filament used [g] = 0.72\n';
  const PLATE = { plate: 1, slots: [{ slot: 1, mm: '241.03', grams: '0.72' }] };
  beforeEach(() => {
    for (const name of ['part.gcode', 'other.gcode', '.4711.gcode.pp']) write(name, PART);
  });
  const plan = (line: string, env = {}) =>
    run(`plan ${line}`, { GATEWAY_URL: gateway.url, GATEWAY_KEY: writer.key, ...env });

  test('a key gives access to the gateway that has its entry, for its scope alone', async () => {
    const statusWith = async (headers: Record<string, string>) =>
      (await fetch(`${gateway.url}/cameras`, { headers })).status;
    expect([await statusWith({}), await statusWith({ 'x-api-key': reader })]).toEqual([401, 200]);
    const refused = await plan('part.gcode', { GATEWAY_KEY: reader });
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('needs the scope write') });
  });

  test('sends each file, and reports the name under which prints find it: that of the slicer, or of the file', async () => {
    const slicer = { SLIC3R_PP_OUTPUT_NAME: '/media/usb/dragon.bgcode' };
    for (const [line, env, output] of [
      [
        'part.gcode other.gcode',
        {},
        'part.gcode: recorded as part, plate 1.\nother.gcode: recorded as other, plate 1.\n',
      ],
      ['.4711.gcode.pp', slicer, '.4711.gcode.pp: recorded as dragon, plate 1.\n'],
    ] as const) {
      expect(await plan(line, env)).toMatchObject({ code: 0, output });
    }
  });

  // What else cannot be sent, and what is sent, is in test/unit/plan-command.test.ts.
  test('with --print it writes the amounts; an unreadable file ends with 1, and is named', async () => {
    const printed = await run('plan part.gcode --print');
    expect(JSON.parse(printed.output)).toMatchObject({ plates: [PLATE] });
    const env = { GATEWAY_URL: gateway.url, GATEWAY_KEY: writer.key };
    await expectFailure('plan part.gcode none.gcode', 'no such file', env);
  });

  test('a gateway that does not answer within 5 seconds is an error on the command line, and none in a slicer', async () => {
    answer = () => {};
    // A connection that is being opened holds a process for 10 seconds. This one would hold it for ever.
    write('hold.cjs', 'setInterval(() => {}, 1000);');
    const NODE_OPTIONS = `--require ${join(folder, 'hold.cjs')}`;
    const slicer = { GATEWAY_URL, SLIC3R_PP_OUTPUT_NAME: 'part.gcode', NODE_OPTIONS };
    const [byHand, bySlicer] = await Promise.all([plan('part.gcode', { GATEWAY_URL }), plan('part.gcode', slicer)]);
    const output = expect.stringContaining('did not answer within 5 seconds');
    expect([byHand, bySlicer]).toMatchObject([
      { code: 1, output },
      { code: 0, output },
    ]);
    expect(bySlicer.output).toContain('The plan was not recorded.');
    expect(read('part.gcode')).toBe(PART);
  });
});
