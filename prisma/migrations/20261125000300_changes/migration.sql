-- The feed of changes (src/farm/changes/feed.sql writes it).

-- One row. A database that is restored on another server starts with smaller transaction ids: position_offset makes
-- positions go on above those of the restored changes. Changes up to (forgotten_position, forgotten_id) were removed.
-- Two new databases give their first changes the same positions and ids: a cursor holds the name of its feed, so that
-- another feed refuses it. Backups have the name.
-- A server that is exchanged behind a gateway has another cluster, whose writers had no right offset: the name then changes.
CREATE TABLE "change_feed" (
  "only"               BOOLEAN NOT NULL DEFAULT true,
  "position_offset"    BIGINT NOT NULL DEFAULT 0,
  "forgotten_position" BIGINT NOT NULL DEFAULT 0,
  "forgotten_id"       BIGINT NOT NULL DEFAULT 0,
  "name"               TEXT NOT NULL,
  "cluster"            TEXT,
  CONSTRAINT "change_feed_pkey" PRIMARY KEY ("only"),
  CONSTRAINT "change_feed_only" CHECK ("only")
);
INSERT INTO "change_feed" ("name") VALUES (substr(gen_random_uuid()::TEXT, 1, 8));

CREATE SEQUENCE "changes_id_seq" AS BIGINT;

CREATE TABLE "changes" (
  "position"    BIGINT NOT NULL,
  "id"          BIGINT NOT NULL DEFAULT nextval('changes_id_seq'),
  "at"          TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
  "type"        TEXT COLLATE "C" NOT NULL,
  "kind"        TEXT COLLATE "C" NOT NULL,
  -- The id of the camera, job, printer, spool or material.
  "entity"      TEXT COLLATE "C" NOT NULL,
  -- The time and the id of a new status record.
  "recorded_at" TIMESTAMPTZ(3),
  "record_id"   BIGINT,
  -- Of a job: its statuses before and after, and the members that filters look at.
  "job"         JSON,
  CONSTRAINT "changes_pkey" PRIMARY KEY ("position", "id")
);
ALTER SEQUENCE "changes_id_seq" OWNED BY "changes"."id";
