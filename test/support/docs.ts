// The pages for readers, the README and those of docs: their text, their blocks of code and their tables.
import fs from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** By the path in the repository, the README first. */
export const PAGES = new Map(
  [
    'README.md',
    ...fs
      .readdirSync(join(ROOT, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ].map((path) => [path, fs.readFileSync(join(ROOT, path), 'utf8')]),
);

export function page(path: string): string {
  const text = PAGES.get(path);
  if (text === undefined) throw new Error(`There is no page ${path}`);
  return text;
}

/** The fenced blocks of a page, or of all pages, in order. */
export function blocks(text = [...PAGES.values()].join('\n')): { language: string; text: string }[] {
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    language,
    text: code.replaceAll(/\\\n\s*/g, '').trim(),
  }));
}

/** The lines of the blocks of shell: commands, and their answers as comments. */
export const shellLines = (text?: string) =>
  blocks(text).flatMap(({ language, text }) => (language === 'sh' ? text.split('\n') : []));

/** The JavaScript from this comment to the next empty line, with another address in place of the usual one. */
export function exampleOf(comment: string, url: string): string {
  const lines = page('docs/live.md').split('\n');
  const begin = lines.indexOf(`// ${comment}`) + 1;
  if (begin === 0) throw new Error(`docs/live.md has no example "${comment}"`);
  const end = lines.findIndex((line, at) => at > begin && /^(```)?$/.test(line));
  return lines.slice(begin, end).join('\n').replaceAll('127.0.0.1:4000', new URL(url).host);
}
