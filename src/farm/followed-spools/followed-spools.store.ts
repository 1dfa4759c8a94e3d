// Reads and writes what a machine reported about its spools, as long as this process holds the device.
import type { Queryable } from '../../database/queryable';
import { CLOCK, withoutFutureTime } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { heldDevice, type Lease } from '../../sharing/lease';
import type { Instant } from '../../values/instant';
import type { SeenSlots, SpoolReference, StoredSpoolman } from './followed-spools.model';
import type { FindSpool, FoundSpool, SlotNow } from './followed-spools.rules';

/** The row of a device, and the slots that it reports. */
export interface FollowedDevice {
  printerId: string;
  followsSpools: boolean;
  setsActiveSpool: boolean;
  seen: SeenSlots | null;
  spoolman: StoredSpoolman | null;
  /** The name of the farm, by which a program recognizes this gateway. */
  farm: string;
  slots: Record<string, SlotNow & { number: number | null }>;
}

type SlotRow = SlotNow & { slot: string; number: number | null };

export class FollowedSpoolsStore {
  constructor(private readonly database: Queryable) {}

  /** Locks the device. `null` if this process does not hold it, or if the device has no printer. */
  async lock(lease: Lease, slots: readonly string[]): Promise<FollowedDevice | null> {
    const changedAt = withoutFutureTime('coalesce(k."to", k."from")', CLOCK);
    const row = await this.database.json<(Omit<FollowedDevice, 'slots'> & { slots: SlotRow[] }) | null>(
      'followedSpools.lock',
      Prisma.sql`
      with own as (
        select d.printer_id, d.follows_spools, d.sets_active_spool, d.reported_spools, d.spoolman
        from ${heldDevice(lease)} and d.printer_id is not null for update of d
      )
      select (select json_build_object('printerId', o.printer_id, 'followsSpools', o.follows_spools,
        'setsActiveSpool', o.sets_active_spool, 'seen', o.reported_spools, 'spoolman', o.spoolman,
        'farm', (select name from change_feed),
        'slots', (select coalesce(json_agg(json_build_object('slot', k.slot, 'spoolId', case when k."to" is null then k.spool_id end,
            'number', case when k."to" is null then (select s.number from spools s where s.id = k.spool_id) end,
            'changedAt', ${changedAt})), '[]')
          from unnest(${slots}::text[]) wanted (slot), lateral (
            select x.* from slot_loads x where x.printer_id = o.printer_id and x.slot = wanted.slot order by x."from" desc limit 1
          ) k)) from own o) as value`,
    );
    if (row === null) return null;
    const bySlot = row.slots.map(({ slot, changedAt, ...now }) => [slot, { ...now, changedAt: toInstant(changedAt) }]);
    return { ...row, slots: Object.fromEntries(bySlot) };
  }

  /** Reads the spools of all references together. */
  async finder(references: readonly SpoolReference[]): Promise<FindSpool> {
    const numbers = references.flatMap((reference) => ('number' in reference ? reference.number : []));
    const uids = references.flatMap((reference) => ('uids' in reference ? reference.uids : []));
    if (numbers.length === 0 && uids.length === 0) return () => null;
    const rows = await this.database.json<(FoundSpool & { key: string })[]>(
      'followedSpools.find',
      Prisma.sql`
      select coalesce(json_agg(json_build_object('key', r.key, 'id', r.id, 'isArchived', r.archived_at is not null,
        'isLoaded', exists (select from slot_loads l where l.spool_id = r.id and l."to" is null))), '[]') as value
      from (
        select s.number::text as key, s.id, s.archived_at from spools s where s.number = any(${numbers}::int[])
        union all select t.uid, s.id, s.archived_at from spool_tags t join spools s on s.id = t.spool_id where t.uid = any(${uids}::text[])
      ) r`,
    );
    const [byNumber, byUid] = [new Map<string, (typeof rows)[0]>(), new Map<string, (typeof rows)[0]>()];
    for (const row of rows) {
      if (uids.includes(row.key)) byUid.set(row.key, row);
      if (numbers.includes(Number(row.key))) byNumber.set(row.key, row);
    }
    return (reference) =>
      'number' in reference
        ? (byNumber.get(String(reference.number)) ?? null)
        : (reference.uids.map((uid) => byUid.get(uid)).find((row) => row !== undefined) ?? null);
  }

  async write(deviceId: string, seen: SeenSlots | null, spoolman: StoredSpoolman | null): Promise<void> {
    const toText = (value: unknown) => (value === null ? null : JSON.stringify(value));
    await this.database.json(
      'followedSpools.write',
      Prisma.sql`
      with d as (
        update devices set reported_spools = ${toText(seen)}::jsonb, spoolman = ${toText(spoolman)}::jsonb
        where id = ${deviceId}::uuid returning 1
      )
      select to_json(count(*)) as value from d`,
    );
  }

  /**
   * A machine has chosen a spool that was in a slot of another printer. No user has emptied that slot, so what the other machine reports
   * still holds: the gateway does not clear its active spool, and a change that waits there is not overruled.
   */
  async keepChoices(printerId: string, spoolId: string): Promise<void> {
    await this.database.json(
      'followedSpools.keepChoices',
      Prisma.sql`
      with left_slots as (
        select b.printer_id, b.slot, to_char(b."to" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
        from slot_loads n join slot_loads b on b.spool_id = n.spool_id and b."to" = n."from" and b.printer_id <> n.printer_id
        where n.spool_id = ${spoolId}::uuid and n.printer_id = ${printerId}::uuid and n."to" is null
      ), kept as (
        update devices d set reported_spools = jsonb_set(d.reported_spools, array[b.slot], d.reported_spools -> b.slot
          || jsonb_build_object('at', greatest(d.reported_spools -> b.slot ->> 'at', b.at))
          || case when d.reported_spools -> b.slot ? 'pending' then jsonb_build_object('pending', d.reported_spools -> b.slot -> 'pending'
            || jsonb_build_object('since', greatest(d.reported_spools -> b.slot -> 'pending' ->> 'since', b.at))) else '{}' end)
        from left_slots b where d.printer_id = b.printer_id and d.reported_spools ? b.slot returning 1
      )
      select to_json(count(*)) as value from kept`,
    );
  }

  /** Writes the tags that the machine reads in slots. Slots that are not reported stay as they are. */
  async writeTags(printerId: string, tags: readonly { slot: string; tag: string | null }[]): Promise<void> {
    await this.database.json(
      'followedSpools.writeTags',
      Prisma.sql`
      with k as (
        update printer_slots k set tag = g.tag
        from json_to_recordset(${JSON.stringify(tags)}::json) as g (slot text, tag text)
        where k.printer_id = ${printerId}::uuid and k.slot = g.slot and k.tag is distinct from g.tag returning 1
      )
      select to_json(count(*)) as value from k`,
    );
  }
}

const toInstant = (text: Instant | null): Instant | null => text && new Date(text).toISOString();
