-- Gives each filament and each spool a short number, whichever program adds it. Both have one series of numbers. A number never changes and is
-- never used again, even after a removal, a restart or a restore, because a sequence only counts up and a backup includes it.
CREATE OR REPLACE FUNCTION give_stock_number() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'UPDATE' OR NEW."number" <> 0 THEN
    RAISE EXCEPTION 'new row for relation "%" violates check constraint "%_number"', TG_TABLE_NAME, TG_TABLE_NAME
      USING ERRCODE = 'check_violation', DETAIL = 'The database gives the number: leave it out.';
  END IF;
  NEW."number" := nextval('stock_numbers');
  RETURN NEW;
END
$$;

DO $$
DECLARE
  "table" TEXT;
BEGIN
  FOREACH "table" IN ARRAY ARRAY['filaments', 'spools'] LOOP
    EXECUTE format('
      CREATE OR REPLACE TRIGGER give_number BEFORE INSERT ON %1$I FOR EACH ROW EXECUTE FUNCTION give_stock_number();
      CREATE OR REPLACE TRIGGER keep_number BEFORE UPDATE ON %1$I
        FOR EACH ROW WHEN (NEW."number" IS DISTINCT FROM OLD."number") EXECUTE FUNCTION give_stock_number()', "table");
  END LOOP;
END
$$;
