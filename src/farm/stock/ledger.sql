-- The ledger of spools, whichever program writes it: rows are added and taken back, never changed or deleted.

CREATE OR REPLACE FUNCTION hold_adjustments() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- AHEAD of adjustment.store.ts.
    IF NEW."at" > clock_timestamp() + interval '1 minute' THEN
      RAISE EXCEPTION 'new row for relation "spool_adjustments" violates check constraint "spool_adjustments_not_ahead"'
        USING ERRCODE = 'check_violation';
    END IF;
    IF NEW."printing" IS NOT NULL AND (json_typeof(NEW."printing") <> 'object' OR EXISTS (
      SELECT FROM json_each_text(CASE json_typeof(NEW."printing") WHEN 'object' THEN NEW."printing" END) e
      WHERE e."key" !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' OR e."value" !~ '^\d{1,18}(\.\d{1,28})?$')) THEN
      RAISE EXCEPTION 'new row for relation "spool_adjustments" violates check constraint "spool_adjustments_printing"'
        USING ERRCODE = 'check_violation';
    END IF;
    SELECT s."purchase_price", s."weight_total_grams" INTO NEW."purchase_price", NEW."weight_total_grams"
    FROM "spools" s WHERE s."id" = NEW."spool_id";
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF OLD."taken_back_at" IS NULL AND NEW."taken_back_at" IS NOT NULL AND
      to_jsonb(NEW) - '{taken_back_at,taken_back_by,taken_back_note}'::TEXT[] =
      to_jsonb(OLD) - '{taken_back_at,taken_back_by,taken_back_note}'::TEXT[] THEN
      RETURN NEW;
    END IF;
    -- The spool got another id: the foreign key takes its rows along.
    IF to_jsonb(NEW) - 'spool_id' = to_jsonb(OLD) - 'spool_id' AND NOT EXISTS (SELECT FROM "spools" s WHERE s."id" = OLD."spool_id") THEN
      RETURN NEW;
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    -- The foreign key deletes them behind their spool.
    IF NOT EXISTS (SELECT FROM "spools" s WHERE s."id" = OLD."spool_id") THEN
      RETURN OLD;
    END IF;
  ELSIF NOT EXISTS (SELECT FROM "spools") THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'new row for relation "spool_adjustments" violates check constraint "spool_adjustments_append_only"'
    USING ERRCODE = 'check_violation', DETAIL = 'A row of the ledger is only taken back, once.';
END
$$;

CREATE OR REPLACE TRIGGER hold_rows BEFORE INSERT OR UPDATE OR DELETE ON "spool_adjustments"
  FOR EACH ROW EXECUTE FUNCTION hold_adjustments();
-- Behind it: spools that are truncated together with their ledger are gone by then.
CREATE OR REPLACE TRIGGER hold_table AFTER TRUNCATE ON "spool_adjustments"
  FOR EACH STATEMENT EXECUTE FUNCTION hold_adjustments();

-- A row of the ledger is a change of its spool.
CREATE OR REPLACE FUNCTION note_adjustments() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO "changes" ("position", "type", "kind", "entity")
  SELECT DISTINCT change_position(), 'SPOOL', 'UPDATED', n."spool_id"::TEXT FROM "new_rows" n ORDER BY 4;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER note_changes_insert AFTER INSERT ON "spool_adjustments"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_adjustments();
CREATE OR REPLACE TRIGGER note_changes_update AFTER UPDATE ON "spool_adjustments"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_adjustments();
