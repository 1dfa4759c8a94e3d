// Every sentence and table row of the two service documents is quoted by the name of a test, or stands here with the
// reason why there is nothing to test.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Clause, type DocumentName, quotes, readClauses } from './clauses';

/** `prefix: text` of the clauses that state nothing testable. */
const NOTHING_TO_TEST: Record<DocumentName, Record<string, string>> = {
  'camera-status-service': {
    'Opening: This document covers the camera registry and status interface: registering cameras, listing cameras with their latest status, and reading one camera with its recent status history.':
      'introduces what §4 states',
    'Opening: A second document covers the print job interface, a separate area.': 'points elsewhere',
    '§2 Camera status: Exact member names and nesting of the list item: not shown.':
      'left open; silent-points/cameras.ts',
    '§2 Camera status: Field types and formats: not shown.': 'left open; silent-points/cameras.ts',
    '§3: Allowed values of recording_state and transitions: not shown.': 'left open: any text',
    '§4 GET /cameras: How their status members appear: not shown.': 'left open; silent-points/cameras.ts',
    '§4 POST /cameras: Request body (JSON):': 'introduces the table after it',
    '§4 POST /cameras: Rules:': 'introduces the list after it',
    '§4 GET /cameras/{id}: How status records are created or ingested: not shown.':
      'left open; silent-points/cameras.ts',
    '§5: Authentication: not shown.': 'left open',
    '§6: Events: not shown.': 'left open',
    '§7: Behaviour for a duplicate camera_id: not shown.': 'left open; silent-points/cameras.ts',
    '§8: Rate limits: not shown.': 'left open',
    '§9: Versioning: not shown.': 'left open',
  },
  'print-job-service': {
    'Opening: This document covers the print job interface under the path prefix /api/printjobs: listing with filters and pages, create, read, full update, status change, and soft-delete.':
      'introduces what §4 states',
    'Opening: A separate document covers the camera registry and status interface.': 'points elsewhere',
    '§2 Related resources used by the rules: Other fields of Printer and Spool: not shown.': 'left open',
    '§2 Related resources used by the rules: JSON property-name casing on the wire: not shown.':
      'left open; silent-points/wire.ts',
    '§2 Related resources used by the rules: Validation constraints on request fields beyond those in the rules below: not shown.':
      'left open; bad-input/rest-bodies.ts',
    '§3: Rejected transitions (response 400):': 'introduces the list after it, whose every pair expects 400',
    '§4 GET /api/printjobs: Query parameters:': 'introduces the table after it',
    '§4 GET /api/printjobs: Default values of PageNumber and PageSize: not shown.':
      'left open; silent-points/print-jobs.ts',
    '§4 PUT /api/printjobs/{id}: Rules:': 'introduces the list after it',
    '§4 DELETE /api/printjobs/{id}: Rules:': 'introduces the list after it',
    '§5: Authentication: not shown.': 'left open',
    '§6: Events: not shown.': 'left open',
    '§7: Response for a malformed body or a path id that is not a GUID: not shown.':
      'left open; bad-input/rest-bodies.ts, bad-input/rest-paths.ts',
    '§8: Rate limits: not shown.': 'left open',
    '§9: Versioning: not shown.': 'left open',
  },
};

/** Loads a document's tests with a `test` that collects the titles instead of registering them here. */
function loadTestNames(document: DocumentName): string[] {
  const names: string[] = [];
  const runner = globalThis as Record<string, unknown>;
  const stubs: Record<string, unknown> = {
    test: (name: string) => names.push(name),
    describe: Object.assign((_name: string, suite: () => void) => suite(), {
      each: (rows: unknown[]) => (_name: string, suite: (...row: unknown[]) => void) => {
        for (const row of rows) suite(...(Array.isArray(row) ? row : [row]));
      },
    }),
  };
  for (const hook of ['beforeAll', 'afterAll', 'beforeEach', 'afterEach']) stubs[hook] = () => undefined;
  const originals = Object.fromEntries(Object.keys(stubs).map((name) => [name, runner[name]]));
  Object.assign(runner, stubs);
  try {
    require(`./${document}.test`);
  } finally {
    Object.assign(runner, originals);
  }
  return names;
}

const formatClause = (clause: Clause) => `${clause.prefix}: ${clause.text}`;

describe.each(['camera-status-service', 'print-job-service'] as const)('%s', (document) => {
  const clauses = readClauses(document);
  const names = loadTestNames(document);
  const excepted = Object.keys(NOTHING_TO_TEST[document]);

  test('the document is read completely', () => {
    expect(clauses.length).toBeGreaterThan(60);
  });

  test('every clause is quoted by the name of a test', () => {
    const unquoted = clauses.filter((clause) => !names.some((name) => quotes(name, clause))).map(formatClause);
    expect(unquoted.filter((clause) => !excepted.includes(clause))).toEqual([]);
  });

  test('every exception is a clause of the document that no test quotes', () => {
    const clausesShown = clauses.filter((clause) => !names.some((name) => quotes(name, clause))).map(formatClause);
    expect(excepted.filter((exception) => !clausesShown.includes(exception))).toEqual([]);
  });

  test('every file that an exception names exists', () => {
    const named = Object.values(NOTHING_TO_TEST[document]).flatMap((reason) => reason.match(/[\w/-]+\.ts/g) ?? []);
    expect(named).not.toEqual([]);
    expect(named.filter((file) => !existsSync(join(__dirname, file)))).toEqual([]);
  });

  test('every test quotes a clause', () => {
    expect(names.filter((name) => !clauses.some((clause) => quotes(name, clause)))).toEqual([]);
  });
});
