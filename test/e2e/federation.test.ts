// The commands and files of docs/guides/supergraph.md build a supergraph from a gateway.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'graphql';
import { startChild } from '../support/child-process';
import { curl } from '../support/curl';
import { findCodeBlocks, readPage, shellLines } from '../support/docs';
import { freePort } from '../support/free-port';
import { listenInProcess } from '../support/listening-gateway';
import { ROOT } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';

const PAGE = readPage('docs/guides/supergraph.md');
const { dependencies, devDependencies } = JSON.parse(fs.readFileSync(join(ROOT, 'package.json'), 'utf8'));

test('a reader builds a supergraph with the commands and the files of the page', async () => {
  const [install = '', write = '', start = '', call = '', answer = '', ...others] = shellLines(PAGE);
  expect(others).toEqual([]);
  const text = findCodeBlocks(PAGE).find(({ text }) => text.includes('createServer(router)'))?.text ?? '';
  const gateway = await listenInProcess();
  const folder = temporaryFolder('supergraph');
  const port = await freePort();
  try {
    // The packages that it installs are here, in the same versions, and no others are imported.
    const [npm, command, ...packages] = install.split(/ +/);
    expect([npm, command]).toEqual(['npm', 'install']);
    for (const [, name = '', version] of packages.map((one) => /^(.+)@(.+)$/.exec(one) ?? []))
      expect([name, version]).toEqual([name, { ...dependencies, ...devDependencies }[name]]);
    const imported = [...text.matchAll(/from '(?!node:)(.+)'/g)].map(([, name]) => name);
    expect(packages).toEqual(expect.arrayContaining(imported.map((name) => expect.stringMatching(`^${name}@`))));
    fs.symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));

    await promisify(execFile)('bash', ['-c', write.replace('http://127.0.0.1:4000', gateway.url)], { cwd: folder });
    expect(start).toBe('node router.mjs');
    const here = text.replace('http://127.0.0.1:4000', gateway.url).replaceAll('4400', String(port));
    fs.writeFileSync(join(folder, 'router.mjs'), here);
    const router = startChild(join(folder, 'router.mjs'), [], {}, folder);
    try {
      await router.waitForOutput('is ready');
      const { url, init } = curl(call);
      const response = await fetch(url.replace(':4400/', `:${port}/`), init);
      expect([response.status, await response.json()]).toEqual([200, JSON.parse(answer.replace(/^# /, ''))]);
      // As Ctrl-C does.
      router.kill('SIGINT');
      expect(await router.ended).toBe(0);
    } finally {
      router.kill('SIGKILL');
      await router.ended;
    }
  } finally {
    await gateway.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

test('the subgraph that a reader writes is GraphQL', () => {
  const schemas = findCodeBlocks(PAGE).filter(({ language }) => language === 'graphql');
  expect(schemas.map(({ text }) => parse(text).definitions.length)).toEqual([3]);
});
