// Decides how many channels a farm may have, when a secret is generated or deleted, and which changes make waiting deliveries due now.

import { BadInput, Conflict, NotFound, orNotFound, unknownLink } from '../errors';
import type { Alert } from '../farm/alerts/alert.types';
import type { Caller } from '../farm/graph/caller';
import type { Printer } from '../farm/inventory/inventory.types';
import { parseGuid } from '../values/guid';
import { addMs, HOUR_MS } from '../values/instant';
import { checkEach, optional, readBoolean, readMembers } from '../values/members';
import type { RequestTime } from '../values/request-time';
import type { Reach } from '../wire/networks';
import { NoDeviceKey, type Sealed, type Secrets } from '../wire/secrets';
import type { AlertBaseline } from './events/alert-baseline';
import type { NotifierWaker } from './notifier-waker';
import { readTargetUrl } from './target.address';
import { DuplicateTargets } from './target.duplicates';
import type { AddNotificationTargetInput, UpdateNotificationTargetInput } from './target.inputs';
import { FORMER_SECRET_HOURS } from './target.limits';
import { DETAIL_READERS, readEvents, readPrinterIds, readTargetName, refuseWrongCombinations } from './target.members';
import type { StoredTarget, TargetChanges, TargetStore } from './target.store';
import type { NotificationKind, NotificationTarget, WrittenNotificationTarget } from './target.types';
import { generateSigningSecret } from './webhook';

/** Limited, because the query `notificationTargets` returns all channels of the farm. */
export const MAX_TARGETS = 100;

export type FindPrinter = (id: string) => Promise<Printer | null>;

export class TargetService {
  private readonly duplicates: DuplicateTargets;

  constructor(
    private readonly store: TargetStore,
    private readonly secrets: Secrets,
    private readonly reach: Reach,
    private readonly findPrinter: FindPrinter,
    private readonly notifier: NotifierWaker,
    private readonly alertBaseline: Pick<AlertBaseline, 'record'>,
  ) {
    this.duplicates = new DuplicateTargets(reach);
  }

  listAll(): Promise<NotificationTarget[]> {
    return this.store.listAll();
  }

  async byId(id: string): Promise<NotificationTarget | null> {
    return this.store.byId.load(parseGuid(id, 'id'));
  }

  /** Only callers that may configure devices see a channel. */
  async findOfAlert({ about, id }: Pick<Alert, 'about' | 'id'>, caller: Caller): Promise<NotificationTarget | null> {
    return about === 'notificationTarget' && caller.canConfigureDevices ? this.byId(id) : null;
  }

  async listPrinters({ printerIds }: NotificationTarget): Promise<Printer[]> {
    const printers = await Promise.all(printerIds.map((id) => this.findPrinter(id)));
    return printers.filter((printer) => printer !== null);
  }

  async add(input: AddNotificationTargetInput, { now, newId }: RequestTime): Promise<WrittenNotificationTarget> {
    const { kind, enabled, minimumSeverity } = input;
    const {
      secret = null,
      printerIds,
      ...members
    } = readMembers({
      name: readTargetName,
      url: readTargetUrl(kind, this.reach),
      events: readEvents,
      printerIds: readPrinterIds,
      ...DETAIL_READERS,
    })(input, 'input');
    const target = {
      id: newId(),
      kind,
      ...members,
      minimumSeverity,
      enabled,
      username: members.username ?? null,
      certificateFingerprint: members.certificateFingerprint ?? null,
    };
    refuseWrongCombinations(target, { secret });
    await this.refuseUnknown(printerIds);
    const generatedSecret = kind === 'WEBHOOK' && secret === null ? generateSigningSecret() : null;
    const plainSecret = secret ?? generatedSecret;
    const row = {
      ...target,
      secret: plainSecret && this.encrypt(plainSecret, target),
      somePrinters: printerIds.length > 0,
      state: enabled ? 'OK' : 'DISABLED',
      fault: enabled ? null : 'DISABLED',
      stateSince: new Date(now),
      createdAt: new Date(now),
      updatedAt: new Date(now),
    };
    await this.duplicates.lookUpNames(target, () => this.store.listForComparison());
    await this.store.runExclusively(async (store, transaction) => {
      const targets = await store.listForComparison();
      if (targets.length >= MAX_TARGETS) {
        throw new Conflict(
          `The farm already has ${MAX_TARGETS} notification channels. Remove one before you add another`,
          'input',
        );
      }
      this.duplicates.refuse(target, targets);
      await store.add(row, printerIds);
      if (enabled) await this.alertBaseline.record(transaction, now);
    });
    return this.readWritten(target.id, generatedSecret);
  }

  async update(
    id: string,
    input: UpdateNotificationTargetInput,
    { now }: RequestTime,
  ): Promise<WrittenNotificationTarget> {
    const guid = parseGuid(id, 'id');
    const findRow = async (store: TargetStore) => orNotFound(await store.findRow(guid), 'notification channel', id);
    // The kind of a channel never changes, so it may be read before the transaction.
    const { kind } = await findRow(this.store);
    const given = readMembers({
      name: optional(readTargetName),
      url: optional(readTargetUrl(kind as NotificationKind, this.reach)),
      events: optional(readEvents),
      printerIds: optional(readPrinterIds),
      enabled: optional(readBoolean),
      newSecret: optional(readBoolean),
      ...DETAIL_READERS,
    })(input, 'input');
    if (kind === 'WEBHOOK' && given.secret === null) {
      throw new BadInput(
        'must not be removed, because a webhook always has a secret. Use newSecret to generate another secret',
        'input',
        'secret',
      );
    }
    await this.refuseUnknown(given.printerIds ?? []);
    if (given.url !== undefined)
      await this.duplicates.lookUpNames({ kind, url: given.url }, () => this.store.listForComparison());
    const generatedSecret = await this.store.runExclusively(async (store, transaction) => {
      const row = await findRow(store);
      const secrets = this.decideSecret(row, given, now);
      const { newSecret, secret, printerIds, enabled, ...members } = given;
      const target = { ...row, ...withoutUndefined(members) };
      refuseWrongCombinations(target, { secret, newSecret });
      if (enabled === true && row.somePrinters && printerIds === undefined && (await store.countPrinters(guid)) === 0) {
        throw new BadInput('must be given, because all printers of this channel were removed', 'input', 'printerIds');
      }
      // A channel with an unchanged URL is not compared: an existing duplicate must not block other changes.
      if (target.url !== row.url) this.duplicates.refuse(target, await store.listForComparison());
      const changes: TargetChanges = {
        ...members,
        ...secrets.changes,
        ...decideStateChanges(row, enabled, now),
        updatedAt: new Date(now),
        ...(input.minimumSeverity != null && { minimumSeverity: input.minimumSeverity }),
        ...(printerIds !== undefined && { somePrinters: printerIds.length > 0 }),
      };
      const retriesNow = secrets.isOtherReceiver || secret !== undefined || members.username !== undefined;
      await store.update(guid, { ...changes, ...(retriesNow && { silentUntil: null }) }, printerIds, retriesNow);
      if (enabled === true) await this.alertBaseline.record(transaction, now);
      return secrets.generatedSecret;
    });
    return this.readWritten(guid, generatedSecret);
  }

  async remove(id: string): Promise<string> {
    const guid = parseGuid(id, 'id');
    if (!(await this.store.remove(guid))) throw new NotFound('notification channel', [id]);
    this.notifier.wake();
    return guid;
  }

  /**
   * A secret belongs to one URL and certificate: a new receiver must never get the secret of the previous receiver, so the secret is deleted.
   * A webhook always has a secret, so it gets a generated secret instead.
   */
  private decideSecret(
    row: StoredTarget,
    given: { url?: string | undefined; newSecret?: boolean | undefined } & GivenDetails,
    now: string,
  ) {
    const { url = row.url, certificateFingerprint = row.certificateFingerprint } = given;
    const isOtherReceiver = url !== row.url || certificateFingerprint !== row.certificateFingerprint;
    const isGenerated = row.kind === 'WEBHOOK' && given.secret == null && (isOtherReceiver || given.newSecret === true);
    const generatedSecret = isGenerated ? generateSigningSecret() : null;
    const plainSecret = given.secret ?? generatedSecret;
    const secret =
      plainSecret !== null
        ? this.encrypt(plainSecret, { ...row, url, certificateFingerprint })
        : isOtherReceiver
          ? null
          : given.secret;
    const isReplaced = row.kind === 'WEBHOOK' && plainSecret !== null;
    const changes: TargetChanges = {
      ...(secret !== undefined && { secret }),
      ...(isOtherReceiver && { formerSecret: null, formerSecretUntil: null }),
      ...(isReplaced &&
        !isOtherReceiver && {
          formerSecret: row.secret,
          formerSecretUntil: new Date(addMs(now, FORMER_SECRET_HOURS * HOUR_MS)),
        }),
    };
    return { changes, generatedSecret, isOtherReceiver };
  }

  private async readWritten(id: string, secret: string | null): Promise<WrittenNotificationTarget> {
    this.notifier.wake();
    return { target: orNotFound(await this.store.byId.load(id), 'notification channel', id), secret };
  }

  private encrypt(secret: string, { url, ...row }: Omit<Sealed, 'secret' | 'address'> & { url: string }): string {
    try {
      return this.secrets.encrypt(secret, { ...row, address: url });
    } catch (error) {
      if (error instanceof NoDeviceKey) throw new BadInput(error.message, 'input', 'secret');
      throw error;
    }
  }

  private async refuseUnknown(printerIds: readonly string[]): Promise<void> {
    const printers = await Promise.all(printerIds.map((id) => this.findPrinter(id)));
    checkEach(printers, ['input', 'printerIds'], (printer, at) => {
      if (printer === null) throw unknownLink('printer', at);
    });
  }
}

interface GivenDetails {
  username?: string | null | undefined;
  secret?: string | null | undefined;
  certificateFingerprint?: string | null | undefined;
}

const withoutUndefined = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]: Exclude<Members[Name], undefined>;
  };

function decideStateChanges(row: StoredTarget, enabled: boolean | undefined, now: string): TargetChanges {
  if (enabled === undefined || enabled === row.enabled) return {};
  const since = { enabled, stateSince: new Date(now) };
  return enabled
    ? { ...since, state: 'OK', fault: null, silentUntil: null }
    : { ...since, state: 'DISABLED', fault: 'DISABLED' };
}
