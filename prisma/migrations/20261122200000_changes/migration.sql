-- The feed of changes: one row for each changed camera, job, printer, spool and material, and for each status record that
-- was added, whichever program wrote it. Triggers of statements write it, in the transaction of the change.
--
-- The order is (position, id). A position is the id of the change's transaction or, if that is greater, of the latest
-- transaction that had ended when the change was written:
-- - No transaction that is still open can add a change below the smallest id of the open ones. A reader that stops there
--   (change_horizon) misses nothing.
-- - Two transactions that change one row follow each other. The second one writes its change when the first one has ended,
--   so its position is not smaller, and its id is greater.

-- One row. A database that is restored on another server starts with smaller transaction ids: position_offset makes
-- positions go on above those of the restored changes. Changes up to (forgotten_position, forgotten_id) were removed.
CREATE TABLE "change_feed" (
  "only"               BOOLEAN NOT NULL DEFAULT true,
  "position_offset"    BIGINT NOT NULL DEFAULT 0,
  "forgotten_position" BIGINT NOT NULL DEFAULT 0,
  "forgotten_id"       BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT "change_feed_pkey" PRIMARY KEY ("only"),
  CONSTRAINT "change_feed_only" CHECK ("only")
);
INSERT INTO "change_feed" DEFAULT VALUES;

CREATE SEQUENCE "changes_id_seq" AS BIGINT;

CREATE TABLE "changes" (
  "position"    BIGINT NOT NULL,
  "id"          BIGINT NOT NULL DEFAULT nextval('changes_id_seq'),
  "at"          TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
  "type"        TEXT COLLATE "C" NOT NULL,
  "kind"        TEXT COLLATE "C" NOT NULL,
  -- The id of the camera, job, printer, spool or material.
  "entity"      TEXT COLLATE "C" NOT NULL,
  -- The place of a new status record in the log.
  "recorded_at" TIMESTAMPTZ(3),
  "record_id"   BIGINT,
  -- Of a job: its statuses before and after, and the members that filters look at.
  "job"         JSON,
  CONSTRAINT "changes_pkey" PRIMARY KEY ("position", "id")
);
ALTER SEQUENCE "changes_id_seq" OWNED BY "changes"."id";

-- The statuses that jobs changed to. The first status is not stored when it is Queued: it is as old as the job. Triggers
-- remove what belongs to removed jobs: with a foreign key, programs could no longer truncate print_jobs.
CREATE SEQUENCE "print_job_status_changes_id_seq" AS BIGINT;

CREATE TABLE "print_job_status_changes" (
  "id"          BIGINT NOT NULL DEFAULT nextval('print_job_status_changes_id_seq'),
  "job_id"      UUID NOT NULL,
  "from_status" TEXT COLLATE "C",
  "to_status"   TEXT COLLATE "C" NOT NULL,
  "at"          TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "print_job_status_changes_pkey" PRIMARY KEY ("job_id", "id")
);
ALTER SEQUENCE "print_job_status_changes_id_seq" OWNED BY "print_job_status_changes"."id";

-- The changes that the times of existing jobs prove, in the order of their times.
INSERT INTO "print_job_status_changes" ("job_id", "from_status", "to_status", "at")
SELECT c."job_id", c."from_status", c."to_status", c."at" FROM (
  SELECT j."id" AS "job_id", 'Queued' AS "from_status", 'Printing' AS "to_status", j."started_at" AS "at", 1 AS "n"
  FROM "print_jobs" j
  WHERE j."status" <> 'Queued' AND j."started_at" >= j."created_at"
  UNION ALL
  SELECT j."id", CASE WHEN j."started_at" >= j."created_at" THEN 'Printing' ELSE 'Queued' END, j."status", j."completed_at", 2
  FROM "print_jobs" j
  WHERE j."status" IN ('Completed', 'Cancelled', 'Failed') AND j."completed_at" >= j."created_at"
) c ORDER BY c."job_id", c."n";

CREATE FUNCTION "change_position"() RETURNS BIGINT LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT f."position_offset" FROM "change_feed" f) + greatest(
    pg_current_xact_id()::TEXT::BIGINT, pg_snapshot_xmax(pg_current_snapshot())::TEXT::BIGINT - 1);
END
$$;

-- All changes below are final: later ones have this position or a greater one.
CREATE FUNCTION "change_horizon"() RETURNS BIGINT LANGUAGE sql STABLE AS $$
  SELECT f."position_offset" + pg_snapshot_xmin(pg_current_snapshot())::TEXT::BIGINT FROM "change_feed" f
$$;

-- For tables whose rows have an id: the type of the change and the name of the id are the trigger's arguments.
CREATE FUNCTION "note_row_changes"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "rows" TEXT := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT ''CREATED'' AS kind, n.%1$I::text AS entity FROM new_rows n'
    WHEN 'DELETE' THEN 'SELECT ''DELETED'' AS kind, o.%1$I::text AS entity FROM old_rows o'
    WHEN 'TRUNCATE' THEN 'SELECT ''DELETED'' AS kind, o.%1$I::text AS entity FROM %2$I.%3$I o'
    ELSE 'SELECT CASE WHEN o IS NULL THEN ''CREATED'' WHEN n IS NULL THEN ''DELETED'' ELSE ''UPDATED'' END AS kind,
        coalesce(n.%1$I, o.%1$I)::text AS entity
      FROM old_rows o FULL JOIN new_rows n ON n.%1$I = o.%1$I WHERE o IS DISTINCT FROM n' END;
BEGIN
  EXECUTE format('INSERT INTO changes (position, type, kind, entity) SELECT $1, $2, r.kind, r.entity FROM ('
    || "rows" || ') r ORDER BY r.entity', TG_ARGV[1], TG_TABLE_SCHEMA, TG_TABLE_NAME) USING change_position(), TG_ARGV[0];
  RETURN NULL;
END
$$;

-- A new record is a change of its own. A record that is changed or removed is a change of its camera.
CREATE FUNCTION "note_status_changes"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "position" BIGINT := change_position();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity", "recorded_at", "record_id")
    SELECT "position", 'CAMERA_STATUS', 'CREATED', n."camera_id", n."recorded_at", n."id"
    FROM "new_rows" n ORDER BY n."id";
  ELSIF TG_OP = 'TRUNCATE' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity")
    SELECT "position", 'CAMERA', 'UPDATED', l."camera_id" FROM "camera_latest_status" l ORDER BY l."camera_id";
  ELSE
    INSERT INTO "changes" ("position", "type", "kind", "entity")
    SELECT DISTINCT "position", 'CAMERA', 'UPDATED', c."camera_id"
    FROM "old_rows" o JOIN "cameras" c ON c."camera_id" = o."camera_id" ORDER BY c."camera_id";
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION "note_print_job_changes"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "position" BIGINT := change_position();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity", "job")
    SELECT "position", 'PRINT_JOB', 'CREATED', n."id", json_build_array(NULL, n."status", n."printer_id", n."spool_id",
      n."data_source", n."created_at", n."print_name")
    FROM "new_rows" n ORDER BY n."created_at", n."id";
    INSERT INTO "print_job_status_changes" ("job_id", "to_status", "at")
    SELECT n."id", n."status", n."created_at" FROM "new_rows" n WHERE n."status" <> 'Queued';
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity", "job")
    SELECT "position", 'PRINT_JOB', CASE WHEN o IS NULL THEN 'CREATED' WHEN n IS NULL THEN 'DELETED' ELSE 'UPDATED' END,
      coalesce(n."id", o."id"), json_build_array(o."status", n."status", coalesce(n."printer_id", o."printer_id"),
        coalesce(n."spool_id", o."spool_id"), coalesce(n."data_source", o."data_source"),
        coalesce(n."created_at", o."created_at"), coalesce(n."print_name", o."print_name"))
    FROM "old_rows" o FULL JOIN "new_rows" n ON n."id" = o."id" WHERE o IS DISTINCT FROM n ORDER BY coalesce(n."id", o."id");
    INSERT INTO "print_job_status_changes" ("job_id", "from_status", "to_status", "at")
    SELECT n."id", o."status", n."status",
      CASE WHEN n."updated_at" <> o."updated_at" THEN n."updated_at" ELSE clock_timestamp() END
    FROM "new_rows" n LEFT JOIN "old_rows" o ON o."id" = n."id" WHERE n."status" <> coalesce(o."status", 'Queued');
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity", "job")
    SELECT "position", 'PRINT_JOB', 'DELETED', o."id", json_build_array(o."status", NULL, o."printer_id", o."spool_id",
      o."data_source", o."created_at", o."print_name")
    FROM "old_rows" o ORDER BY o."id";
    DELETE FROM "print_job_status_changes" c USING "old_rows" o WHERE c."job_id" = o."id";
  ELSE
    INSERT INTO "changes" ("position", "type", "kind", "entity", "job")
    SELECT "position", 'PRINT_JOB', 'DELETED', o."id", json_build_array(o."status", NULL, o."printer_id", o."spool_id",
      o."data_source", o."created_at", o."print_name")
    FROM "print_jobs" o ORDER BY o."id";
    TRUNCATE "print_job_status_changes";
  END IF;
  RETURN NULL;
END
$$;

-- Triggers run in the order of their names. These come after latest_status_…, where the writers of one camera wait for
-- each other: a position that is taken before that wait could be smaller than the position of an earlier commit.
DO $$
DECLARE
  "made" RECORD;
BEGIN
  FOR "made" IN
    SELECT t.*, format('%I(%s)', t."noting", t."arguments") AS "call" FROM (VALUES
      ('cameras', 'note_row_changes', '''CAMERA'', ''camera_id'''),
      ('printers', 'note_row_changes', '''PRINTER'', ''id'''),
      ('spools', 'note_row_changes', '''SPOOL'', ''id'''),
      ('materials', 'note_row_changes', '''MATERIAL'', ''id'''),
      ('camera_status', 'note_status_changes', ''),
      ('print_jobs', 'note_print_job_changes', '')
    ) AS t ("table", "noting", "arguments")
  LOOP
    EXECUTE format('CREATE TRIGGER note_changes_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION %s', "made"."table", "made"."call");
    EXECUTE format('CREATE TRIGGER note_changes_update AFTER UPDATE ON %I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION %s', "made"."table", "made"."call");
    EXECUTE format('CREATE TRIGGER note_changes_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS old_rows
      FOR EACH STATEMENT EXECUTE FUNCTION %s', "made"."table", "made"."call");
    EXECUTE format('CREATE TRIGGER note_changes_truncate BEFORE TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION %s', "made"."table", "made"."call");
  END LOOP;
END
$$;

-- These functions, too, work in their own schema.
DO $$
DECLARE
  "function" REGPROCEDURE;
BEGIN
  FOR "function" IN SELECT p.oid FROM pg_proc p
    WHERE p.pronamespace = quote_ident(current_schema())::REGNAMESPACE AND p.proname IN ('change_position', 'change_horizon',
      'note_row_changes', 'note_status_changes', 'note_print_job_changes')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path TO %I, pg_temp', "function", current_schema());
  END LOOP;
END
$$;
