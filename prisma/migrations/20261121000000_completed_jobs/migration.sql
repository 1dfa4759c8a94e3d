-- What was completed when: the grams and the cost of a day are the sum of that day's jobs, however many there are.

CREATE INDEX "print_jobs_by_completion" ON "print_jobs" ("completed_at");
