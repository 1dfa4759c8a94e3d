// Offers the fields of a camera that show its health: liveness, series and availability.
import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { clamp } from '../../values/page';
import type { Context } from '../graph/context';
import { Costs, type GivenArguments } from '../graph/costs';
import { Requires } from '../graph/rights';
import { DateTimeScalar } from '../graph/scalars';
import { Camera } from './camera.types';
import type { HealthService } from './health.service';
import { calculateLogPrice, LOG_HOURS, MAX_SERIES_POINTS, SERIES_POINTS } from './health.service';
import { MAX_LOG_RECORDS } from './health.store';
import { CameraAvailability, type CameraLiveness, CameraLivenessEnum, CameraSample } from './health.types';

const From = () =>
  Arg('from', () => DateTimeScalar, {
    nullable: true,
    description: `Start of the time range, inclusive; ${LOG_HOURS} hours before \`to\` if left out.`,
  });
const To = () =>
  Arg('to', () => DateTimeScalar, {
    nullable: true,
    description: 'End of the time range, exclusive; now if left out.',
  });
const TOO_LONG =
  `BAD_USER_INPUT if \`from\` is after \`to\`, or if the range has more than ${MAX_LOG_RECORDS} records: request a ` +
  'shorter range.';

const calculateRangePrice = (given: GivenArguments) => calculateLogPrice(given.instant('from'), given.instant('to'));

@Resolver(() => Camera)
export class CameraHealthResolver {
  constructor(private readonly service: HealthService) {}

  @Requires('read')
  @FieldResolver(() => CameraLivenessEnum, {
    description:
      'The state of the camera now, by its newest record that is not in the future and the age of that record.',
  })
  liveness(@Root() { id }: Camera, @Ctx() { now }: Context): Promise<CameraLiveness> {
    return this.service.liveness(id, now);
  }

  @Costs({
    size: (given) => clamp(given.number('points') ?? SERIES_POINTS, 1, MAX_SERIES_POINTS),
    priceOfEach: calculateRangePrice,
  })
  @FieldResolver(() => [CameraSample], {
    description:
      'The log between two instants in steps of equal length (whole milliseconds; `to` may cut the last one), oldest ' +
      `first. Steps without a record are left out. ${TOO_LONG}`,
  })
  series(
    @Root() { id }: Camera,
    @Ctx() context: Context,
    @From() from?: string | null,
    @To() to?: string | null,
    @Arg('points', () => Int, {
      nullable: true,
      defaultValue: SERIES_POINTS,
      description: `The maximum number of steps, clamped to 2..${MAX_SERIES_POINTS}.`,
    })
    points?: number | null,
  ): Promise<CameraSample[]> {
    return this.service.series(id, from, to, points, context);
  }

  @Costs({ priceOfEach: calculateRangePrice })
  @FieldResolver(() => CameraAvailability, {
    description: `The share of the time for which the camera reported that it was online, and the gaps. ${TOO_LONG}`,
  })
  availability(
    @Root() camera: Camera,
    @Ctx() context: Context,
    @From() from?: string | null,
    @To() to?: string | null,
  ): Promise<CameraAvailability> {
    return this.service.availability(camera, from, to, context);
  }
}
