// Alerts in the graph, with the objects that they are about.
import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { clamp } from '../../values/page';
import { Camera } from '../cameras/camera.types';
import type { Context } from '../graph/context';
import { Costs } from '../graph/costs';
import { link } from '../graph/link';
import { Printer, Spool } from '../inventory/inventory.types';
import { PrintJob } from '../print-jobs/print-job.types';
import { ObservedPrint } from '../prints/observed-print.types';
import { MAX_ALERTS } from './alert.limits';
import type { AlertService } from './alert.service';
import { Alert, type AlertObject } from './alert.types';

@Resolver(() => Alert)
export class AlertResolver {
  constructor(private readonly service: AlertService) {}

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
}

const idIfAbout =
  (type: AlertObject) =>
  ({ about, id }: Alert) =>
    about === type ? id : null;
const aboutThe = (object: string) => ({ nullable: true, description: `The ${object} that the alert is about.` });

export const ALERT_LINKS = [
  link(Alert, 'camera', Camera, idIfAbout('camera'), aboutThe('camera')),
  link(Alert, 'printJob', PrintJob, idIfAbout('printJob'), aboutThe('print job')),
  link(Alert, 'spool', Spool, idIfAbout('spool'), aboutThe('spool')),
  link(Alert, 'printer', Printer, idIfAbout('printer'), aboutThe('printer')),
  link(Alert, 'print', ObservedPrint, idIfAbout('print'), aboutThe('observed print')),
];
