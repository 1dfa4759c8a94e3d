// The examples of the README, as they are in it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './running-gateway';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The JavaScript whose first line is this comment, with another address in place of the usual one. */
export function exampleOf(comment: string, url: string): string {
  const examples = [...readme.matchAll(/^```js\n\/\/ (.*)\n([\s\S]*?)^```$/gm)];
  const text = examples.find(([, first]) => first === comment)?.[2];
  if (text === undefined) throw new Error(`The README has no example "${comment}"`);
  return text.replaceAll('127.0.0.1:4000', new URL(url).host);
}
