-- Gives each vendor an id when its name first appears in a filament or a spool, whichever program writes it. The id stays when the name is no
-- longer used, because other programs keep it.
CREATE OR REPLACE FUNCTION add_vendor() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  -- Most vendors exist. ON CONFLICT alone would use up an id each time.
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
      CREATE OR REPLACE TRIGGER add_vendor AFTER INSERT OR UPDATE OF vendor ON %1$I
        FOR EACH ROW WHEN (NEW.vendor IS NOT NULL) EXECUTE FUNCTION add_vendor()', "table");
  END LOOP;
END
$$;
