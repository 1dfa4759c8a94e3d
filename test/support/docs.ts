// Reads the README and the pages of docs: their text, their blocks of code and their tables.
import fs from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** The pages by their path in the repository, the README first. */
export const PAGES = new Map(
  ['README.md', ...listPages('docs')].map((path) => [path, fs.readFileSync(join(ROOT, path), 'utf8')]),
);

function listPages(folder: string): string[] {
  const paths = fs.readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => path.endsWith('.md'))
    .map((path) => `${folder}/${path}`)
    .sort();
}

export function readPage(path: string): string {
  const text = PAGES.get(path);
  if (text === undefined) throw new Error(`There is no page ${path}`);
  return text;
}

/** The fenced code blocks of a page, or of all pages, in order. A block in a list is indented. */
export function findCodeBlocks(text = [...PAGES.values()].join('\n')): { language: string; text: string }[] {
  return [...text.matchAll(/^( *)```(\w+)\n(.*?)^\1```$/gms)].map(([, indent = '', language = '', code = '']) => ({
    language,
    text: code
      .replaceAll(new RegExp(`^${indent}`, 'gm'), '')
      .replaceAll(/\\\n\s*/g, '')
      .trim(),
  }));
}

/** The lines of the shell blocks: commands, and their output as comments. */
export const shellLines = (text?: string) =>
  findCodeBlocks(text).flatMap(({ language, text }) => (language === 'sh' ? text.split('\n') : []));

/** The JavaScript from this comment to the next empty line, with the usual address replaced. */
export function readExample(comment: string, url: string): string {
  const lines = readPage('docs/guides/follow-changes.md').split('\n');
  const begin = lines.indexOf(`// ${comment}`) + 1;
  if (begin === 0) throw new Error(`docs/guides/follow-changes.md has no example "${comment}"`);
  const end = lines.findIndex((line, at) => at > begin && /^(```)?$/.test(line));
  return lines.slice(begin, end).join('\n').replaceAll('127.0.0.1:4000', new URL(url).host);
}

/** The names in the code spans of a text. */
export const findNames = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);
/** A table of a page. */
export interface Table {
  heads: string[];
  rows: string[][];
}
/** The tables of a page, or of its section. */
export function findTables(path: string, section?: string): Table[] {
  const text =
    section === undefined
      ? readPage(path)
      : (readPage(path)
          .split(/^(?=#)/m)
          .find((one) => one.startsWith(`## ${section}\n`)) ?? '');
  const cells = (line: string) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
  return [...text.matchAll(/^\|(.*)\n\|---.*\n((?:\|.*\n)+)/gm)].map(([, heads = '', body = '']) => ({
    heads: cells(`|${heads}`),
    rows: body.trim().split('\n').map(cells),
  }));
}
