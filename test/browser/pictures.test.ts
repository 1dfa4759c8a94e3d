// The pictures of each page, by day and by night, on a desk and on a phone, and those of the README. With PICTURES=new in the
// environment new ones take their place, of the example farm while it prints.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { createClient } from '../../src/client/client';
import { FilamentsDocument, PrintersDocument, PrintJobsDocument, SpoolsDocument } from '../../src/generated/operations';
import { connectToBrowser, visit } from '../support/browser';
import { startChild } from '../support/child-process';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';
import { CLI, ROOT } from '../support/running-gateway';
import { until } from '../support/waiting';

const FOLDER = 'test/browser/pictures';
const MAX_BYTES = 150_000;
const isTaking = process.env['PICTURES'] === 'new';

const LOOKS = [
  { width: 1440, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;

const PAGES = {
  farm: '/',
  printers: '/printers',
  printer: '/printers/PRINTER',
  cameras: '/camera/',
  camera: '/camera/?id=bay-3-nozzle',
  jobs: '/jobs',
  job: '/jobs/JOB',
  spools: '/spools',
  spool: '/spools/SPOOL',
  filaments: '/filaments',
  filament: '/filaments/FILAMENT',
  labels: '/labels?spools=4,5,6,7,8,9&filaments=1&sheet=a4-24&skip=2',
  materials: '/materials',
  reports: '/reports',
  settings: '/settings',
  notifications: '/notifications',
  import: '/import',
  shopping: '/filaments/shopping',
  start: '/start',
};

const README = [
  { name: 'farm.png', path: PAGES.farm, colorScheme: 'light' },
  { name: 'camera.png', path: PAGES.camera, colorScheme: 'dark' },
] as const;

let browser: Browser;
let gateway: ListeningGateway;
let seed: ReturnType<typeof startChild>;
/** The ids in the addresses. */
let ids: Record<string, string>;

if (isTaking) {
  beforeAll(async () => {
    [browser, gateway] = await Promise.all([
      connectToBrowser(),
      listenInProcess({ CURRENCY: 'EUR', DEVICE_KEY: 'd1'.repeat(32) }),
    ]);
    const { hostname, port } = new URL(gateway.url);
    seed = startChild(CLI, ['seed', '--live'], { HOST: hostname, PORT: port });
    await until(
      'four printers print',
      () => seed.output,
      (output) => output.split(' started on ').length > 4,
    );
    const client = createClient({ url: `${gateway.url}/graphql` });
    const { printers } = await client.request(PrintersDocument);
    const { spools } = await client.request(SpoolsDocument);
    const { filaments } = await client.request(FilamentsDocument);
    const { printJobs } = await client.request(PrintJobsDocument, { filter: { search: 'First layer test' } });
    ids = {
      PRINTER: `${printers.nodes.find(({ name }) => name.startsWith('Bay 4'))?.id}`,
      SPOOL: `${spools.nodes.find(({ spoolSerial }) => spoolSerial === 'PLA-WHITE-0413')?.id}`,
      FILAMENT: `${filaments.nodes.find(({ name }) => name === 'PLA+ White')?.id}`,
      JOB: `${printJobs.nodes[0]?.id}`,
    };
  });
  afterAll(async () => {
    await browser?.close();
    seed?.kill('SIGINT');
    await gateway?.stop();
  });
}

async function shown(path: string, look: { width: number; colorScheme: 'light' | 'dark' }): Promise<Page> {
  const address = path.replace(/PRINTER|SPOOL|FILAMENT|JOB/, (name) => `${ids[name]}`);
  const { page } = await visit(browser, gateway.url + address, look);
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  return page;
}

function keep(name: string, taken: Buffer): void {
  const file = join(ROOT, FOLDER, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, taken);
}

const cases = Object.entries(PAGES).flatMap(([name, path]) =>
  LOOKS.map((look) => ({ name: `pages/${name}-${look.width}-${look.colorScheme}.jpg`, path, look })),
);

test.each(cases)('$name exists, and is small', async ({ name, path, look }) => {
  if (isTaking) keep(name, await (await shown(path, look)).screenshot({ type: 'jpeg', quality: 40 }));
  expect(statSync(join(ROOT, FOLDER, name)).size).toBeLessThan(MAX_BYTES);
});

test.each(README)('the README shows $name, which is small', async ({ name, path, colorScheme }) => {
  if (isTaking) keep(name, await (await shown(path, { width: 1280, colorScheme })).screenshot());
  expect(statSync(join(ROOT, FOLDER, name)).size).toBeLessThan(MAX_BYTES);
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(`](${FOLDER}/${name})`);
});
