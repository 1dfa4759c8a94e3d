-- Maintains the status log: its partitions, its records of the far future, and the logs of removed cameras.

CREATE OR REPLACE FUNCTION camera_status_partitions() RETURNS TABLE ("name" TEXT, "first" TIMESTAMPTZ, "end" TIMESTAMPTZ)
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT c.relname, replace(trim('''' FROM b.bound[1]), 'MINVALUE', '-infinity')::TIMESTAMPTZ,
    replace(trim('''' FROM b.bound[2]), 'MAXVALUE', 'infinity')::TIMESTAMPTZ
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \((.+)\) TO \((.+)\)') b (bound)
  WHERE i.inhparent = 'camera_status'::REGCLASS
$$;

-- Does the next step of the maintenance and returns its name; null if nothing is left to do. Each step is a separate transaction, so that its
-- locks are short. About once in three weeks the log is locked for some milliseconds. Others wait while a step waits for this lock, so the wait
-- ends after 200 ms with an error, and the caller tries again later. Cameras are locked before their log, in the same order as in other
-- statements that use both. Without "deletes", records that are older than the retention stay until the next call.
DROP FUNCTION IF EXISTS maintain_status_log(INTEGER, TIMESTAMPTZ);
CREATE OR REPLACE FUNCTION maintain_status_log("retention_days" INTEGER, "now" TIMESTAMPTZ, "deletes" BOOLEAN DEFAULT true) RETURNS TEXT
LANGUAGE plpgsql SET timezone = 'UTC' SET lock_timeout = '200ms' SET search_path FROM CURRENT AS $$
DECLARE
  "week"    CONSTANT TIMESTAMPTZ := date_trunc('week', "now");
  -- The same limit as in status-log.sql; a test compares both with camera.limits.ts.
  "soon"    CONSTANT TIMESTAMPTZ := "now" + INTERVAL '25 hours';
  "horizon" CONSTANT TIMESTAMPTZ := "week" + INTERVAL '6 weeks';
  "oldest"  CONSTANT TIMESTAMPTZ := coalesce(date_trunc('week', "now" - make_interval(days => "retention_days")), '-infinity');
  "first"   TIMESTAMPTZ;
  "later"   TIMESTAMPTZ;
  "end"     TIMESTAMPTZ;
  "name"    TEXT;
  "filled"  BOOLEAN;
  "gone"    TEXT[] := '{}';
  "moved"   BIGINT;
BEGIN
  -- Only one of several gateways does the maintenance.
  IF NOT pg_try_advisory_xact_lock('camera_status'::REGCLASS::BIGINT) THEN
    RETURN NULL;
  END IF;

  -- Moves records of the far future to another table. The time is a literal, so that the planner leaves out the partitions of the past.
  IF EXISTS (SELECT FROM "camera_latest_status" WHERE "recorded_at" > "soon") THEN
    EXECUTE format('WITH ahead AS (
        SELECT s.camera_id, s.recorded_at, s.id FROM camera_latest_status l
        JOIN camera_status s ON s.camera_id = l.camera_id AND s.recorded_at > %1$L
        WHERE l.recorded_at > %1$L LIMIT 10000
      ), gone AS (
        DELETE FROM camera_status s USING ahead a
        WHERE s.recorded_at > %1$L AND (s.camera_id, s.recorded_at, s.id) = (a.camera_id, a.recorded_at, a.id) RETURNING s.*
      ) INSERT INTO camera_status_set_aside (camera_id, recorded_at, id, record)
        SELECT g.camera_id, g.recorded_at, g.id, to_json(g) FROM gone g
        ON CONFLICT (camera_id, recorded_at, id) DO UPDATE SET record = excluded.record, set_aside_at = now()', "soon");
    GET DIAGNOSTICS "moved" = ROW_COUNT;
    IF "moved" > 0 THEN
      RETURN format('%s records that were more than a day ahead were moved to camera_status_set_aside.', "moved");
    END IF;
  END IF;

  -- Drops empty partitions of the far future, which were created while a clock was wrong.
  FOR "name", "first" IN SELECT p."name", p."first" FROM camera_status_partitions() p
    WHERE p."end" > "horizon" AND p."first" > '-infinity' ORDER BY p."end" DESC LIMIT 50
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %I)', "name") INTO "filled";
    EXIT WHEN "filled";
    "gone" := "gone" || "name";
    "later" := "first";
  END LOOP;
  IF cardinality("gone") > 1 THEN
    LOCK TABLE "cameras" IN SHARE ROW EXCLUSIVE MODE;
    LOCK TABLE ONLY "camera_status" IN ACCESS EXCLUSIVE MODE;
    EXECUTE (SELECT 'DROP TABLE ' || string_agg(quote_ident(g), ', ') FROM unnest("gone") g);
    EXECUTE format('CREATE TABLE camera_status_later PARTITION OF camera_status FOR VALUES FROM (%L) TO (MAXVALUE)', "later");
    RETURN format('%s empty partitions of the far future were dropped.', cardinality("gone") - 1);
  END IF;

  -- Fills a hole between two partitions, because records of its time would be refused. The retention leaves a hole of times that are older than the
  -- retention, which stays. A clock that was far ahead leaves another hole: the present weeks were dropped as too old, and later the empty
  -- partitions of its future were dropped.
  SELECT greatest(p."end", "oldest"), p."next" INTO "later", "first" FROM (
    SELECT q."end", lead(q."first") OVER (ORDER BY q."first") AS "next" FROM camera_status_partitions() q
  ) p WHERE p."end" < p."next" AND p."next" > "oldest" ORDER BY p."end" LIMIT 1;
  IF FOUND THEN
    LOCK TABLE "cameras" IN SHARE ROW EXCLUSIVE MODE;
    LOCK TABLE ONLY "camera_status" IN ACCESS EXCLUSIVE MODE;
    WHILE "later" < "first" LOOP
      "end" := least(greatest("later" + INTERVAL '1 week', "week"), "first");
      EXECUTE format('CREATE TABLE %I PARTITION OF camera_status FOR VALUES FROM (%L) TO (%L)',
        'camera_status_' || to_char("later", 'YYYYMMDD'), "later", "end");
      "later" := "end";
    END LOOP;
    RETURN format('Partitions were created in a hole that ended at %s.', "first"::DATE);
  END IF;

  -- Creates the partitions of the next six weeks if fewer than three weeks are left. A time in which no gateway ran becomes one partition.
  SELECT p."first" INTO "later" FROM camera_status_partitions() p WHERE p."name" = 'camera_status_later';
  IF "later" < "week" + INTERVAL '3 weeks' THEN
    "filled" := EXISTS (SELECT FROM "camera_status_later");
    IF "filled" THEN
      -- Other programs wrote records while no gateway created partitions. The records stay in their table, which becomes a partition.
      LOCK TABLE "cameras", ONLY "camera_status" IN ACCESS EXCLUSIVE MODE;
      "name" := 'camera_status_' || to_char("later", 'YYYYMMDD');
      "end" := greatest("later" + INTERVAL '1 week', "week" + INTERVAL '2 weeks');
      ALTER TABLE "camera_status" DETACH PARTITION "camera_status_later";
      EXECUTE format('ALTER TABLE camera_status_later RENAME TO %I', "name");
      EXECUTE format('ALTER TABLE %I RENAME CONSTRAINT camera_status_later_pkey TO %I', "name", "name" || '_pkey');
      EXECUTE format('ALTER TABLE camera_status ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', "name", "later", "end");
      "later" := "end";
    ELSE
      LOCK TABLE "cameras" IN SHARE ROW EXCLUSIVE MODE;
      LOCK TABLE ONLY "camera_status" IN ACCESS EXCLUSIVE MODE;
      IF EXISTS (SELECT FROM "camera_status_later") THEN
        RETURN 'A record arrived first, so no partition was created.';
      END IF;
      DROP TABLE "camera_status_later";
    END IF;
    WHILE "later" < "horizon" LOOP
      "end" := greatest("later" + INTERVAL '1 week', "week");
      EXECUTE format('CREATE TABLE %I PARTITION OF camera_status FOR VALUES FROM (%L) TO (%L)',
        'camera_status_' || to_char("later", 'YYYYMMDD'), "later", "end");
      "later" := "end";
    END LOOP;
    EXECUTE format('CREATE TABLE camera_status_later PARTITION OF camera_status FOR VALUES FROM (%L) TO (MAXVALUE)', "later");
    RETURN format('Partitions were created up to %s.', "later"::DATE);
  END IF;

  -- Drops partitions that are completely older than the retention. The latest status of each camera stays, because dropping a partition runs no
  -- trigger. The time up to which the log is deleted is recorded, but never a time in the future, even if a clock is ahead.
  FOR "name", "end" IN SELECT p."name", p."end" FROM camera_status_partitions() p
    WHERE "deletes" AND p."end" <= "now" - make_interval(days => "retention_days") ORDER BY p."end"
  LOOP
    CONTINUE WHEN "name" = 'camera_status_earlier' AND NOT EXISTS (SELECT FROM "camera_status_earlier");
    UPDATE "status_log_retention" SET "deleted_until" = greatest("deleted_until", least("end", clock_timestamp()));
    IF "name" <> 'camera_status_earlier' THEN
      EXECUTE format('DROP TABLE %I', "name");
      RETURN format('The partition %s was dropped.', "name");
    END IF;
    TRUNCATE "camera_status_earlier";
    RETURN 'The partition camera_status_earlier was emptied.';
  END LOOP;
  RETURN NULL;
END
$$;

-- Deletes up to 10,000 records of a removed camera, or of any removed camera if "wanted" is null, and with the last records the camera. Returns null
-- if there is no such camera.
CREATE OR REPLACE FUNCTION forget_removed_camera("wanted" TEXT DEFAULT NULL) RETURNS TEXT
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  "camera" TEXT := (SELECT c."camera_id" FROM "cameras" c
    WHERE c."removed_at" IS NOT NULL AND ("wanted" IS NULL OR c."camera_id" = "wanted") LIMIT 1 FOR UPDATE SKIP LOCKED);
  "until"  TIMESTAMPTZ;
BEGIN
  IF "camera" IS NULL THEN
    RETURN NULL;
  END IF;
  "until" := (SELECT s."recorded_at" FROM "camera_status" s WHERE s."camera_id" = "camera"
    ORDER BY s."recorded_at" OFFSET 9999 LIMIT 1);
  IF "until" IS NOT NULL THEN
    DELETE FROM "camera_status" s WHERE s."camera_id" = "camera" AND s."recorded_at" <= "until";
    RETURN format('10000 records of the removed camera %s were deleted.', "camera");
  END IF;
  DELETE FROM "camera_status" s WHERE s."camera_id" = "camera";
  DELETE FROM "camera_status_set_aside" s WHERE s."camera_id" = "camera";
  DELETE FROM "cameras" c WHERE c."camera_id" = "camera";
  RETURN format('The removed camera %s was deleted.', "camera");
END
$$;
