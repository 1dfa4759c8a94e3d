-- What printers told of their prints, and what they do now.

CREATE TABLE "observed_prints" (
  "id"                   UUID NOT NULL,
  "printer_id"           UUID NOT NULL,
  -- Null when the device was removed.
  "device_id"            UUID,
  "external_id"          TEXT COLLATE "C",
  "name"                 TEXT NOT NULL,
  "file_path"            TEXT,
  "started_at"           TIMESTAMPTZ(3),
  "started_at_estimated" BOOLEAN NOT NULL,
  "ended_at"             TIMESTAMPTZ(3),
  "ended_at_estimated"   BOOLEAN NOT NULL DEFAULT false,
  "outcome"              TEXT COLLATE "C" NOT NULL,
  "reason"               TEXT,
  -- The amounts by slot, of a print that is over: [{"slot", "mm", "grams", "basis"}].
  "filament"             JSON,
  -- The spools by slot that its job was made with: {"tool:0": "…"}.
  "spools"               JSON,
  -- A job may be gone: with a foreign key, programs could no longer truncate print_jobs.
  "job_id"               UUID,
  -- updated_at of the job after the last write of the gateway for this print. A job with another one was changed by a person.
  "job_updated_at"       TIMESTAMPTZ(3),
  "ignored_at"           TIMESTAMPTZ(3),
  "created_at"           TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  -- What the slicer computed: {"seconds", "slots": [{"slot", "mm", "grams"}]}.
  "plan"                 JSON,
  -- The plan that its slicer sent, where the machine tells no amounts: {"seconds", "slots", "layers"} as in print_plans.
  "sliced"               JSON,
  "paused"               BOOLEAN NOT NULL DEFAULT false,
  "lost"                 BOOLEAN NOT NULL DEFAULT false,
  -- The checkpoint, which a restart goes on from.
  "seen_at"              TIMESTAMPTZ(3) NOT NULL,
  "counter_sec"          DOUBLE PRECISION,
  "counts_pauses"        BOOLEAN,
  "progress"             NUMERIC,
  "progress_basis"       TEXT COLLATE "C",
  "remaining_sec"        DOUBLE PRECISION,
  "layer"                INTEGER,
  "layers"               INTEGER,
  -- The millimetres that the machine measured: [{"slot", "mm", "grams"}].
  "measured"             JSON NOT NULL,
  CONSTRAINT "observed_prints_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "observed_prints_printer_id_fkey" FOREIGN KEY ("printer_id") REFERENCES "printers" ("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "observed_prints_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "devices" ("id")
    ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT "observed_prints_outcome" CHECK ("outcome" IN ('RUNNING', 'COMPLETED', 'CANCELLED', 'FAILED', 'UNRESOLVED')),
  CONSTRAINT "observed_prints_times" CHECK ("started_at" >= '0001-01-01Z' AND "started_at" < '10000-01-01Z'
    AND "ended_at" >= '0001-01-01Z' AND "ended_at" < '10000-01-01Z')
) WITH (fillfactor = 80);
-- These two settle the races of processes that hear the same machine.
CREATE UNIQUE INDEX "observed_prints_external_id_key" ON "observed_prints" ("device_id", "external_id")
  WHERE "external_id" IS NOT NULL;
CREATE UNIQUE INDEX "observed_prints_running_key" ON "observed_prints" ("device_id") WHERE "outcome" = 'RUNNING';
-- A job is made of one print.
CREATE UNIQUE INDEX "observed_prints_job_id_key" ON "observed_prints" ("job_id") WHERE "job_id" IS NOT NULL;
CREATE INDEX "observed_prints_newest" ON "observed_prints" ("created_at" DESC, "id" DESC);
CREATE INDEX "observed_prints_by_printer" ON "observed_prints" ("printer_id", "created_at" DESC, "id" DESC);
CREATE INDEX "observed_prints_by_device" ON "observed_prints" ("device_id", "seen_at");
-- What waits for a person, for the farm page and alerts.
CREATE INDEX "observed_prints_waiting" ON "observed_prints" ("created_at" DESC, "id" DESC)
  WHERE "ignored_at" IS NULL AND ("job_id" IS NULL OR "outcome" = 'UNRESOLVED');

CREATE SEQUENCE "print_sightings_id_seq" AS BIGINT;

CREATE TABLE "print_sightings" (
  "print_id" UUID NOT NULL,
  "id"       BIGINT NOT NULL DEFAULT nextval('print_sightings_id_seq'),
  "at"       TIMESTAMPTZ(3) NOT NULL,
  "kind"     TEXT COLLATE "C" NOT NULL,
  "text"     TEXT NOT NULL,
  -- Made by who writes it, so that it is written once when the write is tried again.
  "key"      UUID NOT NULL DEFAULT gen_random_uuid(),
  CONSTRAINT "print_sightings_pkey" PRIMARY KEY ("print_id", "id"),
  CONSTRAINT "print_sightings_print_id_fkey" FOREIGN KEY ("print_id") REFERENCES "observed_prints" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "print_sightings_key_key" ON "print_sightings" ("key");
ALTER SEQUENCE "print_sightings_id_seq" OWNED BY "print_sightings"."id";

-- What each printer does now; replaced at most every 2 s.
CREATE TABLE "printer_states" (
  "printer_id"     UUID NOT NULL,
  "activity"       TEXT COLLATE "C" NOT NULL,
  "progress"       DOUBLE PRECISION,
  "progress_basis" TEXT COLLATE "C",
  "remaining_sec"  INTEGER,
  "layer"          INTEGER,
  "layers"         INTEGER,
  "print_name"     TEXT,
  "message"        TEXT,
  "heard_at"       TIMESTAMPTZ(3) NOT NULL,
  "print_id"       UUID,
  CONSTRAINT "printer_states_pkey" PRIMARY KEY ("printer_id"),
  CONSTRAINT "printer_states_printer_id_fkey" FOREIGN KEY ("printer_id") REFERENCES "printers" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 50);
