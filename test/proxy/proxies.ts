// Starts a real nginx and a real Caddy with the recipes of docs/guides/proxy.md, before a running gateway.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/free-port';
import { pathOf } from '../support/programs';
import { ROOT } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';
import { is, until } from '../support/waiting';

const NAME = 'shop';
const PASSWORD = 'secret';
/** What the proxy asks for. */
export const BASIC = `Basic ${Buffer.from(`${NAME}:${PASSWORD}`).toString('base64')}`;

/** The recipe, with the addresses and files of the test in place of its own. */
function recipeFor(language: string, own: [text: string, ofTest: string][]): string {
  const page = fs.readFileSync(join(ROOT, 'docs', 'guides', 'proxy.md'), 'utf8');
  const recipe = new RegExp(`\`\`\`${language}\\n([^\`]+)\`\`\``).exec(page)?.[1] ?? '';
  return own.reduce((text, [one, other]) => {
    if (!text.includes(one)) throw new Error(`The recipe has no ${one}:\n${recipe}`);
    return text.replace(one, other);
  }, recipe);
}

export interface RunningProxy {
  /** With the path of the recipe. */
  url: string;
  stop(): Promise<void>;
}

export async function startNginx(gateway: string): Promise<RunningProxy> {
  const folder = temporaryFolder('nginx');
  const passwords = join(folder, 'passwords');
  fs.writeFileSync(passwords, `${NAME}:{PLAIN}${PASSWORD}\n`);
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${folder}/${one};`,
  );
  const recipe = recipeFor('nginx', [
    ['listen 80;', `listen 127.0.0.1:${port};`],
    ['http://127.0.0.1:4000', gateway],
    ['/etc/nginx/farm.htpasswd', passwords],
  ]);
  const file = join(folder, 'nginx.conf');
  const settings = [
    'daemon off;',
    'master_process off;',
    `pid ${folder}/pid;`,
    'error_log stderr;',
    'events {}',
    'http {',
    'access_log off;',
    ...temporary,
    recipe,
    '}',
  ];
  fs.writeFileSync(file, settings.join('\n'));
  return started('nginx', ['-c', file, '-p', folder], port, folder);
}

export async function startCaddy(gateway: string): Promise<RunningProxy> {
  const folder = temporaryFolder('caddy');
  const port = await freePort();
  const caddy = pathOf('caddy') as string;
  const hash = String(execFileSync(caddy, ['hash-password', '--plaintext', PASSWORD])).trim();
  const [, minor = '0'] = /(\d+)\.\d+\s*$/.exec(String(execFileSync(caddy, ['version'])).split(' ')[0] ?? '') ?? [];
  const recipe = recipeFor('caddy', [
    // Debian's Caddy is of this time, as the page says.
    ['basic_auth', Number(minor) < 8 ? 'basicauth' : 'basic_auth'],
    ['NAME HASH', `${NAME} ${hash}`],
    ['{\n', '{\n  admin off\n'],
    ['shop.example', `http://127.0.0.1:${port}`],
    ['127.0.0.1:4000', gateway.replace('http://', '')],
  ]);
  const file = join(folder, 'Caddyfile');
  fs.writeFileSync(file, recipe);
  return started('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], port, folder);
}

async function started(
  program: 'nginx' | 'caddy',
  args: string[],
  port: number,
  folder: string,
): Promise<RunningProxy> {
  const child = spawn(pathOf(program) ?? program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stopAtOnce = () => child.kill('SIGKILL');
  process.once('exit', stopAtOnce);
  let log = '';
  child.stderr.on('data', (text) => {
    log += text;
  });
  const url = `http://127.0.0.1:${port}/farm`;
  const answered = () =>
    fetch(url).then(
      () => true,
      ({ cause }) => `${cause}: ${log}`,
    );
  await until(`${program} answers`, answered, is(true));
  return {
    url,
    async stop() {
      process.off('exit', stopAtOnce);
      child.kill('SIGTERM');
      await ended;
    },
  };
}
