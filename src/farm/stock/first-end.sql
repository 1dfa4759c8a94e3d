-- A job counts for what is left from its first end on (FIRST_END of stock.rows.ts): a status that is said again moves "completed_at".

CREATE OR REPLACE FUNCTION keep_first_end() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  NEW."earlier_completed_at" := least(OLD."earlier_completed_at", OLD."completed_at");
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER keep_first_end BEFORE UPDATE OF "completed_at" ON "print_jobs"
  FOR EACH ROW WHEN (OLD."completed_at" IS NOT NULL AND NEW."completed_at" IS DISTINCT FROM OLD."completed_at")
  EXECUTE FUNCTION keep_first_end();

-- Its name until 27 November 2026: it would do the same work twice.
DROP TRIGGER IF EXISTS keep_earlier_end ON "print_jobs";
DROP FUNCTION IF EXISTS keep_earlier_end();
