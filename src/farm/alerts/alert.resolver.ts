// Offers alerts in GraphQL, with the objects that they are about, and the mutations that silence an alert.
import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { clamp } from '../../values/page';
import { Camera } from '../cameras/camera.types';
import type { Context } from '../graph/context';
import { Costs } from '../graph/costs';
import { link } from '../graph/link';
import { DateTimeScalar } from '../graph/scalars';
import { Filament } from '../inventory/filament.types';
import { Printer, Spool } from '../inventory/inventory.types';
import { PrintJob } from '../print-jobs/print-job.types';
import { ObservedPrint } from '../prints/observed-print.types';
import type { AlertService } from './alert.service';
import { MAX_ALERTS } from './alert.service';
import { Alert, type AlertKind, AlertKindEnum, type AlertObject } from './alert.types';

const Kind = () => Arg('kind', () => AlertKindEnum, { description: 'The kind of the alert.' });
const ObjectId = () => Arg('id', () => ID, { description: 'The objectId of the alert.' });

@Resolver(() => Alert)
export class AlertResolver {
  constructor(private readonly service: AlertService) {}

  @Costs({ size: (given) => clamp(given.number('first') ?? MAX_ALERTS, 1, MAX_ALERTS) })
  @Query(() => [Alert], {
    description:
      'The conditions that need attention now, the most urgent first: by severity, then since, oldest first, then kind and id of the ' +
      `object. At most ${MAX_ALERTS}. A camera without any record has no alert. Silenced alerts are left out; if you ask for them, they come last.`,
  })
  alerts(
    @Ctx() { now }: Context,
    @Arg('first', () => Int, {
      nullable: true,
      description: `The maximum number of alerts; below 1 counts as 1. ${MAX_ALERTS} if left out.`,
    })
    first: number | null | undefined,
    @Arg('silenced', () => Boolean, {
      nullable: true,
      defaultValue: false,
      description: 'true for silenced alerts only, false for alerts that are not silenced, null for both.',
    })
    silenced: boolean | null,
  ): Promise<Alert[]> {
    return this.service.list(first ?? MAX_ALERTS, silenced, now);
  }

  @FieldResolver(() => ID, {
    description: 'The id of the object that the alert is about. silenceAlert takes the kind and this id.',
  })
  objectId(@Root() { id }: Alert): string {
    return id;
  }

  @Mutation(() => Alert, {
    description:
      'Silences an alert until a time, or until the alert is resolved. A silenced alert is not sent and not counted, and `alerts` leaves it ' +
      'out. The last call decides until when. The silence ends early if the alert was a WARNING and becomes CRITICAL. A silence ' +
      'without a time ends when the alert has been resolved for a minute. BAD_USER_INPUT for a time in the past, or when there is no such ' +
      'alert now.',
  })
  silenceAlert(
    @Kind() kind: AlertKind,
    @ObjectId() id: string,
    @Arg('until', () => DateTimeScalar, {
      nullable: true,
      description: 'When the silence ends; null if it ends when the alert is resolved.',
    })
    until: string | null | undefined,
    @Ctx() { now, caller }: Context,
  ): Promise<Alert> {
    return this.service.silence(kind, id, until ?? null, { now, by: caller.displayName });
  }

  @Mutation(() => Alert, {
    nullable: true,
    description:
      'Ends a silence. If the alert is still active, it is sent then. Null when the alert is no longer active; NOT_FOUND when it is not silenced.',
  })
  endSilence(@Kind() kind: AlertKind, @ObjectId() id: string, @Ctx() { now }: Context): Promise<Alert | null> {
    return this.service.endSilence(kind, id, now);
  }
}

const readIdIfAbout =
  (type: AlertObject) =>
  ({ about, id }: Alert) =>
    about === type ? id : null;
const describeObject = (object: string) => ({ nullable: true, description: `The ${object} that the alert is about.` });

export const ALERT_LINKS = [
  link(Alert, 'camera', Camera, readIdIfAbout('camera'), describeObject('camera')),
  link(Alert, 'printJob', PrintJob, readIdIfAbout('printJob'), describeObject('print job')),
  link(Alert, 'spool', Spool, readIdIfAbout('spool'), describeObject('spool')),
  link(Alert, 'filament', Filament, readIdIfAbout('filament'), describeObject('filament')),
  link(Alert, 'printer', Printer, readIdIfAbout('printer'), describeObject('printer')),
  link(Alert, 'print', ObservedPrint, ({ printId }: Alert) => printId, {
    nullable: true,
    description: 'The newest of the observed prints that the alert is about; null for alerts about other objects.',
  }),
];
