// The files of deploy name things that exist: files, the command line, and variables of the configuration.
import fs from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const read = (...path: string[]) => fs.readFileSync(join(ROOT, ...path), 'utf8');
const image = read('deploy', 'Dockerfile');
const service = read('deploy', 'print-farm-gateway.service');
const compose = read('deploy', 'compose.yml');
const { bin, engines } = JSON.parse(read('package.json'));

test('the image is built from files that exist, and from everything that the build needs', () => {
  const kept = [...read('deploy', 'Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path as string);
  expect(kept.filter((path) => !fs.existsSync(join(ROOT, path)))).toEqual([]);
  const [, copied = ''] = /^COPY (.+) \.\/$/m.exec(image) ?? [];
  expect(copied.split(' ').filter((path) => !kept.includes(path))).toEqual([]);
});

test('the image and the service start the command line of the package', () => {
  const [[name, path]] = Object.entries(bin) as [[string, string]];
  expect(image).toContain(`ENTRYPOINT ["node", "${path}"]`);
  expect(service).toMatch(new RegExp(`^ExecStart=/opt/${name}/node_modules/\\.bin/${name} start$`, 'm'));
});

test('the commands of docs/guides/install.md install what the service starts', () => {
  const [, commands = ''] =
    /## systemd.*?```sh\n(.+?)```/s.exec(fs.readFileSync(join(ROOT, 'docs', 'guides', 'install.md'), 'utf8')) ?? [];
  const { name } = JSON.parse(read('package.json'));
  expect(commands.trim().split('\n')).toEqual([
    `npm install --prefix ${/^ExecStart=(.+)\/node_modules\//m.exec(service)?.[1]} ./${name}-*.tgz`,
    `cp deploy/${name}.service /etc/systemd/system/`,
    'systemctl daemon-reload',
    `systemctl enable --now ${name}`,
  ]);
});

test('the image has a release of Node that the package allows', () => {
  const releases = [...image.matchAll(/^FROM node:(\d+)-slim/gm)].map(([, release]) => release as string);
  expect(releases.length).toBe(2);
  for (const release of releases) expect(engines.node).toContain(`^${release}.`);
});

test('the variables are those of the configuration', () => {
  const known = new Set(
    [...read('src', 'config.ts').matchAll(/(?:value|integer|oneOf|flag)\('([A-Z_]+)'/g)].map(([, name]) => name),
  );
  const [, gateway = ''] = /^ {2}gateway:\n((?: {4}.*\n| *\n)+)/m.exec(compose) ?? [];
  const set = [
    ...[...image.matchAll(/^ENV (.+)$/gm)].flatMap(([, line]) => [...String(line).matchAll(/([A-Z_]+)=/g)]),
    ...[...service.matchAll(/^Environment=(.+)$/gm)].flatMap(([, line]) => [...String(line).matchAll(/([A-Z_]+)=/g)]),
    ...gateway.matchAll(/^ {6}([A-Z_]+):/gm),
  ].map(([, name]) => name as string);
  expect(set.length).toBeGreaterThan(5);
  expect(set.filter((name) => !known.has(name))).toEqual([]);
});
