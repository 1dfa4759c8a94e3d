-- A print that has its job may wait for the spool of a further slot.

-- The slots that it used, and whose filament is not in its job yet: ["tool:1"]. Null: there are none.
ALTER TABLE "observed_prints" ADD COLUMN "lacking" JSON;

-- What waits for a person, for the farm page and alerts.
DROP INDEX "observed_prints_waiting";
CREATE INDEX "observed_prints_waiting" ON "observed_prints" ("created_at" DESC, "id" DESC)
  WHERE "ignored_at" IS NULL AND ("job_id" IS NULL OR "outcome" = 'UNRESOLVED' OR "lacking" IS NOT NULL);
