#!/usr/bin/env node
// The command line, `print-farm-gateway COMMAND`. The scripts of npm call it too. A command is loaded when it is called.
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';

const { version } = require('print-farm-gateway/package.json') as { version: string };

const GATEWAY = `
It finds the gateway by HOST and PORT, or by GATEWAY_URL, and sends the key or token in GATEWAY_KEY.`;
const DATABASE = `
The database is that of DATABASE_URL: ./data without it, or file:DIRECTORY`;

/** Between two reports of a camera of `seed --live`. */
const REPORT_SECONDS = 10;

export const program = new Command('print-farm-gateway')
  .description('One GraphQL gateway for a 3D-print farm and the cameras that watch it.')
  .version(version, '-v, --version', 'show the version')
  .helpOption('-h, --help', 'show this help')
  .helpCommand('help [command]', 'show the help of a command')
  .configureHelp({ showGlobalOptions: false })
  .showHelpAfterError('With --help it shows how it is used.');

program
  .command('start')
  .description('Start the gateway. It runs until SIGTERM or SIGINT.')
  .addHelpText(
    'after',
    `
Environment variables set it up; these are the usual ones, and docs/reference/settings.md has all:
  HOST          address to listen at (127.0.0.1)
  PORT          port to listen at (4000)
  DATABASE_URL  file:DIRECTORY (file:./data), memory: or postgresql://USER:PASSWORD@HOST:PORT/DATABASE
  API_KEYS      entries of keys, as the command key makes them
  AUTH          none: every caller may do everything, also from other machines
  LOG_LEVEL     trace, debug, info, warn, error, fatal or silent (info)`,
  )
  .action(async () => {
    await import('../main.js');
  });

program
  .command('collect')
  .description('Listen to machines alone. It runs until SIGTERM or SIGINT.')
  .addHelpText(
    'after',
    `
It is for a computer in the network of the printers, beside a gateway with COLLECT=false.
  DATABASE_URL  postgresql://USER:PASSWORD@HOST:PORT/DATABASE, the database of that gateway
  DEVICE_KEY    the key of the secrets, the same as that gateway has
  PORT          port of /healthz, /readyz and /metrics (none)`,
  )
  .action(async () => {
    await import('../main.js');
  });

program
  .command('seed')
  .description('Fill a running gateway with an example farm.')
  .option('--force', 'add the farm also to a gateway that is not empty')
  .option(
    '--live [seconds]',
    `let the cameras report every so many seconds (${REPORT_SECONDS}) and the printers print, until Ctrl+C`,
    wholeSeconds,
  )
  .addHelpText('after', GATEWAY)
  .action(async ({ force, live }) =>
    (await import('./seed.js')).seed({ force, live: live === true ? REPORT_SECONDS : live }),
  );

program
  .command('backup')
  .description('Back up the built-in database, while its gateway runs or not.')
  .argument('<file>', 'the file to write: plain SQL')
  .addHelpText('after', `${DATABASE}.`)
  .action(async (file) => (await import('./backup.js')).backup(file));

program
  .command('restore')
  .description('Restore a backup into a new directory, or into an empty database of a server.')
  .argument('<file>', 'the backup')
  .addHelpText('after', `${DATABASE}, or postgresql://USER:PASSWORD@HOST:PORT/DATABASE.`)
  .action(async (file) => (await import('./restore.js')).restoreBackup(file));

program
  .command('key')
  .description('Make an API key, and show it once with its entry for API_KEYS.')
  .argument('<name>', 'name of the caller, for the log')
  .argument('<scopes>', 'read, write or read+write, or read+write+devices to configure machines too')
  .argument('[camera]', 'id of the only camera that it may write for')
  .action(async (name, scopes, camera) => (await import('./make-key.js')).makeKey(name, scopes, camera));

program
  .command('plan')
  .description('Send what slicers say of prints to a running gateway.')
  .argument('<files...>', 'G-code, bgcode or sliced 3MF')
  .option('--print', 'write the plans as JSON instead, a line for each file')
  .option('--name <name>', 'name of the file on the printer, when it has another one here')
  .addHelpText(
    'after',
    `
A slicer runs it as its post-processing script. The name is then that of SLIC3R_PP_OUTPUT_NAME, and a plan that is not recorded
is no error. A file that cannot be read is one.${GATEWAY} It needs the scope write.`,
  )
  .action(async (files, options) => {
    await (await import('./plan.js')).plan(files, options).catch(fail);
    if (options.print) return;
    for (const output of [process.stdout, process.stderr]) await new Promise((resolve) => output.write('', resolve));
    // A connection that is still being opened would keep the process for 10 seconds, and a slicer with it.
    process.exit();
  });

program
  .command('schema')
  .description('Write the schema of GraphQL, without a running gateway.')
  .option('--subgraph', 'as a subgraph of Apollo Federation, for a composer')
  .action(async ({ subgraph = false }) => (await import('./print-schema.js')).printSchema(subgraph));

program
  .command('import')
  .description('Show what a CSV file of spools or filaments would do, and write it.')
  .argument('<file>', 'the file: its first line names the columns, as those of export spools and export filaments')
  .option('--write', 'write it after that, all rows or none')
  .option('--ignore <columns...>', 'columns of the file that are not read')
  .option('--add-materials', 'add missing materials with the usual density of their plastic')
  .addHelpText('after', `${GATEWAY} It needs the scopes read and write.`)
  .action(async (file, options) => (await import('./import.js')).importFile(file, options));

const reports = program.command('export').description('Write a report of a running gateway as CSV.');

jobReport('filament-usage', 'Filament used and wasted, with its cost, added up.')
  .option('--from <time>', 'jobs that ended at this time or later')
  .option('--to <time>', 'jobs that ended before this time')
  .option('--group-by <groups>', 'one row for each: DAY, WEEK or MONTH; PRINTER, SPOOL, MATERIAL; separated by commas')
  .option('--time-zone <name>', 'where days, weeks and months begin, such as Europe/Berlin (UTC)');
jobReport('print-jobs', 'All print jobs, one row for each.');
jobReport('print-job-parts', 'What all print jobs used of each spool, one row for each part.');
jobReport('filming', 'What cameras recorded of all print jobs, one row for each job and camera.');
report('spools', 'All spools with what is left on them, one row for each.').addHelpText('after', GATEWAY);
report('filaments', 'All filaments with their stock, one row for each.').addHelpText('after', GATEWAY);

/** The names of the options are those of the query's parameters. */
function jobReport(name: string, description: string): Command {
  return report(name, description)
    .option('--status <statuses>', 'jobs in these statuses, such as COMPLETED,FAILED')
    .option('--printer-id <id>', 'jobs of this printer')
    .option('--spool-id <id>', 'jobs of this spool')
    .option('--data-source <source>', 'jobs with figures from MANUAL, MQTT or PRINTER_API')
    .option('--created-from <time>', 'jobs created at this time or later')
    .option('--created-to <time>', 'jobs created at this time or earlier')
    .option('--search <text>', 'jobs with this text in their name')
    .addHelpText('after', `\nTimes are such as 2026-11-22T00:00:00Z.${GATEWAY}`);
}

function report(name: string, description: string): Command {
  return reports
    .command(name)
    .description(description)
    .option('--out <file>', 'the file to write, whole or not at all (standard output)')
    .option('--bom', 'begin with a byte order mark, by which Excel knows UTF-8')
    .option('--separator <sign>', 'between two cells: comma, semicolon or tab (comma)')
    .option('--decimal-mark <sign>', 'before the decimals of a number: point or comma (point)')
    .action(async ({ out, ...parameters }) => (await import('./export.js')).exportReport(name, parameters, out));
}

function wholeSeconds(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 9999.');
  return Number(text);
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

// A test reads the commands alone.
if (require.main === module) {
  /**
   * Node 22.8 and later keep compiled code for the next start, which needs 0.84 s of CPU time instead of 1.04. The folder lies beside
   * the code, because Node's own folder is in /tmp, where other accounts can write. A folder that cannot be made is no failure.
   */
  const { enableCompileCache } = require('node:module') as { enableCompileCache?(directory: string): unknown };
  enableCompileCache?.(join(__dirname, '..', '..', '.compile-cache'));

  program.parseAsync().catch(fail);
}
