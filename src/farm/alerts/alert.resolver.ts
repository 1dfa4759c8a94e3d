// Alerts in the graph, with the objects that they are about.
import { Arg, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { clamp } from '../../values/page';
import { Camera } from '../cameras/camera.types';
import type { Context } from '../graph/context';
import { Costs } from '../graph/costs';
import { Printer, Spool } from '../inventory/inventory.types';
import { PrintJob } from '../print-jobs/print-job.types';
import { ObservedPrint } from '../prints/observed-print.types';
import { MAX_ALERTS } from './alert.limits';
import type { AlertService } from './alert.service';
import { Alert, type AlertObject } from './alert.types';

/** The objects of alerts, found by their ids; null when gone. */
interface AlertLookUps {
  camera(id: string): Promise<Camera | null>;
  printJob(id: string): Promise<unknown>;
  spool(id: string): Promise<unknown>;
  printer(id: string): Promise<unknown>;
  observedPrint(id: string): Promise<unknown>;
}

@Resolver(() => Alert)
export class AlertResolver {
  constructor(
    private readonly service: AlertService,
    private readonly lookUps: AlertLookUps,
  ) {}

  @Costs({ size: (given) => clamp(given.number('first') ?? MAX_ALERTS, 1, MAX_ALERTS) })
  @Query(() => [Alert], {
    description:
      'The conditions that need attention now, the most urgent first: by severity, then since, oldest first, then kind and id of the ' +
      `object. At most ${MAX_ALERTS}. A camera without any record is no alert.`,
  })
  alerts(
    @Ctx() { now }: Context,
    @Arg('first', () => Int, {
      nullable: true,
      description: `The maximum number of alerts; below 1 counts as 1. ${MAX_ALERTS} if left out.`,
    })
    first: number | null | undefined,
  ): Promise<Alert[]> {
    return this.service.first(first ?? MAX_ALERTS, now);
  }

  @FieldResolver(() => Camera, { nullable: true, description: 'The camera that the alert is about.' })
  camera(@Root() alert: Alert): Promise<unknown> | null {
    return this.objectOf(alert, 'camera');
  }

  @FieldResolver(() => PrintJob, { nullable: true, description: 'The print job that the alert is about.' })
  printJob(@Root() alert: Alert): Promise<unknown> | null {
    return this.objectOf(alert, 'printJob');
  }

  @FieldResolver(() => Spool, { nullable: true, description: 'The spool that the alert is about.' })
  spool(@Root() alert: Alert): Promise<unknown> | null {
    return this.objectOf(alert, 'spool');
  }

  @FieldResolver(() => Printer, { nullable: true, description: 'The printer that the alert is about.' })
  printer(@Root() alert: Alert): Promise<unknown> | null {
    return this.objectOf(alert, 'printer');
  }

  @FieldResolver(() => ObservedPrint, { nullable: true, description: 'The observed print that the alert is about.' })
  print(@Root() alert: Alert): Promise<unknown> | null {
    return this.objectOf(alert, 'print');
  }

  private objectOf({ about, id }: Alert, type: Exclude<AlertObject, 'notificationTarget'>): Promise<unknown> | null {
    return about === type ? this.lookUps[type === 'print' ? 'observedPrint' : type](id) : null;
  }
}
