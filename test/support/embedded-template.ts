// An empty embedded database on disk, kept between runs: making one takes about 4 s, copying it a fraction of a second.
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

export async function makeEmbeddedTemplate(): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const template = join(tmpdir(), `gateway-test-pglite-${pgliteVersion()}-${uid}`);
  if (fs.existsSync(template)) {
    if (process.getuid && fs.statSync(template).uid !== uid) throw new Error(`${template} belongs to another account.`);
    return template;
  }
  const unfinished = fs.mkdtempSync(`${template}-`);
  await (await PGlite.create(unfinished)).close();
  try {
    fs.renameSync(unfinished, template);
  } catch {
    // Another run has made it meanwhile.
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
  return template;
}

function pgliteVersion(): string {
  const manifest = join(dirname(require.resolve('@electric-sql/pglite')), '..', 'package.json');
  return JSON.parse(fs.readFileSync(manifest, 'utf8')).version;
}
