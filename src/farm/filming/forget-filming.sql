-- Deletes or moves the final recordings of a job together with the job, whichever program removes the job or changes its id.

CREATE OR REPLACE TRIGGER filming_delete AFTER DELETE ON "print_jobs"
  REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION forget_dependents('job_filming', 'job_id');
CREATE OR REPLACE TRIGGER filming_truncate AFTER TRUNCATE ON "print_jobs"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_dependents('job_filming', 'job_id');
CREATE OR REPLACE TRIGGER filming_move AFTER UPDATE OF "id" ON "print_jobs"
  FOR EACH ROW WHEN (OLD."id" <> NEW."id") EXECUTE FUNCTION move_dependents('job_filming', 'job_id');

-- The final recordings of a camera follow a change of its id.
CREATE OR REPLACE FUNCTION move_filming_of_camera() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE "job_filming" f SET "camera_id" = NEW."camera_id" WHERE f."camera_id" = OLD."camera_id";
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER filming_move AFTER UPDATE OF "camera_id" ON "cameras"
  FOR EACH ROW WHEN (OLD."camera_id" <> NEW."camera_id") EXECUTE FUNCTION move_filming_of_camera();
