// The SQL of the camera registry, and of each camera's latest status.
import type { Queryable } from '../database/database';
import { violatedConstraint } from '../database/failures';
import { limitOf, readPage } from '../database/pages';
import { allOf, containing, isOneOf, sql } from '../database/sql';
import { Conflict } from '../errors';
import { Prisma } from '../generated/prisma/client';
import { batchedRead } from '../sharing/batch';
import { cursorsOf, type Page, type PageRange } from '../values/page';
import { parseText } from '../values/text';
import type { CameraFilter, RegisterCameraInput, UpdateCameraInput } from './camera.inputs';
import { CAMERA_ROW } from './camera.rows';
import type { Camera } from './camera.types';

/** Triggers on the log keep the record with the greatest recorded_at: reads cost the same however long the log is. */
const CAMERAS_WITH_LATEST = sql('cameras c left join camera_latest_status latest on latest.camera_id = c.camera_id');
const CURSORS = cursorsOf('cameras', parseText);

export class CameraStore {
  constructor(private readonly database: Queryable) {}

  readonly byId = batchedRead<string, Camera>(async (ids) => {
    const rows = await this.database.rows(
      'cameras.byId',
      CAMERA_ROW,
      Prisma.sql`
      select ${CAMERA_ROW.json} as row from ${CAMERAS_WITH_LATEST} where ${isOneOf('c.camera_id', ids, 'text')}`,
    );
    return new Map(rows.map((row) => [row.id, row]));
  });

  async page(filter: CameraFilter, range: PageRange): Promise<Page<Camera>> {
    const conditions = conditionsOf(filter);
    const after = range.after === null ? [] : [Prisma.sql`c.camera_id > ${CURSORS.placeOf(range.after)[0]}`];
    const page = {
      rows: Prisma.sql`
        select ${CAMERA_ROW.json} as row from ${CAMERAS_WITH_LATEST}
        where ${allOf([...conditions, ...after])} order by c.camera_id ${limitOf(range)}`,
      total: Prisma.sql`select count(*) from ${CAMERAS_WITH_LATEST} where ${allOf(conditions)}`,
    };
    return readPage(this.database, 'cameras.page', CAMERA_ROW, page, range, (row) => CURSORS.to(row.id));
  }

  /** How many cameras are online, offline, and without any status. */
  countByState(): Promise<Record<'online' | 'offline' | 'unknown', number>> {
    return this.database.json(
      'cameras.countByState',
      Prisma.sql`
      select json_build_object(
        'online', count(*) filter (where latest.online), 'offline', count(*) filter (where not latest.online),
        'unknown', count(*) filter (where latest.online is null)) as value
      from ${CAMERAS_WITH_LATEST}`,
    );
  }

  async register({ id, friendlyName, macAddress }: RegisterCameraInput, now: string): Promise<void> {
    await this.refusingTaken(({ prisma }) =>
      prisma.camera.create({
        data: { cameraId: id, friendlyName, macAddress: macAddress ?? null, createdAt: now, updatedAt: now },
      }),
    );
  }

  /** False when there is no such camera. Members that are undefined stay as they are. */
  async update(id: string, { friendlyName, macAddress }: UpdateCameraInput, now: string): Promise<boolean> {
    const { count } = await this.refusingTaken(({ prisma }) =>
      prisma.camera.updateMany({
        where: { cameraId: id },
        data: { friendlyName: friendlyName ?? undefined, macAddress, updatedAt: now },
      }),
    );
    return count > 0;
  }

  private async refusingTaken<T>(write: (database: Queryable) => Promise<T>): Promise<T> {
    try {
      return await this.database.attempt('cameras.write', write);
    } catch (error) {
      const violated = violatedConstraint(error);
      if (violated?.constraint === 'cameras_mac_address_key') throw taken('macAddress');
      if (violated?.constraint === 'cameras_pkey') throw taken('id');
      throw error;
    }
  }
}

const taken = (member: string) => new Conflict('is already registered', 'input', member);

function conditionsOf(filter: CameraFilter): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (filter.online != null) conditions.push(Prisma.sql`latest.online = ${filter.online}`);
  if (filter.recordingState != null) conditions.push(Prisma.sql`latest.recording_state = ${filter.recordingState}`);
  if (filter.batteryAtMost != null) conditions.push(Prisma.sql`latest.battery_pct <= ${filter.batteryAtMost}::float8`);
  if (filter.search != null && filter.search !== '') {
    // The columns are ordered by code point, and that collation knows the case of ASCII letters alone.
    const pattern = Prisma.sql`${containing(filter.search)}::text collate "default"`;
    conditions.push(Prisma.sql`(c.camera_id ilike ${pattern} or c.friendly_name ilike ${pattern})`);
  }
  return conditions;
}
