// A real nginx with the recipe of docs/proxies.md, before a running gateway.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/free-port';
import { pathOf } from '../support/programs';
import { ROOT } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';
import { is, until } from '../support/waiting';

/** The recipe, with the addresses and files of the test in place of its own. */
function recipeFor(port: number, gateway: string, passwords: string): string {
  const page = fs.readFileSync(join(ROOT, 'docs', 'proxies.md'), 'utf8');
  const recipe = /```nginx\n([^`]+)```/.exec(page)?.[1] ?? '';
  const own: [text: string, ofTest: string][] = [
    ['listen 80;', `listen 127.0.0.1:${port};`],
    ['http://127.0.0.1:4000/', `${gateway}/`],
    ['/etc/nginx/farm.htpasswd', passwords],
  ];
  return own.reduce((text, [one, other]) => {
    if (!text.includes(one)) throw new Error(`The recipe has no ${one}:\n${recipe}`);
    return text.replace(one, other);
  }, recipe);
}

/** @param users lines of a file of passwords */
export async function startNginx(gateway: string, users: string) {
  const folder = temporaryFolder('nginx');
  const passwords = join(folder, 'passwords');
  fs.writeFileSync(passwords, users);
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${folder}/${one};`,
  );
  const file = join(folder, 'nginx.conf');
  const settings = [
    ...['daemon off;', 'master_process off;', `pid ${folder}/pid;`, 'error_log stderr;', 'events {}'],
    ...['http {', 'access_log off;', ...temporary, recipeFor(port, gateway, passwords), '}'],
  ];
  fs.writeFileSync(file, settings.join('\n'));
  const child = spawn(pathOf('nginx') ?? 'nginx', ['-c', file, '-p', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
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
  await until('nginx answers', answered, is(true));
  return {
    url,
    async stop() {
      process.off('exit', stopAtOnce);
      child.kill('SIGTERM');
      await ended;
    },
  };
}
