-- Decides which reports of other programs count as used, and stores reports. A report counts unless a print of the farm had the spool at some
-- time of its period. This is decided whenever somebody reads it, so a job that is booked, moved or removed later needs no work here.

-- When prints of the farm had a spool, from "since" on: jobs that use it, and observed prints of printers that had it in a slot.
CREATE OR REPLACE FUNCTION times_of_prints("spool" UUID, "since" TIMESTAMPTZ) RETURNS TSTZMULTIRANGE
LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
BEGIN
  RETURN (
    SELECT coalesce(range_agg(tstzrange(t."from", greatest(t."from", t."to"), '[]')), '{}') FROM (
      SELECT coalesce(j."started_at", CASE j."status" WHEN 'Printing' THEN j."updated_at" ELSE coalesce(j."completed_at", j."updated_at") END) AS "from",
        CASE j."status" WHEN 'Printing' THEN 'infinity' ELSE coalesce(j."completed_at", j."updated_at") END AS "to"
      FROM (
        SELECT o.* FROM "print_jobs" o WHERE o."spool_id" = "spool"
        UNION ALL SELECT o.* FROM "print_jobs" o WHERE o."divided" AND o."spool_id" <> "spool"
          AND o."id" IN (SELECT p."job_id" FROM "print_job_parts" p WHERE p."spool_id" = "spool")
      ) j WHERE j."status" <> 'Queued' AND (j."status" <> 'Cancelled' OR j."started_at" IS NOT NULL)
      UNION ALL
      SELECT greatest(l."from", o."from"), least(coalesce(l."to", 'infinity'), o."to") FROM "slot_loads" l
      CROSS JOIN LATERAL (
        SELECT coalesce(p."started_at", p."created_at") AS "from",
          CASE p."outcome" WHEN 'RUNNING' THEN 'infinity' ELSE coalesce(p."ended_at", p."seen_at") END AS "to"
        -- No print takes a month. Without this, each read would scan all prints that the printer ever had.
        FROM "observed_prints" p WHERE p."printer_id" = l."printer_id" AND p."ignored_at" IS NULL AND p."created_at" > "since" - interval '31 days'
      ) o
      WHERE l."spool_id" = "spool" AND coalesce(l."to", 'infinity') >= greatest("since", o."from") AND o."to" >= l."from"
    ) t WHERE t."to" >= "since"
  );
END
$$;

-- The reports of a spool, and whether they count. A row whose reports all count, or all do not, is returned as one; of any other row, each report.
CREATE OR REPLACE FUNCTION reports_of_spool("spool" UUID) RETURNS TABLE (
  "id" BIGINT, "by" TEXT, "from" TIMESTAMPTZ, "to" TIMESTAMPTZ, "amount" NUMERIC, "grams_per_mm" NUMERIC, "counts" BOOLEAN)
LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
DECLARE
  -- No period is longer than 24 hours.
  "since" TIMESTAMPTZ := (SELECT r."started_at" - interval '24 hours' FROM "reported_uses" r WHERE r."spool_id" = "spool"
    ORDER BY r."started_at", r."id" LIMIT 1);
  "prints" TSTZMULTIRANGE;
  "weighings" TSTZMULTIRANGE;
BEGIN
  IF "since" IS NULL THEN
    RETURN;
  END IF;
  "prints" := times_of_prints("spool", "since");
  -- A weighing starts another row, but it may have been written at the same time as a report.
  "weighings" := (SELECT coalesce(range_agg(tstzrange(a."at", a."at", '[]')), '{}') FROM "spool_adjustments" a
    WHERE a."spool_id" = "spool" AND a."net_grams" IS NOT NULL);
  RETURN QUERY
  SELECT r."id", r."by", r."since", r."ended_at", r."amount", r."grams_per_mm", NOT t."period" && "prints"
  FROM "reported_uses" r CROSS JOIN LATERAL (SELECT tstzrange(r."since", r."ended_at", '[]') AS "period") t
  WHERE r."spool_id" = "spool" AND NOT (r."gives_back" OR (t."period" && "prints" AND NOT t."period" <@ "prints")
    OR tstzrange(r."started_at", r."ended_at") && "weighings");
  RETURN QUERY
  SELECT r."id", r."by", u."from", u."to", u."amount", r."grams_per_mm", NOT tstzrange(u."from", u."to", '[]') && "prints"
  FROM "reported_uses" r CROSS JOIN LATERAL (SELECT tstzrange(r."since", r."ended_at", '[]') AS "period") t
    CROSS JOIN LATERAL unnest(r."froms", r."tos", r."amounts") u ("from", "to", "amount")
  WHERE ("prints" <> '{}' OR "weighings" <> '{}' OR r."gives_back") AND r."spool_id" = "spool"
    AND (r."gives_back" OR (t."period" && "prints" AND NOT t."period" <@ "prints")
      OR tstzrange(r."started_at", r."ended_at") && "weighings");
END
$$;

-- The grams of a spool that count as reported, with the time at which they count. A report below 0 gives back at most what its program had reported
-- and counts.
CREATE OR REPLACE FUNCTION counted_reports("spool" UUID) RETURNS TABLE ("by" TEXT, "at" TIMESTAMPTZ, "grams" NUMERIC)
LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "reported_uses" r WHERE r."spool_id" = "spool" AND r."gives_back") THEN
    RETURN QUERY SELECT r."by", r."to", r."amount" * coalesce(r."grams_per_mm", 1) FROM reports_of_spool("spool") r WHERE r."counts";
    RETURN;
  END IF;
  RETURN QUERY
  SELECT b."by", b."to", b."sum" - lag(b."sum", 1, 0::NUMERIC) OVER w FROM (
    -- The sum that is never below 0: what the reports below 0 would take too much is added back.
    SELECT s."by", s."to", s."id", s."position", s."sum" - least(0, min(s."sum") OVER w) AS "sum" FROM (
      SELECT r."by", r."to", r."id", r."position", sum(r."amount" * coalesce(r."grams_per_mm", 1)) OVER w AS "sum"
      FROM reports_of_spool("spool") WITH ORDINALITY r ("id", "by", "from", "to", "amount", "grams_per_mm", "counts", "position") WHERE r."counts"
      WINDOW w AS (PARTITION BY r."by" ORDER BY r."to", r."id", r."position")
    ) s WINDOW w AS (PARTITION BY s."by" ORDER BY s."to", s."id", s."position")
  ) b WINDOW w AS (PARTITION BY b."by" ORDER BY b."to", b."id", b."position");
END
$$;

-- Stores one report and returns what became of it: {"spoolId"}, {"spoolId": null} if there is no such spool, or {"wait": time} if another process may
-- still be answering an earlier report of the same amount.
CREATE OR REPLACE FUNCTION report_use("report" UUID, "number" INTEGER, "caller" TEXT, "given" NUMERIC, "is_length" BOOLEAN, "holds_back" BOOLEAN,
  "now" TIMESTAMPTZ, "arrived" TIMESTAMPTZ, "process" UUID, "open" UUID[]) RETURNS JSON
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  "spool" UUID;
  "factor" NUMERIC;
  "at" TIMESTAMPTZ := date_trunc('milliseconds', least("now", clock_timestamp()));
  "period_from" TIMESTAMPTZ;
  "weighed" TIMESTAMPTZ;
  "lost" "unanswered_reports";
  "added" NUMERIC := "given";
  "row" "reported_uses";
  "last" INTEGER;
BEGIN
  SELECT s."id", CASE WHEN "is_length"
      -- The formula of print-jobs/filament.ts: the area is rounded to 8 decimals. A test compares both.
      THEN round(3.14159265358979323846264338327950288419716939937511 * (s."filament_diameter_mm" * 0.5) * (s."filament_diameter_mm" * 0.5), 8)
        * m."density_g_per_cm3" * 0.001 END
    INTO "spool", "factor" FROM "spools" s JOIN "materials" m ON m."id" = s."material_id" WHERE s."number" = report_use."number";
  IF "spool" IS NULL THEN
    RETURN json_build_object('spoolId', NULL);
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('reported_uses ' || "spool" || ' ' || "caller", 0));

  -- The client repeats a report if it did not get the answer, so the report may contain an earlier one. A report that this process is
  -- answering is no such report. Another process may have died, or it notes within a second that it has answered.
  SELECT u.* INTO "lost" FROM "unanswered_reports" u
    WHERE u."spool_id" = "spool" AND u."by" = "caller" AND u."is_length" = report_use."is_length" AND u."id" <> ALL ("open")
      AND u."stored_at" > clock_timestamp() - interval '10 minutes' AND ("arrived" IS NULL OR u."stored_at" < "arrived")
      AND sign(u."given") = sign(report_use."given") AND abs(u."given") <= abs(report_use."given")
    ORDER BY abs(u."given") DESC, u."stored_at" DESC LIMIT 1;
  IF "lost"."process" <> report_use."process" AND "lost"."stored_at" > clock_timestamp() - interval '1 second' THEN
    RETURN json_build_object('wait', coalesce("arrived", clock_timestamp()));
  END IF;
  IF "lost"."id" IS NOT NULL THEN
    DELETE FROM "unanswered_reports" u WHERE u."id" = "lost"."id";
    "added" := "given" - "lost"."counted";
  END IF;
  IF "added" < 0 THEN
    "added" := -least(-"added", trunc(coalesce((SELECT sum(c."grams") FROM counted_reports("spool") c WHERE c."by" = "caller"), 0)
      / nullif(coalesce("factor", 1), 0), 28));
  END IF;

  -- A report is after each weighing that is stored already, whatever the clock of a gateway shows.
  SELECT a."at" INTO "weighed" FROM "spool_adjustments" a
    WHERE a."spool_id" = "spool" AND a."net_grams" IS NOT NULL AND a."taken_back_at" IS NULL ORDER BY a."at" DESC, a."id" DESC LIMIT 1;
  IF "weighed" > clock_timestamp() THEN
    PERFORM redate_adjustments_ahead("spool", "at");
    "weighed" := (SELECT max(a."at") FROM "spool_adjustments" a
      WHERE a."spool_id" = "spool" AND a."net_grams" IS NOT NULL AND a."taken_back_at" IS NULL);
  END IF;
  SELECT r.* INTO "row" FROM "reported_uses" r WHERE r."spool_id" = "spool" AND r."by" = "caller"
      AND r."started_at" BETWEEN "at" - interval '24 hours 10 minutes' AND clock_timestamp() + interval '1 minute'
    ORDER BY r."started_at" DESC, r."id" DESC LIMIT 1;
  "at" := greatest("at", "row"."ended_at", "weighed" + interval '1 millisecond');
  "period_from" := CASE WHEN "holds_back" THEN greatest("row"."ended_at", "at" - interval '24 hours') ELSE "at" - interval '5 minutes' END;

  -- A row of another unit, of another filament, of before the weighing, or one that is too old, is not continued.
  IF ("row"."grams_per_mm" IS NOT DISTINCT FROM "factor" AND "row"."ended_at" >= "at" - interval '1 minute'
    AND "row"."started_at" >= greatest("at" - interval '10 minutes', "weighed" + interval '1 millisecond')) IS NOT TRUE THEN
    INSERT INTO "reported_uses" ("spool_id", "by", "grams_per_mm", "started_at", "ended_at", "since", "amount", "gives_back", "froms", "tos", "amounts")
    VALUES ("spool", "caller", "factor", "at", "at", "period_from", "added", "added" < 0, ARRAY["period_from"], ARRAY["at"], ARRAY["added"]);
  ELSE
    "last" := cardinality("row"."tos");
    -- Reports of the same second are stored as one, so that a row has a bounded length.
    IF date_trunc('second', "row"."tos"["last"]) < date_trunc('second', "at") THEN
      "last" := "last" + 1;
    END IF;
    "row"."froms"["last"] := least("row"."froms"["last"], "period_from");
    "row"."tos"["last"] := "at";
    "row"."amounts"["last"] := coalesce("row"."amounts"["last"], 0) + "added";
    UPDATE "reported_uses" r SET "ended_at" = "at", "since" = least(r."since", "period_from"), "amount" = r."amount" + "added",
      "gives_back" = r."gives_back" OR "row"."amounts"["last"] < 0,
      "froms" = "row"."froms", "tos" = "row"."tos", "amounts" = "row"."amounts"
    WHERE r."id" = "row"."id";
  END IF;
  INSERT INTO "unanswered_reports" ("id", "spool_id", "by", "is_length", "process", "stored_at", "given", "counted")
  VALUES ("report", "spool", "caller", report_use."is_length", report_use."process", clock_timestamp(), "given",
    "added" + coalesce("lost"."counted", 0));
  RETURN json_build_object('spoolId', "spool");
END
$$;

-- Stores reports in the given order, each as report_use does, and returns what became of each.
CREATE OR REPLACE FUNCTION report_uses("reports" JSON, "process" UUID, "open" UUID[]) RETURNS JSON
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  "one" RECORD;
  "outcomes" JSON[] := '{}';
BEGIN
  FOR "one" IN SELECT * FROM json_to_recordset("reports") AS r ("id" UUID, "number" INTEGER, "caller" TEXT, "given" NUMERIC, "isLength" BOOLEAN,
    "holdsBack" BOOLEAN, "now" TIMESTAMPTZ, "arrived" TIMESTAMPTZ) LOOP
    "outcomes" := "outcomes" || report_use("one"."id", "one"."number", "one"."caller", "one"."given", "one"."isLength", "one"."holdsBack",
      "one"."now", "one"."arrived", "process", "open");
  END LOOP;
  RETURN array_to_json("outcomes");
END
$$;

-- A report is a change of its spool. A report that was removed together with its spool is no change of its own.
CREATE OR REPLACE FUNCTION note_reported_uses() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity")
    SELECT DISTINCT change_position(), 'SPOOL', 'UPDATED', s."id"::TEXT
    FROM "old_rows" o JOIN "spools" s ON s."id" = o."spool_id" ORDER BY 4;
  ELSIF TG_OP = 'TRUNCATE' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity")
    SELECT DISTINCT change_position(), 'SPOOL', 'UPDATED', r."spool_id"::TEXT FROM "reported_uses" r ORDER BY 4;
  ELSE
    INSERT INTO "changes" ("position", "type", "kind", "entity")
    SELECT DISTINCT change_position(), 'SPOOL', 'UPDATED', n."spool_id"::TEXT FROM "new_rows" n ORDER BY 4;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER note_changes_insert AFTER INSERT ON "reported_uses"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_reported_uses();
CREATE OR REPLACE TRIGGER note_changes_update AFTER UPDATE ON "reported_uses"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_reported_uses();
CREATE OR REPLACE TRIGGER note_changes_delete AFTER DELETE ON "reported_uses"
  REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_reported_uses();
CREATE OR REPLACE TRIGGER note_changes_truncate BEFORE TRUNCATE ON "reported_uses"
  FOR EACH STATEMENT EXECUTE FUNCTION note_reported_uses();
