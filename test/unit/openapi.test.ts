// The OpenAPI description against the table of routes and the wire shapes, so that they cannot drift apart.
import type { Camera, CameraStatus } from '../../src/cameras/camera.types';
import type { JobRow } from '../../src/print-jobs/print-job.rows';
import { openApiDocument } from '../../src/rest/openapi';
import { restRoutes } from '../../src/rest/routes';
import { cameraDetail, cameraListItem, pageOfJobs, printJob, registeredCamera } from '../../src/rest/shapes';
import { camel, pascal } from '../../src/values/spelling';

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

describe.each([
  ['Pascal', pascal],
  ['camel', camel],
])('%s case', (_name, spell) => {
  const document = openApiDocument(spell);
  // biome-ignore lint/suspicious/noExplicitAny: schemas are walked by name here
  const schemas = document.components.schemas as any;
  const members = (name: string) => Object.keys(schemas[name].properties).sort();

  test('every route is described, and nothing else', () => {
    const routes = restRoutes(spell).map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((key) => key !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(routes.sort());
  });

  test.each([
    ['CameraStatusItem', () => cameraListItem(camera)],
    ['RegisteredCamera', () => registeredCamera(camera)],
    ['CameraDetail', () => cameraDetail(camera, [])],
    ['CameraStatusRecord', () => cameraDetail(camera, [status]).history[0] ?? {}],
    ['PrintJob', () => printJob(job, spell)],
    ['PrintJobPage', () => pageOfJobs({ rows: [], totalCount: 0 }, { pageNumber: 1, pageSize: 20 }, spell)],
  ])('%s has the members that are sent', (name, sent) => {
    expect(members(name)).toEqual(Object.keys(sent()).sort());
  });

  test('every required member exists, and every reference leads somewhere', () => {
    const texts = JSON.stringify(document);
    for (const [, path] of texts.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      // biome-ignore lint/suspicious/noExplicitAny: follows a path of names
      const target = path?.split('/').reduce((at: any, name) => at?.[name], document);
      expect([path, target]).toEqual([path, expect.any(Object)]);
    }
    for (const [name, schema] of Object.entries<{ required?: string[] }>(schemas)) {
      expect([name, members(name)]).toEqual([name, expect.arrayContaining(schema.required ?? [])]);
    }
  });
});

test('print job members are spelled as they are sent', () => {
  expect(Object.keys(openApiDocument(pascal).components.schemas.UpdatePrintJobStatus.properties)).toEqual(['Status']);
  expect(Object.keys(openApiDocument(camel).components.schemas.UpdatePrintJobStatus.properties)).toEqual(['status']);
});
