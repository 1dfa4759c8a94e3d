// The OpenAPI 3.1 description of the REST paths, served at /openapi.json.
import { HISTORY_ENTRIES, MAX_FRIENDLY_NAME_LENGTH, MAX_TEXT_LENGTH } from '../cameras/camera.limits';
import { DATA_SOURCES } from '../print-jobs/print-job.data-source';
import { MAX_NOTES_LENGTH, MAX_PATH_LENGTH, MAX_PRINT_NAME_LENGTH } from '../print-jobs/print-job.limits';
import { JOB_STATUSES } from '../print-jobs/print-job.status';
import { DECIMAL_RANGE } from '../values/decimal';
import type { Spelling } from '../values/spelling';

type Json = Record<string, unknown>;

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const INSTANT = '2026-11-20T08:30:00.000Z';
const AMOUNT_RANGE = `${DECIMAL_RANGE.replace(/^a/, 'A')}.`;

/** @param spell spells the print job members: `Id` or `id` (REST_PRINT_JOB_CASING) */
export function openApiDocument(spell: Spelling) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Print Farm Gateway: REST',
      version: '1.0.0',
      description: [
        'Two interfaces: the camera registry (`/cameras`) and print jobs (`/api/printjobs`). `POST /graphql` has the same data and rules.',
        'Bodies are read as JSON with any Content-Type. Names of members and query parameters are read in any case; unknown members are ignored. Every response with a body is `application/json`; every response has the header `x-request-id`.',
        'Every error is `{"error": message}`. All operations can also answer 404 for an unknown path, 405 with `Allow` for a wrong method, and 408 for a request that takes too long to arrive.',
        'Times are RFC 3339 in UTC with milliseconds and `Z`; input must have an offset, which may be any. Decimals are JSON numbers with all stored digits: read them with a decimal type if your client needs every digit.',
      ].join('\n\n'),
    },
    security: [],
    servers: [{ url: '/', description: 'This gateway' }],
    tags: [
      { name: 'Cameras', description: 'The camera registry and the latest status of each camera.' },
      { name: 'Print jobs', description: 'The records of prints and of the filament that they used.' },
    ],
    paths: withKeys({ ...cameraPaths(), ...printJobPaths(spell) }),
    components: {
      schemas: { Error: ERROR, ...cameraSchemas(), ...printJobSchemas(spell) },
      responses: {
        BadRequest: failure('The request cannot be accepted; the message names the member and the allowed values.'),
        NotFound: failure('There is no record with this id.'),
        TooLarge: failure('The body is larger than the gateway accepts (BODY_LIMIT_BYTES, 1 MiB unless set).'),
        KeyReused: failure('The Idempotency-Key was used for another request.'),
        Unexpected: failure('The gateway could not complete the request, for example because its storage failed.'),
      },
    },
  };
}

// ---- building blocks -------------------------------------------------------------------------------------------------

const ERROR = object('The body of every error.', { error: text('The problem, in words for people.') });

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const refused = (name: string) => ({ $ref: `#/components/responses/${name}` });
const json = (schema: Json) => ({ 'application/json': { schema } });
const answer = (description: string, schema: Json) => ({ description, content: json(schema) });
const body = (name: string) => ({ required: true, content: json(ref(name)) });
const list = (description: string, name: string) => ({ type: 'array', description, items: ref(name) });
const nullable = (schema: Json) => ({ ...schema, type: [schema['type'], 'null'] });
const guid = (description: string) => text(description, { format: 'uuid', examples: [GUID] });
const instant = (description: string) => text(description, { format: 'date-time', examples: [INSTANT] });
const decimal = (description: string) => ({ type: 'number', minimum: 0, description });
const flag = (description: string) => ({ type: 'boolean', description });

function failure(description: string) {
  return answer(description, ref('Error'));
}

function text(description: string, more: Json = {}) {
  return { type: 'string', description, ...more };
}

function number(description: string, more: Json = {}) {
  return { type: 'number', description, ...more };
}

/** An object whose members are all required, unless `required` names fewer. */
function object(description: string, properties: Record<string, Json>, required = Object.keys(properties)) {
  return { type: 'object', description, properties, ...(required.length > 0 && { required }) };
}

/** The responses for `also`, and 500, which every operation has. */
function refusals(...also: ('BadRequest' | 'NotFound' | 'TooLarge')[]) {
  const statuses = { BadRequest: '400', NotFound: '404', TooLarge: '413' };
  const responses: Json = Object.fromEntries(also.map((name) => [statuses[name], refused(name)]));
  return { ...responses, '500': refused('Unexpected') };
}

/** Adds the header Idempotency-Key to every write. */
function withKeys<Paths extends Record<string, object>>(paths: Paths): Paths {
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a retry safe. A request with the same key is done once, and for 24 hours it gets the same answer, refusals included.',
    schema: text('Any text of visible ASCII characters, such as a GUID.', { minLength: 1, maxLength: 255 }),
  };
  for (const [method, operation] of Object.values(paths).flatMap((path) => Object.entries<Json>({ ...path }))) {
    if (!['post', 'put', 'patch', 'delete'].includes(method)) continue;
    operation['parameters'] = [...((operation['parameters'] as Json[] | undefined) ?? []), key];
    operation['responses'] = { ...(operation['responses'] as Json), '422': refused('KeyReused') };
  }
  return paths;
}

// ---- cameras ---------------------------------------------------------------------------------------------------------

function cameraPaths() {
  const tags = ['Cameras'];
  return {
    '/cameras': {
      get: {
        tags,
        operationId: 'listCameras',
        summary: 'All cameras with their latest status',
        description:
          'Ascending by camera_id, in code point order. The latest status is the record with the greatest recorded_at, of any age. A camera without a record is in the list, with null in the members of the status.',
        responses: {
          '200': answer('The cameras.', list('Empty when there are no cameras.', 'CameraStatusItem')),
          ...refusals(),
        },
      },
      post: {
        tags,
        operationId: 'registerCamera',
        summary: 'Register a camera',
        description: 'The client chooses camera_id. It cannot be changed.',
        requestBody: body('RegisterCamera'),
        responses: {
          '201': answer('The camera as registered.', ref('RegisteredCamera')),
          ...refusals('BadRequest', 'TooLarge'),
          '409': failure('This mac_address or camera_id is registered already.'),
        },
      },
    },
    '/cameras/{id}': {
      get: {
        tags,
        operationId: 'getCamera',
        summary: 'One camera with its latest status and history',
        description:
          'The history holds at most 100 records of the last 24 hours, newest first. The latest status may be older than 24 hours.',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: text('The camera_id, percent-encoded.', { minLength: 1 }) },
        ],
        responses: { '200': answer('The camera.', ref('CameraDetail')), ...refusals('BadRequest', 'NotFound') },
      },
    },
  };
}

function cameraSchemas() {
  const cameraId = text('Identifier of the camera, chosen by the client.', {
    minLength: 1,
    maxLength: MAX_TEXT_LENGTH,
  });
  const friendlyName = text('Display name.', { minLength: 1, maxLength: MAX_FRIENDLY_NAME_LENGTH });
  const mac = text('MAC address, kept and compared as given. Unique among cameras.', { maxLength: MAX_TEXT_LENGTH });
  const status = {
    battery_pct: nullable(number('Battery level in percent.', { minimum: 0, maximum: 100 })),
    video_remaining_sec: nullable({ type: 'integer', minimum: 0, description: 'Remaining recording time in seconds.' }),
    recording_state: nullable(text('Recording state, in the camera’s own words.')),
    mode: nullable(text('Capture mode, in the camera’s own words.')),
    resolution: nullable(text('Video resolution, such as 1920x1080.')),
    fps: nullable(number('Frames per second.', { minimum: 0 })),
  };
  const record = object('One record of a camera’s status log.', {
    id: text('Identifier of the record.'),
    camera_id: cameraId,
    recorded_at: instant('When the state was observed.'),
    ...status,
    online: flag('Whether the camera was online.'),
    raw_battery_pct: nullable(number('Battery value as the camera reported it, unprocessed.')),
  });
  return {
    RegisterCamera: object(
      'A camera to register.',
      { camera_id: cameraId, friendly_name: friendlyName, mac_address: nullable(mac) },
      ['camera_id', 'friendly_name'],
    ),
    RegisteredCamera: object(
      'A registered camera; mac_address only when it was supplied and not null.',
      { camera_id: cameraId, friendly_name: friendlyName, mac_address: mac },
      ['camera_id', 'friendly_name'],
    ),
    CameraStatusItem: object('A camera with its latest status, whose members are null before the first record.', {
      camera_id: cameraId,
      friendly_name: friendlyName,
      ...status,
      online: nullable(flag('Whether the camera is online.')),
      recorded_at: nullable(instant('When this status was observed.')),
    }),
    CameraStatusRecord: record,
    CameraDetail: object('A camera, its latest status and its last 24 hours.', {
      camera: object('The camera itself.', {
        camera_id: cameraId,
        friendly_name: friendlyName,
        mac_address: nullable(mac),
        created_at: instant('When it was registered.'),
        updated_at: instant('When it was last changed.'),
      }),
      last_status: {
        description: 'The record with the greatest recorded_at; null before the first record.',
        anyOf: [ref('CameraStatusRecord'), { type: 'null' }],
      },
      history: { ...list('Newest first.', 'CameraStatusRecord'), maxItems: HISTORY_ENTRIES },
    }),
  };
}

// ---- print jobs ------------------------------------------------------------------------------------------------------

function printJobPaths(spell: Spelling) {
  const tags = ['Print jobs'];
  const job = (description: string) => answer(description, ref('PrintJob'));
  const parameters = [
    { name: 'id', in: 'path', required: true, schema: guid('The id of the print job, in any case.') },
  ];
  const query = (name: string, description: string, schema: Json) => ({
    name: spell(name),
    in: 'query',
    description,
    schema,
  });
  return {
    '/api/printjobs': {
      get: {
        tags,
        operationId: 'listPrintJobs',
        summary: 'A page of print jobs',
        description: `Newest first by ${spell('createdAt')}.`,
        parameters: [
          query('pageNumber', 'Page, from 1. Values below 1 become 1.', { type: 'integer', default: 1 }),
          query('pageSize', 'Jobs per page, clamped to 1..100.', { type: 'integer', default: 20 }),
          query('printerId', 'Only jobs of this printer.', { type: 'string', format: 'uuid' }),
          query('spoolId', 'Only jobs of this spool.', { type: 'string', format: 'uuid' }),
          query(
            'status',
            `Only jobs in this status, in any case: ${JOB_STATUSES.join(', ')}. A blank or unrecognised value is ignored.`,
            { type: 'string' },
          ),
        ],
        responses: { '200': answer('The page.', ref('PrintJobPage')), ...refusals('BadRequest') },
      },
      post: {
        tags,
        operationId: 'createPrintJob',
        summary: 'Create a print job',
        description: `The job starts as Queued; ${spell('id')}, ${spell('createdAt')} and ${spell('updatedAt')} are generated. ${derivation(spell)}`,
        requestBody: body('CreatePrintJob'),
        responses: {
          '201': {
            ...job('The job as created.'),
            headers: { Location: { description: 'The path of the new job.', schema: { type: 'string' } } },
          },
          ...refusals('BadRequest', 'TooLarge'),
        },
      },
    },
    '/api/printjobs/{id}': {
      parameters,
      get: {
        tags,
        operationId: 'getPrintJob',
        summary: 'One print job',
        responses: { '200': job('The job.'), ...refusals('BadRequest', 'NotFound') },
      },
      put: {
        tags,
        operationId: 'updatePrintJob',
        summary: 'Replace the members of a print job',
        description: `Replaces every member of the request; a member that is left out becomes empty, 0 or null. ${spell('status')}, ${spell('startedAt')}, ${spell('completedAt')} and ${spell('dataSource')} stay. ${costing(spell)}`,
        requestBody: body('UpdatePrintJob'),
        responses: { '200': job('The job as updated.'), ...refusals('BadRequest', 'NotFound', 'TooLarge') },
      },
      delete: {
        tags,
        operationId: 'cancelPrintJob',
        summary: 'Cancel a print job',
        description: `A soft delete: the job becomes Cancelled with ${spell('completedAt')} set to now, and is kept. A cancelled job stays as it is; a completed job is refused with 400.`,
        responses: { '204': { description: 'The job is cancelled.' }, ...refusals('BadRequest', 'NotFound') },
      },
    },
    '/api/printjobs/{id}/status': {
      parameters,
      patch: {
        tags,
        operationId: 'changePrintJobStatus',
        summary: 'Change the status of a print job',
        description: `Accepted: Queued to Printing, Printing to Completed, every status to Cancelled or Failed, and every status to itself. Other changes are refused with 400; the message lists the allowed statuses. Printing sets ${spell('startedAt')} if it is empty; Completed, Failed and Cancelled set ${spell('completedAt')}.`,
        requestBody: body('UpdatePrintJobStatus'),
        responses: { '200': job('The job in its new status.'), ...refusals('BadRequest', 'NotFound', 'TooLarge') },
      },
    },
  };
}

function derivation(spell: Spelling): string {
  return `With ${spell('autoDeriveGrams')}, diameter and density come from the spool and its material, and grams = ${spell('mmExtruded')} × area × (density / 1000), with area = π × (diameter / 2)² in mm². The area is rounded to 8 decimals, the grams to 2. Without ${spell('autoDeriveGrams')}, grams of 0 are derived from the diameter and density of the request, if the density and ${spell('mmExtruded')} are above 0.`;
}

function costing(spell: Spelling): string {
  return `With ${spell('autoDeriveGrams')}, diameter and density come from the spool and its material, and the grams are derived again. If the spool has a purchase price and the grams are above 0, ${spell('costPerPrint')} = grams × (price / total weight), rounded to 4 decimals.`;
}

function printJobSchemas(spell: Spelling) {
  const spelled = (members: Record<string, Json>) =>
    Object.fromEntries(Object.entries(members).map(([name, schema]) => [spell(name), schema]));
  const written = {
    printName: text('Name of the print.', { maxLength: MAX_PRINT_NAME_LENGTH }),
    gcodeFilePath: text('Path of the G-code file.', { maxLength: MAX_PATH_LENGTH }),
    mmExtruded: decimal('Filament extruded, in mm.'),
    gramsDerived: decimal('Filament used, in g.'),
    costPerPrint: decimal('Cost of the print, in the currency of the spools’ prices.'),
  };
  const atPrint = {
    filamentDiameterAtPrintMm: decimal('Filament diameter at the time of printing, in mm.'),
    materialDensityAtPrint: decimal('Material density at the time of printing, in g/cm³.'),
  };
  const notes = nullable(text('Free text.', { maxLength: MAX_NOTES_LENGTH }));
  /** In requests a decimal may be a numeric text; a member that is left out is empty or 0. */
  const sent = (members: Record<string, Json>) =>
    Object.fromEntries(
      Object.entries(members).map(([name, schema]) => [
        name,
        schema['type'] === 'number'
          ? {
              ...schema,
              type: ['number', 'string'],
              default: 0,
              description: `${schema['description']} ${AMOUNT_RANGE}`,
            }
          : { ...schema, default: '' },
      ]),
    );
  const request = {
    printerId: guid('The printer; 400 when there is none with this id.'),
    spoolId: guid('The spool; 400 when there is none with this id.'),
    ...sent(written),
    notes,
    autoDeriveGrams: { ...flag('Derive the grams from the spool and its material.'), default: false },
  };
  const oneOf = (meaning: string, names: readonly string[]) => text(`${meaning}, in any case: ${names.join(', ')}.`);
  return {
    PrintJob: object(
      'The record of one print, its printer, its spool and the filament that it used.',
      spelled({
        id: guid('Identifier of the job.'),
        printerId: guid('Identifier of the printer.'),
        printerName: text('Name of the printer; empty when unavailable.'),
        spoolId: guid('Identifier of the spool.'),
        spoolSerial: text('Serial of the spool; empty when unavailable.'),
        ...written,
        startedAt: nullable(instant('When printing began; null before that.')),
        completedAt: nullable(instant('When the job was completed, cancelled or failed; null before that.')),
        status: text('The job status.', { enum: JOB_STATUSES }),
        dataSource: text('Where the figures come from.', { enum: DATA_SOURCES }),
        ...atPrint,
        notes: nullable(text('Free text.')),
        createdAt: instant('When the job was created.'),
        updatedAt: instant('When the job was last changed.'),
      }),
    ),
    PrintJobPage: object(
      'A page of print jobs.',
      spelled({
        items: list('The jobs of the page, newest first.', 'PrintJob'),
        totalCount: { type: 'integer', minimum: 0, description: 'All jobs that match the filters.' },
        pageNumber: { type: 'integer', minimum: 1, description: 'The page, after clamping.' },
        pageSize: { type: 'integer', minimum: 1, maximum: 100, description: 'The page size, after clamping.' },
      }),
    ),
    CreatePrintJob: object(
      'A print job to create.',
      spelled({
        ...request,
        startedAt: nullable(instant('When printing began; stored as given.')),
        dataSource: oneOf('Where the figures come from', DATA_SOURCES),
        ...sent(atPrint),
      }),
      [spell('printerId'), spell('spoolId'), spell('dataSource')],
    ),
    UpdatePrintJob: object('The new members of a print job.', spelled(request), [spell('printerId'), spell('spoolId')]),
    UpdatePrintJobStatus: object('The new status of a print job.', {
      [spell('status')]: oneOf('The new status', JOB_STATUSES),
    }),
  };
}
