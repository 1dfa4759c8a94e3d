// Builds the JSON Schemas of the REST bodies from the types of the graph: members, descriptions, enums, ranges and defaults.
import {
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isNullableType,
} from 'graphql';
import { HTTP_STATUS } from '../../errors';
import { CAMERA_RANGES } from '../../farm/cameras/camera.limits';
import { HISTORY_ENTRIES } from '../../farm/cameras/camera.service';
import { PRINT_JOB_RANGES } from '../../farm/print-jobs/print-job.limits';
import { DataSourceEnum, PrintJobStatusEnum } from '../../farm/print-jobs/print-job.types';
import { type Spelling, snake } from '../../values/spelling';
import { cameraSpelling } from './casing';
import { MAX_PAGE_SIZE } from './queries';

export type Json = Record<string, unknown>;
type Members = Record<string, Json>;

export const GUID: Json = { type: 'string', format: 'uuid', examples: ['3f2504e0-4f89-41d3-9a0c-0305e82c3301'] };

/** The format is stated, because generators of Go and C# otherwise choose 32 bits for a float, and any size for an integer. */
export const INT32: Json = { type: 'integer', format: 'int32' };

const LEAVES: Members = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: INT32,
  Float: { type: 'number', format: 'double' },
  Decimal: { type: 'number', format: 'double', minimum: 0 },
  DateTime: { type: 'string', format: 'date-time', examples: ['2026-11-20T08:30:00.000Z'] },
  PrintJobStatus: { type: 'string', enum: Object.values(PrintJobStatusEnum) },
  DataSource: { type: 'string', enum: Object.values(DataSourceEnum) },
};

/** Members that only the graph has. REST leaves them out. */
const MEMBERS_ONLY_IN_GRAPH = ['expectedIntervalSec', 'filamentBasis', 'liveness', 'nodeId', 'recordsPrints'];
const MEMBERS_OF_TYPES_ONLY_IN_GRAPH = ['RegisterCameraInput.printerId'];

const isOnlyInGraph = (type: string, member: string) =>
  MEMBERS_ONLY_IN_GRAPH.includes(member) || MEMBERS_OF_TYPES_ONLY_IN_GRAPH.includes(`${type}.${member}`);

/** What REST says instead of a name of the graph: a status for an error code, a spelling for an enum value. */
const REST_WORDS: Record<string, unknown> = { ...HTTP_STATUS, ...PrintJobStatusEnum, ...DataSourceEnum };

/** Translates a description of the graph into the words of REST. */
export const translateToRest = (description: string, spell: Spelling) =>
  description
    .replace(/\b[a-z]+[A-Z]\w*/g, (member) => spell(member))
    .replace(/\b[A-Z][A-Z_]+\b/g, (name) => String(REST_WORDS[name] ?? name));

export const makeReference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const makeList = (name: string, description: string) => ({
  type: 'array',
  items: makeReference(name),
  description,
});
const makeText = (description: string) => ({ type: 'string', description });
const makeNullable = (schema: Json): Json => ({ ...schema, type: [...new Set([schema['type'], 'null'].flat())] });

/** Makes the schema of an object. Members with a default are not required. */
function makeObject(description: string, properties: Members, optional: string[] = []) {
  const isRequired = (name: string) => properties[name]?.['default'] === undefined && !optional.includes(name);
  return { type: 'object', description, properties, required: Object.keys(properties).filter(isRequired) };
}

/** Makes the schema of a response member. It has no text lengths, because other programs write the tables too. */
function buildResponseMember(leaf: string, { minLength, maxLength, ...range }: Json, isNullable: boolean): Json {
  const schema = { ...LEAVES[leaf], ...range };
  return isNullable ? makeNullable(schema) : schema;
}

/** Makes the schema of a request member. A decimal may be a string, and a text that may be empty may be left out. */
function buildRequestMember(leaf: string, range: Json, isNullable: boolean, given: unknown): Json {
  const empty = isNullable ? null : leaf === 'String' && range['minLength'] === undefined ? '' : undefined;
  const schema = { ...LEAVES[leaf], ...range, ...(leaf === 'Decimal' && { type: ['number', 'string'] }) };
  return { ...(isNullable ? makeNullable(schema) : schema), default: given ?? empty };
}

/** Makes the schema of a type of the graph, without its lists and objects. */
function buildSchema(graph: GraphQLSchema, typeName: string, spell: Spelling, ranges: Members) {
  const type = graph.getType(typeName) as GraphQLInputObjectType;
  const members = Object.values(type.getFields()).flatMap((field): [string, Json][] => {
    const leaf = getNullableType(field.type);
    if (!isLeafType(leaf) || isOnlyInGraph(typeName, field.name)) return [];
    const [range, isNullable] = [ranges[field.name] ?? {}, isNullableType(field.type)];
    const schema = isInputObjectType(type)
      ? buildRequestMember(leaf.name, range, isNullable, field.defaultValue)
      : buildResponseMember(leaf.name, range, isNullable);
    return [[spell(field.name), { ...schema, description: translateToRest(field.description ?? '', spell) }]];
  });
  return makeObject(translateToRest(type.description ?? '', spell), Object.fromEntries(members));
}

/** Builds the schemas of all requests and responses. @param spellJob the spelling of the members of print jobs */
export function buildBodies(graph: GraphQLSchema, spellJob: Spelling) {
  const ofCamera = (type: string, spell: Spelling) => buildSchema(graph, type, spell, CAMERA_RANGES);
  const ofJob = (type: string) =>
    buildSchema(graph, type, spellJob, { ...PRINT_JOB_RANGES, id: GUID, printerId: GUID, spoolId: GUID });
  const spelled = (members: Members) =>
    Object.fromEntries(Object.entries(members).map(([name, schema]) => [spellJob(name), schema]));

  const [camera, record, job] = [
    ofCamera('Camera', cameraSpelling),
    ofCamera('CameraStatus', snake),
    ofJob('PrintJob'),
  ];
  const { camera_id = {}, friendly_name = {} } = camera.properties;
  const { id: _id, camera_id: _camera, raw_battery_pct: _raw, ...status } = record.properties;
  const latest = Object.fromEntries(Object.entries(status).map(([name, schema]) => [name, makeNullable(schema)]));
  const mac_address = makeText(
    'The MAC address of the camera. The member is present only if the request had a MAC address.',
  );
  const head = {
    id: {},
    printerId: { ...GUID, description: 'The id of the printer.' },
    printerName: makeText('The name of the printer. Empty if the name is unavailable.'),
    spoolId: { ...GUID, description: 'The id of the spool.' },
    spoolSerial: makeText('The serial of the spool. Empty if the serial is unavailable.'),
  };
  const page = {
    items: makeList('PrintJob', 'The jobs of this page, newest first by creation. Empty after the last page.'),
    totalCount: { ...INT32, minimum: 0, description: 'The number of jobs on all pages that match the filters.' },
    pageNumber: {
      ...INT32,
      minimum: 1,
      description: 'The number of this page, from 1. A requested number below 1 becomes 1.',
    },
    pageSize: {
      ...INT32,
      minimum: 1,
      maximum: MAX_PAGE_SIZE,
      description: `The maximum number of jobs on a page. A requested size is clamped to 1..${MAX_PAGE_SIZE}.`,
    },
  };
  const lastStatus = {
    description: 'The status record with the latest recorded_at. null if the camera has no record yet.',
    anyOf: [makeReference('CameraStatusRecord'), { type: 'null' }],
  };
  const history = {
    ...makeList(
      'CameraStatusRecord',
      'The latest status records of the camera, newest first. Empty if there are none.',
    ),
    maxItems: HISTORY_ENTRIES,
  };
  const newStatus = { ...LEAVES['PrintJobStatus'], description: 'The new status of the job, in upper or lower case.' };
  return {
    requests: {
      RegisterCamera: ofCamera('RegisterCameraInput', cameraSpelling),
      CreatePrintJob: ofJob('CreatePrintJobInput'),
      UpdatePrintJob: ofJob('UpdatePrintJobInput'),
      UpdatePrintJobStatus: makeObject('The new status of a print job.', spelled({ status: newStatus })),
    },
    responses: {
      Error: makeObject('The body of every error.', {
        error: makeText(
          'What went wrong, and what to do next, as a sentence for people. Do not parse it; use the status.',
        ),
      }),
      RegisteredCamera: makeObject('A registered camera.', { camera_id, friendly_name, mac_address }, ['mac_address']),
      CameraStatusItem: makeObject(
        'A camera with its latest status. The members of the status are null if the camera has no record yet.',
        {
          camera_id,
          friendly_name,
          ...latest,
        },
      ),
      CameraStatusRecord: record,
      CameraDetail: makeObject('A camera with its latest status and its history.', {
        camera,
        last_status: lastStatus,
        history,
      }),
      PrintJob: makeObject(job.description, { ...spelled(head), ...job.properties }),
      PrintJobPage: makeObject('A page of print jobs.', spelled(page)),
    },
  };
}
