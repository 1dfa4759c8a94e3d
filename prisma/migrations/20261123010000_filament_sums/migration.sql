-- The filament and the money that print jobs used, added up by time and by spool, whoever writes the jobs: a report of a
-- year reads some hundred sums, however many jobs there are. Decimals are added exactly.

-- What the filament of a job counts as; null for a job that was cancelled before it had started. A job has started when
-- its started_at is set. No other place has this rule. The planner puts its body into statements, so it needs no schema.
CREATE FUNCTION "filament_use"("status" TEXT, "started_at" TIMESTAMPTZ) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN "status" = 'Completed' THEN 'completed'
  WHEN "status" = 'Failed' OR ("status" = 'Cancelled' AND "started_at" IS NOT NULL) THEN 'wasted'
  WHEN "status" IN ('Queued', 'Printing') THEN 'planned'
END;

-- Used is completed or wasted. Rows are changed in the order of their key, so that no two writers wait for each other in
-- a ring.
CREATE TABLE "filament_by_spool" (
  "spool_id"      UUID NOT NULL,
  "used_grams"    NUMERIC NOT NULL,
  "planned_grams" NUMERIC NOT NULL,
  CONSTRAINT "filament_by_spool_pkey" PRIMARY KEY ("spool_id")
) WITH (fillfactor = 50);

-- The sums of each quarter of an hour, hour and day of UTC in which jobs ended (completed_at, or updated_at without it).
-- The days of most time zones begin with an hour of UTC, those of all others today with a quarter.
CREATE TABLE "filament_by_time" (
  "minutes"         INTEGER NOT NULL,
  "begins"          TIMESTAMPTZ(3) NOT NULL,
  "completed_jobs"  BIGINT NOT NULL,
  "completed_grams" NUMERIC NOT NULL,
  "completed_cost"  NUMERIC NOT NULL,
  "wasted_jobs"     BIGINT NOT NULL,
  "wasted_grams"    NUMERIC NOT NULL,
  "wasted_cost"     NUMERIC NOT NULL,
  CONSTRAINT "filament_by_time_pkey" PRIMARY KEY ("minutes", "begins")
);

-- What is still to be added to the table above, by quarters of an hour. All jobs that end now belong to the same quarter:
-- if each of them changed its row, they would wait for each other's commits.
CREATE SEQUENCE "filament_to_fold_id_seq" AS BIGINT;

CREATE TABLE "filament_to_fold" (
  "id"              BIGINT NOT NULL DEFAULT nextval('filament_to_fold_id_seq'),
  "begins"          TIMESTAMPTZ(3) NOT NULL,
  "completed_jobs"  BIGINT NOT NULL,
  "completed_grams" NUMERIC NOT NULL,
  "completed_cost"  NUMERIC NOT NULL,
  "wasted_jobs"     BIGINT NOT NULL,
  "wasted_grams"    NUMERIC NOT NULL,
  "wasted_cost"     NUMERIC NOT NULL,
  CONSTRAINT "filament_to_fold_pkey" PRIMARY KEY ("id")
);
ALTER SEQUENCE "filament_to_fold_id_seq" OWNED BY "filament_to_fold"."id";

-- Adds the oldest rows of filament_to_fold to filament_by_time. Returns how many; 0 while another transaction does it.
CREATE FUNCTION "fold_filament"("rows" BIGINT) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
  "folded" BIGINT := 0;
BEGIN
  IF pg_try_advisory_xact_lock('filament_by_time'::REGCLASS::BIGINT) THEN
    WITH gone AS (
      DELETE FROM "filament_to_fold" WHERE "id" IN (SELECT f."id" FROM "filament_to_fold" f ORDER BY f."id" LIMIT "rows")
      RETURNING *
    ), added AS (
      INSERT INTO "filament_by_time" AS t ("minutes", "begins", "completed_jobs", "completed_grams", "completed_cost",
        "wasted_jobs", "wasted_grams", "wasted_cost")
      SELECT m."minutes", date_bin(m."minutes" * INTERVAL '1 minute', g."begins", '2000-01-01Z'),
        sum(g."completed_jobs"), sum(g."completed_grams"), sum(g."completed_cost"),
        sum(g."wasted_jobs"), sum(g."wasted_grams"), sum(g."wasted_cost")
      FROM gone g, (VALUES (15), (60), (1440)) m ("minutes") GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT ("minutes", "begins") DO UPDATE SET
        "completed_jobs" = t."completed_jobs" + EXCLUDED."completed_jobs",
        "completed_grams" = t."completed_grams" + EXCLUDED."completed_grams",
        "completed_cost" = t."completed_cost" + EXCLUDED."completed_cost",
        "wasted_jobs" = t."wasted_jobs" + EXCLUDED."wasted_jobs",
        "wasted_grams" = t."wasted_grams" + EXCLUDED."wasted_grams",
        "wasted_cost" = t."wasted_cost" + EXCLUDED."wasted_cost"
    )
    SELECT count(*) INTO "folded" FROM gone;
  END IF;
  RETURN "folded";
END
$$;

-- First what is not folded yet: a fold that runs meanwhile is waited for, and its sums are removed then.
CREATE FUNCTION "forget_filament"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "filament_to_fold";
  DELETE FROM "filament_by_time";
  DELETE FROM "filament_by_spool";
  RETURN NULL;
END
$$;
CREATE TRIGGER "filament_truncate" AFTER TRUNCATE ON "print_jobs" FOR EACH STATEMENT EXECUTE FUNCTION "forget_filament"();

-- One function for each kind of statement, and one that makes all sums anew: after print_jobs was written with its
-- triggers disabled, call fill_filament(). They differ in the rows that they add.
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
    INSERT INTO filament_by_spool AS s (spool_id, used_grams, planned_grams)
    SELECT a.* FROM (
      SELECT c.spool_id, coalesce(sum(c.grams) FILTER (WHERE c.use <> ''planned''), 0) AS used,
        coalesce(sum(c.grams) FILTER (WHERE c.use = ''planned''), 0) AS planned
      FROM counted c GROUP BY c.spool_id
    ) a WHERE a.used <> 0 OR a.planned <> 0 ORDER BY a.spool_id
    ON CONFLICT (spool_id) DO UPDATE SET used_grams = s.used_grams + EXCLUDED.used_grams,
      planned_grams = s.planned_grams + EXCLUDED.planned_grams
  )
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
BEGIN
  FOR "made" IN
    SELECT * FROM (VALUES
      ('insert', 'NEW TABLE AS new_rows', 'SELECT 1 AS n, * FROM new_rows'),
      ('update', 'OLD TABLE AS old_rows NEW TABLE AS new_rows',
        'SELECT 1 AS n, * FROM new_rows UNION ALL SELECT -1, * FROM old_rows'),
      ('delete', 'OLD TABLE AS old_rows', 'SELECT -1 AS n, * FROM old_rows')
    ) AS t ("event", "tables", "rows")
  LOOP
    -- A program that writes many jobs at once leaves no long list behind. Beside another fold, such a transaction of a
    -- stricter isolation would fail.
    EXECUTE format('CREATE FUNCTION %I() RETURNS TRIGGER LANGUAGE plpgsql AS $f$
DECLARE
  added BIGINT;
BEGIN%s  GET DIAGNOSTICS added = ROW_COUNT;
  IF added > 100 AND current_setting(''transaction_isolation'') = ''read committed'' THEN
    PERFORM fold_filament(100000);
  END IF;
  RETURN NULL;
END
$f$', 'add_filament_on_' || "made"."event", format("add", "made"."rows"));
    EXECUTE format('CREATE TRIGGER %I AFTER %s ON print_jobs REFERENCING %s FOR EACH STATEMENT EXECUTE FUNCTION %I()',
      'filament_' || "made"."event", "made"."event", "made"."tables", 'add_filament_on_' || "made"."event");
  END LOOP;
  EXECUTE format('CREATE FUNCTION fill_filament() RETURNS VOID LANGUAGE plpgsql AS $f$
BEGIN
  LOCK TABLE print_jobs IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM filament_to_fold;
  DELETE FROM filament_by_time;
  DELETE FROM filament_by_spool;
%s  WHILE fold_filament(100000) > 0 LOOP
  END LOOP;
END
$f$', format("add", 'SELECT 1 AS n, * FROM print_jobs'));
END
$$;

-- These functions work in their own schema.
DO $$
DECLARE
  "function" REGPROCEDURE;
BEGIN
  FOR "function" IN SELECT p.oid FROM pg_proc p
    WHERE p.pronamespace = quote_ident(current_schema())::REGNAMESPACE AND p.proname IN ('fold_filament', 'forget_filament',
      'add_filament_on_insert', 'add_filament_on_update', 'add_filament_on_delete', 'fill_filament')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path TO %I, pg_temp', "function", current_schema());
  END LOOP;
END
$$;

SELECT fill_filament();

-- The jobs themselves answer for parts of a quarter, and for reports that the sums are not grouped by. The sums also
-- answer for the days of the metrics, which the index before was for.
CREATE INDEX "print_jobs_by_end" ON "print_jobs" ("completed_at", "updated_at")
  WHERE filament_use("status", "started_at") <> 'planned';
DROP INDEX "print_jobs_by_completion";
