-- How many jobs there are by printer, status and source, kept by triggers whoever writes the jobs: the total of a filter
-- over a million jobs is the sum of a few rows. Rows are changed in the order of their key, so that no two writers wait
-- for each other in a ring.

CREATE TABLE "print_job_counts" (
  "printer_id"  UUID NOT NULL,
  "status"      TEXT COLLATE "C" NOT NULL,
  "data_source" TEXT COLLATE "C" NOT NULL,
  "jobs"        BIGINT NOT NULL,
  CONSTRAINT "print_job_counts_pkey" PRIMARY KEY ("printer_id", "status", "data_source")
) WITH (fillfactor = 50);

CREATE FUNCTION "count_print_jobs"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "print_job_counts" AS c ("printer_id", "status", "data_source", "jobs")
    SELECT "printer_id", "status", "data_source", count(*) FROM "new_rows" GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT ("printer_id", "status", "data_source") DO UPDATE SET "jobs" = c."jobs" + EXCLUDED."jobs";
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "print_job_counts" AS c ("printer_id", "status", "data_source", "jobs")
    SELECT "printer_id", "status", "data_source", -count(*) FROM "old_rows" GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT ("printer_id", "status", "data_source") DO UPDATE SET "jobs" = c."jobs" + EXCLUDED."jobs";
  ELSE
    INSERT INTO "print_job_counts" AS c ("printer_id", "status", "data_source", "jobs")
    SELECT "printer_id", "status", "data_source", sum(d."change") FROM (
      SELECT "printer_id", "status", "data_source", 1 AS "change" FROM "new_rows"
      UNION ALL
      SELECT "printer_id", "status", "data_source", -1 FROM "old_rows"
    ) d GROUP BY 1, 2, 3 HAVING sum(d."change") <> 0 ORDER BY 1, 2, 3
    ON CONFLICT ("printer_id", "status", "data_source") DO UPDATE SET "jobs" = c."jobs" + EXCLUDED."jobs";
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION "count_no_print_jobs"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "print_job_counts";
  RETURN NULL;
END
$$;

CREATE TRIGGER "print_job_counts_insert" AFTER INSERT ON "print_jobs"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "count_print_jobs"();
CREATE TRIGGER "print_job_counts_delete" AFTER DELETE ON "print_jobs"
  REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION "count_print_jobs"();
CREATE TRIGGER "print_job_counts_update" AFTER UPDATE ON "print_jobs"
  REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "count_print_jobs"();
CREATE TRIGGER "print_job_counts_truncate" AFTER TRUNCATE ON "print_jobs"
  FOR EACH STATEMENT EXECUTE FUNCTION "count_no_print_jobs"();

INSERT INTO "print_job_counts" ("printer_id", "status", "data_source", "jobs")
SELECT "printer_id", "status", "data_source", count(*) FROM "print_jobs" GROUP BY 1, 2, 3;
