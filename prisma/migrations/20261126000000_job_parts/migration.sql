-- The parts of print jobs that used several: what of which spool, from which slot, between which layers.

-- Whether print_job_parts has the job's parts. Triggers set it (src/farm/print-jobs/parts.sql). Lists, reports and a job with one
-- part read no further table.
ALTER TABLE "print_jobs" ADD COLUMN "divided" BOOLEAN NOT NULL DEFAULT false;

-- Triggers remove the parts of removed jobs: with a foreign key, programs could no longer truncate print_jobs.
CREATE TABLE "print_job_parts" (
  "job_id"                        UUID NOT NULL,
  -- 0 is the job's own part. Its spool, diameter and density are those of the job, and its amounts are the job's less the others'.
  "number"                        INTEGER NOT NULL,
  "slot"                          TEXT COLLATE "C",
  "from_layer"                    INTEGER,
  "to_layer"                      INTEGER,
  "spool_id"                      UUID,
  "mm_extruded"                   NUMERIC,
  "grams_derived"                 NUMERIC,
  "cost"                          NUMERIC,
  "filament_diameter_at_print_mm" NUMERIC,
  "material_density_at_print"     NUMERIC,
  "filament_basis"                TEXT COLLATE "C" NOT NULL,
  CONSTRAINT "print_job_parts_pkey" PRIMARY KEY ("job_id", "number") INCLUDE ("spool_id", "grams_derived", "cost"),
  CONSTRAINT "print_job_parts_spool_id_fkey" FOREIGN KEY ("spool_id") REFERENCES "spools" ("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "print_job_parts_number" CHECK ("number" BETWEEN 0 AND 63),
  CONSTRAINT "print_job_parts_own" CHECK (num_nulls("spool_id", "mm_extruded", "grams_derived", "cost",
    "filament_diameter_at_print_mm", "material_density_at_print") = CASE "number" WHEN 0 THEN 6 ELSE 0 END),
  CONSTRAINT "print_job_parts_slot" CHECK ("slot" ~ '^[a-z]{1,20}(:\d{1,3}){1,2}$'),
  CONSTRAINT "print_job_parts_layers" CHECK ("from_layer" >= 0 AND "to_layer" >= coalesce("from_layer", 0)),
  CONSTRAINT "print_job_parts_amounts" CHECK ("mm_extruded" >= 0 AND "mm_extruded" < 1e18
    AND "grams_derived" >= 0 AND "grams_derived" < 1e30 AND "cost" >= 0 AND "cost" < 1e30
    AND "filament_diameter_at_print_mm" >= 0 AND "filament_diameter_at_print_mm" < 1e18
    AND "material_density_at_print" >= 0 AND "material_density_at_print" < 1e18),
  CONSTRAINT "print_job_parts_filament_basis"
    CHECK ("filament_basis" IN ('MEASURED', 'PLANNED', 'ESTIMATED', 'UNKNOWN', 'MANUAL'))
);
-- The jobs that used a spool beside their own, and the grams that they used of it.
CREATE INDEX "print_job_parts_by_spool" ON "print_job_parts" ("spool_id", "job_id") INCLUDE ("grams_derived") WHERE "spool_id" IS NOT NULL;

-- The divided jobs in the order of their parts: reports read both side by side, and no table.
CREATE INDEX "print_jobs_divided" ON "print_jobs" ("id")
  INCLUDE ("status", "started_at", "completed_at", "updated_at", "printer_id", "spool_id", "grams_derived", "cost_per_print")
  WHERE "divided";
-- As before, with the new column: sums of undivided jobs are read from these indexes alone.
DROP INDEX "print_jobs_by_spool";
CREATE INDEX "print_jobs_by_spool" ON "print_jobs" ("spool_id", "created_at" DESC NULLS LAST, "id" DESC NULLS LAST)
  INCLUDE ("status", "started_at", "grams_derived", "divided");
DROP INDEX "print_jobs_by_end";
CREATE INDEX "print_jobs_by_end" ON "print_jobs" ("completed_at", "updated_at")
  INCLUDE ("status", "started_at", "printer_id", "spool_id", "grams_derived", "cost_per_print", "divided")
  WHERE "status" IN ('Completed', 'Failed', 'Cancelled');
