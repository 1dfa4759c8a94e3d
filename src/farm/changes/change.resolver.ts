// The feed of changes in the graph: as pages, and as subscriptions.
import { Args, type ClassType, Ctx, FieldResolver, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { WatchedEvents } from '../../sharing/feed';
import type { CameraService } from '../cameras/camera.service';
import { Camera } from '../cameras/camera.types';
import { Device } from '../devices/device.types';
import type { Context } from '../graph/context';
import { Costs } from '../graph/costs';
import { link } from '../graph/link';
import { Filament } from '../inventory/filament.types';
import { Material, Printer, Spool } from '../inventory/inventory.types';
import { PrintJob, PrintJobStatusEnum } from '../print-jobs/print-job.types';
import { ObservedPrint } from '../prints/observed-print.types';
import { type ChangePredicate, createChangeMatcher, createJobMatcher, createStatusMatcher } from './change.filter';
import {
  type AfterArgument,
  ChangePageArguments,
  ChangesArguments,
  JobChangesArguments,
  StatusChangesArguments,
} from './change.inputs';
import { type ChangePage, type ChangeService, MAX_CHANGES_EXAMINED, watchChanges } from './change.service';
import {
  CameraChanged,
  CameraStatusRecorded,
  Change,
  ChangeConnection,
  type ChangeRow,
  DeviceChanged,
  FilamentChanged,
  MaterialChanged,
  ObservedPrintChanged,
  PrinterChanged,
  PrintJobChanged,
  SpoolChanged,
} from './change.types';

/** The source of a subscription. @param matches makes its filter from its arguments */
function subscribeWith<Arguments extends AfterArgument>(matches: (given: Arguments) => ChangePredicate) {
  return ({ args }: { args: Record<string, unknown> }): WatchedEvents => {
    const given = args as unknown as Arguments;
    return watchChanges(given.after, matches(given));
  };
}

const DELIVERY =
  'Each change comes once; those of one object come in the order of their commits. With `after`: first the changes since ' +
  'then, then new ones. Without it: new ones only.';

@Resolver()
export class ChangeResolver {
  constructor(private readonly service: ChangeService) {}

  @Query(() => String, {
    description:
      'The end of the feed of changes. Read it, then all objects, then watch `after` it: no change is missed. A change may ' +
      'come that the objects hold already.',
  })
  latestChangeCursor(): Promise<string> {
    return this.service.latestCursor();
  }

  @Costs({ price: (given) => (given.price('filter') === undefined ? 0 : MAX_CHANGES_EXAMINED) })
  @Query(() => ChangeConnection, {
    description:
      'The feed of changes, oldest first; without `after` from the oldest change that is kept. For clients that poll, and ' +
      'to hand changes on to other systems. A page can have fewer changes than asked for, or none, while hasNextPage is true.',
  })
  changes(
    @Args(() => ChangePageArguments) { after, first, filter }: ChangePageArguments,
    @Ctx() context: Context,
  ): Promise<ChangePage> {
    return this.service.page(after, first, createChangeMatcher(filter ?? {}, 'filter'), context);
  }

  @Subscription(() => Change, {
    name: 'changes',
    description: `All changes. ${DELIVERY}`,
    subscribe: subscribeWith<ChangesArguments>(({ filter }) => createChangeMatcher(filter ?? {}, 'filter')),
  })
  watchChanges(@Root() change: ChangeRow, @Args(() => ChangesArguments) _arguments: ChangesArguments): ChangeRow {
    return change;
  }

  @Subscription(() => CameraStatusRecorded, {
    description: `New status records. ${DELIVERY}`,
    subscribe: subscribeWith(createStatusMatcher),
  })
  cameraStatusRecorded(
    @Root() change: ChangeRow,
    @Args(() => StatusChangesArguments) _arguments: StatusChangesArguments,
  ): ChangeRow {
    return change;
  }

  @Subscription(() => PrintJobChanged, {
    description: `Changes of print jobs. ${DELIVERY}`,
    subscribe: subscribeWith(createJobMatcher),
  })
  printJobChanged(
    @Root() change: ChangeRow,
    @Args(() => JobChangesArguments) _arguments: JobChangesArguments,
  ): ChangeRow {
    return change;
  }
}

const linkToChanged = (type: ClassType, field: string, object: ClassType) =>
  link(type, field, object, ({ entity }: ChangeRow) => entity, {
    nullable: true,
    description: 'As it is at delivery; null when it is gone.',
  });

export const CHANGE_LINKS = [
  linkToChanged(CameraChanged, 'camera', Camera),
  linkToChanged(PrintJobChanged, 'job', PrintJob),
  linkToChanged(ObservedPrintChanged, 'print', ObservedPrint),
  linkToChanged(PrinterChanged, 'printer', Printer),
  linkToChanged(SpoolChanged, 'spool', Spool),
  linkToChanged(FilamentChanged, 'filament', Filament),
  linkToChanged(MaterialChanged, 'material', Material),
  linkToChanged(DeviceChanged, 'device', Device),
];

@Resolver(() => CameraStatusRecorded)
export class StatusRecordedResolver {
  constructor(private readonly cameras: CameraService) {}

  @FieldResolver(() => Camera, { description: 'The camera as it is at delivery.' })
  camera(@Root() { entity }: ChangeRow): Promise<Camera> {
    return this.cameras.findExisting(entity);
  }
}

@Resolver(() => PrintJobChanged)
export class JobChangedResolver {
  @FieldResolver(() => PrintJobStatusEnum, { nullable: true, description: 'Before the change; null for a new job.' })
  fromStatus(@Root() { job }: ChangeRow): string | null | undefined {
    return job?.fromStatus;
  }

  @FieldResolver(() => PrintJobStatusEnum, {
    nullable: true,
    description: 'After the change; null for a job that is gone.',
  })
  toStatus(@Root() { job }: ChangeRow): string | null | undefined {
    return job?.toStatus;
  }
}
