-- Keeps the latest status of each camera, and adds records to the status log.

-- Sets the rows of camera_latest_status, whichever program writes the log. The columns are listed only here.
CREATE OR REPLACE FUNCTION set_latest_status() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  "lost" TEXT[];
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM "camera_latest_status";
    RETURN NULL;
  END IF;

  -- For changed or deleted records, the latest statuses of their cameras are locked first, in order. The rows are updated in place, so that a
  -- transaction that waits at the lock then gets the new values, and its later statements see what the previous holder committed. Then the log is
  -- read for the cameras whose latest record was changed or deleted.
  IF TG_OP <> 'INSERT' THEN
    "lost" := ARRAY(
      SELECT x."camera_id" FROM (
        SELECT l."camera_id", l."id" FROM "camera_latest_status" l
        WHERE l."camera_id" IN (SELECT o."camera_id" FROM "old_rows" o)
        ORDER BY l."camera_id" FOR UPDATE
      ) x WHERE EXISTS (SELECT FROM "old_rows" o WHERE (o."camera_id", o."id") = (x."camera_id", x."id")));
    DELETE FROM "camera_latest_status" l WHERE l."camera_id" = ANY ("lost")
      AND NOT EXISTS (SELECT FROM "camera_status" c WHERE c."camera_id" = l."camera_id");
    EXECUTE format('UPDATE camera_latest_status l SET (%1$s) = (
        SELECT %1$s FROM camera_status c WHERE c.camera_id = l.camera_id ORDER BY c.recorded_at DESC, c.id DESC LIMIT 1
      ) WHERE l.camera_id = ANY ($1)', (
        SELECT string_agg(quote_ident(a.attname), ', ') FROM pg_attribute a
        WHERE a.attrelid = 'camera_latest_status'::REGCLASS AND a.attnum > 0 AND NOT a.attisdropped
      )) USING "lost";
  END IF;

  IF TG_OP <> 'DELETE' THEN
    -- The latest record is the one with the greatest time, so a record of the far future would hide the present. The limit is MAX_HOURS_AHEAD of
    -- camera.limits.ts and one hour more, because clocks differ.
    IF EXISTS (SELECT FROM "new_rows" n WHERE n."recorded_at" > now() + INTERVAL '25 hours') THEN
      RAISE EXCEPTION 'new row for relation "camera_status" violates check constraint "camera_status_not_ahead"'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'camera_status_not_ahead', TABLE = 'camera_status',
          DETAIL = 'recorded_at is more than 25 hours later than now.';
    END IF;
    INSERT INTO "camera_latest_status" AS l
    SELECT DISTINCT ON (n."camera_id") n.* FROM "new_rows" n ORDER BY n."camera_id", n."recorded_at" DESC, n."id" DESC
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
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER latest_status_insert AFTER INSERT ON "camera_status"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION set_latest_status();
CREATE OR REPLACE TRIGGER latest_status_update AFTER UPDATE ON "camera_status"
  REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION set_latest_status();
CREATE OR REPLACE TRIGGER latest_status_delete AFTER DELETE ON "camera_status"
  REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION set_latest_status();
CREATE OR REPLACE TRIGGER latest_status_truncate AFTER TRUNCATE ON "camera_status"
  FOR EACH STATEMENT EXECUTE FUNCTION set_latest_status();

-- The newest record of a camera that is not later than "at". This is a function, because a function keeps its plan. As part of a larger statement,
-- PostgreSQL would plan the read of every partition of the log at each execution.
CREATE OR REPLACE FUNCTION camera_status_until("camera" TEXT, "at" TIMESTAMPTZ) RETURNS SETOF "camera_status"
LANGUAGE plpgsql STABLE ROWS 1 SET plan_cache_mode = 'force_generic_plan' SET search_path FROM CURRENT AS $$
BEGIN
  RETURN QUERY SELECT s.* FROM "camera_status" s
    WHERE s."camera_id" = "camera" AND s."recorded_at" <= "at" ORDER BY s."recorded_at" DESC, s."id" DESC LIMIT 1;
END
$$;

-- Stores records and returns each record as it is stored, in the given order. "records" are rows of camera_status without ids, sorted by camera,
-- then by time, with records without a time last.
-- - If cameras do not exist, nothing is stored, and one row is returned for each of them, with only the id of the camera.
-- - The cameras are locked first, in order, so that no two writers deadlock. Statements after the lock see what its previous holder committed, so
--   races are settled here.
-- - A record that equals a stored record in all members except the id is a repetition and is not stored again. A different record with the same time
--   is stored with a greater id.
-- - A record without a time gets the next free millisecond from "now" on. If a thousand milliseconds in a row are used, it gets the millisecond
--   after the latest record of the camera.
-- - For a record that is newer than the latest record of its camera, the log is not searched, so its cost does not grow with the number of
--   partitions.
-- - The stored records with a time are read once. A record that is deleted meanwhile is still returned.
CREATE OR REPLACE FUNCTION record_camera_statuses("records" JSON, "now" TIMESTAMPTZ) RETURNS SETOF "camera_status"
LANGUAGE plpgsql SET plan_cache_mode = 'force_generic_plan' SET search_path FROM CURRENT AS $$
DECLARE
  "given"   "camera_status"[] := ARRAY(SELECT r FROM json_populate_recordset(NULL::"camera_status", "records") r);
  "answers" "camera_status"[] := '{}';
  "new"     "camera_status"[] := '{}';
  "wanted"  TEXT[];
  "existing" TEXT[];
  "times"   TIMESTAMPTZ[];
  "camera"  TEXT;
  "last"    TIMESTAMPTZ;
  "at"      TIMESTAMPTZ(3);
  "taken"   BIGINT;
  "row"     "camera_status";
  -- The records of one camera and time, and the same without their ids.
  "stored"  "camera_status"[];
  "bare"    "camera_status"[];
  "nth"     INTEGER;
  "of_time" TIMESTAMPTZ;
BEGIN
  "wanted" := ARRAY(SELECT g."camera_id" FROM unnest("given") g);
  "existing" := ARRAY(SELECT c."camera_id" FROM "cameras" c WHERE c."removed_at" IS NULL AND c."camera_id" = ANY ("wanted")
    ORDER BY c."camera_id" FOR NO KEY UPDATE);
  FOR "camera" IN SELECT unnest("wanted") EXCEPT SELECT unnest("existing") LOOP
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
      "of_time" := NULL;
      "times" := '{}';
      "at" := "now";
      SELECT l."recorded_at" INTO "last" FROM "camera_latest_status" l WHERE l."camera_id" = "camera";
      "last" := coalesce("last", '-infinity');
    END IF;
    IF "row"."recorded_at" IS NULL THEN
      -- "last" is never earlier than a time of this call, so every later millisecond is free.
      WHILE "at" <= "last" LOOP
        -- Counts the used milliseconds from "at" on, without a gap, up to 1,000.
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
    END IF;
    IF "row"."recorded_at" IS DISTINCT FROM "of_time" THEN
      "of_time" := "row"."recorded_at";
      "stored" := '{}';
      "bare" := '{}';
      IF "of_time" <= "last" THEN
        "stored" := ARRAY(SELECT s FROM "camera_status" s
          WHERE s."camera_id" = "camera" AND s."recorded_at" = "of_time" ORDER BY s."id");
        "bare" := ARRAY(SELECT jsonb_populate_record(s, '{"id": null}') FROM unnest("stored") s);
      END IF;
    END IF;
    "nth" := array_position("bare", "row");
    IF "nth" IS NULL THEN
      "bare" := "bare" || "row";
      "row"."id" := nextval('camera_status_id_seq');
      "stored" := "stored" || "row";
      "new" := "new" || "row";
      "nth" := cardinality("stored");
      "last" := greatest("last", "row"."recorded_at");
      "times" := "times" || "row"."recorded_at";
    END IF;
    "answers" := "answers" || "stored"["nth"];
  END LOOP;

  INSERT INTO "camera_status" SELECT n.* FROM unnest("new") n;
  RETURN QUERY SELECT a.* FROM unnest("answers") a;
END
$$;
