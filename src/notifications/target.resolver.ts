// Offers notification channels and their deliveries in GraphQL.
import { Arg, Args, Ctx, Extensions, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Alert } from '../farm/alerts/alert.types';
import type { Context } from '../farm/graph/context';
import { Costs } from '../farm/graph/costs';
import { SelectedOfPage } from '../farm/graph/relay-connection';
import { Requires } from '../farm/graph/rights';
import { Printer } from '../farm/inventory/inventory.types';
import { type Page, readPageRange, type Selected } from '../values/page';
import { type DeliveryService, MAX_TARGET_TESTS } from './deliveries/delivery.service';
import {
  AddNotificationTargetInput,
  DeliveryPageArguments,
  PAGE_OF_DELIVERIES,
  UpdateNotificationTargetInput,
} from './target.inputs';
import { KEPT_DAYS } from './target.limits';
import { MAX_TARGET_PRINTERS } from './target.members';
import { MAX_TARGETS, type TargetService } from './target.service';
import {
  NotificationDelivery,
  NotificationDeliveryConnection,
  NotificationTarget,
  NotificationTest,
  WrittenNotificationTarget,
} from './target.types';

const Id = () => Arg('id', () => ID, { description: 'GUID of the channel (target).' });
const REQUIRED_RIGHT =
  'Requires the right to configure devices, because the server connects to the address that the caller enters.';

@Resolver(() => NotificationTarget)
export class NotificationTargetResolver {
  constructor(
    private readonly service: TargetService,
    private readonly deliveryService: DeliveryService,
  ) {}

  @Costs({ size: MAX_TARGETS })
  @Requires('devices', 'read')
  @Query(() => [NotificationTarget], {
    description: `All notification channels (targets), in the order in which they were added; at most ${MAX_TARGETS}. ${REQUIRED_RIGHT}`,
  })
  notificationTargets(): Promise<NotificationTarget[]> {
    return this.service.listAll();
  }

  @Requires('devices', 'read')
  @Query(() => NotificationTarget, {
    nullable: true,
    description: `One notification channel (target); null if there is none. ${REQUIRED_RIGHT}`,
  })
  notificationTarget(@Id() id: string): Promise<NotificationTarget | null> {
    return this.service.byId(id);
  }

  @Costs({ size: MAX_TARGET_PRINTERS })
  @FieldResolver(() => [Printer], {
    description:
      'Only notifications about these printers are sent; empty for all printers. Alerts that concern no printer are always sent.',
  })
  printers(@Root() target: NotificationTarget): Promise<Printer[]> {
    return this.service.listPrinters(target);
  }

  @FieldResolver(() => NotificationDeliveryConnection, {
    description: `The deliveries of the last ${KEPT_DAYS} days, newest first.`,
  })
  deliveries(
    @Root() { id }: NotificationTarget,
    @Args(() => DeliveryPageArguments) page: DeliveryPageArguments,
    @SelectedOfPage() selected: Selected,
    @Ctx() context: Context,
  ): Promise<Page<NotificationDelivery>> {
    return this.deliveryService.listByTarget(id, readPageRange(page, selected, PAGE_OF_DELIVERIES), context);
  }

  @Requires('devices')
  @Mutation(() => WrittenNotificationTarget, {
    description:
      `Adds a notification channel (target). The channel gets the events that happen from now on. ${REQUIRED_RIGHT} BAD_USER_INPUT names each wrong ` +
      `member. CONFLICT if the farm already has ${MAX_TARGETS} channels, or an MQTT channel with the same broker and prefix.`,
  })
  async addNotificationTarget(
    @Arg('input', () => AddNotificationTargetInput, { description: 'The channel.' }) input: AddNotificationTargetInput,
    @Ctx() context: Context,
  ): Promise<WrittenNotificationTarget> {
    return shownOnce(await this.service.add(input, context), context);
  }

  @Requires('devices')
  @Mutation(() => WrittenNotificationTarget, {
    description:
      'Changes a notification channel (target). If its URL, certificate, user name or secret change, waiting deliveries are attempted immediately. ' +
      `${REQUIRED_RIGHT} NOT_FOUND if there is no such channel, BAD_USER_INPUT names each wrong member, CONFLICT if another MQTT channel has the same broker and prefix.`,
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
    description: `Removes a notification channel (target) with all its deliveries, and returns its id. ${REQUIRED_RIGHT} NOT_FOUND if there is no such channel.`,
  })
  removeNotificationTarget(@Id() id: string): Promise<string> {
    return this.service.remove(id);
  }

  @Extensions({ storesNothing: true })
  @Requires('devices')
  @Mutation(() => NotificationTest, {
    description:
      'Makes one attempt to send a test message, within the time of the request. Disabled channels can be tested too. Nothing is stored, so an ' +
      `idempotency key is ignored, and this must be the only mutation of its operation. ${REQUIRED_RIGHT} NOT_FOUND if there is no such channel, ` +
      `TOO_MANY_REQUESTS while ${MAX_TARGET_TESTS} other tests are running.`,
  })
  testNotificationTarget(@Id() id: string, @Ctx() context: Context): Promise<NotificationTest> {
    return this.deliveryService.test(id, context);
  }

  @Requires('devices')
  @Mutation(() => NotificationDelivery, {
    description:
      `Sends a notification again that was delivered or given up, with the same id. ${REQUIRED_RIGHT} NOT_FOUND if there is no such delivery, CONFLICT ` +
      'if the delivery is waiting or its channel is disabled.',
  })
  resendNotification(
    @Arg('targetId', () => ID, { description: 'GUID of the channel (target).' }) targetId: string,
    @Arg('deliveryId', () => ID, { description: 'GUID of the delivery.' }) deliveryId: string,
  ): Promise<NotificationDelivery> {
    return this.deliveryService.resend(targetId, deliveryId);
  }
}

/** Keeps the secret out of the answer that is stored for an idempotency key. */
function shownOnce(written: WrittenNotificationTarget, { shownOnce }: Context): WrittenNotificationTarget {
  if (written.secret !== null) shownOnce.add(written.secret);
  return written;
}

/** Offers the field `notificationTarget` of an alert. */
@Resolver(() => Alert)
export class AlertTargetResolver {
  constructor(private readonly service: TargetService) {}

  @FieldResolver(() => NotificationTarget, {
    nullable: true,
    description:
      'The notification channel (target) that the alert is about; null if the caller may not configure devices.',
  })
  notificationTarget(@Root() alert: Alert, @Ctx() { caller }: Context): Promise<NotificationTarget | null> {
    return this.service.findOfAlert(alert, caller);
  }
}
