-- Status records of the far future hid the present, because the latest record is the one with the greatest time; and a
-- wrong clock of one gateway made partitions for decades. From now on the database refuses such records, the maintenance
-- sets aside those that are stored, and the database's clock alone decides which partitions there are.

-- Records that were more than 25 hours ahead of the database's clock. This puts them back, after a change of their times:
-- INSERT INTO camera_status SELECT r.* FROM camera_status_set_aside s, json_populate_record(NULL::camera_status, s.record) r
CREATE TABLE "camera_status_set_aside" (
  "camera_id"    TEXT COLLATE "C" NOT NULL,
  "recorded_at"  TIMESTAMPTZ(3) NOT NULL,
  "id"           BIGINT NOT NULL,
  "record"       JSON NOT NULL,
  "set_aside_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "camera_status_set_aside_pkey" PRIMARY KEY ("camera_id", "recorded_at", "id")
);

-- The gateway's limit is 24 hours by its own clock; the hour more is for clocks that differ.
CREATE OR REPLACE FUNCTION "keep_latest_status_on_insert"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "new_rows" n WHERE n."recorded_at" > now() + INTERVAL '25 hours') THEN
    RAISE EXCEPTION 'new row for relation "camera_status" violates check constraint "camera_status_not_ahead"'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'camera_status_not_ahead', TABLE = 'camera_status',
        DETAIL = 'recorded_at is more than 25 hours later than now.';
  END IF;
  INSERT INTO "camera_latest_status" AS l ("id", "camera_id", "recorded_at", "battery_pct", "video_remaining_sec", "recording_state", "mode", "resolution", "fps", "online", "raw_battery_pct")
  SELECT DISTINCT ON (n."camera_id") n."id", n."camera_id", n."recorded_at", n."battery_pct", n."video_remaining_sec", n."recording_state", n."mode", n."resolution", n."fps", n."online", n."raw_battery_pct"
  FROM "new_rows" n ORDER BY n."camera_id", n."recorded_at" DESC, n."id" DESC
  ON CONFLICT ("camera_id") DO UPDATE SET
      "id" = EXCLUDED."id",
      "recorded_at" = EXCLUDED."recorded_at",
      "battery_pct" = EXCLUDED."battery_pct",
      "video_remaining_sec" = EXCLUDED."video_remaining_sec",
      "recording_state" = EXCLUDED."recording_state",
      "mode" = EXCLUDED."mode",
      "resolution" = EXCLUDED."resolution",
      "fps" = EXCLUDED."fps",
      "online" = EXCLUDED."online",
      "raw_battery_pct" = EXCLUDED."raw_battery_pct"
    WHERE (EXCLUDED."recorded_at", EXCLUDED."id") > (l."recorded_at", l."id");
  RETURN NULL;
END
$$;

CREATE FUNCTION "camera_status_partitions"() RETURNS TABLE ("name" TEXT, "first" TIMESTAMPTZ, "end" TIMESTAMPTZ)
LANGUAGE sql STABLE AS $$
  SELECT c.relname, replace(trim('''' FROM b.bound[1]), 'MINVALUE', '-infinity')::TIMESTAMPTZ,
    replace(trim('''' FROM b.bound[2]), 'MAXVALUE', 'infinity')::TIMESTAMPTZ
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \((.+)\) TO \((.+)\)') b (bound)
  WHERE i.inhparent = 'camera_status'::REGCLASS
$$;

-- Does the next step of the maintenance and tells it; null when there is none. Each step is a transaction of its own, so
-- that its locks are short. The log is locked for some milliseconds, about once in three weeks: the wait for this, during
-- which others wait too, ends after 200 ms with an error, and the caller tries again later. Cameras are locked before
-- their log, as statements do that use both.
CREATE FUNCTION "maintain_status_log"("retention_days" INTEGER, "now" TIMESTAMPTZ) RETURNS TEXT
LANGUAGE plpgsql SET timezone = 'UTC' SET lock_timeout = '200ms' AS $$
DECLARE
  "week"    CONSTANT TIMESTAMPTZ := date_trunc('week', "now");
  "soon"    CONSTANT TIMESTAMPTZ := "now" + INTERVAL '25 hours';
  "horizon" CONSTANT TIMESTAMPTZ := "week" + INTERVAL '6 weeks';
  "first"   TIMESTAMPTZ;
  "later"   TIMESTAMPTZ;
  "end"     TIMESTAMPTZ;
  "name"    TEXT;
  "filled"  BOOLEAN;
  "gone"    TEXT[] := '{}';
  "moved"   BIGINT;
BEGIN
  -- Of several gateways one works.
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

  -- What is wholly older than the retention. The latest status of a camera stays, because no trigger sees a partition go.
  FOR "name" IN SELECT p."name" FROM camera_status_partitions() p
    WHERE p."end" <= "now" - make_interval(days => "retention_days") ORDER BY p."end"
  LOOP
    IF "name" <> 'camera_status_earlier' THEN
      EXECUTE format('DROP TABLE %I', "name");
      RETURN format('the partition %s was dropped', "name");
    ELSIF EXISTS (SELECT FROM "camera_status_earlier") THEN
      TRUNCATE "camera_status_earlier";
      RETURN 'the partition camera_status_earlier was emptied';
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;

-- Gateways of the version before, which may share the database during an upgrade, do one step by the database's clock.
CREATE OR REPLACE FUNCTION "maintain_camera_status"("now" TIMESTAMPTZ, "retention_days" INTEGER) RETURNS VOID
LANGUAGE sql AS $$ SELECT maintain_status_log("retention_days", now()) $$;

-- `records` are rows of camera_status without ids: sorted by camera, those of one camera by time, those without a time
-- last. Answers each record as it is stored, in this order. Where cameras do not exist, nothing is stored, and the answer
-- is one row for each of these, with nothing but the camera's id. The cameras are locked first, in order, so that no two
-- writers wait for each other in a ring. The statements behind the lock see the commit of the lock's previous holder, so
-- races are settled here: each (camera, time) is kept once, and a record without a time gets the next free millisecond
-- from "now" on (behind a thousand that are taken: the millisecond after the camera's latest). A record that is newer than the camera's latest is looked for nowhere, so that its cost does
-- not grow with the number of partitions. A stored record is read once: if it is deleted meanwhile, it is still the answer.
CREATE OR REPLACE FUNCTION "record_camera_statuses"("records" JSON, "now" TIMESTAMPTZ) RETURNS SETOF "camera_status"
LANGUAGE plpgsql SET plan_cache_mode = 'force_generic_plan' AS $$
DECLARE
  "given"   "camera_status"[] := ARRAY(SELECT r FROM json_populate_recordset(NULL::"camera_status", "records") r);
  "answers" "camera_status"[] := '{}';
  "new"     "camera_status"[] := '{}';
  "wanted"  TEXT[];
  "known"   TEXT[];
  "times"   TIMESTAMPTZ[];
  "camera"  TEXT;
  "last"    TIMESTAMPTZ;
  "at"      TIMESTAMPTZ(3);
  "taken"   BIGINT;
  "row"     "camera_status";
  "answer"  "camera_status";
BEGIN
  "wanted" := ARRAY(SELECT g."camera_id" FROM unnest("given") g);
  "known" := ARRAY(SELECT c."camera_id" FROM "cameras" c WHERE c."camera_id" = ANY ("wanted")
    ORDER BY c."camera_id" FOR NO KEY UPDATE);
  FOR "camera" IN SELECT unnest("wanted") EXCEPT SELECT unnest("known") LOOP
    "row" := NULL;
    "row"."camera_id" := "camera";
    RETURN NEXT "row";
  END LOOP;
  IF FOUND THEN
    RETURN;
  END IF;

  "camera" := NULL;
  FOREACH "row" IN ARRAY "given" LOOP
    IF "camera" IS DISTINCT FROM "row"."camera_id" THEN
      "camera" := "row"."camera_id";
      "answer" := NULL;
      "times" := '{}';
      "at" := "now";
      SELECT l."recorded_at" INTO "last" FROM "camera_latest_status" l WHERE l."camera_id" = "camera";
      "last" := coalesce("last", '-infinity');
    END IF;
    IF "row"."recorded_at" IS NULL THEN
      -- "last" is never earlier than a time of this call, so beyond it everything is free.
      WHILE "at" <= "last" LOOP
        -- The milliseconds from "at" on that are taken without a gap, counted up to 1,000.
        SELECT count(*) INTO "taken" FROM (
          SELECT s."recorded_at", row_number() OVER (ORDER BY s."recorded_at") - 1 AS "n" FROM (
            SELECT DISTINCT c."recorded_at" FROM "camera_status" c
            WHERE c."camera_id" = "camera" AND c."recorded_at" >= "at" ORDER BY 1 LIMIT 1000
          ) s
        ) x WHERE x."recorded_at" = "at" + x."n" * INTERVAL '1 millisecond';
        IF "taken" = 1000 THEN
          "at" := "last" + INTERVAL '1 millisecond';
        ELSE
          "at" := "at" + "taken" * INTERVAL '1 millisecond';
        END IF;
        EXIT WHEN NOT "at" = ANY ("times");
        "at" := "at" + INTERVAL '1 millisecond';
      END LOOP;
      "row"."recorded_at" := "at";
      "at" := "at" + INTERVAL '1 millisecond';
      "answer" := NULL;
    ELSIF "row"."recorded_at" IS DISTINCT FROM "answer"."recorded_at" THEN
      "answer" := NULL;
      IF "row"."recorded_at" <= "last" THEN
        SELECT * INTO "answer" FROM "camera_status" s
          WHERE s."camera_id" = "camera" AND s."recorded_at" = "row"."recorded_at" ORDER BY s."id" DESC LIMIT 1;
      END IF;
    END IF;
    IF "answer"."id" IS NULL THEN
      "row"."id" := nextval('camera_status_id_seq');
      "answer" := "row";
      "new" := "new" || "row";
      "last" := greatest("last", "row"."recorded_at");
      "times" := "times" || "row"."recorded_at";
    END IF;
    "answers" := "answers" || "answer";
  END LOOP;

  INSERT INTO "camera_status" SELECT n.* FROM unnest("new") n;
  RETURN QUERY SELECT a.* FROM unnest("answers") a;
END
$$;
