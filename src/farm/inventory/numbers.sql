-- Gives each filament and each spool a short number, whichever program adds it. Both have one series of numbers. A number never changes and is
-- never used again, even after a removal, a restart or a restore, because a sequence only counts up and a backup includes it.
--
-- Only an import from Spoolman chooses numbers, and only numbers that the series has skipped: the table skipped_stock_numbers has them, and
-- imported_stock_numbers those of them that are given. No row of the second table ever changes or goes, so no number is given twice, whoever
-- writes into the tables of imports. The trigger of a row chooses its number, and the trigger of the statement notes all of them, which takes half the
-- time for an import of ten thousand spools.
--
-- A session plans the look-up of a row once, when the tables of imports may be empty. With enable_seqscan = off it uses the index of the ids of
-- new rows. With import_id = "import" it could read all rows of the import for each of ten thousand spools.
CREATE OR REPLACE FUNCTION give_stock_number() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE
  "import" UUID;
  "chosen" INTEGER;
BEGIN
  IF TG_OP = 'UPDATE' OR NEW."number" <> 0 THEN
    RAISE EXCEPTION 'new row for relation "%" violates check constraint "%_number"', TG_TABLE_NAME, TG_TABLE_NAME
      USING ERRCODE = 'check_violation', DETAIL = 'The database gives the number: leave it out.';
  END IF;
  -- The import whose transaction this is.
  SELECT i."id" INTO "import" FROM "spoolman_imports" i
  WHERE i."active" AND i."state" = 'WRITING' AND i."transaction" = pg_current_xact_id_if_assigned()::TEXT;
  IF "import" IS NOT NULL THEN
    SELECT r."number" INTO "chosen" FROM "spoolman_import_rows" r
    WHERE r."creates_id" = NEW."id" AND r."action" = 'CREATE' AND r."import_id" IS NOT DISTINCT FROM "import";
  END IF;
  IF "chosen" IS NULL THEN
    NEW."number" := nextval('stock_numbers');
  ELSE
    IF NOT EXISTS (SELECT FROM "skipped_stock_numbers" k WHERE "chosen" BETWEEN k."from" AND k."to") THEN
      RAISE EXCEPTION 'new row for relation "imported_stock_numbers" violates check constraint "imported_stock_numbers_skipped"'
        USING ERRCODE = 'check_violation', DETAIL = 'Only a number that the series has skipped can be chosen.';
    END IF;
    NEW."number" := "chosen";
  END IF;
  RETURN NEW;
END
$$;

-- The series never gives a skipped number, so a row with one is a row of an import.
CREATE OR REPLACE FUNCTION note_imported_numbers() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO "imported_stock_numbers" ("number")
  SELECT n."number" FROM "new_rows" n
  WHERE EXISTS (SELECT FROM "skipped_stock_numbers" k WHERE n."number" BETWEEN k."from" AND k."to");
  RETURN NULL;
END
$$;

DO $$
DECLARE
  "table" TEXT;
BEGIN
  FOREACH "table" IN ARRAY ARRAY['filaments', 'spools'] LOOP
    EXECUTE format('
      CREATE OR REPLACE TRIGGER give_number BEFORE INSERT ON %1$I FOR EACH ROW EXECUTE FUNCTION give_stock_number();
      CREATE OR REPLACE TRIGGER note_numbers AFTER INSERT ON %1$I
        REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_imported_numbers();
      CREATE OR REPLACE TRIGGER keep_number BEFORE UPDATE ON %1$I
        FOR EACH ROW WHEN (NEW."number" IS DISTINCT FROM OLD."number") EXECUTE FUNCTION give_stock_number()', "table");
  END LOOP;
END
$$;

-- A new row of skipped_stock_numbers moves the series to its "to": the numbers between are skipped. The trigger itself decides the first of them,
-- while no spool or filament can be added: otherwise a number could be skipped that another transaction has just got.
CREATE OR REPLACE FUNCTION skip_stock_numbers() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  LOCK TABLE "filaments", "spools" IN SHARE ROW EXCLUSIVE MODE;
  SELECT s."last_value" + CASE WHEN s."is_called" THEN 1 ELSE 0 END INTO NEW."from" FROM "stock_numbers" s;
  IF NEW."to" < NEW."from" THEN
    RETURN NULL;
  END IF;
  PERFORM setval('stock_numbers', NEW."to");
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER skip_numbers BEFORE INSERT ON "skipped_stock_numbers"
  FOR EACH ROW EXECUTE FUNCTION skip_stock_numbers();

-- The tables only grow. A number of imported_stock_numbers was skipped.
CREATE OR REPLACE FUNCTION hold_stock_numbers() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (
      SELECT FROM "new_rows" n WHERE NOT EXISTS (SELECT FROM "skipped_stock_numbers" k WHERE n."number" BETWEEN k."from" AND k."to")
    ) THEN
      RETURN NULL;
    END IF;
    RAISE EXCEPTION 'new row for relation "imported_stock_numbers" violates check constraint "imported_stock_numbers_skipped"'
      USING ERRCODE = 'check_violation', DETAIL = 'Only a number that the series has skipped can be chosen.';
  END IF;
  RAISE EXCEPTION 'new row for relation "%" violates check constraint "%_append_only"', TG_TABLE_NAME, TG_TABLE_NAME
    USING ERRCODE = 'check_violation', DETAIL = 'A number is never given twice.';
END
$$;

CREATE OR REPLACE TRIGGER only_skipped AFTER INSERT ON "imported_stock_numbers"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION hold_stock_numbers();

CREATE OR REPLACE TRIGGER hold_rows BEFORE UPDATE OR DELETE ON "imported_stock_numbers"
  FOR EACH ROW EXECUTE FUNCTION hold_stock_numbers();
CREATE OR REPLACE TRIGGER hold_rows BEFORE UPDATE ON "skipped_stock_numbers" FOR EACH ROW EXECUTE FUNCTION hold_stock_numbers();

-- Without the numbers that are given, nobody knows which of the skipped ones are free, so none is.
CREATE OR REPLACE FUNCTION forget_skipped_numbers() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM "skipped_stock_numbers";
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER forget_skipped BEFORE TRUNCATE ON "imported_stock_numbers"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_skipped_numbers();
