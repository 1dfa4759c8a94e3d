// Notification targets in the graph, and their deliveries.
import { Arg, Args, Ctx, Extensions, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Alert } from '../farm/alerts/alert.types';
import type { Context } from '../farm/graph/context';
import { Costs } from '../farm/graph/costs';
import { SelectedOfPage } from '../farm/graph/relay-connection';
import { Requires } from '../farm/graph/rights';
import { Printer } from '../farm/inventory/inventory.types';
import { type Page, pageRange, type Selected } from '../values/page';
import { type DeliveryService, MAX_TARGET_TESTS } from './deliveries/delivery.service';
import {
  AddNotificationTargetInput,
  DeliveryPageArguments,
  PAGE_OF_DELIVERIES,
  UpdateNotificationTargetInput,
} from './target.inputs';
import { KEPT_DAYS, MAX_TARGET_PRINTERS, MAX_TARGETS } from './target.limits';
import type { TargetService } from './target.service';
import {
  NotificationDelivery,
  NotificationDeliveryConnection,
  NotificationTarget,
  NotificationTest,
  WrittenNotificationTarget,
} from './target.types';

const Id = () => Arg('id', () => ID, { description: 'GUID of the target.' });
const NEEDS = 'Needs the right to configure devices: whoever may write an address makes the server connect to it.';

@Resolver(() => NotificationTarget)
export class NotificationTargetResolver {
  constructor(
    private readonly service: TargetService,
    private readonly deliveriesOf: DeliveryService,
  ) {}

  @Costs({ size: MAX_TARGETS })
  @Requires('devices', 'read')
  @Query(() => [NotificationTarget], {
    description: `Where the gateway sends notifications, in the order in which they were added; at most ${MAX_TARGETS}. ${NEEDS}`,
  })
  notificationTargets(): Promise<NotificationTarget[]> {
    return this.service.listAll();
  }

  @Requires('devices', 'read')
  @Query(() => NotificationTarget, { nullable: true, description: `One target; null when there is none. ${NEEDS}` })
  notificationTarget(@Id() id: string): Promise<NotificationTarget | null> {
    return this.service.byId(id);
  }

  @Costs({ size: MAX_TARGET_PRINTERS })
  @FieldResolver(() => [Printer], {
    description:
      'Only what concerns these is sent; empty: all. An alert that concerns no printer is sent all the same.',
  })
  printers(@Root() target: NotificationTarget): Promise<Printer[]> {
    return this.service.listPrinters(target);
  }

  @FieldResolver(() => NotificationDeliveryConnection, { description: `Newest first, of the last ${KEPT_DAYS} days.` })
  deliveries(
    @Root() { id }: NotificationTarget,
    @Args(() => DeliveryPageArguments) page: DeliveryPageArguments,
    @SelectedOfPage() selected: Selected,
    @Ctx() context: Context,
  ): Promise<Page<NotificationDelivery>> {
    return this.deliveriesOf.listOfTarget(id, pageRange(page, selected, PAGE_OF_DELIVERIES), context);
  }

  @Requires('devices')
  @Mutation(() => WrittenNotificationTarget, {
    description:
      `Adds a target, which hears what happens from now on. ${NEEDS} BAD_USER_INPUT names each member at fault; CONFLICT when the farm has ` +
      `${MAX_TARGETS} targets, or an MQTT target with the same broker and prefix.`,
  })
  async addNotificationTarget(
    @Arg('input', () => AddNotificationTargetInput, { description: 'The target.' }) input: AddNotificationTargetInput,
    @Ctx() context: Context,
  ): Promise<WrittenNotificationTarget> {
    return shownOnce(await this.service.add(input, context), context);
  }

  @Requires('devices')
  @Mutation(() => WrittenNotificationTarget, {
    description:
      `Changes a target. What waits is tried at once when its URL, its certificate or its secret change. ${NEEDS} NOT_FOUND when there is none, ` +
      'BAD_USER_INPUT names each member at fault, CONFLICT for the broker and prefix of another MQTT target.',
  })
  async updateNotificationTarget(
    @Id() id: string,
    @Arg('input', () => UpdateNotificationTargetInput, { description: 'The changes.' })
    input: UpdateNotificationTargetInput,
    @Ctx() context: Context,
  ): Promise<WrittenNotificationTarget> {
    return shownOnce(await this.service.update(id, input, context), context);
  }

  @Requires('devices')
  @Mutation(() => ID, {
    description: `Removes a target with what was sent and what waits, and answers its id. ${NEEDS} NOT_FOUND when there is none.`,
  })
  removeNotificationTarget(@Id() id: string): Promise<string> {
    return this.service.remove(id);
  }

  @Extensions({ storesNothing: true })
  @Requires('devices')
  @Mutation(() => NotificationTest, {
    description:
      'Sends one test message now, once, also to a target that is disabled, within the time of the request. Nothing is stored, so an ' +
      `idempotency key is ignored, and it must be the only mutation of its operation. ${NEEDS} NOT_FOUND when there is no such target, ` +
      `TOO_MANY_REQUESTS while ${MAX_TARGET_TESTS} others run.`,
  })
  testNotificationTarget(@Id() id: string, @Ctx() context: Context): Promise<NotificationTest> {
    return this.deliveriesOf.test(id, context);
  }

  @Requires('devices')
  @Mutation(() => NotificationDelivery, {
    description:
      `Sends what was given up, or delivered, again, with the same id. ${NEEDS} NOT_FOUND when there is none, CONFLICT while it waits ` +
      'and while its target is disabled.',
  })
  resendNotification(
    @Arg('targetId', () => ID, { description: 'GUID of the target.' }) targetId: string,
    @Arg('deliveryId', () => ID, { description: 'GUID of the delivery.' }) deliveryId: string,
  ): Promise<NotificationDelivery> {
    return this.deliveriesOf.resend(targetId, deliveryId);
  }
}

/** An answer that is kept for an idempotency key is kept without the secret. */
function shownOnce(written: WrittenNotificationTarget, { shownOnce }: Context): WrittenNotificationTarget {
  if (written.secret !== null) shownOnce.add(written.secret);
  return written;
}

/** The field `notificationTarget` of an alert. */
@Resolver(() => Alert)
export class AlertTargetResolver {
  constructor(private readonly service: TargetService) {}

  @FieldResolver(() => NotificationTarget, {
    nullable: true,
    description: 'The notification target that the alert is about; null for who may not configure devices.',
  })
  notificationTarget(@Root() alert: Alert, @Ctx() { caller }: Context): Promise<NotificationTarget | null> {
    return this.service.findOfAlert(alert, caller);
  }
}
