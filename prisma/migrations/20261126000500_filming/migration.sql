-- Which camera watched which printer, and what the cameras recorded of ended prints.

-- Triggers on cameras write it (src/farm/filming/watches.sql). The present is the rows without an end. A printer that was removed is null.
CREATE TABLE "camera_watches" (
  "camera_id"  TEXT COLLATE "C" NOT NULL,
  "from"       TIMESTAMPTZ(3) NOT NULL,
  "to"         TIMESTAMPTZ(3),
  "printer_id" UUID,
  CONSTRAINT "camera_watches_pkey" PRIMARY KEY ("camera_id", "from"),
  CONSTRAINT "camera_watches_camera_id_fkey" FOREIGN KEY ("camera_id") REFERENCES "cameras" ("camera_id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "camera_watches_printer_id_fkey" FOREIGN KEY ("printer_id") REFERENCES "printers" ("id")
    ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT "camera_watches_times" CHECK ("from" >= '0001-01-01Z' AND "from" < '10000-01-01Z'
    AND ("to" IS NULL OR "from" < "to" AND "to" < '10000-01-01Z'))
);
CREATE INDEX "camera_watches_by_printer" ON "camera_watches" ("printer_id", "from");

-- What is not known of cameras that watch a printer today: they watched it since they were registered.
INSERT INTO "camera_watches" ("camera_id", "from", "printer_id")
SELECT "camera_id", least("created_at", date_trunc('milliseconds', now())), "printer_id" FROM "cameras" WHERE "printer_id" IS NOT NULL;

-- What a camera recorded of a job, written once, a day after its end. It stays when the log is deleted, and the camera. It is right while
-- the job has this printer and these times. Triggers remove the rows of removed jobs: with a foreign key, programs could no longer truncate
-- print_jobs.
CREATE TABLE "job_filming" (
  "job_id"        UUID NOT NULL,
  "camera_id"     TEXT COLLATE "C" NOT NULL,
  "printer_id"    UUID NOT NULL,
  "job_from"      TIMESTAMPTZ(3) NOT NULL,
  "job_to"        TIMESTAMPTZ(3) NOT NULL,
  "from"          TIMESTAMPTZ(3) NOT NULL,
  "to"            TIMESTAMPTZ(3) NOT NULL,
  "window_ms"     BIGINT NOT NULL,
  "recorded_ms"   BIGINT NOT NULL,
  "resolution_ms" BIGINT,
  -- [[begin, end, reason], …], oldest first, in milliseconds after "from".
  "gaps"          JSON NOT NULL,
  "other_gaps_ms" BIGINT NOT NULL,
  CONSTRAINT "job_filming_pkey" PRIMARY KEY ("job_id", "camera_id")
);

-- The one row about what STATUS_RETENTION_DAYS has deleted of the status log: all before this time. Null: nothing.
CREATE TABLE "status_log_retention" (
  "only"          BOOLEAN NOT NULL DEFAULT true,
  "deleted_until" TIMESTAMPTZ(3),
  CONSTRAINT "status_log_retention_pkey" PRIMARY KEY ("only"),
  CONSTRAINT "status_log_retention_only" CHECK ("only")
);

-- What was deleted until now has left a hole between the first two partitions.
INSERT INTO "status_log_retention" ("deleted_until")
SELECT min(p."next") FROM (
  SELECT replace(trim('''' FROM b.bound[2]), 'MAXVALUE', 'infinity')::TIMESTAMPTZ AS "end",
    lead(replace(trim('''' FROM b.bound[1]), 'MINVALUE', '-infinity')::TIMESTAMPTZ)
      OVER (ORDER BY replace(trim('''' FROM b.bound[1]), 'MINVALUE', '-infinity')::TIMESTAMPTZ) AS "next"
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \((.+)\) TO \((.+)\)') b (bound)
  WHERE i.inhparent = '"camera_status"'::REGCLASS
) p WHERE p."end" < p."next" AND p."next" <= now();
