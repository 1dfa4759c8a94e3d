-- Parts of jobs, whichever program writes them: keeps the column "divided", notes changes in the feed, and removes parts with their job.

-- A change of parts is a change of their job, with one entry in the feed for each job and transaction. No reader has seen an entry at or above
-- the position of this transaction, so an entry that is already there is updated. (The triggers run in the order of their events.)
-- This function also replaces a foreign key to the job, because programs could not truncate print_jobs with a real one. And it keeps the
-- column "divided" up to date for programs that write parts only; the gateway itself writes the right value.
CREATE OR REPLACE FUNCTION note_part_changes() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  "touched" UUID[];
  "own_position" BIGINT;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT n."job_id") INTO "touched" FROM "new_rows" n;
  ELSIF TG_OP = 'UPDATE' THEN
    SELECT array_agg(DISTINCT c."job_id") INTO "touched" FROM (
      (SELECT * FROM "old_rows" EXCEPT SELECT * FROM "new_rows") UNION ALL (SELECT * FROM "new_rows" EXCEPT SELECT * FROM "old_rows")
    ) c;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT o."job_id") INTO "touched" FROM "old_rows" o;
  ELSE
    SELECT array_agg(DISTINCT p."job_id") INTO "touched" FROM "print_job_parts" p;
  END IF;
  IF "touched" IS NULL THEN
    RETURN NULL;
  END IF;
  IF TG_OP IN ('INSERT', 'UPDATE') THEN
    -- The lock prevents the removal of the jobs until the parts are committed.
    PERFORM FROM "print_jobs" j WHERE j."id" = ANY ("touched") ORDER BY j."id" FOR KEY SHARE;
    IF EXISTS (SELECT FROM "new_rows" n WHERE NOT EXISTS (SELECT FROM "print_jobs" j WHERE j."id" = n."job_id")) THEN
      RAISE foreign_key_violation USING MESSAGE = 'a part must have its job in print_jobs', CONSTRAINT = 'print_job_parts_job';
    END IF;
  END IF;
  UPDATE "print_jobs" j SET "divided" = NOT j."divided" WHERE j."id" = ANY ("touched") AND j."divided" <>
    (TG_OP <> 'TRUNCATE' AND EXISTS (SELECT FROM "print_job_parts" p WHERE p."job_id" = j."id" AND p."number" = 0));
  "own_position" := (SELECT f."position_offset" FROM "change_feed" f) + pg_current_xact_id()::TEXT::BIGINT;
  WITH job AS (
    SELECT j.*, part_spools(j."id") AS "spools" FROM "print_jobs" j WHERE j."id" = ANY ("touched")
  ), noted AS (
    UPDATE "changes" c SET "job" = json_build_array(c."job"->0, c."job"->1, c."job"->2, c."job"->3, c."job"->4, c."job"->5,
      c."job"->6, j."spools")
    FROM job j WHERE c."position" >= "own_position" AND c."type" = 'PRINT_JOB' AND c."entity" = j."id"::TEXT
    RETURNING c."entity"
  )
  INSERT INTO "changes" ("position", "type", "kind", "entity", "job")
  SELECT change_position(), 'PRINT_JOB', 'UPDATED', j."id", json_build_array(j."status", j."status", j."printer_id", j."spool_id",
    j."data_source", j."created_at", j."print_name", j."spools")
  FROM job j WHERE j."id"::TEXT NOT IN (SELECT "entity" FROM noted) ORDER BY j."id";
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER note_changes_insert AFTER INSERT ON "print_job_parts"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_part_changes();
CREATE OR REPLACE TRIGGER note_changes_update AFTER UPDATE ON "print_job_parts"
  REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_part_changes();
CREATE OR REPLACE TRIGGER note_changes_delete AFTER DELETE ON "print_job_parts"
  REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_part_changes();
CREATE OR REPLACE TRIGGER note_changes_truncate BEFORE TRUNCATE ON "print_job_parts"
  FOR EACH STATEMENT EXECUTE FUNCTION note_part_changes();

-- The names of these triggers sort after note_changes_…, so the parts are still there when the changes of the jobs are noted.
CREATE OR REPLACE TRIGGER parts_delete AFTER DELETE ON "print_jobs"
  REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION forget_dependents('print_job_parts', 'job_id');
CREATE OR REPLACE TRIGGER parts_truncate AFTER TRUNCATE ON "print_jobs"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_dependents('print_job_parts', 'job_id');
CREATE OR REPLACE TRIGGER parts_move AFTER UPDATE OF "id" ON "print_jobs"
  FOR EACH ROW WHEN (OLD."id" <> NEW."id") EXECUTE FUNCTION move_dependents('print_job_parts', 'job_id');

-- Another program may copy or restore a row of print_jobs with "divided" set, although the new row has no parts.
CREATE OR REPLACE FUNCTION hold_divided() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  NEW."divided" := EXISTS (SELECT FROM "print_job_parts" p WHERE p."job_id" = NEW."id" AND p."number" = 0);
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER parts_insert BEFORE INSERT ON "print_jobs"
  FOR EACH ROW WHEN (NEW."divided") EXECUTE FUNCTION hold_divided();
