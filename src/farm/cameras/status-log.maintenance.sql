-- The maintenance of the status log: its partitions, its records of the far future, and the logs of removed cameras.

CREATE OR REPLACE FUNCTION camera_status_partitions() RETURNS TABLE ("name" TEXT, "first" TIMESTAMPTZ, "end" TIMESTAMPTZ)
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT c.relname, replace(trim('''' FROM b.bound[1]), 'MINVALUE', '-infinity')::TIMESTAMPTZ,
    replace(trim('''' FROM b.bound[2]), 'MAXVALUE', 'infinity')::TIMESTAMPTZ
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \((.+)\) TO \((.+)\)') b (bound)
  WHERE i.inhparent = 'camera_status'::REGCLASS
$$;

-- Does the next step of the maintenance and returns its name; null when there is none. Each step is a transaction of its own, so
-- that its locks are short. The log is locked for some milliseconds, about once in three weeks: the wait for this, during
-- which others wait too, ends after 200 ms with an error, and the caller tries again later. Cameras are locked before
-- their log, as statements do that use both. Without "deletes" it leaves what is older than the retention to the next call.
DROP FUNCTION IF EXISTS maintain_status_log(INTEGER, TIMESTAMPTZ);
CREATE OR REPLACE FUNCTION maintain_status_log("retention_days" INTEGER, "now" TIMESTAMPTZ, "deletes" BOOLEAN DEFAULT true) RETURNS TEXT
LANGUAGE plpgsql SET timezone = 'UTC' SET lock_timeout = '200ms' SET search_path FROM CURRENT AS $$
DECLARE
  "week"    CONSTANT TIMESTAMPTZ := date_trunc('week', "now");
  -- As status-log.sql refuses them; a test compares both with camera.limits.ts.
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
  -- One of several gateways works.
  IF NOT pg_try_advisory_xact_lock('camera_status'::REGCLASS::BIGINT) THEN
    RETURN NULL;
  END IF;

  -- Records of the far future. The literal keeps the partitions of the past out of the plan.
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
      RETURN format('%s records of more than a day ahead were moved to camera_status_set_aside', "moved");
    END IF;
  END IF;

  -- Empty partitions that a wrong clock has made.
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
    RETURN format('%s empty partitions of the far future were dropped', cardinality("gone") - 1);
  END IF;

  -- A hole between two partitions refuses the records of its time. The retention leaves one, which is older than itself. A
  -- clock that was once ahead of the retention leaves another one: the weeks of now were dropped as too old, and then the
  -- empty ones of its future.
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
    RETURN format('partitions were made in a hole that ended at %s', "first"::DATE);
  END IF;

  -- Partitions of the next six weeks, when fewer than three are ahead. The time without a gateway is one partition.
  SELECT p."first" INTO "later" FROM camera_status_partitions() p WHERE p."name" = 'camera_status_later';
  IF "later" < "week" + INTERVAL '3 weeks' THEN
    "filled" := EXISTS (SELECT FROM "camera_status_later");
    IF "filled" THEN
      -- Other programs wrote while no gateway made partitions. Their records stay where they are.
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
        RETURN 'a record came first';
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
    RETURN format('partitions were made up to %s', "later"::DATE);
  END IF;

  -- What is wholly older than the retention. The latest status of a camera stays, because no trigger sees a partition go. Up to when the
  -- log is gone stays too. A clock that is ahead deletes nothing of the future.
  FOR "name", "end" IN SELECT p."name", p."end" FROM camera_status_partitions() p
    WHERE "deletes" AND p."end" <= "now" - make_interval(days => "retention_days") ORDER BY p."end"
  LOOP
    CONTINUE WHEN "name" = 'camera_status_earlier' AND NOT EXISTS (SELECT FROM "camera_status_earlier");
    UPDATE "status_log_retention" SET "deleted_until" = greatest("deleted_until", least("end", clock_timestamp()));
    IF "name" <> 'camera_status_earlier' THEN
      EXECUTE format('DROP TABLE %I', "name");
      RETURN format('the partition %s was dropped', "name");
    END IF;
    TRUNCATE "camera_status_earlier";
    RETURN 'the partition camera_status_earlier was emptied';
  END LOOP;
  RETURN NULL;
END
$$;

-- One step: deletes up to 10,000 records of a removed camera, of any if none is named, and with the last of them the
-- camera. Null: there is no such camera.
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
    RETURN format('10000 records of the removed camera %s were deleted', "camera");
  END IF;
  DELETE FROM "camera_status" s WHERE s."camera_id" = "camera";
  DELETE FROM "camera_status_set_aside" s WHERE s."camera_id" = "camera";
  DELETE FROM "cameras" c WHERE c."camera_id" = "camera";
  RETURN format('the removed camera %s was deleted', "camera");
END
$$;
