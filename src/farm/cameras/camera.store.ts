// Holds the statements that register, list, change and remove cameras.

import { translateViolations } from '../../database/failures';
import { limitAndOffset, readById, readPage } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import { containsText, joinConditions, matchesOneOf } from '../../database/sql';
import { Conflict, unknownLink } from '../../errors';
import { Prisma } from '../../generated/prisma/client';
import { batchedRead } from '../../sharing/batch';
import { defineCursors, type Page, type PageRange } from '../../values/page';
import { parseText } from '../../values/text';
import type { CameraFilter, RegisterCameraInput, UpdateCameraInput } from './camera.inputs';
import { CAMERA_ROW, CAMERAS_WITH_LATEST } from './camera.rows';
import type { Camera } from './camera.types';
import type { CameraLiveness } from './health.types';
import { LIVENESS, selectCamerasAt } from './liveness.rows';

const CURSORS = defineCursors('cameras', parseText);

/** Keeps what a camera recorded of prints, before its log is deleted. FilmingStore implements it. */
export interface RecordingKeeper {
  /** Throws Conflict if the camera cannot be removed yet. */
  keepRecordingsOf(transaction: Queryable, cameraId: string, now: string): Promise<void>;
}

export class CameraStore {
  /** @param recordings left out by callers that remove no camera */
  constructor(
    private readonly database: Queryable,
    private readonly recordings?: RecordingKeeper,
  ) {}

  readonly byId = batchedRead<string, Camera>((ids) =>
    readById(this.database, 'cameras.byId', CAMERA_ROW, CAMERAS_WITH_LATEST, 'c.camera_id', ids, 'text'),
  );

  /** The cameras that watch each printer, ordered by id. */
  readonly byPrinter = batchedRead<string, Camera[]>(async (printerIds) => {
    const rows = await this.database.rows(
      'cameras.ofPrinter',
      CAMERA_ROW,
      Prisma.sql`
      select ${CAMERA_ROW.json} as row from ${CAMERAS_WITH_LATEST}
      where ${matchesOneOf('c.printer_id', printerIds, 'uuid')} order by c.camera_id`,
    );
    const byPrinter = new Map<string, Camera[]>(printerIds.map((id) => [id, []]));
    for (const row of rows) byPrinter.get(row.printerId as string)?.push(row);
    return byPrinter;
  });

  async readPage(filter: CameraFilter, range: PageRange): Promise<Page<Camera>> {
    const conditions = buildConditions(filter);
    const after = range.after === null ? [] : [Prisma.sql`c.camera_id > ${CURSORS.keyOf(range.after)[0]}`];
    const page = {
      rows: Prisma.sql`
        select ${CAMERA_ROW.json} as row from ${CAMERAS_WITH_LATEST}
        where ${joinConditions([...conditions, ...after])} order by c.camera_id ${limitAndOffset(range)}`,
      total: Prisma.sql`select count(*) from ${CAMERAS_WITH_LATEST} where ${joinConditions(conditions)}`,
    };
    return readPage(this.database, 'cameras.page', CAMERA_ROW, page, range, (row) => CURSORS.to(row.id));
  }

  /** The number of cameras with each liveness. A liveness without a camera is left out. */
  countByLiveness(now: string): Promise<Partial<Record<CameraLiveness, number>>> {
    return this.database.json(
      'cameras.countByLiveness',
      Prisma.sql`
      select coalesce(json_object_agg(l.liveness, l.cameras), '{}') as value from (
        select ${LIVENESS} as liveness, count(*) as cameras
        from ${selectCamerasAt(now)} group by 1
      ) l`,
    );
  }

  async register({ id, recordsPrints, ...members }: RegisterCameraInput, now: string): Promise<void> {
    await this.attemptWithRefusals('cameras.register', ({ prisma }) =>
      prisma.camera.create({
        data: { cameraId: id, recordsPrints: recordsPrints ?? false, ...members, createdAt: now, updatedAt: now },
      }),
    );
  }

  /** Returns false if there is no such camera. Members that are undefined stay as they are. */
  async update(
    id: string,
    { friendlyName, recordsPrints, ...others }: UpdateCameraInput,
    now: string,
  ): Promise<boolean> {
    const { count } = await this.attemptWithRefusals('cameras.update', ({ prisma }) =>
      prisma.camera.updateMany({
        where: { cameraId: id, removedAt: null },
        data: {
          friendlyName: friendlyName ?? undefined,
          recordsPrints: recordsPrints ?? undefined,
          ...others,
          updatedAt: now,
        },
      }),
    );
    return count > 0;
  }

  /**
   * Hides a camera from all readers and writers and deletes its device. The log of the camera stays for forgetRemoved.
   * Returns false if there is no such camera, or if its device may not be removed. A request that adds a device at the same moment waits
   * for the lock, and then finds no camera.
   */
  async remove(id: string, withDevice: boolean, now: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const { json } = transaction;
      await json(
        'cameras.lock',
        Prisma.sql`with l as (select from cameras where camera_id = ${id} for update) select to_json(count(*)) as value from l`,
      );
      const isRemoved = await json<boolean>(
        'cameras.remove',
        Prisma.sql`
        with c as (
          update cameras set removed_at = ${now}::timestamptz, mac_address = null, printer_id = null
          where camera_id = ${id} and removed_at is null
            and (${withDevice} or not exists (select from devices d where d.camera_id = ${id})) returning camera_id
        ), latest as (
          delete from camera_latest_status l using c where l.camera_id = c.camera_id
        ), device as (
          delete from devices d using c where d.camera_id = c.camera_id
        )
        select to_json(count(*) > 0) as value from c`,
      );
      if (isRemoved) await this.recordings?.keepRecordingsOf(transaction, id, now);
      return isRemoved;
    });
  }

  /** Deletes the next part of the log of a removed camera, and at last the camera. Returns false if nothing is left. */
  forgetRemoved(id: string): Promise<boolean> {
    return this.database.json(
      'cameras.forgetRemoved',
      Prisma.sql`select to_json(forget_removed_camera(${id}) is not null) as value`,
    );
  }

  private attemptWithRefusals<T>(name: string, write: (database: Queryable, name: string) => Promise<T>): Promise<T> {
    return translateViolations(CONSTRAINT_ERRORS, () => this.database.attempt(name, write));
  }
}

const createRegisteredConflict = (member: string) => new Conflict('is already registered', 'input', member);
const CONSTRAINT_ERRORS = new Map<string, () => Error>([
  ['cameras_mac_address_key', () => createRegisteredConflict('macAddress')],
  ['cameras_pkey', () => createRegisteredConflict('id')],
  ['cameras_printer_id_fkey', () => unknownLink('printer')],
]);

function buildConditions(filter: CameraFilter): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (filter.online != null) conditions.push(Prisma.sql`latest.online = ${filter.online}`);
  if (filter.recordingState != null) conditions.push(Prisma.sql`latest.recording_state = ${filter.recordingState}`);
  if (filter.batteryAtMost != null) conditions.push(Prisma.sql`latest.battery_pct <= ${filter.batteryAtMost}::float8`);
  if (filter.search != null && filter.search !== '') {
    conditions.push(containsText(['c.camera_id', 'c.friendly_name'], filter.search));
  }
  return conditions;
}
