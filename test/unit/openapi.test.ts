// Compares the OpenAPI description with the table of routes and the REST shapes, so that they cannot drift apart.

import { camel, pascal } from '../../src/doors/rest/casing';
import { createOpenApiDocument } from '../../src/doors/rest/openapi';
import { createRestRoutes } from '../../src/doors/rest/routes';
import {
  makeCameraDetail,
  makeCameraListItem,
  makeJobPage,
  makePrintJob,
  makeRegisteredCamera,
} from '../../src/doors/rest/shapes';
import type { Camera, CameraStatus } from '../../src/farm/cameras/camera.types';
import type { JobRow } from '../../src/farm/print-jobs/print-job.rows';
import { buildGraph } from '../../src/schema';

const status = { id: '1', cameraId: 'c', recordedAt: '2026-11-20T08:30:00.000Z', online: true } as CameraStatus;
const camera = { id: 'c', friendlyName: 'C', macAddress: 'm', lastStatus: status } as Camera;
const decimals = {
  mmExtruded: '0',
  gramsDerived: '0',
  costPerPrint: '0',
  filamentDiameterAtPrintMm: '0',
  materialDensityAtPrint: '0',
};
const job = { id: 'j', ...decimals } as JobRow;
const graph = buildGraph();

/** As a client reads it. */
// biome-ignore lint/suspicious/noExplicitAny: the document is walked by name here
function document(spell = pascal, { secured = false, limited = false } = {}): any {
  return JSON.parse(JSON.stringify(createOpenApiDocument(graph, { spell, secured, limited })));
}

// biome-ignore lint/suspicious/noExplicitAny: the document is walked by name here
const listOperations = ({ paths }: any): any[] => Object.values<object>(paths).flatMap((path) => Object.values(path));

describe.each([
  ['Pascal', pascal],
  ['camel', camel],
])('%s case', (_name, spell) => {
  const described = document(spell);
  const { schemas, requestBodies } = described.components;
  const members = (path: string) => {
    const [name = '', ...inner] = path.split('.');
    return Object.keys(inner.reduce((schema, member) => schema.properties[member], schemas[name]).properties).sort();
  };
  const request = (name: string) => requestBodies[name].content['application/json'].schema;

  test('every route is described, and nothing else', () => {
    const routes = createRestRoutes(spell).map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    const describedRoutes = Object.entries<object>(described.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(describedRoutes.sort()).toEqual(routes.sort());
  });

  test.each([
    ['CameraStatusItem', () => makeCameraListItem(camera)],
    ['RegisteredCamera', () => makeRegisteredCamera(camera)],
    ['CameraDetail', () => makeCameraDetail(camera, [])],
    ['CameraDetail.camera', () => makeCameraDetail(camera, []).camera],
    ['CameraStatusRecord', () => makeCameraDetail(camera, [status]).history[0] ?? {}],
    ['PrintJob', () => makePrintJob(job, spell)],
    ['PrintJobPage', () => makeJobPage({ nodes: [], totalCount: 0 }, { pageNumber: 1, pageSize: 20 }, spell)],
  ])('%s has the members that are sent', (name, sent) => {
    expect(members(name)).toEqual(Object.keys(sent()).sort());
  });

  test.each([
    ['RegisterCamera', ['camera_id', 'friendly_name'], { mac_address: null }],
    [
      'CreatePrintJob',
      ['printerId', 'spoolId', 'dataSource'].map(spell),
      {
        printName: '',
        gcodeFilePath: '',
        notes: null,
        autoDeriveGrams: false,
        startedAt: null,
        ...Object.fromEntries(Object.keys(decimals).map((name) => [name, 0])),
      },
    ],
    [
      'UpdatePrintJob',
      ['printerId', 'spoolId'].map(spell),
      {
        printName: '',
        gcodeFilePath: '',
        notes: null,
        autoDeriveGrams: false,
        mmExtruded: 0,
        gramsDerived: 0,
        costPerPrint: 0,
      },
    ],
    ['UpdatePrintJobStatus', [spell('status')], {}],
  ])('%s requires its members without a default, and no others', (name, required, defaults) => {
    const { properties, ...schema } = request(name);
    const usual = Object.entries<{ default?: unknown }>(properties).flatMap(([member, given]) =>
      'default' in given ? [[member, given.default]] : [],
    );
    const spelled = Object.entries(defaults).map(([member, value]) => [
      member === 'mac_address' ? member : spell(member),
      value,
    ]);
    expect(schema.required).toEqual(required);
    expect(Object.fromEntries(usual)).toEqual(Object.fromEntries(spelled));
    expect(Object.keys(properties).sort()).toEqual([...required, ...spelled.map(([member]) => member)].sort());
  });

  test('every number has a format, as ids of print jobs and times have', () => {
    const without: string[] = [];
    // biome-ignore lint/suspicious/noExplicitAny: the document is walked by name here
    const walk = (node: any, path: string) => {
      if (typeof node !== 'object' || node === null) return;
      const types = [node.type].flat();
      if (types.includes('integer') && !['int32', 'int64'].includes(node.format)) without.push(path);
      if (types.includes('number') && node.format !== 'double') without.push(path);
      for (const [name, child] of Object.entries(node)) walk(child, `${path}/${name}`);
    };
    walk(described, '');
    expect(without).toEqual([]);
    const { properties } = schemas.PrintJob;
    const formats = (...names: string[]) => [...new Set(names.map((name) => properties[spell(name)].format))];
    expect(formats('id', 'printerId', 'spoolId')).toEqual(['uuid']);
    expect(formats('startedAt', 'completedAt', 'createdAt', 'updatedAt')).toEqual(['date-time']);
    expect(schemas.CameraStatusRecord.properties.recorded_at.format).toBe('date-time');
    expect(schemas.CameraStatusRecord.properties.video_remaining_sec.format).toBe('int32');
  });

  test('statuses and data sources are enums in the spelling of the documents', () => {
    const [statuses, sources] = [
      ['Queued', 'Printing', 'Completed', 'Cancelled', 'Failed'],
      ['Mqtt', 'PrinterApi', 'Manual'],
    ];
    expect(schemas.PrintJob.properties[spell('status')].enum).toEqual(statuses);
    expect(schemas.PrintJob.properties[spell('dataSource')].enum).toEqual(sources);
    expect(request('CreatePrintJob').properties[spell('dataSource')].enum).toEqual(sources);
    expect(request('UpdatePrintJobStatus').properties[spell('status')].enum).toEqual(statuses);
    const { parameters } = described.paths['/api/printjobs'].get;
    expect(parameters.find(({ name }: { name: string }) => name === spell('status')).schema.enum).toEqual(statuses);
  });

  test('descriptions use the words of REST', () => {
    const texts = [...JSON.stringify(described).matchAll(/"description":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text);
    const graphWords =
      /\b(QUEUED|PRINTING|COMPLETED|CANCELLED|FAILED|BAD_USER_INPUT|NOT_FOUND|CONFLICT|friendlyName)\b/;
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.filter((text) => text === '' || graphWords.test(text ?? ''))).toEqual([]);
    expect(schemas.PrintJob.properties[spell('gramsDerived')].description).toContain(spell('mmExtruded'));
  });
});

test.each([
  [false, false],
  [true, false],
  [true, true],
  [false, true],
])('secured %p, limited %p: the operation lists the refusals that can happen, with their body', (secured, limited) => {
  const described = document(pascal, { secured, limited });
  const refusals = [...(secured ? ['401', '403'] : []), ...(limited ? ['429'] : []), '500'];
  for (const { operationId, tags, responses } of listOperations(described)) {
    // The camera document has 500 for every failure of the storage.
    const possible = tags.includes('Cameras') ? refusals : [...refusals, '503'];
    const claimed = Object.keys(responses).filter((code) => /401|403|429|5../.test(code));
    expect([operationId, claimed]).toEqual([operationId, possible]);
    for (const code of possible) {
      const name = responses[code].$ref.split('/').at(-1);
      const { schema } = described.components.responses[name].content['application/json'];
      expect(schema).toEqual({ $ref: '#/components/schemas/Error' });
    }
  }
  const schemes = { bearer: { type: 'http', scheme: 'bearer' }, apiKey: { in: 'header', name: 'X-API-Key' } };
  expect(described.security).toEqual(secured ? [{ bearer: [] }, { apiKey: [] }] : []);
  if (secured) expect(described.components.securitySchemes).toMatchObject(schemes);
  else expect(described.components).not.toHaveProperty('securitySchemes');
});
