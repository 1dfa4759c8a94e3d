-- Gives up the waiting deliveries of a target that is disabled, and disables a target whose last chosen printer was removed.

CREATE OR REPLACE FUNCTION give_up_what_waits() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE "notification_deliveries" d SET "state" = 'GIVEN_UP', "next_attempt_at" = NULL, "fault" = NEW."fault"
  WHERE d."target_id" = NEW."id" AND d."state" = 'WAITING';
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER give_up_what_waits AFTER UPDATE OF "enabled" ON "notification_targets"
  FOR EACH ROW WHEN (OLD."enabled" AND NOT NEW."enabled") EXECUTE FUNCTION give_up_what_waits();

-- An empty list of printers means all printers, so a target that loses its last printer must not stay enabled. The row lock makes two
-- transactions that remove the last two printers wait for each other; otherwise each would still see the printer of the other one.
CREATE OR REPLACE FUNCTION disable_targets_without_printers() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM FROM "notification_targets" t WHERE t."id" IN (SELECT o."target_id" FROM "old_rows" o)
    ORDER BY t."id" FOR NO KEY UPDATE;
  END IF;
  UPDATE "notification_targets" t
  SET "enabled" = false, "state" = 'DISABLED', "state_since" = clock_timestamp(), "fault" = 'PRINTERS_REMOVED'
  WHERE t."some_printers" AND t."enabled"
    AND NOT EXISTS (SELECT FROM "notification_target_printers" p WHERE p."target_id" = t."id");
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER disable_targets_without_printers AFTER DELETE ON "notification_target_printers"
  REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION disable_targets_without_printers();
CREATE OR REPLACE TRIGGER disable_targets_truncate AFTER TRUNCATE ON "notification_target_printers"
  FOR EACH STATEMENT EXECUTE FUNCTION disable_targets_without_printers();
