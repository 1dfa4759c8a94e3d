// Writes docs/reference/messages.md, the list of the sentences that users and operators read, so that they can be read in one sitting.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from '@swc/core';

export const MESSAGES_FILE = 'docs/reference/messages.md';

/** The headings of the list, each with its files and folders below src. */
const AREAS: [heading: string, paths: string[]][] = [
  ['Command line', ['commands', 'demo', 'client']],
  ['Settings, start and database', ['config.ts', 'main.ts', 'app.ts', 'composition', 'database', 'observability']],
  ['Requests', ['errors.ts', 'doors', 'values', 'sharing']],
  ['Farm: jobs, prints, spools, cameras and alerts', ['farm']],
  ['Machines and connections', ['kind-facts.ts', 'machines', 'wire']],
  ['Notifications', ['notifications']],
  ['Print files', ['slicers']],
];

/** Files whose texts are all sentences for users, except the descriptions in the schema. */
const SENTENCE_FILES = [
  'commands/gateway-failures.ts',
  'database/driver/database-url.ts',
  'database/embedded/memory-needs.ts',
  'database/start-failures.ts',
  'farm/alerts/alert.messages.ts',
  'farm/prints/observed-print.status.ts',
  'kind-facts.ts',
  'notifications/delivery-faults.ts',
  'notifications/events/messages.ts',
  'wire/fault-sentences.ts',
];

/** The simulated machines of the demo show their own texts, not those of the gateway. */
const LEFT_OUT = /^(generated\/|demo\/machines\/|doors\/rest\/openapi|commands\/emit-messages)/;

/** The errors of libraries that this code throws. Its other errors extend them, and are found by that. */
const LIBRARY_ERRORS = ['Error', 'RangeError', 'TypeError', 'InvalidArgumentError', 'GraphQLError'];
const LOG_FUNCTION = /^(debug|info|warn|error|fatal)$/;
const FUNCTION =
  /^(log|say|refuse\w*|makeRefusal|errorBody|endWith|sightingDecision|addSighting|onLeftOut|describeDamage|schemaFailure|description|option|argument|addHelpText|jobReport|report)$/;
/** Functions that return a sentence. */
const SENTENCE_FUNCTION = /sentence|message|reason|remedy|fault|warning|describeChanges|describeMaterials|formatTable/i;
const LIST = /^(faults|issues)$/;
const MEMBER = /^(message|stopped|title|reason|remedy|error)$/;

/** Two words: other texts are names, codes and parts of paths. */
const WORDS = /\p{L}{2}[,.;:]?\s+(?:\p{L}|…)|…\s\p{Ll}{2}/u;
const SQL = /^\s*(select|insert|update|delete|create|drop|set|with|begin|commit|rollback|copy|alter|vacuum) /;

interface Node {
  type?: string;
  value?: unknown;
  [member: string]: unknown;
}

/** The node of a member; a node without a type where there is none. */
const nodeAt = (node: Node, ...path: string[]): Node =>
  path.reduce((inner, name) => (inner[name] as Node | undefined | null) ?? {}, node);

const nameOf = (node: Node): string => {
  const inner = node.type === 'MemberExpression' ? nodeAt(node, 'property') : node;
  return String(inner.value ?? '');
};

function childrenOf(node: Node): Node[] {
  const members = Object.entries(node).filter(([name]) => name !== 'span');
  return members.flatMap(([, value]) => [value].flat() as unknown[]).filter(isNode);
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/**
 * The text of a literal, in which … stands for each value; undefined for any other expression.
 * @param texts the texts of the file's constants, by their names
 */
function readText(node: Node, texts: ReadonlyMap<string, string>): string | undefined {
  if (node.type === 'StringLiteral') return String(node.value);
  if (node.type === 'TemplateLiteral' && node['expressions'] !== undefined) {
    const quasis = node['quasis'] as { cooked: string }[];
    const values = (node['expressions'] as Node[]).map(
      (value) => readText(value, texts) ?? texts.get(nameOf(value)) ?? '…',
    );
    return quasis.map(({ cooked }, at) => cooked + (values[at] ?? '')).join('');
  }
  if (node.type === 'ParenthesisExpression') return readText(nodeAt(node, 'expression'), texts);
  if (node.type !== 'BinaryExpression' || node['operator'] !== '+') return undefined;
  const [left, right] = [nodeAt(node, 'left'), nodeAt(node, 'right')].map((side) => readText(side, texts));
  return left === undefined && right === undefined ? undefined : `${left ?? '…'}${right ?? '…'}`;
}

/** The names of all classes that extend an error. */
function findErrors(codes: readonly string[]): Set<string> {
  const errors = new Set(LIBRARY_ERRORS);
  const classes = codes.flatMap((code) => [...code.matchAll(/\bclass (\w+) extends (\w+)/g)]);
  for (let count = 0; count !== errors.size; ) {
    count = errors.size;
    for (const [, name = '', parent = ''] of classes) if (errors.has(parent)) errors.add(name);
  }
  return errors;
}

/** The constants at the top of a file that are texts, by their names. */
function findConstants(module: Node, texts = new Map<string, string>()): Map<string, string> {
  for (const statement of nodeAt(module, 'body') as unknown as Node[]) {
    const declaration = statement.type === 'ExportDeclaration' ? nodeAt(statement, 'declaration') : statement;
    for (const { id, init } of (declaration['declarations'] ?? []) as { id: Node; init: Node | null }[]) {
      const text = init ? readText(init, texts) : undefined;
      if (text !== undefined) texts.set(nameOf(id), text);
    }
  }
  return texts;
}

/** Whether a text inside of this node is a sentence for users or a line of the log; null: neither; undefined: an outer node decides. */
function decideKind(node: Node, errors: ReadonlySet<string>): 'sentence' | 'log' | null | undefined {
  switch (node.type) {
    case 'NewExpression':
      return errors.has(nameOf(nodeAt(node, 'callee'))) ? 'sentence' : null;
    case 'CallExpression': {
      const callee = nodeAt(node, 'callee');
      const name = nameOf(callee);
      const owner = nameOf(nodeAt(callee, 'object'));
      if (callee.type === 'Super') return 'sentence';
      if (owner === 'console') return 'sentence';
      if (LOG_FUNCTION.test(name)) return 'log';
      return FUNCTION.test(name) || (name === 'push' && LIST.test(owner)) ? 'sentence' : undefined;
    }
    case 'TaggedTemplateExpression':
      return null;
    case 'KeyValueProperty':
      return MEMBER.test(nameOf(nodeAt(node, 'key'))) ? 'sentence' : undefined;
    case 'VariableDeclarator':
      return SENTENCE_FUNCTION.test(nameOf(nodeAt(node, 'id'))) ? 'sentence' : undefined;
    case 'FunctionDeclaration':
    case 'ClassMethod':
    case 'PrivateMethod':
      return SENTENCE_FUNCTION.test(nameOf(nodeAt(node, node.type === 'FunctionDeclaration' ? 'identifier' : 'key')))
        ? 'sentence'
        : null;
    case 'Decorator':
    case 'TsTypeAnnotation':
    case 'ImportDeclaration':
      return null;
    default:
      return undefined;
  }
}

/** The sentences of a file, in the order of the file. A sentence that occurs twice is listed once. */
function findMessages(code: string, errors: ReadonlySet<string>, isSentenceFile: boolean): string[] {
  const module = parseSync(code, { syntax: 'typescript', decorators: true }) as unknown as Node;
  const texts = findConstants(module);
  const messages = new Set<string>();
  const visit = (node: Node, outer: 'sentence' | 'log' | null) => {
    const text = readText(node, texts);
    if (text !== undefined) {
      const line = text.replace(/\s+/g, ' ').trim();
      if (outer !== null && WORDS.test(line) && !SQL.test(line)) messages.add(outer === 'log' ? `Log: ${line}` : line);
      return;
    }
    const isDescription = node.type === 'KeyValueProperty' && nameOf(nodeAt(node, 'key')) === 'description';
    const kind = isDescription ? null : isSentenceFile ? 'sentence' : decideKind(node, errors);
    for (const child of childrenOf(node)) visit(child, kind === undefined ? outer : kind);
  };
  visit(module, null);
  return [...messages];
}

/** Markdown would read these characters as its own. */
const escapeMarkdown = (text: string) => text.replaceAll('<', '&lt;').replace(/[*|]/g, '\\$&');

const HEAD = `# Messages

This page lists the sentences that users and operators of the gateway read: errors, alerts, faults, notifications, the command line
and the log. The command \`npm run codegen\` writes the page from the source, file by file. Do not edit it.

- An ellipsis (…) stands for a value.
- A message that starts with a small letter continues the name of a member, a file or a setting.
- "Log:" marks a line of the log.

These texts are not listed: the dashboard, the descriptions in the GraphQL and REST schemas, the errors of libraries (such as GraphQL
syntax errors), the notes that the gateway writes into jobs, messages in SQL files, and sentences that functions with other names put
together.
`;

export function messagesText(): string {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !LEFT_OUT.test(path))
    .sort()
    .map((path) => ({ path, code: readFileSync(join('src', path), 'utf8') }));
  const errors = findErrors(files.map(({ code }) => code));
  const areas = AREAS.map(([heading, paths]) => {
    const lists = files
      .filter(({ path }) => paths.some((start) => path === start || path.startsWith(`${start}/`)))
      .map(({ path, code }) => ({ path, messages: findMessages(code, errors, SENTENCE_FILES.includes(path)) }))
      .filter(({ messages }) => messages.length > 0)
      .map(
        ({ path, messages }) =>
          `### ${path}\n\n| Message |\n|---|\n${messages.map((text) => `| ${escapeMarkdown(text)} |\n`).join('')}`,
      );
    return `## ${heading}\n\n${lists.join('\n')}`;
  });
  return [HEAD, ...areas].join('\n');
}

if (require.main === module) {
  mkdirSync(dirname(MESSAGES_FILE), { recursive: true });
  writeFileSync(MESSAGES_FILE, messagesText());
}
