-- Keeps the first end of a job. A job counts as used from its first end on (FIRST_END of stock.rows.ts), and setting its status again moves
-- "completed_at".

CREATE OR REPLACE FUNCTION keep_earlier_end() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  NEW."earlier_completed_at" := least(OLD."earlier_completed_at", OLD."completed_at");
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER keep_earlier_end BEFORE UPDATE OF "completed_at" ON "print_jobs"
  FOR EACH ROW WHEN (OLD."completed_at" IS NOT NULL AND NEW."completed_at" IS DISTINCT FROM OLD."completed_at")
  EXECUTE FUNCTION keep_earlier_end();
