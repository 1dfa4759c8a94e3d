-- A day's grams and cost are those of its completed jobs alone; every other job need not be written to this index.

DROP INDEX "print_jobs_by_completion";
CREATE INDEX "print_jobs_by_completion" ON "print_jobs" ("completed_at") WHERE "status" = 'Completed';
