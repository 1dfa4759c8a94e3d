// Offers the feed of changes in GraphQL, as pages and as subscriptions.
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

/** The event source of a subscription. @param createMatcher creates the filter from the arguments of the subscription */
function createSubscriber<Arguments extends AfterArgument>(
  createMatcher: (typedArguments: Arguments) => ChangePredicate,
) {
  return ({ args }: { args: Record<string, unknown> }): WatchedEvents => {
    const typedArguments = args as unknown as Arguments;
    return watchChanges(typedArguments.after, createMatcher(typedArguments));
  };
}

const DELIVERY =
  'Each change is sent once, and the changes of one object are sent in the order of their commits. With `after`: first the changes after this ' +
  'cursor, then new ones. Without `after`: only new ones.';

@Resolver()
export class ChangeResolver {
  constructor(private readonly service: ChangeService) {}

  @Query(() => String, {
    description:
      'The cursor of the newest change. Read this cursor, then all objects, then subscribe with this cursor as `after`, and you miss no change. You may ' +
      'get changes that the objects already contain.',
  })
  latestChangeCursor(): Promise<string> {
    return this.service.latestCursor();
  }

  @Costs({ price: (given) => (given.price('filter') === undefined ? 0 : MAX_CHANGES_EXAMINED) })
  @Query(() => ChangeConnection, {
    description:
      'The feed of changes, oldest first; without `after`, from the oldest change that is kept. For clients that poll, and for passing changes on ' +
      'to other systems. A page can have fewer changes than requested, or none, even if hasNextPage is true.',
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
    subscribe: createSubscriber<ChangesArguments>(({ filter }) => createChangeMatcher(filter ?? {}, 'filter')),
  })
  watchChanges(@Root() change: ChangeRow, @Args(() => ChangesArguments) _arguments: ChangesArguments): ChangeRow {
    return change;
  }

  @Subscription(() => CameraStatusRecorded, {
    description: `New status records. ${DELIVERY}`,
    subscribe: createSubscriber(createStatusMatcher),
  })
  cameraStatusRecorded(
    @Root() change: ChangeRow,
    @Args(() => StatusChangesArguments) _arguments: StatusChangesArguments,
  ): ChangeRow {
    return change;
  }

  @Subscription(() => PrintJobChanged, {
    description: `Changes of print jobs. ${DELIVERY}`,
    subscribe: createSubscriber(createJobMatcher),
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
    description: 'The object as it is when the change is sent; null if it no longer exists.',
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

  @FieldResolver(() => Camera, { description: 'The camera as it is when the change is sent.' })
  camera(@Root() { entity }: ChangeRow): Promise<Camera> {
    return this.cameras.findExisting(entity);
  }
}

@Resolver(() => PrintJobChanged)
export class JobChangedResolver {
  @FieldResolver(() => PrintJobStatusEnum, {
    nullable: true,
    description: 'The status before the change; null for a new job.',
  })
  fromStatus(@Root() { job }: ChangeRow): string | null | undefined {
    return job?.fromStatus;
  }

  @FieldResolver(() => PrintJobStatusEnum, {
    nullable: true,
    description: 'The status after the change; null for a removed job.',
  })
  toStatus(@Root() { job }: ChangeRow): string | null | undefined {
    return job?.toStatus;
  }
}
