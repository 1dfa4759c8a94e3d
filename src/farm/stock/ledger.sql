-- Keeps the ledger of spools append-only, whichever program writes it: rows are added or undone, never changed or deleted. A row that is
-- written later also has a later time, even if a clock was wrong.

-- Returns what a weighing notes of jobs: the jobs that were printing, and all grams of each ended job whose end lies after "since" and not after
-- "until". A wrong clock gave such a job its late end; the job had ended before the weighing.
CREATE OR REPLACE FUNCTION noting_ended_jobs("printing" JSON, "spool" UUID, "since" TIMESTAMPTZ, "until" TIMESTAMPTZ) RETURNS JSON
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT json_object_agg(n."key", n."value") FROM (
    SELECT e."key", e."value" FROM json_each("printing") e
    UNION ALL
    SELECT j."id"::TEXT, 'null'::JSON FROM "print_jobs" j
    WHERE (j."spool_id" = "spool" OR j."divided" AND j."id" IN (SELECT p."job_id" FROM "print_job_parts" p WHERE p."spool_id" = "spool"))
      AND j."status" IN ('Completed', 'Failed', 'Cancelled') AND "printing"->j."id"::TEXT IS NULL
      -- FIRST_END of stock.rows.ts.
      AND coalesce(least(j."completed_at", j."earlier_completed_at"), j."updated_at") > "since"
      AND coalesce(least(j."completed_at", j."earlier_completed_at"), j."updated_at") <= "until"
  ) n
$$;

-- A row whose time is in the future was written by a clock that was ahead, or the clock was set back since. A row
-- that is written now must come after it although its time is earlier. So such rows of a spool are undone, and copies of them get a time just before "next", in the same order.
CREATE OR REPLACE FUNCTION redate_adjustments_ahead("spool" UUID, "next" TIMESTAMPTZ) RETURNS VOID
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  "ahead" BIGINT[];
  "to" TIMESTAMPTZ(3) := date_trunc('milliseconds', least("next", clock_timestamp())) - interval '1 millisecond';
BEGIN
  "ahead" := ARRAY(SELECT a."id" FROM "spool_adjustments" a
    -- Times of rows are rounded to milliseconds.
    WHERE a."spool_id" = "spool" AND a."at" > clock_timestamp() + interval '1 millisecond' AND a."taken_back_at" IS NULL FOR UPDATE);
  IF cardinality("ahead") = 0 THEN
    RETURN;
  END IF;
  UPDATE "spool_adjustments" SET "taken_back_at" = clock_timestamp(),
    "taken_back_note" = 'Its time was in the future, because a clock was wrong. A row with an earlier time replaces it.'
  WHERE "id" = ANY ("ahead");
  INSERT INTO "spool_adjustments" ("spool_id", "kind", "at", "net_grams", "gross_grams", "tare_grams", "grams", "printing", "note", "by")
  SELECT a."spool_id", a."kind", "to", a."net_grams", a."gross_grams", a."tare_grams", a."grams",
    CASE WHEN a."net_grams" IS NULL THEN a."printing" ELSE noting_ended_jobs(a."printing", a."spool_id", "to", a."at") END, a."note", a."by"
  FROM "spool_adjustments" a WHERE a."id" = ANY ("ahead") ORDER BY a."at", a."id";
END
$$;

-- Refuses every change of a row except undoing it, and completes new rows. Databases store the name, so it stays.
CREATE OR REPLACE FUNCTION hold_adjustments() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- adjustment.store.ts never writes a time ahead of the clock of the database.
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
    PERFORM redate_adjustments_ahead(NEW."spool_id", NEW."at");
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
    -- The spool got another id, and the foreign key changes its rows.
    IF to_jsonb(NEW) - 'spool_id' = to_jsonb(OLD) - 'spool_id' AND NOT EXISTS (SELECT FROM "spools" s WHERE s."id" = OLD."spool_id") THEN
      RETURN NEW;
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    -- The spool was deleted, and the foreign key deletes its rows.
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
-- After the statement, because spools that are truncated together with their ledger are gone by then.
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

-- A job that ends now has used filament after each weighing that is stored, even if the time of a weighing is in the future.
CREATE OR REPLACE FUNCTION redate_ledgers_of_ended_job() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM redate_adjustments_ahead(s."id", coalesce(NEW."completed_at", clock_timestamp())) FROM (
    SELECT NEW."spool_id" AS "id" UNION SELECT p."spool_id" FROM "print_job_parts" p WHERE NEW."divided" AND p."job_id" = NEW."id"
  ) s;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER redate_ledgers BEFORE UPDATE OF "status" ON "print_jobs"
  FOR EACH ROW WHEN (OLD."status" IN ('Queued', 'Printing') AND NEW."status" IN ('Completed', 'Failed', 'Cancelled'))
  EXECUTE FUNCTION redate_ledgers_of_ended_job();
