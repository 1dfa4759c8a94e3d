// The examples of the README, as they are in it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './running-gateway';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The JavaScript from this comment to the next empty line, with another address in place of the usual one. */
export function exampleOf(comment: string, url: string): string {
  const lines = readme.split('\n');
  const begin = lines.indexOf(`// ${comment}`) + 1;
  if (begin === 0) throw new Error(`The README has no example "${comment}"`);
  const end = lines.findIndex((line, at) => at > begin && /^(```)?$/.test(line));
  return lines.slice(begin, end).join('\n').replaceAll('127.0.0.1:4000', new URL(url).host);
}
