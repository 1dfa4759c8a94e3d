// Describes the REST paths in OpenAPI 3.1, with their parameters, responses and errors. The gateway serves it at /openapi.json.
import type { GraphQLSchema } from 'graphql';
import { HISTORY_ENTRIES, HISTORY_HOURS } from '../../farm/cameras/camera.service';
import { PAGE_OF_JOBS } from '../../farm/print-jobs/print-job.limits';
import { allowedTransitions, JOB_STATUSES } from '../../farm/print-jobs/print-job.status';
import { DATA_SOURCES, PrintJobRecordingEnum } from '../../farm/print-jobs/print-job.types';
import { UsageGroupEnum } from '../../farm/reports/usage.types';
import { DECIMAL_MARKS, SEPARATORS } from '../../values/csv';
import { DECIMAL_RANGE } from '../../values/decimal';
import type { Spelling } from '../../values/spelling';
import { KEY_FORM } from '../idempotency/idempotency.service';
import { KEY_HOURS } from '../idempotency/idempotency.store';
import { buildBodies, GUID, INT32, type Json, makeList, makeReference, translateToRest } from './openapi-bodies';
import { CSV_ORDERS, MAX_PAGE_SIZE } from './queries';
import { CAMERA_ERRORS, type ErrorFormat, makePrintJobErrorFormat, USUAL_ERRORS } from './rest-errors';

interface Settings {
  /** The spelling of the members of print jobs: `Id` or `id` (REST_PRINT_JOB_CASING). */
  spell: Spelling;
  /** Whether clients need credentials. */
  secured: boolean;
  /** Whether the number of requests per minute is limited. */
  limited: boolean;
}

const STATUS_SENTENCES: Record<number, string> = {
  400: 'The request is invalid. The message names the member or the parameter, and the values that are allowed.',
  401: 'The credentials are missing, wrong or expired. Send a valid API key or token.',
  403: 'The credentials do not allow this request. `GET` needs the scope `read`; every other method needs the scope `write`.',
  404: 'No record has this id.',
  409: 'Another camera already has this camera_id or mac_address. Choose another value.',
  413: 'The body is larger than the gateway accepts: 1 MiB, unless BODY_LIMIT_BYTES sets another limit. Send a smaller body.',
  422: 'This Idempotency-Key was already used for a different request. Use a new key.',
  429: 'The client sent too many requests, or the gateway is busy. Try again after the number of seconds in the header Retry-After.',
  500: 'The gateway could not complete the request, for example because its storage failed. Try again later.',
  503: 'The database did not answer in time. Try again after the number of seconds in the header Retry-After.',
};

interface Operation {
  operationId: string;
  summary: string;
  /** Follows the description of the mutation whose name is the operationId. */
  description?: string;
  query?: Json[];
  body?: string;
  answers: Record<number, Json>;
}

const makeJobAnswer = (description: string) => makeAnswer(description, makeReference('PrintJob'));
const location = {
  headers: {
    Location: {
      description: 'The path of the new job, such as /api/printjobs/3f2504e0-4f89-41d3-9a0c-0305e82c3301.',
      schema: { type: 'string' },
    },
  },
};
const makeParameter = (name: string, description: string, schema: Json) => ({ name, in: 'query', description, schema });
const transitions = JOB_STATUSES.map((from) => `${from} can become ${allowedTransitions(from).join(', ')}.`);

const INSTANT: Json = { type: 'string', format: 'date-time' };
const LINKS = [
  makeParameter('printerId', 'Returns only jobs of this printer.', GUID),
  makeParameter('spoolId', 'Returns only jobs of this spool.', GUID),
];
const JOB_FILTER = [
  ...LINKS,
  makeParameter(
    'status',
    'Returns only jobs with one of these statuses. Repeat the parameter, or separate values by commas.',
    {
      type: 'array',
      items: { type: 'string', enum: JOB_STATUSES },
    },
  ),
  makeParameter('dataSource', 'Returns only jobs with this data source.', { type: 'string', enum: DATA_SOURCES }),
  makeParameter('createdFrom', 'Returns only jobs that were created at or after this instant.', INSTANT),
  makeParameter('createdTo', 'Returns only jobs that were created at or before this instant.', INSTANT),
  makeParameter('search', 'Returns only jobs whose print name contains this text, in upper or lower case.', {
    type: 'string',
  }),
];

const CSV_FORM = [
  makeParameter('bom', 'Whether the file starts with a byte order mark. Excel needs the mark to recognise UTF-8.', {
    type: 'boolean',
    default: false,
  }),
  makeParameter('separator', 'The separator between two cells, as one of these names or as the sign itself.', {
    type: 'string',
    enum: Object.keys(SEPARATORS),
    default: 'comma',
  }),
  makeParameter('decimalMark', 'The decimal mark of numbers, as one of these names or as the sign itself.', {
    type: 'string',
    enum: Object.keys(DECIMAL_MARKS),
    default: 'point',
  }),
];

const JOB_FILE = [
  ...JOB_FILTER,
  makeParameter(
    'recording',
    'Returns only jobs with one of these recordings. Repeat the parameter, or separate values by commas.',
    { type: 'array', items: { type: 'string', enum: Object.keys(PrintJobRecordingEnum) } },
  ),
  makeParameter('orderBy', 'The order of the jobs. Without it, the newest jobs come first.', {
    type: 'string',
    enum: Object.keys(CSV_ORDERS),
  }),
  ...CSV_FORM,
];

/** The operations by method and path. Names of members are those of the graph, and are translated for each document. */
const OPERATIONS: Record<string, Operation> = {
  'GET /cameras': {
    operationId: 'listCameras',
    summary: 'List all cameras with their latest status',
    description:
      'The cameras are sorted by cameraId in ascending code point order. The latest status of a camera is its record with the latest recordedAt, however old it is. If a camera has no record yet, the members of its status are null.',
    answers: {
      200: makeAnswer(
        'All cameras.',
        makeList('CameraStatusItem', 'All cameras. The list is empty if there are none.'),
      ),
    },
  },
  'POST /cameras': {
    operationId: 'registerCamera',
    summary: 'Register a camera',
    description: 'The cameraId of a camera cannot be changed later.',
    body: 'RegisterCamera',
    answers: {
      201: makeAnswer('The camera was registered.', makeReference('RegisteredCamera')),
      409: referToRefusal(409),
    },
  },
  'GET /cameras/{id}': {
    operationId: 'getCamera',
    summary: 'Get one camera with its latest status and its history',
    description: `The history has at most ${HISTORY_ENTRIES} records of the last ${HISTORY_HOURS} hours, newest first. The latest status may be older than the history.`,
    answers: { 200: makeAnswer('The camera with its latest status and its history.', makeReference('CameraDetail')) },
  },
  'GET /api/printjobs': {
    operationId: 'listPrintJobs',
    summary: 'List print jobs, one page at a time',
    description: 'The jobs are sorted by createdAt, newest first.',
    query: [
      makeParameter('pageNumber', 'The number of the page, from 1. Values below 1 become 1.', { ...INT32, default: 1 }),
      makeParameter('pageSize', `The maximum number of jobs on a page. The value is clamped to 1..${MAX_PAGE_SIZE}.`, {
        ...INT32,
        default: PAGE_OF_JOBS,
      }),
      ...LINKS,
      makeParameter('status', 'Returns only jobs with this status. A blank or unrecognised value is ignored.', {
        type: 'string',
        enum: JOB_STATUSES,
      }),
    ],
    answers: { 200: makeAnswer('A page of print jobs.', makeReference('PrintJobPage')) },
  },
  'POST /api/printjobs': {
    operationId: 'createPrintJob',
    summary: 'Create a print job',
    body: 'CreatePrintJob',
    answers: { 201: { ...makeJobAnswer('The job was created.'), ...location } },
  },
  'GET /api/printjobs/{id}': {
    operationId: 'getPrintJob',
    summary: 'Get one print job',
    answers: { 200: makeJobAnswer('The print job.') },
  },
  'PUT /api/printjobs/{id}': {
    operationId: 'updatePrintJob',
    summary: 'Replace the members of a print job',
    body: 'UpdatePrintJob',
    answers: { 200: makeJobAnswer('The job was updated.') },
  },
  'DELETE /api/printjobs/{id}': {
    operationId: 'cancelPrintJob',
    summary: 'Cancel a print job',
    answers: { 204: { description: 'The job was cancelled.' } },
  },
  'PATCH /api/printjobs/{id}/status': {
    operationId: 'changePrintJobStatus',
    summary: 'Change the status of a print job',
    description: transitions.join(' '),
    body: 'UpdatePrintJobStatus',
    answers: { 200: makeJobAnswer('The job with its new status.') },
  },
  'GET /reports/filament-usage.csv': {
    operationId: 'filamentUsage',
    summary: 'Export filament and cost of ended jobs as CSV',
    description:
      'Amounts of filament are in grams. If the farm has a currency, the headers of the cost columns name it.',
    query: [
      makeParameter(
        'from',
        'Counts jobs that ended, and losses that were found, at or after this instant. Without it, the report has no start.',
        INSTANT,
      ),
      makeParameter(
        'to',
        'Counts jobs that ended, and losses that were found, before this instant. Without it, the report has no end.',
        INSTANT,
      ),
      makeParameter(
        'groupBy',
        'Returns one line for each combination of these that has a job or a loss. Without it, the report has one line for everything.',
        {
          type: 'array',
          items: { type: 'string', enum: Object.keys(UsageGroupEnum) },
        },
      ),
      makeParameter(
        'timeZone',
        'The IANA name of the time zone in which days, weeks and months start, such as Europe/Berlin.',
        {
          type: 'string',
          default: 'UTC',
        },
      ),
      ...JOB_FILTER,
      ...CSV_FORM,
    ],
    answers: { 200: makeCsvAnswer('The report, with one line for each group.') },
  },
  'GET /reports/print-jobs.csv': {
    operationId: 'exportPrintJobs',
    summary: 'Export print jobs as CSV',
    query: JOB_FILE,
    answers: {
      200: makeCsvAnswer(
        'The file, with one line for each job. If the connection breaks before the end, jobs are missing.',
      ),
    },
  },
  'GET /reports/print-job-parts.csv': {
    operationId: 'exportPrintJobParts',
    summary: 'Export what print jobs used of each spool as CSV',
    query: JOB_FILE,
    answers: {
      200: makeCsvAnswer(
        'The file, with one line for each part of a job. If the connection breaks before the end, lines are missing.',
      ),
    },
  },
  'GET /reports/filming.csv': {
    operationId: 'exportFilming',
    summary: 'Export what cameras recorded of print jobs, as the cameras reported it, as CSV',
    query: JOB_FILE,
    answers: {
      200: makeCsvAnswer(
        'The file, with one line for each job and each camera that watched its printer. If the connection breaks before the end, lines are missing.',
      ),
    },
  },
  'GET /reports/spools.csv': {
    operationId: 'exportSpools',
    summary: 'Export all spools as CSV, archived spools included',
    query: CSV_FORM,
    answers: {
      200: makeCsvAnswer(
        'The file, with one line for each spool, sorted by serial. The mutation importStock reads this file. It ignores the column ' +
          'filament and the columns after it. The column weighedGrams is empty. If the connection breaks before the end, spools ' +
          'are missing.',
      ),
    },
  },
  'GET /reports/filaments.csv': {
    operationId: 'exportFilaments',
    summary: 'Export all filaments as CSV, archived filaments included',
    query: CSV_FORM,
    answers: {
      200: makeCsvAnswer(
        'The file, with one line for each filament, sorted by name. The mutation importStock reads this file. It ignores the ' +
          'column spools and the columns after it. If the connection breaks before the end, filaments are missing.',
      ),
    },
  },
};

const KEY_HEADER = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `Makes a retry safe. The gateway executes a request with a key only once. For ${KEY_HOURS} hours a repeated request with the same key gets the same response, errors included. The key is any text of visible ASCII characters, such as a GUID.`,
  schema: { type: 'string', pattern: KEY_FORM.source },
};

const CAMERA_ID = { type: 'string', minLength: 1, description: 'The camera_id of the camera, percent-encoded.' };
const JOB_ID = { ...GUID, description: 'The id of the print job, in upper or lower case.' };

/** The tag and the error format of the areas by the first part of their paths. All other paths belong to print jobs. */
const AREAS: Record<string, readonly [tag: string, errors: ErrorFormat]> = {
  cameras: ['Cameras', CAMERA_ERRORS],
  reports: ['Reports', USUAL_ERRORS],
};

const SECURITY = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or a JWT from the identity provider.' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The same API key or JWT, for clients behind a proxy that uses the header Authorization.',
  },
};

function makeJsonContent(schema: Json) {
  return { content: { 'application/json': { schema } } };
}

function makeAnswer(description: string, schema: Json): Json {
  return { description, ...makeJsonContent(schema) };
}

function makeCsvAnswer(description: string): Json {
  return { description, content: { 'text/csv': { schema: { type: 'string' } } } };
}

function referToRefusal(status: number): Json {
  return { $ref: `#/components/responses/${status}` };
}

export function createOpenApiDocument(graph: GraphQLSchema, { spell, secured, limited }: Settings) {
  const never = [...(secured ? [] : [401, 403]), ...(limited ? [] : [429])];
  const refusals = Object.entries(STATUS_SENTENCES).filter(([status]) => !never.includes(Number(status)));

  const operation = (method: string, path: string, { description, query = [], body, answers, ...names }: Operation) => {
    const [hasId, isWrite] = [path.includes('{id}'), method !== 'GET'];
    const [tag, errors] = AREAS[path.split('/')[1] ?? ''] ?? (['Print jobs', makePrintJobErrorFormat(spell)] as const);
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
      ...(text && { description: translateToRest(text, errors.spell) }),
      parameters: [
        ...(hasId ? [{ name: 'id', in: 'path', required: true, schema: id }] : []),
        ...query.map((one) => ({ ...one, name: errors.spell(String(one['name'])) })),
        ...(isWrite ? [KEY_HEADER] : []),
      ],
      ...(body && { requestBody: { $ref: `#/components/requestBodies/${body}` } }),
      responses: { ...answers, ...Object.fromEntries(refused.map((status) => [status, referToRefusal(status)])) },
    };
  };

  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {};
  for (const [route, described] of Object.entries(OPERATIONS)) {
    const [method = '', path = ''] = route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(method, path, described) };
  }
  const { requests, responses } = buildBodies(graph, spell);
  // Request bodies are not in `schemas`, because type generators make a member with a default required there.
  const bodies = Object.entries(requests).map(([title, schema]) => [
    title,
    { required: true, ...makeJsonContent({ title, ...schema }) },
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Print Farm Gateway: REST',
      version: '1.0.0',
      description: [
        'This API serves the camera registry (`/cameras`), print jobs (`/api/printjobs`) and reports for spreadsheets (`/reports`). `POST /graphql` serves the same data with the same rules. Programs that were written for Spoolman use `/api/v1`, which is not described here: docs/reference/spoolman-api.md lists its paths.',
        'The gateway reads request bodies as JSON, whatever their Content-Type is. Names of members and query parameters, statuses and data sources may be in upper or lower case. Unknown members are ignored, and null has the same effect as leaving a member out. Response bodies are `application/json`, except the reports, which are `text/csv`. Every response has the header `x-request-id`.',
        'The body of every error is `{"error": message}`. Every operation can also answer 404 for an unknown path, 405 with the header `Allow` for a wrong method, and 408 for a request that takes too long to arrive.',
        `Times in responses are RFC 3339 in UTC with milliseconds and \`Z\`. Times in requests must have an offset, which may be any offset. Decimals in responses are JSON numbers with all stored digits. Read them with a decimal type if your client needs every digit. Decimals in requests have ${DECIMAL_RANGE}, and may be numbers or numeric strings.`,
      ].join('\n\n'),
    },
    servers: [{ url: '.', description: 'This gateway' }],
    security: secured ? [{ bearer: [] }, { apiKey: [] }] : [],
    tags: [
      { name: 'Cameras', description: 'The camera registry and the latest status of each camera.' },
      {
        name: 'Print jobs',
        description: 'The jobs of the farm: what was printed, on which printer, and how much filament it used.',
      },
      {
        name: 'Reports',
        description:
          'CSV files for spreadsheets. A text that a spreadsheet would execute as a formula starts with an apostrophe.',
      },
    ],
    paths,
    components: {
      schemas: responses,
      requestBodies: Object.fromEntries(bodies),
      responses: Object.fromEntries(
        refusals.map(([status, text]) => [status, makeAnswer(text, makeReference('Error'))]),
      ),
      ...(secured && { securitySchemes: SECURITY }),
    },
  };
}
