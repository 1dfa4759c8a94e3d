// Offers in GraphQL what cameras recorded of jobs, and which printers a camera watched. REST calls the same resolvers.
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Camera } from '../cameras/camera.types';
import type { Context } from '../graph/context';
import { Costs } from '../graph/costs';
import { link } from '../graph/link';
import { Printer } from '../inventory/inventory.types';
import { PrintJob } from '../print-jobs/print-job.types';
import { MAX_FILM_RECORDS } from './film.reader';
import type { FilmedJob } from './filming.rows';
import type { FilmingService } from './filming.service';
import { MAX_WATCHES } from './filming.store';
import { CameraWatch, JobFilming } from './filming.types';

/** The price of one job, whatever its number of records. A print of one night has about 1,000. */
const PRICE_OF_FILMING = 200;

@Resolver(() => PrintJob)
export class JobFilmingResolver {
  constructor(private readonly service: FilmingService) {}

  @Costs({ priceOfEach: () => PRICE_OF_FILMING })
  @FieldResolver(() => [JobFilming], {
    nullable: true,
    description:
      'For each camera that watched the printer while the job printed: how much of the print the camera recorded, as the camera reports it. ' +
      'Ordered by camera id (code point order). Empty without a startedAt; until now while the job prints. null, with BAD_USER_INPUT, for ' +
      `jobs after the first ${MAX_FILM_RECORDS.ofRequest} status records of one request; a single job is always read completely.`,
  })
  filming(@Root() job: FilmedJob, @Ctx() context: Context): Promise<JobFilming[]> {
    return this.service.listOfJob(job, context);
  }
}

@Resolver(() => Camera)
export class CameraWatchesResolver {
  constructor(private readonly service: FilmingService) {}

  @FieldResolver(() => [CameraWatch], {
    description: `The printers that the camera watches and watched, newest first; at most ${MAX_WATCHES}.`,
  })
  watches(@Root() { id }: Camera): Promise<CameraWatch[]> {
    return this.service.watches(id);
  }
}

export const FilmingCameraLink = link(JobFilming, 'camera', Camera, ({ cameraId }: JobFilming) => cameraId, {
  nullable: true,
  description: 'The camera with this id; null if it was removed.',
});

export const FILMING_LINKS = [
  FilmingCameraLink,
  link(CameraWatch, 'printer', Printer, ({ printerId }: CameraWatch) => printerId, {
    nullable: true,
    description: 'The printer; null if it was removed.',
  }),
];
