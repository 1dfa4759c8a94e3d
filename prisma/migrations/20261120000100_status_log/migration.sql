-- The status log, partitioned by time: one partition a week, made ahead of time by the gateway (maintain_camera_status
-- below), one for all that is older than the first of them and one for all that is later than the last. Together they
-- cover all of time, so that there is no default partition: the newest records of a camera are found without looking
-- into every partition.

CREATE SEQUENCE "camera_status_id_seq" AS BIGINT;

CREATE TABLE "camera_status" (
  "id"                  BIGINT NOT NULL DEFAULT nextval('camera_status_id_seq'),
  "camera_id"           TEXT COLLATE "C" NOT NULL,
  "recorded_at"         TIMESTAMPTZ(3) NOT NULL,
  "battery_pct"         DOUBLE PRECISION,
  "video_remaining_sec" INTEGER,
  "recording_state"     TEXT COLLATE "C",
  "mode"                TEXT COLLATE "C",
  "resolution"          TEXT COLLATE "C",
  "fps"                 DOUBLE PRECISION,
  "online"              BOOLEAN NOT NULL DEFAULT false,
  "raw_battery_pct"     DOUBLE PRECISION,
  -- Read backwards it is a camera's log newest first; the partition key must be part of it.
  CONSTRAINT "camera_status_pkey" PRIMARY KEY ("camera_id", "recorded_at", "id"),
  CONSTRAINT "camera_status_camera_id_fkey" FOREIGN KEY ("camera_id") REFERENCES "cameras" ("camera_id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "camera_status_recorded_at" CHECK ("recorded_at" >= '0001-01-01Z' AND "recorded_at" < '10000-01-01Z'),
  CONSTRAINT "camera_status_battery_pct" CHECK ("battery_pct" BETWEEN 0 AND 100),
  CONSTRAINT "camera_status_video_remaining_sec" CHECK ("video_remaining_sec" >= 0),
  CONSTRAINT "camera_status_fps" CHECK ("fps" >= 0 AND "fps" < 'Infinity'),
  CONSTRAINT "camera_status_raw_battery_pct" CHECK ("raw_battery_pct" > '-Infinity' AND "raw_battery_pct" < 'Infinity')
) PARTITION BY RANGE ("recorded_at");
ALTER SEQUENCE "camera_status_id_seq" OWNED BY "camera_status"."id";

DO $$
DECLARE
  "first" TEXT := quote_literal(date_trunc('week', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC');
BEGIN
  EXECUTE 'CREATE TABLE "camera_status_earlier" PARTITION OF "camera_status" FOR VALUES FROM (MINVALUE) TO (' || "first" || ')';
  EXECUTE 'CREATE TABLE "camera_status_later" PARTITION OF "camera_status" FOR VALUES FROM (' || "first" || ') TO (MAXVALUE)';
END
$$;

-- The latest record of each camera (ties to the greater id), kept by triggers whoever writes the log. It outlives the
-- partition that the record came from. Half of each page is free for updates in place.
CREATE TABLE "camera_latest_status" (
  "id"                  BIGINT NOT NULL,
  "camera_id"           TEXT COLLATE "C" NOT NULL,
  "recorded_at"         TIMESTAMPTZ(3) NOT NULL,
  "battery_pct"         DOUBLE PRECISION,
  "video_remaining_sec" INTEGER,
  "recording_state"     TEXT COLLATE "C",
  "mode"                TEXT COLLATE "C",
  "resolution"          TEXT COLLATE "C",
  "fps"                 DOUBLE PRECISION,
  "online"              BOOLEAN NOT NULL,
  "raw_battery_pct"     DOUBLE PRECISION,
  CONSTRAINT "camera_latest_status_pkey" PRIMARY KEY ("camera_id"),
  CONSTRAINT "camera_latest_status_camera_id_fkey" FOREIGN KEY ("camera_id") REFERENCES "cameras" ("camera_id")
    ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 50);

CREATE FUNCTION "keep_latest_status_on_insert"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
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

-- A record that was the latest is changed or gone: its camera's row is locked first, then the log is read again, by a
-- statement that sees what the holder of the lock before has committed.
CREATE FUNCTION "find_latest_status_again"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "again" TEXT[];
BEGIN
  SELECT array_agg(x."camera_id") INTO "again" FROM (
    SELECT l."camera_id" FROM "camera_latest_status" l
    WHERE EXISTS (SELECT FROM "old_rows" o WHERE o."camera_id" = l."camera_id" AND o."id" = l."id")
    ORDER BY l."camera_id" FOR UPDATE
  ) x;
  DELETE FROM "camera_latest_status" WHERE "camera_id" = ANY ("again");
  INSERT INTO "camera_latest_status" ("id", "camera_id", "recorded_at", "battery_pct", "video_remaining_sec", "recording_state", "mode", "resolution", "fps", "online", "raw_battery_pct")
  SELECT s."id", s."camera_id", s."recorded_at", s."battery_pct", s."video_remaining_sec", s."recording_state", s."mode", s."resolution", s."fps", s."online", s."raw_battery_pct"
  FROM unnest("again") a ("camera_id") CROSS JOIN LATERAL (
    SELECT * FROM "camera_status" c WHERE c."camera_id" = a."camera_id"
    ORDER BY c."recorded_at" DESC, c."id" DESC LIMIT 1
  ) s ON CONFLICT ("camera_id") DO NOTHING;
  RETURN NULL;
END
$$;

CREATE FUNCTION "forget_latest_status"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "camera_latest_status";
  RETURN NULL;
END
$$;

-- Of two triggers of one event the first by name goes first: an updated record is looked for again before it counts as new.
CREATE TRIGGER "latest_status_1_delete" AFTER DELETE ON "camera_status"
  REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION "find_latest_status_again"();
CREATE TRIGGER "latest_status_1_update" AFTER UPDATE ON "camera_status"
  REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "find_latest_status_again"();
CREATE TRIGGER "latest_status_2_insert" AFTER INSERT ON "camera_status"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "keep_latest_status_on_insert"();
CREATE TRIGGER "latest_status_2_update" AFTER UPDATE ON "camera_status"
  REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "keep_latest_status_on_insert"();
CREATE TRIGGER "latest_status_truncate" AFTER TRUNCATE ON "camera_status"
  FOR EACH STATEMENT EXECUTE FUNCTION "forget_latest_status"();

-- Makes the partitions of this week and the next two, and drops those that are wholly older than the retention (null: none
-- are). The latest status of a camera survives, because no trigger sees a partition go. Changing partitions locks the log
-- for some milliseconds; the wait for that lock, during which others wait too, ends after 250 ms with an error, and the
-- caller tries again later.
CREATE FUNCTION "maintain_camera_status"("now" TIMESTAMPTZ, "retention_days" INTEGER) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  "first" TIMESTAMPTZ;
  "end"   TIMESTAMPTZ;
  "name"  TEXT;
BEGIN
  PERFORM set_config('lock_timeout', '250ms', true);
  LOOP
    SELECT (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \(''([^'']+)''\)'))[1] INTO "first"
      FROM pg_class c WHERE c.oid = to_regclass('camera_status_later');
    EXIT WHEN "first" > "now" + INTERVAL '14 days';
    "end" := "first" + INTERVAL '7 days';
    -- Records that other programs wrote while no gateway ran stay together in one wide partition.
    IF EXISTS (SELECT FROM "camera_status_later" WHERE "recorded_at" < "now") THEN
      "end" := greatest("end", date_trunc('week', "now" AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + INTERVAL '7 days');
    END IF;
    "name" := 'camera_status_' || to_char("first" AT TIME ZONE 'UTC', 'YYYYMMDD');
    ALTER TABLE "camera_status" DETACH PARTITION "camera_status_later";
    EXECUTE format('ALTER TABLE camera_status_later RENAME TO %I', "name");
    EXECUTE format('ALTER TABLE %I RENAME CONSTRAINT camera_status_later_pkey TO %I', "name", "name" || '_pkey');
    EXECUTE format('CREATE TABLE camera_status_later PARTITION OF camera_status FOR VALUES FROM (%L) TO (MAXVALUE)', "end");
    EXECUTE format('WITH moved AS (DELETE FROM %I WHERE recorded_at >= %L RETURNING *) INSERT INTO camera_status_later SELECT * FROM moved', "name", "end");
    EXECUTE format('ALTER TABLE camera_status ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', "name", "first", "end");
  END LOOP;

  FOR "name" IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'camera_status'::regclass
      AND (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([^'']+)''\)'))[1]::TIMESTAMPTZ
        <= "now" - make_interval(days => "retention_days")
  LOOP
    IF "name" <> 'camera_status_earlier' THEN
      EXECUTE format('DROP TABLE %I', "name");
    ELSIF EXISTS (SELECT FROM "camera_status_earlier") THEN
      TRUNCATE "camera_status_earlier";
    END IF;
  END LOOP;
END
$$;

-- Records statuses of several calls, each call all or nothing. `records` is an array of records with `n`, their place in
-- it, and `call`, the call that they came with; the answer is {"stored": [record or null, in the order of n], "unknown":
-- [id of a camera that does not exist …]}. The cameras are locked first, in order, so that no two writers wait for each
-- other in a ring; the statement behind the lock sees what its previous holder committed, so that races are settled
-- here: each (camera, time) is kept once, and a record without a time gets the camera's next free millisecond from "now"
-- on. Look-ups that the planner must not turn into scans of the log are behind LIMIT.
CREATE FUNCTION "record_camera_statuses"("records" JSONB, "now" TIMESTAMPTZ) RETURNS JSON LANGUAGE plpgsql AS $$
DECLARE
  "wanted"  TEXT[] := ARRAY(SELECT DISTINCT r ->> 'cameraId' FROM jsonb_array_elements("records") r);
  "known"   TEXT[];
  "refused" INTEGER[] := '{}';
  "answer"  JSON;
BEGIN
  "known" := ARRAY(SELECT c."camera_id" FROM "cameras" c WHERE c."camera_id" = ANY ("wanted")
    ORDER BY c."camera_id" FOR NO KEY UPDATE);
  IF cardinality("known") < cardinality("wanted") THEN
    "refused" := ARRAY(SELECT DISTINCT (r ->> 'call')::INTEGER FROM jsonb_array_elements("records") r
      WHERE r ->> 'cameraId' <> ALL ("known"));
  END IF;

  WITH
    given AS MATERIALIZED (
      SELECT r.*, row_number() OVER (PARTITION BY r."cameraId", r."recordedAt" IS NULL ORDER BY r.n) AS k
      FROM jsonb_to_recordset("records") AS r (n INTEGER, call INTEGER, "cameraId" TEXT, "recordedAt" TIMESTAMPTZ(3),
        "batteryPct" DOUBLE PRECISION, "videoRemainingSec" INTEGER, "recordingState" TEXT, "mode" TEXT,
        "resolution" TEXT, "fps" DOUBLE PRECISION, "online" BOOLEAN, "rawBatteryPct" DOUBLE PRECISION)
      WHERE r.call <> ALL ("refused")
    ),
    free AS (
      SELECT w."cameraId", f."at", row_number() OVER (PARTITION BY w."cameraId" ORDER BY f."at") AS k
      FROM (SELECT g."cameraId", count(*) AS "wanted" FROM given g WHERE g."recordedAt" IS NULL GROUP BY 1) w
      CROSS JOIN LATERAL (
        SELECT s."at" FROM (SELECT "now" + generate_series(0, 2147483647) * INTERVAL '1 millisecond' AS "at") s
        WHERE (SELECT true FROM "camera_status" x
            WHERE x."camera_id" = w."cameraId" AND x."recorded_at" = s."at" LIMIT 1) IS NULL
          AND NOT EXISTS (SELECT FROM given o WHERE o."cameraId" = w."cameraId" AND o."recordedAt" = s."at")
        LIMIT w."wanted"
      ) f
    ),
    placed AS MATERIALIZED (
      SELECT g.*, coalesce(g."recordedAt", f."at")::TIMESTAMPTZ(3) AS "at"
      FROM given g LEFT JOIN free f ON g."recordedAt" IS NULL AND f."cameraId" = g."cameraId" AND f.k = g.k
    ),
    existing AS MATERIALIZED (
      SELECT DISTINCT ON (s."camera_id", s."recorded_at") s.* FROM placed p CROSS JOIN LATERAL (
        SELECT x.* FROM "camera_status" x WHERE x."camera_id" = p."cameraId" AND x."recorded_at" = p."at"
        ORDER BY x."id" DESC LIMIT 1
      ) s WHERE p."recordedAt" IS NOT NULL
    ),
    inserted AS (
      INSERT INTO "camera_status" ("camera_id", "recorded_at", "battery_pct", "video_remaining_sec", "recording_state",
        "mode", "resolution", "fps", "online", "raw_battery_pct")
      SELECT p."cameraId", p."at", p."batteryPct", p."videoRemainingSec", p."recordingState", p."mode", p."resolution",
        p."fps", p."online", p."rawBatteryPct"
      FROM (SELECT DISTINCT ON (placed."cameraId", placed."at") placed.* FROM placed
            ORDER BY placed."cameraId", placed."at", placed.n) p
      WHERE NOT EXISTS (SELECT FROM existing x WHERE x."camera_id" = p."cameraId" AND x."recorded_at" = p."at")
      ORDER BY p.n
      RETURNING *
    )
  SELECT json_build_object(
      'stored', coalesce(json_agg(CASE WHEN s."id" IS NOT NULL THEN json_build_object(
        'id', s."id"::text, 'cameraId', s."camera_id",
        'recordedAt', to_char(s."recorded_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'batteryPct', s."battery_pct", 'videoRemainingSec', s."video_remaining_sec",
        'recordingState', s."recording_state", 'mode', s."mode", 'resolution', s."resolution", 'fps', s."fps",
        'online', s."online", 'rawBatteryPct', s."raw_battery_pct") END ORDER BY n), '[]'),
      'unknown', array_to_json(ARRAY(SELECT w FROM unnest("wanted") w WHERE w <> ALL ("known"))))
    INTO "answer"
  FROM generate_series(0, jsonb_array_length("records") - 1) n
  LEFT JOIN placed p USING (n)
  LEFT JOIN (SELECT * FROM inserted UNION ALL SELECT * FROM existing) s
    ON s."camera_id" = p."cameraId" AND s."recorded_at" = p."at";
  RETURN "answer";
END
$$;
