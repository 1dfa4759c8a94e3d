-- The counts of jobs and the sums of spools change at the end of a transaction. Until now each statement changed them, and
-- their rows stayed locked until the commit. A transaction of several statements, or one that waited, kept all writers of
-- the same printer or spool waiting; two such transactions deadlocked.

-- What a transaction will add at its commit. Other transactions see no row of it. A row has a printer or a spool.
CREATE SEQUENCE "print_job_sums_to_add_id_seq" AS BIGINT;

CREATE TABLE "print_job_sums_to_add" (
  "transaction"   BIGINT NOT NULL DEFAULT pg_current_xact_id()::TEXT::BIGINT,
  "id"            BIGINT NOT NULL DEFAULT nextval('print_job_sums_to_add_id_seq'),
  "printer_id"    UUID,
  "status"        TEXT COLLATE "C",
  "data_source"   TEXT COLLATE "C",
  "jobs"          BIGINT,
  "spool_id"      UUID,
  "used_grams"    NUMERIC,
  "planned_grams" NUMERIC,
  CONSTRAINT "print_job_sums_to_add_pkey" PRIMARY KEY ("transaction", "id")
);
ALTER SEQUENCE "print_job_sums_to_add_id_seq" OWNED BY "print_job_sums_to_add"."id";

-- At the commit, the first row adds all rows of the transaction. Sums change in one order, so that no two writers wait for
-- each other in a ring: first those of spools, because the trigger filament_insert runs before print_job_counts_insert. The table is mostly empty when it is analyzed: plans made then would read all
-- its dead rows.
CREATE FUNCTION "add_print_job_sums"() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (SELECT FROM "print_job_sums_to_add" a WHERE a."transaction" = NEW."transaction" AND a."id" = NEW."id") THEN
    INSERT INTO "filament_by_spool" AS s ("spool_id", "used_grams", "planned_grams")
    SELECT a."spool_id", sum(a."used_grams"), sum(a."planned_grams") FROM "print_job_sums_to_add" a
    WHERE a."transaction" = NEW."transaction" AND a."spool_id" IS NOT NULL
    GROUP BY 1 HAVING (sum(a."used_grams"), sum(a."planned_grams")) <> (0, 0) ORDER BY 1
    ON CONFLICT ("spool_id") DO UPDATE SET "used_grams" = s."used_grams" + EXCLUDED."used_grams",
      "planned_grams" = s."planned_grams" + EXCLUDED."planned_grams";
    INSERT INTO "print_job_counts" AS c ("printer_id", "status", "data_source", "jobs")
    SELECT a."printer_id", a."status", a."data_source", sum(a."jobs") FROM "print_job_sums_to_add" a
    WHERE a."transaction" = NEW."transaction" AND a."printer_id" IS NOT NULL
    GROUP BY 1, 2, 3 HAVING sum(a."jobs") <> 0 ORDER BY 1, 2, 3
    ON CONFLICT ("printer_id", "status", "data_source") DO UPDATE SET "jobs" = c."jobs" + EXCLUDED."jobs";
    DELETE FROM "print_job_sums_to_add" a WHERE a."transaction" = NEW."transaction";
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER "add_print_job_sums" AFTER INSERT ON "print_job_sums_to_add"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "add_print_job_sums"();

-- The statement of the gateway that stores new jobs is a transaction of its own, and says so: it changes the sums at once
-- (floors of W6 at 16 and 64 connections: 11 %).
CREATE OR REPLACE FUNCTION "count_print_jobs"() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF TG_OP = 'INSERT' AND current_setting('print_farm_gateway.sums', true) = 'at once' THEN
    INSERT INTO "print_job_counts" AS c ("printer_id", "status", "data_source", "jobs")
    SELECT "printer_id", "status", "data_source", count(*) FROM "new_rows" GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT ("printer_id", "status", "data_source") DO UPDATE SET "jobs" = c."jobs" + EXCLUDED."jobs";
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO "print_job_sums_to_add" ("printer_id", "status", "data_source", "jobs")
    SELECT "printer_id", "status", "data_source", count(*) FROM "new_rows" GROUP BY 1, 2, 3;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "print_job_sums_to_add" ("printer_id", "status", "data_source", "jobs")
    SELECT "printer_id", "status", "data_source", -count(*) FROM "old_rows" GROUP BY 1, 2, 3;
  ELSE
    INSERT INTO "print_job_sums_to_add" ("printer_id", "status", "data_source", "jobs")
    SELECT "printer_id", "status", "data_source", sum(d."change") FROM (
      SELECT "printer_id", "status", "data_source", 1 AS "change" FROM "new_rows"
      UNION ALL
      SELECT "printer_id", "status", "data_source", -1 FROM "old_rows"
    ) d GROUP BY 1, 2, 3 HAVING sum(d."change") <> 0;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION "count_no_print_jobs"() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  DELETE FROM "print_job_counts";
  DELETE FROM "print_job_sums_to_add" WHERE "printer_id" IS NOT NULL;
  RETURN NULL;
END
$$;

-- First what is not folded yet: a fold that runs meanwhile is waited for, and its sums are removed then.
CREATE OR REPLACE FUNCTION "forget_filament"() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  DELETE FROM "filament_to_fold";
  DELETE FROM "filament_by_time";
  DELETE FROM "filament_by_spool";
  DELETE FROM "print_job_sums_to_add" WHERE "spool_id" IS NOT NULL;
  RETURN NULL;
END
$$;

-- The functions of filament_sums. They differ in the rows that they add, and in the time when the sums of spools change.
DO $$
DECLARE
  "made" RECORD;
  "add" TEXT := '
  WITH counted AS (
    SELECT r.n, r.spool_id, filament_use(r.status, r.started_at) AS use,
      date_bin(''15 minutes'', coalesce(r.completed_at, r.updated_at), ''2000-01-01Z'') AS begins,
      r.n * r.grams_derived AS grams, r.n * r.cost_per_print AS cost
    FROM (%s) r
  ), by_spool AS (
    SELECT a.* FROM (
      SELECT c.spool_id, coalesce(sum(c.grams) FILTER (WHERE c.use <> ''planned''), 0) AS used,
        coalesce(sum(c.grams) FILTER (WHERE c.use = ''planned''), 0) AS planned
      FROM counted c GROUP BY c.spool_id
    ) a WHERE a.used <> 0 OR a.planned <> 0
  )%s
  INSERT INTO filament_to_fold (begins, completed_jobs, completed_grams, completed_cost, wasted_jobs, wasted_grams, wasted_cost)
  SELECT a.* FROM (
    SELECT c.begins,
      coalesce(sum(c.n) FILTER (WHERE c.use = ''completed''), 0) AS completed_jobs,
      coalesce(sum(c.grams) FILTER (WHERE c.use = ''completed''), 0) AS completed_grams,
      coalesce(sum(c.cost) FILTER (WHERE c.use = ''completed''), 0) AS completed_cost,
      coalesce(sum(c.n) FILTER (WHERE c.use = ''wasted''), 0) AS wasted_jobs,
      coalesce(sum(c.grams) FILTER (WHERE c.use = ''wasted''), 0) AS wasted_grams,
      coalesce(sum(c.cost) FILTER (WHERE c.use = ''wasted''), 0) AS wasted_cost
    FROM counted c WHERE c.use <> ''planned'' GROUP BY c.begins
  ) a WHERE (a.completed_jobs, a.completed_grams, a.completed_cost, a.wasted_jobs, a.wasted_grams, a.wasted_cost)
    <> (0, 0, 0, 0, 0, 0);
';
  "at_once" TEXT := ', at_once AS (
    INSERT INTO filament_by_spool AS s (spool_id, used_grams, planned_grams)
    SELECT * FROM by_spool WHERE %s ORDER BY spool_id
    ON CONFLICT (spool_id) DO UPDATE SET used_grams = s.used_grams + EXCLUDED.used_grams,
      planned_grams = s.planned_grams + EXCLUDED.planned_grams
  )';
  "at_commit" TEXT := ', at_commit AS (
    INSERT INTO print_job_sums_to_add (spool_id, used_grams, planned_grams) SELECT * FROM by_spool WHERE %s
  )';
  "says_so" TEXT := 'current_setting(''print_farm_gateway.sums'', true) IS NOT DISTINCT FROM ''at once''';
BEGIN
  FOR "made" IN
    SELECT * FROM (VALUES
      ('insert', 'SELECT 1 AS n, * FROM new_rows', format("at_once", "says_so") || format("at_commit", 'NOT ' || "says_so")),
      ('update', 'SELECT 1 AS n, * FROM new_rows UNION ALL SELECT -1, * FROM old_rows', format("at_commit", 'true')),
      ('delete', 'SELECT -1 AS n, * FROM old_rows', format("at_commit", 'true'))
    ) AS t ("event", "rows", "by_spool")
  LOOP
    -- A program that writes many jobs at once leaves no long list behind. Beside another fold, such a transaction of a
    -- stricter isolation would fail.
    EXECUTE format('CREATE OR REPLACE FUNCTION %I() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER AS $f$
DECLARE
  added BIGINT;
BEGIN%s  GET DIAGNOSTICS added = ROW_COUNT;
  IF added > 100 AND current_setting(''transaction_isolation'') = ''read committed'' THEN
    PERFORM fold_filament(100000);
  END IF;
  RETURN NULL;
END
$f$', 'add_filament_on_' || "made"."event", format("add", "made"."rows", "made"."by_spool"));
  END LOOP;
  EXECUTE format('CREATE OR REPLACE FUNCTION fill_filament() RETURNS VOID LANGUAGE plpgsql AS $f$
BEGIN
  LOCK TABLE print_jobs IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM filament_to_fold;
  DELETE FROM filament_by_time;
  DELETE FROM filament_by_spool;
  DELETE FROM print_job_sums_to_add WHERE spool_id IS NOT NULL;
%s  WHILE fold_filament(100000) > 0 LOOP
  END LOOP;
END
$f$', format("add", 'SELECT 1 AS n, * FROM print_jobs', format("at_once", 'true')));
END
$$;

-- These functions work in their own schema.
DO $$
DECLARE
  "function" REGPROCEDURE;
BEGIN
  FOR "function" IN SELECT p.oid FROM pg_proc p
    WHERE p.pronamespace = quote_ident(current_schema())::REGNAMESPACE AND p.proname IN ('add_print_job_sums',
      'count_print_jobs', 'count_no_print_jobs', 'forget_filament', 'add_filament_on_insert', 'add_filament_on_update',
      'add_filament_on_delete', 'fill_filament')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path TO %I, pg_temp', "function", current_schema());
  END LOOP;
END
$$;
