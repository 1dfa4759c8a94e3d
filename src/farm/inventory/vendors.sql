-- Gives each vendor an id when its name first appears in a filament or a spool, whichever program writes it. The id stays when the name is no
-- longer used, because other programs keep it.
CREATE OR REPLACE FUNCTION add_vendor() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  -- Most vendors exist. ON CONFLICT alone would use up an id each time. In order, because writers of the same new vendors wait for each other.
  INSERT INTO "vendors" ("name")
  SELECT n."vendor" FROM (SELECT DISTINCT n."vendor" FROM "new_rows" n WHERE n."vendor" IS NOT NULL) n
  WHERE NOT EXISTS (SELECT FROM "vendors" v WHERE v."name" = n."vendor") ORDER BY n."vendor"
  ON CONFLICT ("name") DO NOTHING;
  RETURN NULL;
END
$$;

-- PostgreSQL has no transition table for UPDATE OF, and most updates of spools change no vendor.
CREATE OR REPLACE FUNCTION add_changed_vendor() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "vendors" v WHERE v."name" = NEW."vendor") THEN
    INSERT INTO "vendors" ("name") VALUES (NEW."vendor") ON CONFLICT ("name") DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;

DO $$
DECLARE
  "table" TEXT;
BEGIN
  FOREACH "table" IN ARRAY ARRAY['filaments', 'spools'] LOOP
    EXECUTE format('
      CREATE OR REPLACE TRIGGER add_vendor AFTER INSERT ON %1$I
        REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION add_vendor();
      CREATE OR REPLACE TRIGGER add_changed_vendor AFTER UPDATE OF vendor ON %1$I
        FOR EACH ROW WHEN (NEW.vendor IS NOT NULL) EXECUTE FUNCTION add_changed_vendor()', "table");
  END LOOP;
END
$$;
