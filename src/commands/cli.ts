#!/usr/bin/env node
// Defines the command line, `print-farm-gateway COMMAND`, which the scripts of npm use, too. The code of a command is loaded when it runs.
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';

const { version } = require('print-farm-gateway/package.json') as { version: string };

const GATEWAY = `
The command calls the gateway at HOST and PORT, or at GATEWAY_URL, with the key or token in GATEWAY_KEY.`;
const DATABASE = `
DATABASE_URL names the database: file:DIRECTORY (file:./data)`;

/** The time between two reports of a camera with `seed --live`. */
const REPORT_SECONDS = 10;

export const program = new Command('print-farm-gateway')
  .description('One GraphQL gateway for a 3D-print farm and the cameras that watch it.')
  .version(version, '-v, --version', 'show the version')
  .helpOption('-h, --help', 'show this help')
  .helpCommand('help [command]', 'show the help of a command')
  .configureHelp({ showGlobalOptions: false })
  .showHelpAfterError('Run it with --help to see how it is used.');

program
  .command('start')
  .description('Start the gateway. It runs until SIGTERM or SIGINT.')
  .addHelpText(
    'after',
    `
The settings are environment variables. These are the usual ones, with their defaults in parentheses; docs/reference/settings.md has all:
  HOST          address to listen on (127.0.0.1)
  PORT          port to listen on (4000)
  DATABASE_URL  file:DIRECTORY (file:./data), memory: or postgresql://USER:PASSWORD@HOST:PORT/DATABASE
  API_KEYS      entries of API keys, separated by commas; the command "key" makes them
  AUTH          none: every caller may do everything, also from other computers
  LOG_LEVEL     trace, debug, info, warn, error, fatal or silent (info)`,
  )
  .action(async () => {
    await import('../main.js');
  });

program
  .command('collect')
  .description('Collect from machines only, and serve no clients. It runs until SIGTERM or SIGINT.')
  .addHelpText(
    'after',
    `
Use it on a computer in the network of the printers, together with a gateway elsewhere that has COLLECT=false.
  DATABASE_URL  postgresql://USER:PASSWORD@HOST:PORT/DATABASE, the database of that gateway
  DEVICE_KEY    the key that encrypts secrets of devices, the same as in that gateway
  PORT          port of /healthz, /readyz and /metrics (none)`,
  )
  .action(async () => {
    await import('../main.js');
  });

program
  .command('seed')
  .description('Fill a running gateway with an example farm.')
  .option('--force', 'add the farm even if the gateway is not empty')
  .option(
    '--live [seconds]',
    `keep the printers printing and the cameras reporting at this interval (${REPORT_SECONDS}), until Ctrl-C`,
    wholeSeconds,
  )
  .addHelpText('after', GATEWAY)
  .action(async ({ force, live }) =>
    (await import('./seed.js')).seed({ force, live: live === true ? REPORT_SECONDS : live }),
  );

program
  .command('backup')
  .description('Back up the built-in database. Its gateway may be running.')
  .argument('<file>', 'the file to write: plain SQL')
  .addHelpText('after', `${DATABASE}.`)
  .action(async (file) => (await import('./backup.js')).backup(file));

program
  .command('restore')
  .description('Restore a backup into a new directory, or into an empty database on a server.')
  .argument('<file>', 'the backup')
  .addHelpText('after', `${DATABASE}, or postgresql://USER:PASSWORD@HOST:PORT/DATABASE.`)
  .action(async (file) => (await import('./restore.js')).restoreBackup(file));

program
  .command('key')
  .description('Generate an API key, and show the key and its entry for API_KEYS once.')
  .argument('<name>', 'the name of the caller, as the log shows it')
  .argument(
    '<scopes>',
    'read, write or read+write; add +devices for a key that may configure machines and notifications; spools for a program for Spoolman',
  )
  .argument('[camera]', 'the id of a camera; the key may then write for this camera only')
  .action(async (name, scopes, camera) => (await import('./make-key.js')).makeKey(name, scopes, camera));

program
  .command('plan')
  .description("Send the slicer's estimates in print files (time and filament) to a running gateway.")
  .argument('<files...>', 'G-code, bgcode or sliced 3MF')
  .option('--print', 'show the estimates as JSON, one line for each file, and send nothing')
  .option('--name <name>', 'the name of the file on the printer, if it differs')
  .addHelpText(
    'after',
    `
A slicer can run this command as its post-processing script. The file then gets the name in SLIC3R_PP_OUTPUT_NAME. If the gateway
does not answer, the command still succeeds, so that the slicer writes the file. If the file cannot be read, it fails.${GATEWAY}
The key needs the scope write.`,
  )
  .action(async (files, options) => {
    await (await import('./plan.js')).plan(files, options).catch(fail);
    if (options.print) return;
    for (const output of [process.stdout, process.stderr]) await new Promise((resolve) => output.write('', resolve));
    // A connection that is still being opened would keep the process, and the slicer that waits for it, for 10 seconds.
    process.exit();
  });

program
  .command('schema')
  .description('Show the GraphQL schema of this version. No gateway needs to run.')
  .option('--subgraph', 'show it as a subgraph for Apollo Federation')
  .action(async ({ subgraph = false }) => (await import('./print-schema.js')).printSchema(subgraph));

const imports = program.command('import').description('Import lists into a running gateway.');

imports
  .command('file', { isDefault: true })
  .description('Preview the import of a CSV file with spools or filaments, and import it.')
  .argument(
    '<file>',
    'the CSV file; its first line names the columns, which are those of "export spools" or "export filaments"',
  )
  .option('--write', 'import the rows after the preview: all of them, or none if one is refused')
  .option('--ignore <columns...>', 'columns of the file to leave out')
  .option('--add-materials', 'add missing materials with the usual density of their plastic')
  .addHelpText('after', `${GATEWAY} The key needs the scopes read and write.`)
  .action(async (file, options) => (await import('./import.js')).importFile(file, options));

imports
  .command('spoolman')
  .description('Preview the import of a Spoolman, or of files that it exported, and import it.')
  .argument('<url-or-files...>', 'http(s)://HOST[:PORT][/PATH] of a running Spoolman, or JSON or CSV files')
  .option('--source <name>', 'a name that tells several Spoolmans apart (spoolman)')
  .option('--write', 'import everything after the preview, or nothing if an object is refused')
  .option('--without-refused', 'import the other objects even if some are refused')
  .addHelpText(
    'after',
    `
If the Spoolman asks for a login, set SPOOLMAN_LOGIN to apiKey:KEY, token:TOKEN or basic:USER:PASSWORD. Spoolman's export leaves out
archived spools unless you tick them. The command fails if an object is refused or the import fails.${GATEWAY}
The key needs the scopes read and write, and devices for a URL.`,
  )
  .action(async (targets, options) => (await import('./import-spoolman.js')).importSpoolman(targets, options));

const reports = program.command('export').description('Export a report of a running gateway as CSV.');

jobReport('filament-usage', 'The filament that jobs used and wasted, and its cost, summed up.')
  .option('--from <time>', 'jobs that ended at this time or later')
  .option('--to <time>', 'jobs that ended before this time')
  .option(
    '--group-by <groups>',
    'one row for each DAY, WEEK or MONTH, and for each PRINTER, SPOOL or MATERIAL; several groups are separated by commas',
  )
  .option('--time-zone <name>', 'the time zone of days, weeks and months, such as Europe/Berlin (UTC)');
jobReport('print-jobs', 'All print jobs, one row for each job.');
jobReport('print-job-parts', 'The filament that print jobs used of each spool, one row for each part of a job.');
jobReport('filming', 'What cameras recorded of print jobs, one row for each job and camera.');
report('spools', 'All spools with their remaining filament, one row for each spool.').addHelpText('after', GATEWAY);
report('filaments', 'All filaments with their stock, one row for each filament.').addHelpText('after', GATEWAY);

/** The options have the names of the parameters in the URL of the report. */
function jobReport(name: string, description: string): Command {
  return report(name, description)
    .option('--status <statuses>', 'jobs in these statuses, such as COMPLETED,FAILED')
    .option('--printer-id <id>', 'jobs of this printer')
    .option('--spool-id <id>', 'jobs of this spool')
    .option('--data-source <source>', 'jobs with this data source: MANUAL, MQTT or PRINTER_API')
    .option('--created-from <time>', 'jobs created at this time or later')
    .option('--created-to <time>', 'jobs created at this time or earlier')
    .option('--search <text>', 'jobs with this text in their name')
    .addHelpText('after', `\nWrite times such as 2026-11-22T00:00:00Z.${GATEWAY}`);
}

function report(name: string, description: string): Command {
  return reports
    .command(name)
    .description(description)
    .option('--out <file>', 'the file to write; it is replaced only when the report is complete (standard output)')
    .option('--bom', 'start with a byte order mark, which Excel needs to recognise UTF-8')
    .option('--separator <sign>', 'the separator of cells: comma, semicolon or tab (comma)')
    .option('--decimal-mark <sign>', 'the decimal mark of numbers: point or comma (point)')
    .action(async ({ out, ...parameters }) => (await import('./export.js')).exportReport(name, parameters, out));
}

function wholeSeconds(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Enter a whole number of seconds from 1 to 9999.');
  return Number(text);
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

// A test imports the commands without running one.
if (require.main === module) {
  /**
   * Node 22.8 and later keep compiled code for the next start, which then needs 0.84 s of CPU time instead of 1.04. The folder is
   * beside the code, because Node's own folder is in /tmp, where other accounts can write. If the folder cannot be made, Node
   * starts without it.
   */
  const { enableCompileCache } = require('node:module') as { enableCompileCache?(directory: string): unknown };
  enableCompileCache?.(join(__dirname, '..', '..', '.compile-cache'));

  program.parseAsync().catch(fail);
}
