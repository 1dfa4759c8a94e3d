// The OpenAPI 3.1 description of the REST paths: the operations and their refusals. /openapi.json serves it.
import type { GraphQLSchema } from 'graphql';
import { HISTORY_ENTRIES, HISTORY_HOURS } from '../../farm/cameras/camera.limits';
import { MAX_PAGE_SIZE, PAGE_OF_JOBS } from '../../farm/print-jobs/print-job.limits';
import { allowedTransitions, JOB_STATUSES } from '../../farm/print-jobs/print-job.status';
import { DATA_SOURCES } from '../../farm/print-jobs/print-job.types';
import { UsageGroupEnum } from '../../farm/reports/usage.types';
import { DECIMAL_MARKS, SEPARATORS } from '../../values/csv';
import { DECIMAL_RANGE } from '../../values/decimal';
import type { Spelling } from '../../values/spelling';
import { KEY_FORM } from '../idempotency/idempotency.service';
import { KEY_HOURS } from '../idempotency/idempotency.store';
import { bodiesOf, GUID, INT32, type Json, list, ref, worded } from './openapi-bodies';
import { CSV_ORDERS } from './queries';
import { CAMERA_ERRORS, type ErrorFormat, OWN_ERRORS, printJobErrors } from './rest-errors';

interface Settings {
  /** Spells the members of print jobs: `Id` or `id` (REST_PRINT_JOB_CASING). */
  spell: Spelling;
  /** Whether callers need credentials. */
  secured: boolean;
  /** Whether the number of requests is limited. */
  limited: boolean;
}

const STATUS_SENTENCES: Record<number, string> = {
  400: 'The request cannot be accepted; the message names the member and the allowed values.',
  401: 'Credentials are missing, wrong or expired.',
  403: 'The credentials do not allow this: `GET` needs the scope `read`, every other method the scope `write`.',
  404: 'There is no record with this id.',
  409: 'This mac_address or camera_id is registered already.',
  413: 'The body is larger than the gateway accepts (BODY_LIMIT_BYTES, 1 MiB unless set).',
  422: 'The Idempotency-Key was used for another request.',
  429: 'The limit of requests is reached; the header Retry-After gives the seconds to wait.',
  500: 'The gateway could not complete the request, for example because its storage failed.',
  503: 'The database does not answer, or not in time. The header Retry-After gives the seconds to wait.',
};

interface Operation {
  operationId: string;
  summary: string;
  /** This text follows the description of the mutation with the same name. */
  description?: string;
  query?: Json[];
  body?: string;
  answers: Record<number, Json>;
}

const job = (description: string) => answer(description, ref('PrintJob'));
const location = { headers: { Location: { description: 'The path of the new job.', schema: { type: 'string' } } } };
const filter = (name: string, description: string, schema: Json) => ({ name, in: 'query', description, schema });
const transitions = JOB_STATUSES.map((from) => `${from} can become ${allowedTransitions(from).join(', ')}.`);

const INSTANT: Json = { type: 'string', format: 'date-time' };
const LINKS = [
  filter('printerId', 'Only jobs of this printer.', GUID),
  filter('spoolId', 'Only jobs of this spool.', GUID),
];
const JOB_FILTER = [
  ...LINKS,
  filter('status', 'Only jobs in one of these statuses.', {
    type: 'array',
    items: { type: 'string', enum: JOB_STATUSES },
  }),
  filter('dataSource', 'Only jobs from this source.', { type: 'string', enum: DATA_SOURCES }),
  filter('createdFrom', 'Created at or after this instant.', INSTANT),
  filter('createdTo', 'Created at or before this instant.', INSTANT),
  filter('search', 'Part of the print name; upper and lower case are the same.', { type: 'string' }),
];

const CSV_FORM = [
  filter('bom', 'Whether the file begins with a byte order mark, by which Excel knows UTF-8.', {
    type: 'boolean',
    default: false,
  }),
  filter('separator', 'What stands between two cells; also as the sign itself.', {
    type: 'string',
    enum: Object.keys(SEPARATORS),
    default: 'comma',
  }),
  filter('decimalMark', 'What stands before the decimals of a number; also as the sign itself.', {
    type: 'string',
    enum: Object.keys(DECIMAL_MARKS),
    default: 'point',
  }),
];

const JOB_FILE = [
  ...JOB_FILTER,
  filter('orderBy', 'The order of the lines.', { type: 'string', enum: Object.keys(CSV_ORDERS) }),
  ...CSV_FORM,
];

/** Names are the graph's here. */
const OPERATIONS: Record<string, Operation> = {
  'GET /cameras': {
    operationId: 'listCameras',
    summary: 'All cameras with their latest status',
    description:
      'Ascending by cameraId, in code point order. The latest status is the record with the greatest recordedAt, of any age. A camera without a record is in the list, with null in the members of the status.',
    answers: { 200: answer('The cameras.', list('CameraStatusItem', 'Empty when there are no cameras.')) },
  },
  'POST /cameras': {
    operationId: 'registerCamera',
    summary: 'Register a camera',
    description: 'The cameraId cannot be changed.',
    body: 'RegisterCamera',
    answers: { 201: answer('The camera as registered.', ref('RegisteredCamera')), 409: refusal(409) },
  },
  'GET /cameras/{id}': {
    operationId: 'getCamera',
    summary: 'One camera with its latest status and history',
    description: `The history holds at most ${HISTORY_ENTRIES} records of the last ${HISTORY_HOURS} hours, newest first. The latest status may be older.`,
    answers: { 200: answer('The camera.', ref('CameraDetail')) },
  },
  'GET /api/printjobs': {
    operationId: 'listPrintJobs',
    summary: 'A page of print jobs',
    description: 'Newest first by createdAt.',
    query: [
      filter('pageNumber', 'Page, from 1. Values below 1 become 1.', { ...INT32, default: 1 }),
      filter('pageSize', `Jobs per page, clamped to 1..${MAX_PAGE_SIZE}.`, { ...INT32, default: PAGE_OF_JOBS }),
      ...LINKS,
      filter('status', 'Only jobs in this status. A blank or unrecognised value is ignored.', {
        type: 'string',
        enum: JOB_STATUSES,
      }),
    ],
    answers: { 200: answer('The page.', ref('PrintJobPage')) },
  },
  'POST /api/printjobs': {
    operationId: 'createPrintJob',
    summary: 'Create a print job',
    body: 'CreatePrintJob',
    answers: { 201: { ...job('The job as created.'), ...location } },
  },
  'GET /api/printjobs/{id}': {
    operationId: 'getPrintJob',
    summary: 'One print job',
    answers: { 200: job('The job.') },
  },
  'PUT /api/printjobs/{id}': {
    operationId: 'updatePrintJob',
    summary: 'Replace the members of a print job',
    body: 'UpdatePrintJob',
    answers: { 200: job('The job as updated.') },
  },
  'DELETE /api/printjobs/{id}': {
    operationId: 'cancelPrintJob',
    summary: 'Cancel a print job',
    answers: { 204: { description: 'The job is cancelled.' } },
  },
  'PATCH /api/printjobs/{id}/status': {
    operationId: 'changePrintJobStatus',
    summary: 'Change the status of a print job',
    description: transitions.join(' '),
    body: 'UpdatePrintJobStatus',
    answers: { 200: job('The job in its new status.') },
  },
  'GET /reports/filament-usage.csv': {
    operationId: 'filamentUsage',
    summary: 'Filament and cost of ended jobs, as CSV',
    query: [
      filter('from', 'Jobs that ended, and losses that were found, at or after this instant.', INSTANT),
      filter('to', 'Jobs that ended, and losses that were found, before this instant.', INSTANT),
      filter('groupBy', 'One row for each combination that has a job or a loss; one row for all without it.', {
        type: 'array',
        items: { type: 'string', enum: Object.keys(UsageGroupEnum) },
      }),
      filter('timeZone', 'The time zone in which days, weeks and months begin: an IANA name.', {
        type: 'string',
        default: 'UTC',
      }),
      ...JOB_FILTER,
      ...CSV_FORM,
    ],
    answers: { 200: csv('One line for each group.') },
  },
  'GET /reports/print-jobs.csv': {
    operationId: 'exportPrintJobs',
    summary: 'Print jobs as CSV, newest first unless orderBy says otherwise',
    query: JOB_FILE,
    answers: { 200: csv('One line for each job. A connection that breaks off means that jobs are missing.') },
  },
  'GET /reports/print-job-parts.csv': {
    operationId: 'exportPrintJobParts',
    summary: 'What print jobs used of each spool as CSV, newest jobs first unless orderBy says otherwise',
    query: JOB_FILE,
    answers: {
      200: csv('One line for each part of each job. A connection that breaks off means that lines are missing.'),
    },
  },
  'GET /reports/filming.csv': {
    operationId: 'exportFilming',
    summary:
      'What cameras recorded of print jobs, by their own word, as CSV, newest jobs first unless orderBy says otherwise',
    query: JOB_FILE,
    answers: {
      200: csv(
        'One line for each job and each camera that watched its printer. A connection that breaks off means that lines are missing.',
      ),
    },
  },
  'GET /reports/spools.csv': {
    operationId: 'exportSpools',
    summary: 'All spools as CSV, those out of use too',
    query: CSV_FORM,
    answers: {
      200: csv(
        'One line for each spool, by serial. importStock reads the file; the columns from filament on are for reading alone, and ' +
          'weighedGrams is empty. A connection that breaks off means that spools are missing.',
      ),
    },
  },
  'GET /reports/filaments.csv': {
    operationId: 'exportFilaments',
    summary: 'All filaments as CSV, those out of use too',
    query: CSV_FORM,
    answers: {
      200: csv(
        'One line for each filament, by name. importStock reads the file; the columns from spools on are for reading alone. A ' +
          'connection that breaks off means that filaments are missing.',
      ),
    },
  },
};

const KEY_HEADER = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `Makes a retry safe: a request with the same key is done once, and for ${KEY_HOURS} hours it gets the same answer, refusals included. Any text of visible ASCII characters, such as a GUID.`,
  schema: { type: 'string', pattern: KEY_FORM.source },
};

const CAMERA_ID = { type: 'string', minLength: 1, description: 'The camera_id, percent-encoded.' };
const JOB_ID = { ...GUID, description: 'The id of the print job; upper and lower case are the same.' };

/** The areas beside the print jobs, by the begin of their paths: the tag, and the format of errors. */
const AREAS: Record<string, readonly [tag: string, errors: ErrorFormat]> = {
  cameras: ['Cameras', CAMERA_ERRORS],
  reports: ['Reports', OWN_ERRORS],
};

const SECURITY = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or a JWT of the identity provider.' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The same, where a proxy uses Authorization.',
  },
};

function json(schema: Json) {
  return { content: { 'application/json': { schema } } };
}

function answer(description: string, schema: Json): Json {
  return { description, ...json(schema) };
}

function csv(description: string): Json {
  return { description, content: { 'text/csv': { schema: { type: 'string' } } } };
}

function refusal(status: number): Json {
  return { $ref: `#/components/responses/${status}` };
}

export function openApiDocument(graph: GraphQLSchema, { spell, secured, limited }: Settings) {
  const never = [...(secured ? [] : [401, 403]), ...(limited ? [] : [429])];
  const refusals = Object.entries(STATUS_SENTENCES).filter(([status]) => !never.includes(Number(status)));

  const operation = (method: string, path: string, { description, query = [], body, answers, ...names }: Operation) => {
    const [hasId, isWrite] = [path.includes('{id}'), method !== 'GET'];
    const [tag, errors] = AREAS[path.split('/')[1] ?? ''] ?? (['Print jobs', printJobErrors(spell)] as const);
    const id = tag === 'Cameras' ? CAMERA_ID : JOB_ID;
    const mutation = graph.getMutationType()?.getFields()[names.operationId]?.description;
    const text = [mutation, description].filter(Boolean).join(' ');
    const refused = [
      ...(hasId || body || query.length > 0 ? [400] : []),
      ...(hasId ? [404] : []),
      ...(body ? [413] : []),
      ...(isWrite ? [422] : []),
      ...[401, 403, 429, 500, errors.outageStatus].filter((status) => !never.includes(status)),
    ];
    return {
      tags: [tag],
      ...names,
      ...(text && { description: worded(text, errors.spell) }),
      parameters: [
        ...(hasId ? [{ name: 'id', in: 'path', required: true, schema: id }] : []),
        ...query.map((one) => ({ ...one, name: errors.spell(String(one['name'])) })),
        ...(isWrite ? [KEY_HEADER] : []),
      ],
      ...(body && { requestBody: { $ref: `#/components/requestBodies/${body}` } }),
      responses: { ...answers, ...Object.fromEntries(refused.map((status) => [status, refusal(status)])) },
    };
  };

  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {};
  for (const [route, described] of Object.entries(OPERATIONS)) {
    const [method = '', path = ''] = route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(method, path, described) };
  }
  const { requests, responses } = bodiesOf(graph, spell);
  // Not among the schemas: there, generators of types make a member with a default required.
  const bodies = Object.entries(requests).map(([title, schema]) => [
    title,
    { required: true, ...json({ title, ...schema }) },
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Print Farm Gateway: REST',
      version: '1.0.0',
      description: [
        'Two interfaces: the camera registry (`/cameras`) and print jobs (`/api/printjobs`). `POST /graphql` has the same data and rules.',
        'Bodies are read as JSON with any Content-Type. Names of members, query parameters, statuses and data sources may be in upper or lower case or mixed; unknown members are ignored, and null counts as left out. Every response with a body is `application/json`; every response has the header `x-request-id`.',
        'Every error is `{"error": message}`. All operations can also answer 404 for an unknown path, 405 with `Allow` for a wrong method, and 408 for a request that takes too long to arrive.',
        `Times are RFC 3339 in UTC with milliseconds and \`Z\`; input must have an offset, which may be any. Decimals are JSON numbers with all stored digits: read them with a decimal type if your client needs every digit. In requests they have ${DECIMAL_RANGE}, and may be numeric texts.`,
      ].join('\n\n'),
    },
    servers: [{ url: '.', description: 'This gateway' }],
    security: secured ? [{ bearer: [] }, { apiKey: [] }] : [],
    tags: [
      { name: 'Cameras', description: 'The camera registry and the latest status of each camera.' },
      { name: 'Print jobs', description: 'The records of prints and of the filament that they used.' },
      {
        name: 'Reports',
        description: 'Files for spreadsheets. Texts that a spreadsheet would compute begin with an apostrophe.',
      },
    ],
    paths,
    components: {
      schemas: responses,
      requestBodies: Object.fromEntries(bodies),
      responses: Object.fromEntries(refusals.map(([status, text]) => [status, answer(text, ref('Error'))])),
      ...(secured && { securitySchemes: SECURITY }),
    },
  };
}
