-- Notes each change of a print or a job that may be an event, with the state before the change. The note is written in the transaction of the
-- change, whichever program makes it. The process that reports compares the notes with the rows, and deletes the notes that it has read.
--
-- Each note is a row of its own, so that no writer waits for another writer or for the process that reports. The notes of one print or job
-- are in the order of its changes, because changes of one row wait for each other. A farm without an enabled target writes no notes.

-- The condition for a missing spool is the same as LACKS_SPOOL in observed-print.rows.ts; a test compares both.
CREATE OR REPLACE FUNCTION note_unreported_prints() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "notification_targets" t WHERE t."enabled") THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "unreported_changes" ("type", "entity") SELECT 'PRINT', n."id" FROM "new_rows" n ORDER BY n."created_at", n."id";
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO "unreported_changes" ("type", "entity", "outcome", "job_id", "lacks_spool", "ignored")
    SELECT 'PRINT', o."id", o."outcome", o."job_id", o."job_id" IS NULL OR o."lacking" IS NOT NULL, o."ignored_at" IS NOT NULL
    FROM "old_rows" o JOIN "new_rows" n ON n."id" = o."id"
    WHERE o."outcome" <> n."outcome" OR o."job_id" IS DISTINCT FROM n."job_id"
      OR (o."lacking" IS NULL) <> (n."lacking" IS NULL) OR (o."ignored_at" IS NULL) <> (n."ignored_at" IS NULL)
    ORDER BY o."created_at", o."id";
  ELSE
    INSERT INTO "unreported_changes" ("type", "entity", "outcome", "job_id", "lacks_spool", "ignored")
    SELECT 'PRINT', o."id", o."outcome", o."job_id", o."job_id" IS NULL OR o."lacking" IS NOT NULL, o."ignored_at" IS NOT NULL
    FROM "old_rows" o;
  END IF;
  RETURN NULL;
END
$$;

-- Neither a queued job nor the removal of a job is an event.
CREATE OR REPLACE FUNCTION note_unreported_jobs() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "notification_targets" t WHERE t."enabled") THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "unreported_changes" ("type", "entity")
    SELECT 'JOB', n."id" FROM "new_rows" n WHERE n."status" <> 'Queued' ORDER BY n."created_at", n."id";
  ELSE
    INSERT INTO "unreported_changes" ("type", "entity", "status")
    SELECT 'JOB', o."id", o."status" FROM "old_rows" o JOIN "new_rows" n ON n."id" = o."id"
    WHERE o."status" <> n."status" ORDER BY o."created_at", o."id";
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER note_unreported_insert AFTER INSERT ON "observed_prints"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_unreported_prints();
CREATE OR REPLACE TRIGGER note_unreported_update AFTER UPDATE ON "observed_prints"
  REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_unreported_prints();
CREATE OR REPLACE TRIGGER note_unreported_delete AFTER DELETE ON "observed_prints"
  REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_unreported_prints();
CREATE OR REPLACE TRIGGER note_unreported_insert AFTER INSERT ON "print_jobs"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_unreported_jobs();
CREATE OR REPLACE TRIGGER note_unreported_update AFTER UPDATE ON "print_jobs"
  REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_unreported_jobs();
