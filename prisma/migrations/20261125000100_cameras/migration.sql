-- Cameras and their status log.

-- A camera with removed_at is gone for all readers. Its row stays as long as records of its log refer to it.
CREATE TABLE "cameras" (
  "camera_id"             TEXT COLLATE "C" NOT NULL,
  "friendly_name"         TEXT COLLATE "C" NOT NULL,
  "mac_address"           TEXT COLLATE "C",
  "created_at"            TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "updated_at"            TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "printer_id"            UUID,
  "removed_at"            TIMESTAMPTZ(3),
  "expected_interval_sec" INTEGER,
  CONSTRAINT "cameras_pkey" PRIMARY KEY ("camera_id"),
  CONSTRAINT "cameras_printer_id_fkey" FOREIGN KEY ("printer_id") REFERENCES "printers" ("id")
    ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT "cameras_camera_id_not_empty" CHECK ("camera_id" <> ''),
  CONSTRAINT "cameras_friendly_name_not_empty" CHECK ("friendly_name" <> ''),
  CONSTRAINT "cameras_expected_interval_sec" CHECK ("expected_interval_sec" BETWEEN 1 AND 86400),
  CONSTRAINT "cameras_times" CHECK ("created_at" >= '0001-01-01Z' AND "created_at" < '10000-01-01Z'
    AND "updated_at" >= '0001-01-01Z' AND "updated_at" < '10000-01-01Z')
);
CREATE UNIQUE INDEX "cameras_mac_address_key" ON "cameras" ("mac_address");
CREATE INDEX "cameras_by_printer" ON "cameras" ("printer_id", "camera_id");

-- The log, partitioned by time: one partition a week, made ahead of time by the gateway, one for all that is older than
-- the first of them and one for all that is later than the last. Together they cover all of time, so that there is no
-- default partition: the newest records of a camera are found without looking into every partition.
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

-- The latest record of each camera (ties to the greater id), with the columns of camera_status in the same order. It
-- outlives the partition that the record came from. Half of each page is free for updates in place.
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
