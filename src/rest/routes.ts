// The table of the REST layer: each documented path with the resolver method that answers it. Nothing is decided here.
import { stringify } from 'lossless-json';
import { NotFound } from '../errors';
import type { Context } from '../graphql/context';
import { Body, CreatePrintJobBody, jobListQuery, Query, registerCameraInput, UpdatePrintJobBody } from './requests';
import { cameraDetail, cameraListItem, pageOfJobs, printJob, registeredCamera, type Spelling, snake } from './shapes';

export interface RestRequest {
  /** The path parameter, decoded. */
  id: string;
  /** The query string without its question mark. */
  search: string;
  /** The body as it came; undefined when there was none. */
  body: Buffer | undefined;
}

export interface RestAnswer {
  status: number;
  /** 204 has none. A large one that many share comes as bytes. */
  json?: string | Buffer;
  location?: string;
}

export interface RestRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** How the document of this route spells the members that an error names. */
  spell: Spelling;
  answer(request: RestRequest, context: Context): Promise<RestAnswer>;
}

export function restRoutes(spell: Spelling): RestRoute[] {
  return [
    {
      method: 'GET',
      path: '/cameras',
      spell: snake,
      async answer(_request, context) {
        const page = await context.farm.cameras.cameras(null, {}, { rows: true, total: false }, context);
        return { status: 200, json: Buffer.from(jsonOf(page.rows.map(cameraListItem))) };
      },
    },
    {
      method: 'POST',
      path: '/cameras',
      spell: snake,
      async answer({ body }, context) {
        const camera = await context.farm.cameras.registerCamera(registerCameraInput(new Body(body)), context);
        return { status: 201, json: jsonOf(registeredCamera(camera)) };
      },
    },
    {
      method: 'GET',
      path: '/cameras/:id',
      spell: snake,
      async answer({ id }, context) {
        const camera = present(await context.farm.cameras.camera(id, {}, context), `There is no camera ${id}`);
        return { status: 200, json: jsonOf(cameraDetail(camera, await context.farm.cameras.history(camera, context))) };
      },
    },
    {
      method: 'GET',
      path: '/api/printjobs',
      spell,
      async answer({ search }, context) {
        const { filter, pageNumber, pageSize } = jobListQuery(new Query(search));
        const page = await context.farm.printJobs.printJobs(
          filter,
          {
            first: pageSize,
            offset: (pageNumber - 1) * pageSize,
          },
          { rows: true, total: true },
          context,
        );
        return { status: 200, json: exactJsonOf(pageOfJobs(page, { pageNumber, pageSize }, spell)) };
      },
    },
    {
      method: 'POST',
      path: '/api/printjobs',
      spell,
      async answer({ body }, context) {
        const job = await context.farm.printJobs.createPrintJob(new CreatePrintJobBody(new Body(body)), context);
        return { status: 201, json: exactJsonOf(printJob(job, spell)), location: `/api/printjobs/${job.id}` };
      },
    },
    {
      method: 'GET',
      path: '/api/printjobs/:id',
      spell,
      async answer({ id }, context) {
        const job = present(await context.farm.printJobs.printJob(id, context), `There is no print job ${id}`);
        return { status: 200, json: exactJsonOf(printJob(job, spell)) };
      },
    },
    {
      method: 'PUT',
      path: '/api/printjobs/:id',
      spell,
      async answer({ id, body }, context) {
        const job = await context.farm.printJobs.updatePrintJob(id, new UpdatePrintJobBody(new Body(body)), context);
        return { status: 200, json: exactJsonOf(printJob(job, spell)) };
      },
    },
    {
      method: 'DELETE',
      path: '/api/printjobs/:id',
      spell,
      async answer({ id }, context) {
        await context.farm.printJobs.cancelPrintJob(id, context);
        return { status: 204 };
      },
    },
    {
      method: 'PATCH',
      path: '/api/printjobs/:id/status',
      spell,
      async answer({ id, body }, context) {
        // Whatever Status holds, the service parses it at its rule 2.
        let status: unknown;
        try {
          status = new Body(body).value('status');
        } catch (error) {
          // Rule 1 comes before a body that cannot be read, too.
          present(await context.farm.printJobs.printJob(id, context), `There is no print job ${id}`);
          throw error;
        }
        const job = await context.farm.printJobs.changePrintJobStatus(id, status as string, context);
        return { status: 200, json: exactJsonOf(printJob(job, spell)) };
      },
    },
  ];
}

/** Without decimals; five times as fast as the other, which 1,000 cameras feel (5 ms). */
const jsonOf = (body: unknown) => JSON.stringify(body);
/** With every digit of its decimals. */
const exactJsonOf = (body: unknown) => stringify(body) as string;

function present<Row>(row: Row | null, message: string): Row {
  if (row === null) throw new NotFound(message);
  return row;
}
