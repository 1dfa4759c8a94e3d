// Decides which devices may be added, changed and tested, and when the secret of a device is deleted.

import {
  archivedLink,
  BadInput,
  Conflict,
  type Issue,
  NotFound,
  orNotFound,
  TooManyRequests,
  unknownLink,
} from '../../errors';
import { DEVICE_KINDS, type DeviceKind, type KindFacts } from '../../kind-facts';
import { optionalCopiedText, readFingerprint } from '../../values/copied-texts';
import { parseGuid } from '../../values/guid';
import { nullable, optional, type Reader, readBoolean, readMembers } from '../../values/members';
import { clamp } from '../../values/page';
import type { RequestTime } from '../../values/request-time';
import { nonEmptyText } from '../../values/text';
import { LIMITS, type Limits } from '../../wire/connection-limits';
import { describeMachineFault } from '../../wire/fault-sentences';
import { type Address, parseAddress } from '../../wire/machine-address';
import type { Network } from '../../wire/networks';
import { NoDeviceKey, type Sealed, type Secrets } from '../../wire/secrets';
import type { DeviceDuplicateService, OwnerLookUps } from './device.duplicate.service';
import { type AddDeviceInput, MAX_DEVICE_TEXT, type UpdateDeviceInput } from './device.inputs';
import type { NewDevice } from './device.rows';
import { type DeviceChanges, type DeviceStore, MAX_DEVICES, type StoredDevice } from './device.store';
import type { Device, DeviceConnection, DeviceTest } from './device.types';

/** The number of device tests that one process runs at a time. Each test holds a socket for up to 10 s. */
export const MAX_DEVICE_TESTS = 10;

/** How often an update is tried again because other requests changed the device at the same moment. */
const MAX_TRIES = 5;
/** The part of the time of a request that is reserved for its answer. */
const ANSWER_MS = 300;

const DETAIL_READERS = {
  serial: optionalCopiedText(),
  username: optionalCopiedText(),
  secret: optionalCopiedText(),
  certificateFingerprint: optionalCopiedText(readFingerprint),
};

type Owners = Pick<NewDevice, 'printerId' | 'cameraId'>;

/** Connects to a machine once, to see whether the gateway can listen to it. MachineTester in src/machines/trial.ts implements it. */
export interface DeviceTester {
  test(
    kind: DeviceKind,
    target: Pick<NewDevice, 'address' | 'serial' | 'username' | 'secret' | 'certificateFingerprint'>,
    network: Network,
    limits: Limits,
  ): Promise<Pick<DeviceTest, 'reached' | 'fault' | 'activity'> & { identity: Identity | null }>;
}

type Identity = Pick<DeviceTest, 'name' | 'model' | 'serial' | 'firmware' | 'certificateFingerprint'>;

export class DeviceService {
  private runningTests = 0;

  constructor(
    private readonly store: DeviceStore,
    private readonly secrets: Secrets,
    private readonly network: Network,
    private readonly owners: OwnerLookUps,
    private readonly duplicates: DeviceDuplicateService,
    private readonly tester: DeviceTester,
  ) {}

  async byId(id: string): Promise<Device | null> {
    return this.store.byId.load(parseGuid(id, 'id'));
  }

  async add(input: AddDeviceInput, { now, newId }: RequestTime): Promise<Device> {
    const id = newId();
    const { secret, ...given } = this.readInput(input, { needsOwner: true });
    const device = { id, ...given };
    const newDevice: NewDevice = {
      ...device,
      secret: secret && this.encrypt(secret, device),
      state: 'CONNECTING',
      stateSince: now,
      createdAt: now,
      updatedAt: now,
    };
    await this.duplicates.lookUpNames(newDevice);
    const explainRefusal = await this.store.runExclusively(async (store) => {
      const duplicate = this.duplicates.findDuplicate(newDevice, await store.listForComparison());
      if (duplicate !== undefined) return () => this.duplicates.buildConflict(newDevice, duplicate);
      return (await store.add(newDevice)) ? null : () => this.explainRefusedDevice(newDevice);
    });
    if (explainRefusal !== null) throw await explainRefusal();
    return orNotFound(await this.store.byId.load(id), 'device', id);
  }

  /** The changes depend on the stored row, so they are written only if its address and certificate are still the same. */
  async update(id: string, input: UpdateDeviceInput, { now }: RequestTime): Promise<Device> {
    const guid = parseGuid(id, 'id');
    for (let tries = MAX_TRIES; tries > 0; tries -= 1) {
      const row = orNotFound(await this.store.findRow(guid), 'device', id);
      if (await this.change(row, this.readChanges(row, input), now)) {
        return orNotFound(await this.store.byId.load(guid), 'device', id);
      }
    }
    throw new Conflict('is being changed by other requests. Try again', 'id');
  }

  /** Returns false if the row changed meanwhile. Only a device with a new address or serial number is compared with other devices. */
  private async change(row: StoredDevice, changes: DeviceChanges, now: string): Promise<boolean> {
    const { address = row.address, serial = row.serial } = changes;
    if (address === row.address && serial === row.serial) return this.store.update(row, changes, now);
    const moved = { ...row, kind: row.kind as DeviceKind, address, serial };
    await this.duplicates.lookUpNames(moved);
    const result = await this.store.runExclusively(async (store) => {
      const duplicate = this.duplicates.findDuplicate(moved, await store.listForComparison());
      return duplicate ?? (await store.update(row, changes, now));
    });
    if (typeof result === 'object') throw await this.duplicates.buildConflict(moved, result);
    return result;
  }

  async remove(id: string, { now }: RequestTime): Promise<string> {
    const guid = parseGuid(id, 'id');
    if (!(await this.store.remove(guid, now))) throw new NotFound('device', [id]);
    return guid;
  }

  /** The message explains the fault, and names another device that is the same machine. */
  async buildMessage({ deviceId, state, message }: DeviceConnection): Promise<string | null> {
    const duplicate = state === 'DISABLED' ? null : await this.duplicates.describeDuplicate(deviceId);
    return [message, duplicate].filter((sentence) => sentence !== null).join(' ') || null;
  }

  /** Checks the input as `add` does, except that the printer or camera may already have a device, which a user is editing, or may be left out. */
  async test(input: AddDeviceInput, { deadline, newId }: RequestTime): Promise<DeviceTest> {
    const { kind, followsSpools, setsActiveSpool, ...target } = this.readInput(input, { needsOwner: false });
    const device = { id: newId(), kind, ...target };
    const owner = await this.findOwnerFault(device);
    if (owner !== null) throw owner;
    await this.duplicates.lookUpNames(device);
    const duplicate = this.duplicates.findDuplicate(device, await this.store.listForComparison());
    if (duplicate !== undefined) throw await this.duplicates.buildConflict(device, duplicate);
    if (this.runningTests >= MAX_DEVICE_TESTS)
      throw new TooManyRequests('Other devices are being tested now. Try again in 10 seconds');
    const connectMs = clamp(deadline - performance.now() - ANSWER_MS, 1, LIMITS.connectMs);
    this.runningTests += 1;
    try {
      const found = await this.tester.test(kind, target, this.network, { ...LIMITS, connectMs });
      const { reached, fault, activity, identity } = found;
      const {
        name = null,
        model = null,
        serial = null,
        firmware = null,
        certificateFingerprint = null,
      } = identity ?? {};
      const message = fault && describeMachineFault(fault, kind);
      return { reached, fault, message, name, model, serial, firmware, certificateFingerprint, activity };
    } finally {
      this.runningTests -= 1;
    }
  }

  private readInput(input: AddDeviceInput, { needsOwner }: { needsOwner: boolean }) {
    const { kind, enabled, followsSpools, setsActiveSpool } = input;
    const facts = DEVICE_KINDS[kind];
    const given = readMembers({
      printerId: nullable(parseGuid),
      cameraId: nullable(nonEmptyText(MAX_DEVICE_TEXT)),
      address: this.createAddressReader(facts),
      ...DETAIL_READERS,
    })(input, 'input');
    const owners = { printerId: given.printerId ?? null, cameraId: given.cameraId ?? null };
    const issues = findCombinationIssues(facts, { ...given, serial: given.serial ?? null });
    const count = [owners.printerId, owners.cameraId].filter((id) => id !== null).length;
    if (count === 2 || (needsOwner && count === 0)) {
      issues.push({ path: ['input'], message: 'Give either printerId or cameraId' });
    } else issues.push(...findOwnerIssues(facts, kind, owners));
    if (issues.length > 0) throw new BadInput(issues);
    return {
      kind,
      enabled,
      followsSpools,
      setsActiveSpool,
      ...owners,
      address: given.address.text,
      serial: given.serial ?? null,
      username: given.username ?? null,
      secret: given.secret ?? null,
      certificateFingerprint: given.certificateFingerprint ?? null,
    };
  }

  private readChanges(row: Sealed, input: UpdateDeviceInput): DeviceChanges {
    const facts = DEVICE_KINDS[row.kind as DeviceKind];
    const { address, secret, enabled, followsSpools, setsActiveSpool, ...details } = readMembers({
      address: optional(this.createAddressReader(facts)),
      enabled: optional(readBoolean),
      followsSpools: optional(readBoolean),
      setsActiveSpool: optional(readBoolean),
      ...DETAIL_READERS,
    })(input, 'input');
    const { certificateFingerprint = row.certificateFingerprint } = details;
    const issues = findCombinationIssues(facts, {
      serial: details.serial,
      certificateFingerprint,
      // An unchanged address was checked when it was entered. It is read again only if a new fingerprint needs to know whether it has TLS.
      address:
        address ??
        (details.certificateFingerprint ? this.createAddressReader(facts)(row.address, 'address') : undefined),
    });
    if (issues.length > 0) throw new BadInput(issues);
    const changed = { ...row, address: address?.text ?? row.address, certificateFingerprint };
    const isOtherMachine = changed.address !== row.address || certificateFingerprint !== row.certificateFingerprint;
    return {
      address: address?.text,
      enabled,
      followsSpools,
      setsActiveSpool,
      serial: details.serial,
      username: details.username,
      ...(details.certificateFingerprint !== undefined && { certificateFingerprint }),
      secret: secret ? this.encrypt(secret, changed) : isOtherMachine ? null : secret,
    } as DeviceChanges;
  }

  private createAddressReader(facts: KindFacts): Reader<Address> {
    return (value, member) => parseAddress(value, facts.address, this.network, member);
  }

  private encrypt(secret: string, row: Omit<Sealed, 'secret'>): string {
    try {
      return this.secrets.encrypt(secret, row);
    } catch (error) {
      if (error instanceof NoDeviceKey) throw new BadInput(error.message, 'input', 'secret');
      throw error;
    }
  }

  private async explainRefusedDevice(device: NewDevice): Promise<BadInput> {
    const full = new BadInput(
      `The farm already has ${MAX_DEVICES} devices. Remove one before you add another`,
      'input',
    );
    return (await this.findOwnerFault(device)) ?? full;
  }

  private async findOwnerFault({ printerId, cameraId }: Owners): Promise<BadInput | null> {
    const printer = printerId === null ? null : await this.owners.printer(printerId);
    if (printerId !== null && printer === null) return unknownLink('printer');
    if (printer !== null && printer.archivedAt !== null) return archivedLink('printer');
    if (cameraId !== null && (await this.owners.camera(cameraId)) === null) return unknownLink('camera');
    return null;
  }
}

/** A kind of printer must not have a cameraId, and a kind of camera must not have a printerId. */
function findOwnerIssues(
  { machineType: ownerType }: KindFacts,
  kind: DeviceKind,
  owners: { printerId: string | null; cameraId: string | null },
): Issue[] {
  const [ownerMember, otherMember] =
    ownerType === 'printer' ? (['printerId', 'cameraId'] as const) : (['cameraId', 'printerId'] as const);
  if (owners[otherMember] === null) return [];
  return [
    {
      path: ['input', otherMember],
      message: `must not be given for ${kind}, a kind of ${ownerType}: give ${ownerMember}`,
    },
  ];
}

/** Finds members that are valid alone but not together. */
function findCombinationIssues(
  { serial }: KindFacts,
  given: {
    serial?: string | null | undefined;
    certificateFingerprint?: string | null | undefined;
    address?: { secure: boolean } | undefined;
  },
): Issue[] {
  const issues: Issue[] = [];
  if (serial !== null && given.serial !== undefined && !serial.pattern.test(given.serial ?? '')) {
    issues.push({ path: ['input', 'serial'], message: serial.message });
  }
  if (given.serial && serial === null) {
    issues.push({
      path: ['input', 'serial'],
      message: 'must not be given: this kind of machine needs no serial number',
    });
  }
  if (given.certificateFingerprint && given.address?.secure === false) {
    issues.push({
      path: ['input', 'certificateFingerprint'],
      message: 'must not be given for an address without TLS: enter the address as a URL with https',
    });
  }
  return issues;
}
