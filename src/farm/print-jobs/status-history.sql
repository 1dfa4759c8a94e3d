-- Keeps the history of the statuses of print jobs, whichever program writes the jobs.

-- The time of a change is the job's updated_at, or now if the program did not set updated_at.
CREATE OR REPLACE FUNCTION note_print_job_statuses() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "print_job_status_changes" ("job_id", "to_status", "at")
    SELECT n."id", n."status", n."created_at" FROM "new_rows" n WHERE n."status" <> 'Queued';
  ELSE
    INSERT INTO "print_job_status_changes" ("job_id", "from_status", "to_status", "at")
    SELECT n."id", o."status", n."status",
      CASE WHEN n."updated_at" <> o."updated_at" THEN n."updated_at" ELSE clock_timestamp() END
    FROM "new_rows" n LEFT JOIN "old_rows" o ON o."id" = n."id" WHERE n."status" <> coalesce(o."status", 'Queued');
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER status_history_insert AFTER INSERT ON "print_jobs"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_print_job_statuses();
CREATE OR REPLACE TRIGGER status_history_update AFTER UPDATE ON "print_jobs"
  REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_print_job_statuses();
CREATE OR REPLACE TRIGGER status_history_delete AFTER DELETE ON "print_jobs"
  REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION forget_dependents('print_job_status_changes', 'job_id');
CREATE OR REPLACE TRIGGER status_history_truncate AFTER TRUNCATE ON "print_jobs"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_dependents('print_job_status_changes', 'job_id');
