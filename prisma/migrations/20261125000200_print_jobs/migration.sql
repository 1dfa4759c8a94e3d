-- Print jobs, their numbers, and the history of their statuses.

CREATE TABLE "print_jobs" (
  "id"                            UUID NOT NULL,
  "printer_id"                    UUID NOT NULL,
  "spool_id"                      UUID NOT NULL,
  "print_name"                    TEXT NOT NULL,
  "gcode_file_path"               TEXT NOT NULL,
  "mm_extruded"                   NUMERIC NOT NULL,
  "grams_derived"                 NUMERIC NOT NULL,
  "cost_per_print"                NUMERIC NOT NULL,
  "started_at"                    TIMESTAMPTZ(3),
  "completed_at"                  TIMESTAMPTZ(3),
  "status"                        TEXT COLLATE "C" NOT NULL,
  "data_source"                   TEXT COLLATE "C" NOT NULL,
  "filament_diameter_at_print_mm" NUMERIC NOT NULL,
  "material_density_at_print"     NUMERIC NOT NULL,
  "notes"                         TEXT,
  "created_at"                    TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "updated_at"                    TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "print_jobs_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "print_jobs_printer_id_fkey" FOREIGN KEY ("printer_id") REFERENCES "printers" ("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "print_jobs_spool_id_fkey" FOREIGN KEY ("spool_id") REFERENCES "spools" ("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "print_jobs_status" CHECK ("status" IN ('Queued', 'Printing', 'Completed', 'Cancelled', 'Failed')),
  CONSTRAINT "print_jobs_data_source" CHECK ("data_source" IN ('Mqtt', 'PrinterApi', 'Manual')),
  CONSTRAINT "print_jobs_amounts" CHECK ("mm_extruded" >= 0 AND "mm_extruded" < 1e18
    AND "grams_derived" >= 0 AND "grams_derived" < 1e30 AND "cost_per_print" >= 0 AND "cost_per_print" < 1e30
    AND "filament_diameter_at_print_mm" >= 0 AND "filament_diameter_at_print_mm" < 1e18
    AND "material_density_at_print" >= 0 AND "material_density_at_print" < 1e18),
  CONSTRAINT "print_jobs_times" CHECK ("created_at" >= '0001-01-01Z' AND "created_at" < '10000-01-01Z'
    AND "updated_at" >= '0001-01-01Z' AND "updated_at" < '10000-01-01Z'
    AND "started_at" >= '0001-01-01Z' AND "started_at" < '10000-01-01Z'
    AND "completed_at" >= '0001-01-01Z' AND "completed_at" < '10000-01-01Z')
);
CREATE INDEX "print_jobs_newest" ON "print_jobs" ("created_at" DESC, "id" DESC);
-- No time or id is null. NULLS LAST makes a list that asks for it not use the index above, whose walk would be as long as
-- the whole table for a printer that has not printed for years.
CREATE INDEX "print_jobs_by_status" ON "print_jobs" ("status", "created_at" DESC NULLS LAST, "id" DESC NULLS LAST);
CREATE INDEX "print_jobs_by_printer" ON "print_jobs" ("printer_id", "created_at" DESC NULLS LAST, "id" DESC NULLS LAST);
CREATE INDEX "print_jobs_by_data_source" ON "print_jobs" ("data_source", "created_at" DESC NULLS LAST, "id" DESC NULLS LAST);
-- The grams of a spool are added up from this index alone: those of 100 spools in 3 ms.
CREATE INDEX "print_jobs_by_spool" ON "print_jobs" ("spool_id", "created_at" DESC NULLS LAST, "id" DESC NULLS LAST)
  INCLUDE ("status", "started_at", "grams_derived");
-- Pages of jobs by the time of their end.
CREATE INDEX "print_jobs_last_completed" ON "print_jobs" ("completed_at" DESC NULLS LAST, "id" DESC);
-- Reports are added up from this index alone.
CREATE INDEX "print_jobs_by_end" ON "print_jobs" ("completed_at", "updated_at")
  INCLUDE ("status", "started_at", "printer_id", "spool_id", "grams_derived", "cost_per_print")
  WHERE "status" IN ('Completed', 'Failed', 'Cancelled');
-- The jobs that print without an update, and the jobs that still need a spool, for alerts.
CREATE INDEX "print_jobs_printing" ON "print_jobs" ("updated_at") WHERE "status" = 'Printing';
CREATE INDEX "print_jobs_to_do" ON "print_jobs" ("spool_id", "created_at") WHERE "status" IN ('Queued', 'Printing');

-- How many jobs there are by printer, status and source is the sum of `jobs` (src/farm/print-jobs/counts.sql).
CREATE SEQUENCE "print_job_counts_id_seq" AS BIGINT;

CREATE TABLE "print_job_counts" (
  "printer_id"  UUID NOT NULL,
  "status"      TEXT COLLATE "C" NOT NULL,
  "data_source" TEXT COLLATE "C" NOT NULL,
  "id"          BIGINT NOT NULL DEFAULT nextval('print_job_counts_id_seq'),
  "jobs"        BIGINT NOT NULL,
  CONSTRAINT "print_job_counts_pkey" PRIMARY KEY ("printer_id", "status", "data_source", "id")
);
ALTER SEQUENCE "print_job_counts_id_seq" OWNED BY "print_job_counts"."id";

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
