-- From when on a target is told: from the moment at which it is enabled, whoever writes it.

-- Goes on from the newest change, silently: the prints as they are now are what was told already. One statement, because one
-- that saw a print later than the place in the feed would take what happened between for known. What is ignored waits for nothing.
CREATE OR REPLACE FUNCTION begin_notifications() RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM "notification_subjects";
  WITH seen AS (
    INSERT INTO "notification_subjects" ("id", "outcome", "job_id", "status", "lacks_spool")
    SELECT o."id", CASE WHEN o."ignored_at" IS NULL THEN o."outcome" ELSE 'RUNNING' END, o."job_id", j."status",
      o."ignored_at" IS NULL AND (o."job_id" IS NULL OR o."lacking" IS NOT NULL)
    FROM "observed_prints" o LEFT JOIN "print_jobs" j ON j."id" = o."job_id"
    WHERE o."outcome" IN ('RUNNING', 'UNRESOLVED')
      OR (o."ignored_at" IS NULL AND (o."job_id" IS NULL OR o."lacking" IS NOT NULL))
  )
  UPDATE "notification_outbox" SET ("feed", "position", "change_id") =
    (SELECT n."feed", n."position", n."change_id" FROM newest_change() n);
END
$$;

-- With the first target that is enabled, the place in the feed and what is known of alerts begin anew; the lock makes one of two
-- targets the first one. Changes that are written later have greater ids, whatever the clocks say.
CREATE OR REPLACE FUNCTION tell_from_now() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM FROM "notification_outbox" FOR UPDATE;
  IF NOT EXISTS (SELECT FROM "notification_targets" t WHERE t."enabled" AND t."id" <> NEW."id") THEN
    UPDATE "notification_outbox" SET "knows_alerts" = false;
    PERFORM begin_notifications();
  END IF;
  NEW."told_from" := nextval('changes_id_seq');
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER tell_from_now_insert BEFORE INSERT ON "notification_targets"
  FOR EACH ROW WHEN (NEW."enabled") EXECUTE FUNCTION tell_from_now();
CREATE OR REPLACE TRIGGER tell_from_now_update BEFORE UPDATE ON "notification_targets"
  FOR EACH ROW WHEN (NEW."enabled" AND NOT OLD."enabled") EXECUTE FUNCTION tell_from_now();
