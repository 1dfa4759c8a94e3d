-- What is fixed of the filming of a job goes with the job, whichever program removes it.

CREATE OR REPLACE FUNCTION forget_filming() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM "job_filming" f USING "old_rows" o WHERE f."job_id" = o."id";
  ELSE
    PERFORM empty_table('job_filming');
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER filming_delete AFTER DELETE ON "print_jobs"
  REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION forget_filming();
CREATE OR REPLACE TRIGGER filming_truncate AFTER TRUNCATE ON "print_jobs"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_filming();

-- That of a job, or of a camera, that gets another id goes with it.
CREATE OR REPLACE FUNCTION move_filming() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_TABLE_NAME = 'cameras' THEN
    UPDATE "job_filming" f SET "camera_id" = NEW."camera_id" WHERE f."camera_id" = OLD."camera_id";
  ELSE
    UPDATE "job_filming" f SET "job_id" = NEW."id" WHERE f."job_id" = OLD."id";
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER filming_move AFTER UPDATE OF "id" ON "print_jobs"
  FOR EACH ROW WHEN (OLD."id" <> NEW."id") EXECUTE FUNCTION move_filming();
CREATE OR REPLACE TRIGGER filming_move AFTER UPDATE OF "camera_id" ON "cameras"
  FOR EACH ROW WHEN (OLD."camera_id" <> NEW."camera_id") EXECUTE FUNCTION move_filming();
