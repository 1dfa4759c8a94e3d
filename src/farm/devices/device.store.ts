// Holds the statements of devices. docs/explanation/data-access.md explains when a statement is SQL.
import { translateViolations } from '../../database/failures';
import type { Queryable } from '../../database/queryable';
import { columnNames, memberNames, recordType } from '../../database/rows';
import { matchesOneOf, sql } from '../../database/sql';
import { Conflict } from '../../errors';
import { Prisma, type Device as StoredDevice } from '../../generated/prisma/client';
import type { DeviceKind } from '../../kind-facts';
import { batchedRead } from '../../sharing/batch';
import { selectUnarchived } from '../inventory/inventory.rows';
import { type ComparedDevice, DEVICE_ROW, NEW_DEVICE_COLUMNS, type NewDevice, toDevice } from './device.rows';
import type { Device } from './device.types';

/** Limited, because the query `devices` returns all devices of the farm. */
export const MAX_DEVICES = 1000;

/** The columns that an update writes. Members that are undefined stay as they are. */
export type DeviceChanges = Partial<
  Pick<
    StoredDevice,
    | 'address'
    | 'serial'
    | 'username'
    | 'secret'
    | 'certificateFingerprint'
    | 'enabled'
    | 'followsSpools'
    | 'setsActiveSpool'
  >
>;

export type { StoredDevice };

export class DeviceStore {
  constructor(private readonly database: Queryable) {}

  readonly byId = this.loadBy('devices.byId', 'id');
  readonly byPrinter = this.loadBy('devices.ofPrinter', 'printerId');
  readonly byCamera = this.loadBy('devices.ofCamera', 'cameraId');

  /** In the order in which the devices were added. */
  async listAll(): Promise<Device[]> {
    const rows = await this.database.rows(
      'devices.all',
      DEVICE_ROW,
      Prisma.sql`select ${DEVICE_ROW.json} as row from devices d order by d.created_at, d.id`,
    );
    return rows.map(toDevice);
  }

  /** All devices of the farm, to look for duplicates. Callers of the same moment get the same array. */
  async listForComparison(): Promise<readonly ComparedDevice[]> {
    return (await this.comparedDevices.load('')) ?? [];
  }

  private readonly comparedDevices = batchedRead<string, ComparedDevice[]>(async ([key = '']) => {
    const rows = await this.database.models('devices.neighbours', ({ device }) =>
      device.findMany({
        select: { id: true, kind: true, address: true, serial: true, printerId: true, cameraId: true, enabled: true },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      }),
    );
    return new Map([[key, rows.map((row) => ({ ...row, kind: row.kind as DeviceKind }))]]);
  });

  /** Runs the work in a transaction that holds the lock of all device writes, so that no other write adds or moves a device meanwhile. */
  runExclusively<Result>(work: (store: DeviceStore) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (transaction) => {
      await transaction.json(
        'devices.alone',
        Prisma.sql`select to_json(pg_advisory_xact_lock('devices'::regclass::bigint) is not null) as value`,
      );
      return work(new DeviceStore(transaction));
    });
  }

  /** The row with its encrypted secret; `null` if there is no such device. */
  findRow(id: string): Promise<StoredDevice | null> {
    return this.database.models('devices.stored', ({ device }) => device.findUnique({ where: { id } }));
  }

  /**
   * Returns false if the printer is unknown or archived, the camera is unknown, or the farm has MAX_DEVICES devices. Requests of the same moment
   * may exceed the limit by a few. If a print was running when the previous device of the printer was removed, it is UNRESOLVED without
   * filament. Such a print is RUNNING again until the machine reports its end; otherwise the same print would be booked twice.
   */
  async add(device: NewDevice): Promise<boolean> {
    const camera = Prisma.sql`select from cameras c where c.camera_id = given."cameraId" and c.removed_at is null for share`;
    return translateViolations(CONSTRAINT_ERRORS, () =>
      this.database.attempt('devices.add', ({ json }, name) =>
        json(
          name,
          Prisma.sql`
          with d as (
            insert into devices (${columnNames(NEW_DEVICE_COLUMNS)}) select ${memberNames(NEW_DEVICE_COLUMNS)}
            from json_to_recordset(${JSON.stringify([device])}::json) as given (${recordType(NEW_DEVICE_COLUMNS)}),
              lateral (${device.printerId === null ? camera : selectUnarchived('printers', sql('given."printerId"'))}) in_use
            where (select count(*) from devices) < ${MAX_DEVICES}::int
            returning id, printer_id
          ), print as (
            update observed_prints p set device_id = d.id, outcome = 'RUNNING', lost = true from d
            where p.id = (select l.id from observed_prints l where l.printer_id = d.printer_id
                order by l.created_at desc, l.id desc limit 1)
              and p.device_id is null and p.outcome = 'UNRESOLVED' and p.filament is null and p.ignored_at is null
          )
          select to_json(count(*) > 0) as value from d`,
        ),
      ),
    );
  }

  /**
   * Returns false if the address or certificate of the device changed since it was read, because its secret is bound to them. The lease ends too,
   * so that a process that is still connected to the old address can write nothing more.
   */
  async update(
    { id, address, certificateFingerprint, serial, followsSpools }: StoredDevice,
    changes: DeviceChanges,
    now: string,
  ): Promise<boolean> {
    // What another machine reported says nothing about this one. A machine that is followed again starts with a first contact.
    const isOtherMachine =
      (changes.address ?? address) !== address || (changes.serial === undefined ? serial : changes.serial) !== serial;
    const isFirstContact = isOtherMachine || (changes.followsSpools === true && !followsSpools);
    const forgotten = isFirstContact ? { reportedSpools: Prisma.DbNull, spoolman: Prisma.DbNull } : {};
    return this.database.transaction(async (transaction) => {
      const { count } = await transaction.attempt('devices.update', ({ prisma }) =>
        prisma.device.updateMany({
          where: { id, address, certificateFingerprint },
          data: { ...changes, ...forgotten, state: 'CONNECTING', stateSince: now, fault: null, updatedAt: now },
        }),
      );
      if (count > 0) {
        await transaction.attempt('devices.endLease', ({ prisma }) =>
          prisma.lease.updateMany({
            where: { deviceId: id },
            data: { holder: null, until: null, number: { increment: 1 } },
          }),
        );
      }
      return count > 0;
    });
  }

  /**
   * Returns false if there is no such device. Its running print becomes UNRESOLVED, because no machine will report the end of the print.
   * The statement also sets device_id to null. If the foreign key did that, subscriptions would get a second change of the print.
   */
  async remove(id: string, now: string): Promise<boolean> {
    return this.database.attempt('devices.remove', ({ json }, name) =>
      json(
        name,
        Prisma.sql`
        with d as (
          delete from devices where id = ${id}::uuid returning id, printer_id
        ), print as (
          update observed_prints p set outcome = 'UNRESOLVED', device_id = null from d
          where p.device_id = d.id and p.outcome = 'RUNNING' returning p.id
        ), sighting as (
          insert into print_sightings (print_id, at, kind, text)
          select print.id, ${now}::timestamptz, 'ENDED', 'The device was removed' from print
        ), tags as (
          update printer_slots k set tag = null from d where k.printer_id = d.printer_id and k.tag is not null
        ), state as (
          delete from printer_states s using d where s.printer_id = d.printer_id
        )
        select to_json(count(*) > 0) as value from d`,
      ),
    );
  }

  private loadBy(name: string, member: 'id' | 'printerId' | 'cameraId') {
    const [column, type] = COLUMN_OF[member];
    return batchedRead<string, Device>(async (ids) => {
      const rows = await this.database.rows(
        name,
        DEVICE_ROW,
        Prisma.sql`select ${DEVICE_ROW.json} as row from devices d where ${matchesOneOf(column, ids, type)}`,
      );
      return new Map(rows.map((row) => [row[member] as string, toDevice(row)]));
    });
  }
}

const COLUMN_OF = {
  id: ['d.id', 'uuid'],
  printerId: ['d.printer_id', 'uuid'],
  cameraId: ['d.camera_id', 'text'],
} as const;

const CONSTRAINT_ERRORS = new Map<string, () => Error>(
  (['printer', 'camera'] as const).map((owner) => [
    `devices_${owner}_id_key`,
    () => new Conflict(`already has a device: a ${owner} can have only one`, 'input', `${owner}Id`),
  ]),
);
