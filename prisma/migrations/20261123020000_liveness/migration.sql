-- How often a camera is expected to report, and the indexes by which alerts find their jobs.

ALTER TABLE "cameras" ADD COLUMN "expected_interval_sec" INTEGER
  CONSTRAINT "cameras_expected_interval_sec" CHECK ("expected_interval_sec" BETWEEN 1 AND 86400);

-- The jobs that print without an update.
CREATE INDEX "print_jobs_printing" ON "print_jobs" ("updated_at") WHERE "status" = 'Printing';
-- The jobs that still need a spool.
CREATE INDEX "print_jobs_to_do" ON "print_jobs" ("spool_id", "created_at") WHERE "status" IN ('Queued', 'Printing');
