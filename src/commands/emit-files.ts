// Writes docs/reference/files.md: the first sentence of each file of src, by folder.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SOURCE = /\.(ts|tsx|sql)$/;
const HEAD = `# Files

This page lists each file of \`src\` with the sentence at its top, so that you find the file of a rule by a word. \`npm run codegen\` writes
it; nobody edits it.
`;

/** Each file below a root, in the order of the page: by folder, then by name. */
export function filesBelow(root: string): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => SOURCE.test(path) && !path.startsWith('generated/'))
    .sort((one, other) => byText(dirname(one), dirname(other)) || byText(one, other));
}

/** By code point, so that every computer writes the same page. */
const byText = (one: string, other: string) => Number(one > other) - Number(one < other);

/** The first sentence of the comment at the top; null where a file does not start with a comment. */
export function firstSentence(text: string): string | null {
  const [head = ''] = /^(?:(?:\/\/|--|#!).*\n)+/.exec(text) ?? [];
  const prose = head
    .split('\n')
    .filter((line) => !line.startsWith('#!'))
    .map((line) => line.replace(/^(\/\/|--) ?/, ''))
    .join(' ')
    .trim();
  if (prose === '') return null;
  const [sentence = prose] = /^.+?[.!?](?= |$)/.exec(prose) ?? [];
  return sentence;
}

export function filesPage(root: string): string {
  const folders = new Map<string, string[]>();
  for (const path of filesBelow(root)) {
    const sentence = firstSentence(readFileSync(join(root, 'src', path), 'utf8')) ?? '';
    const folder = dirname(path) === '.' ? 'src' : `src/${dirname(path)}`;
    const name = path.slice(path.lastIndexOf('/') + 1);
    folders.set(folder, [...(folders.get(folder) ?? []), `| \`${name}\` | ${sentence.replaceAll('|', '\\|')} |`]);
  }
  const sections = [...folders].map(
    ([folder, rows]) => `\n## ${folder}\n\n| File | What it decides or holds |\n|---|---|\n${rows.join('\n')}\n`,
  );
  return HEAD + sections.join('');
}

if (require.main === module) writeFileSync(join(process.cwd(), 'docs/reference/files.md'), filesPage(process.cwd()));
