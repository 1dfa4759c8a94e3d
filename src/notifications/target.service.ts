// The rules of notification targets: how many there may be, when a secret is made or forgotten, and what a change does with what waits.

import { BadInput, Conflict, NotFound, orNotFound, unknownLink } from '../errors';
import type { Alert } from '../farm/alerts/alert.types';
import type { Caller } from '../farm/graph/caller';
import type { Printer } from '../farm/inventory/inventory.types';
import { parseGuid } from '../values/guid';
import { after, HOUR_MS } from '../values/instant';
import { checkEach, membersOf, optional, readBoolean } from '../values/members';
import type { RequestTime } from '../values/request-time';
import type { Reach } from '../wire/networks';
import { NoDeviceKey, type Sealed, type Secrets } from '../wire/secrets';
import type { AlertBaseline } from './events/alert-baseline';
import type { NotifierWaker } from './notifier-waker';
import { readTargetUrl } from './target.address';
import { DuplicateTargets } from './target.duplicates';
import type { AddNotificationTargetInput, UpdateNotificationTargetInput } from './target.inputs';
import { FORMER_SECRET_HOURS, MAX_TARGETS } from './target.limits';
import { DETAILS, EVENTS, PRINTER_IDS, refuseTogether, TARGET_NAME } from './target.members';
import type { StoredTarget, TargetChanges, TargetStore } from './target.store';
import type { NotificationKind, NotificationTarget, WrittenNotificationTarget } from './target.types';
import { newSigningSecret } from './webhook';

export type PrinterOf = (id: string) => Promise<Printer | null>;

export class TargetService {
  private readonly duplicates: DuplicateTargets;

  constructor(
    private readonly store: TargetStore,
    private readonly secrets: Secrets,
    private readonly reach: Reach,
    private readonly printer: PrinterOf,
    private readonly notifier: NotifierWaker,
    private readonly alertBaseline: Pick<AlertBaseline, 'record'>,
  ) {
    this.duplicates = new DuplicateTargets(reach);
  }

  all(): Promise<NotificationTarget[]> {
    return this.store.all();
  }

  async byId(id: string): Promise<NotificationTarget | null> {
    return this.store.byId.load(parseGuid(id, 'id'));
  }

  /** A target is shown to callers that may configure devices, and to no others. */
  async ofAlert({ about, id }: Pick<Alert, 'about' | 'id'>, caller: Caller): Promise<NotificationTarget | null> {
    return about === 'notificationTarget' && caller.canConfigureDevices ? this.byId(id) : null;
  }

  async printersOf({ printerIds }: NotificationTarget): Promise<Printer[]> {
    const found = await Promise.all(printerIds.map((id) => this.printer(id)));
    return found.filter((printer) => printer !== null);
  }

  async add(input: AddNotificationTargetInput, { now, newId }: RequestTime): Promise<WrittenNotificationTarget> {
    const { kind, enabled, minimumSeverity } = input;
    const {
      secret = null,
      printerIds,
      ...given
    } = membersOf({
      name: TARGET_NAME,
      url: readTargetUrl(kind, this.reach),
      events: EVENTS,
      printerIds: PRINTER_IDS,
      ...DETAILS,
    })(input, 'input');
    const target = {
      id: newId(),
      kind,
      ...given,
      minimumSeverity,
      enabled,
      username: given.username ?? null,
      certificateFingerprint: given.certificateFingerprint ?? null,
    };
    refuseTogether(target, { secret });
    await this.refuseUnknown(printerIds);
    const made = kind === 'WEBHOOK' && secret === null ? newSigningSecret() : null;
    const clear = secret ?? made;
    const row = {
      ...target,
      secret: clear && this.encrypted(clear, target),
      somePrinters: printerIds.length > 0,
      state: enabled ? 'OK' : 'DISABLED',
      fault: enabled ? null : 'DISABLED',
      stateSince: new Date(now),
      createdAt: new Date(now),
      updatedAt: new Date(now),
    };
    await this.duplicates.prepare(target, () => this.store.neighbours());
    await this.store.alone(async (store, transaction) => {
      const others = await store.neighbours();
      if (others.length >= MAX_TARGETS) {
        throw new Conflict(`The farm has ${MAX_TARGETS} notification targets already: no more can be added`, 'input');
      }
      this.duplicates.refuse(target, others);
      await store.add(row, printerIds);
      if (enabled) await this.alertBaseline.record(transaction, now);
    });
    return this.written(target.id, made);
  }

  async update(
    id: string,
    input: UpdateNotificationTargetInput,
    { now }: RequestTime,
  ): Promise<WrittenNotificationTarget> {
    const guid = parseGuid(id, 'id');
    const found = async (store: TargetStore) => orNotFound(await store.stored(guid), 'notification target', id);
    // Its kind stays.
    const { kind } = await found(this.store);
    const given = membersOf({
      name: optional(TARGET_NAME),
      url: optional(readTargetUrl(kind as NotificationKind, this.reach)),
      events: optional(EVENTS),
      printerIds: optional(PRINTER_IDS),
      enabled: optional(readBoolean),
      newSecret: optional(readBoolean),
      ...DETAILS,
    })(input, 'input');
    if (kind === 'WEBHOOK' && given.secret === null) {
      throw new BadInput(
        'must not be removed: a webhook always has one, and newSecret makes another',
        'input',
        'secret',
      );
    }
    await this.refuseUnknown(given.printerIds ?? []);
    if (given.url !== undefined) await this.duplicates.prepare({ kind, url: given.url }, () => this.store.neighbours());
    const made = await this.store.alone(async (store, transaction) => {
      const row = await found(store);
      const secrets = this.secretChanges(row, given, now);
      const { newSecret, secret, printerIds, enabled, ...members } = given;
      const target = { ...row, ...defined(members) };
      refuseTogether(target, { secret, newSecret });
      if (enabled === true && row.somePrinters && printerIds === undefined && (await store.printers(guid)) === 0) {
        throw new BadInput('must be given: all that were chosen are removed', 'input', 'printerIds');
      }
      // One that stays where it is, is not compared with others.
      if (target.url !== row.url) this.duplicates.refuse(target, await store.neighbours());
      const changes: TargetChanges = {
        ...members,
        ...secrets.changes,
        ...stateChanges(row, enabled, now),
        updatedAt: new Date(now),
        ...(input.minimumSeverity != null && { minimumSeverity: input.minimumSeverity }),
        ...(printerIds !== undefined && { somePrinters: printerIds.length > 0 }),
      };
      const isMoved = secrets.isElsewhere || secret !== undefined || members.username !== undefined;
      await store.update(guid, { ...changes, ...(isMoved && { silentUntil: null }) }, printerIds, isMoved);
      if (enabled === true) await this.alertBaseline.record(transaction, now);
      return secrets.made;
    });
    return this.written(guid, made);
  }

  async remove(id: string): Promise<string> {
    const guid = parseGuid(id, 'id');
    if (!(await this.store.remove(guid))) throw new NotFound('notification target', [id]);
    this.notifier.wake();
    return guid;
  }

  /** A secret belongs to its URL and certificate, so that it is not sent to another receiver. A webhook always has one. */
  private secretChanges(
    row: StoredTarget,
    given: { url?: string | undefined; newSecret?: boolean | undefined } & Details,
    now: string,
  ) {
    const { url = row.url, certificateFingerprint = row.certificateFingerprint } = given;
    const isElsewhere = url !== row.url || certificateFingerprint !== row.certificateFingerprint;
    const isMade = row.kind === 'WEBHOOK' && given.secret == null && (isElsewhere || given.newSecret === true);
    const made = isMade ? newSigningSecret() : null;
    const clear = given.secret ?? made;
    const secret =
      clear !== null
        ? this.encrypted(clear, { ...row, url, certificateFingerprint })
        : isElsewhere
          ? null
          : given.secret;
    const isReplaced = row.kind === 'WEBHOOK' && clear !== null;
    const changes: TargetChanges = {
      ...(secret !== undefined && { secret }),
      ...(isElsewhere && { formerSecret: null, formerSecretUntil: null }),
      ...(isReplaced &&
        !isElsewhere && {
          formerSecret: row.secret,
          formerSecretUntil: new Date(after(now, FORMER_SECRET_HOURS * HOUR_MS)),
        }),
    };
    return { changes, made, isElsewhere };
  }

  private async written(id: string, secret: string | null): Promise<WrittenNotificationTarget> {
    this.notifier.wake();
    return { target: orNotFound(await this.store.byId.load(id), 'notification target', id), secret };
  }

  private encrypted(secret: string, { url, ...row }: Omit<Sealed, 'secret' | 'address'> & { url: string }): string {
    try {
      return this.secrets.encrypt(secret, { ...row, address: url });
    } catch (error) {
      if (error instanceof NoDeviceKey) throw new BadInput(error.message, 'input', 'secret');
      throw error;
    }
  }

  private async refuseUnknown(printerIds: readonly string[]): Promise<void> {
    const found = await Promise.all(printerIds.map((id) => this.printer(id)));
    checkEach(found, ['input', 'printerIds'], (printer, at) => {
      if (printer === null) throw unknownLink('printer', at);
    });
  }
}

interface Details {
  username?: string | null | undefined;
  secret?: string | null | undefined;
  certificateFingerprint?: string | null | undefined;
}

const defined = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]: Exclude<Members[Name], undefined>;
  };

function stateChanges(row: StoredTarget, enabled: boolean | undefined, now: string): TargetChanges {
  if (enabled === undefined || enabled === row.enabled) return {};
  const since = { enabled, stateSince: new Date(now) };
  return enabled
    ? { ...since, state: 'OK', fault: null, silentUntil: null }
    : { ...since, state: 'DISABLED', fault: 'DISABLED' };
}
