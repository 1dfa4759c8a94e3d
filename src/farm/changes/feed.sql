-- Writes the feed of changes: one row for each changed camera, job, print, printer, spool, filament, material and device, and for each new status
-- record, whichever program changes them. Triggers of statements write the feed, in the transaction of the change.
--
-- Changes are ordered by (position, id). The position is the id of the transaction of the change or, if that is greater, the id of the latest
-- transaction that had ended when the change was written. This has two effects:
-- - An open transaction cannot add a change below the smallest id of all open transactions. So a reader that stops there (change_horizon) misses
--   nothing.
-- - Two transactions that change the same row follow each other. The second transaction writes its change after the first has ended, so its position
--   is not smaller and its id is greater.

CREATE OR REPLACE FUNCTION change_position() RETURNS BIGINT LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  RETURN (SELECT f."position_offset" FROM "change_feed" f) + greatest(
    pg_current_xact_id()::TEXT::BIGINT, pg_snapshot_xmax(pg_current_snapshot())::TEXT::BIGINT - 1);
END
$$;

-- All changes below this position are final: later changes get this position or a greater one.
CREATE OR REPLACE FUNCTION change_horizon() RETURNS BIGINT LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT f."position_offset" + pg_snapshot_xmin(pg_current_snapshot())::TEXT::BIGINT FROM "change_feed" f
$$;

-- The name of the feed, and the position and id of the newest final change.
CREATE OR REPLACE FUNCTION newest_change(OUT "feed" TEXT, OUT "position" BIGINT, OUT "change_id" BIGINT)
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT f."name", coalesce(c."position", f."forgotten_position"), coalesce(c."id", f."forgotten_id")
  FROM "change_feed" f LEFT JOIN LATERAL (
    SELECT c."position", c."id" FROM "changes" c WHERE c."position" < change_horizon()
    ORDER BY c."position" DESC, c."id" DESC LIMIT 1
  ) c ON true
$$;

-- Identifies the PostgreSQL cluster. Transaction ids belong to a cluster, and each initdb creates another cluster.
CREATE OR REPLACE FUNCTION change_cluster() RETURNS TEXT LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT s."system_identifier"::TEXT FROM pg_control_system() s
$$;

-- Writes the changes of tables whose rows have an id. The trigger has these arguments: the type of the change, the name of the id column, and a
-- condition for rows that exist for readers (a removed camera is DELETED although its row stays). A fourth argument is an array of columns whose
-- values are no change for readers, such as the time of the last message of a device. Rows are then compared as JSONB, because JSON has no equality.
CREATE OR REPLACE FUNCTION note_row_changes() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  "rows" TEXT := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT ''CREATED'' AS kind, n.%1$I::text AS entity FROM new_rows n %4$s'
    WHEN 'DELETE' THEN 'SELECT ''DELETED'' AS kind, o.%1$I::text AS entity FROM old_rows o %4$s'
    WHEN 'TRUNCATE' THEN 'SELECT ''DELETED'' AS kind, o.%1$I::text AS entity FROM %2$I.%3$I o %4$s'
    ELSE 'SELECT CASE WHEN o IS NULL THEN ''CREATED'' WHEN n IS NULL THEN ''DELETED'' ELSE ''UPDATED'' END AS kind,
        coalesce(n.%1$I, o.%1$I)::text AS entity
      FROM (SELECT * FROM old_rows %4$s) o FULL JOIN (SELECT * FROM new_rows %4$s) n ON n.%1$I = o.%1$I
      WHERE %5$s' END;
  "differs" TEXT := CASE WHEN TG_ARGV[3] IS NULL THEN 'o IS DISTINCT FROM n'
    ELSE format('to_jsonb(o) - %1$L::text[] IS DISTINCT FROM to_jsonb(n) - %1$L::text[]', TG_ARGV[3]) END;
BEGIN
  -- A position needs a transaction id, and a commit with an id is written to disk. A statement that runs every second for the leases of devices
  -- mostly changes no row, so it must not get here.
  IF TG_OP = 'UPDATE' THEN
    IF NOT EXISTS (SELECT FROM "new_rows") THEN
      RETURN NULL;
    END IF;
  END IF;
  EXECUTE format('INSERT INTO changes (position, type, kind, entity) SELECT $1, $2, r.kind, r.entity FROM ('
    || "rows" || ') r ORDER BY r.entity', TG_ARGV[1], TG_TABLE_SCHEMA, TG_TABLE_NAME, TG_ARGV[2], "differs")
    USING change_position(), TG_ARGV[0];
  RETURN NULL;
END
$$;

-- A new status record is a change of the type CAMERA_STATUS. A record that is changed, deleted or moved to another camera is a change of the camera.
-- A statement that writes the same values again is no change.
CREATE OR REPLACE FUNCTION note_status_changes() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  "position" BIGINT := change_position();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity", "recorded_at", "record_id")
    SELECT "position", 'CAMERA_STATUS', 'CREATED', n."camera_id", n."recorded_at", n."id"
    FROM "new_rows" n ORDER BY n."id";
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity")
    SELECT DISTINCT "position", 'CAMERA', 'UPDATED', c."camera_id"
    FROM (
      (SELECT * FROM "old_rows" EXCEPT ALL SELECT * FROM "new_rows")
      UNION ALL (SELECT * FROM "new_rows" EXCEPT ALL SELECT * FROM "old_rows")
    ) r JOIN "cameras" c ON c."camera_id" = r."camera_id" AND c."removed_at" IS NULL ORDER BY c."camera_id";
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity")
    SELECT DISTINCT "position", 'CAMERA', 'UPDATED', c."camera_id"
    FROM "old_rows" o JOIN "cameras" c ON c."camera_id" = o."camera_id" AND c."removed_at" IS NULL ORDER BY c."camera_id";
  ELSE
    INSERT INTO "changes" ("position", "type", "kind", "entity")
    SELECT "position", 'CAMERA', 'UPDATED', l."camera_id" FROM "camera_latest_status" l ORDER BY l."camera_id";
  END IF;
  RETURN NULL;
END
$$;

-- The spools of the further parts of a divided job.
CREATE OR REPLACE FUNCTION part_spools("job" UUID) RETURNS JSON LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT json_agg(DISTINCT p."spool_id") FROM "print_job_parts" p WHERE p."job_id" = "job" AND p."spool_id" IS NOT NULL
$$;

-- A change of a job contains the members that filters of subscriptions compare. A new job has no parts yet.
CREATE OR REPLACE FUNCTION note_print_job_changes() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  "position" BIGINT := change_position();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity", "job")
    SELECT "position", 'PRINT_JOB', 'CREATED', n."id", json_build_array(NULL, n."status", n."printer_id", n."spool_id",
      n."data_source", n."created_at", n."print_name")
    FROM "new_rows" n ORDER BY n."created_at", n."id";
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity", "job")
    SELECT "position", 'PRINT_JOB', CASE WHEN o IS NULL THEN 'CREATED' WHEN n IS NULL THEN 'DELETED' ELSE 'UPDATED' END,
      coalesce(n."id", o."id"), json_build_array(o."status", n."status", coalesce(n."printer_id", o."printer_id"),
        coalesce(n."spool_id", o."spool_id"), coalesce(n."data_source", o."data_source"),
        coalesce(n."created_at", o."created_at"), coalesce(n."print_name", o."print_name"),
        CASE WHEN coalesce(n."divided", o."divided") THEN part_spools(coalesce(n."id", o."id")) END)
    FROM "old_rows" o FULL JOIN "new_rows" n ON n."id" = o."id" WHERE o IS DISTINCT FROM n ORDER BY coalesce(n."id", o."id");
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity", "job")
    SELECT "position", 'PRINT_JOB', 'DELETED', o."id", json_build_array(o."status", NULL, o."printer_id", o."spool_id",
      o."data_source", o."created_at", o."print_name", CASE WHEN o."divided" THEN part_spools(o."id") END)
    FROM "old_rows" o ORDER BY o."id";
  ELSE
    INSERT INTO "changes" ("position", "type", "kind", "entity", "job")
    SELECT "position", 'PRINT_JOB', 'DELETED', o."id", json_build_array(o."status", NULL, o."printer_id", o."spool_id",
      o."data_source", o."created_at", o."print_name", CASE WHEN o."divided" THEN part_spools(o."id") END)
    FROM "print_jobs" o ORDER BY o."id";
  END IF;
  RETURN NULL;
END
$$;

-- Creates four triggers for each table. Triggers run in the order of their names, so these run after latest_status_…, where the writers of one camera
-- wait for each other. A position that is read before that wait could be smaller than the position of an earlier commit.
DO $$
DECLARE
  "made" RECORD;
BEGIN
  FOR "made" IN
    SELECT t."table", e."event", t."call" FROM (VALUES
      ('cameras', $f$note_row_changes('CAMERA', 'camera_id', 'WHERE removed_at IS NULL')$f$),
      ('printers', $f$note_row_changes('PRINTER', 'id')$f$),
      ('spools', $f$note_row_changes('SPOOL', 'id')$f$),
      ('filaments', $f$note_row_changes('FILAMENT', 'id')$f$),
      ('materials', $f$note_row_changes('MATERIAL', 'id')$f$),
      ('devices', $f$note_row_changes('DEVICE', 'id', '', '{last_message_at,reported_spools}')$f$),
      ('observed_prints', $f$note_row_changes('OBSERVED_PRINT', 'id', '',
        '{device_id,seen_at,counter_sec,counts_pauses,progress,progress_basis,remaining_sec,layer,layers,measured,course,sliced,job_updated_at,job_written}')$f$),
      ('camera_status', 'note_status_changes()'),
      ('print_jobs', 'note_print_job_changes()')
    ) t ("table", "call"), (VALUES
      ('insert AFTER INSERT ON %I REFERENCING NEW TABLE AS new_rows'),
      ('update AFTER UPDATE ON %I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows'),
      ('delete AFTER DELETE ON %I REFERENCING OLD TABLE AS old_rows'),
      ('truncate BEFORE TRUNCATE ON %I')
    ) e ("event")
  LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER note_changes_' || "made"."event" || ' FOR EACH STATEMENT EXECUTE FUNCTION '
      || "made"."call", "made"."table");
  END LOOP;
END
$$;
