-- Makes a target get only the events after the moment at which it is enabled, whichever program enables it.

-- When the first target is enabled, the notes are deleted and the active alerts are recorded again. The lock decides which of two targets that are
-- enabled together is the first. The target remembers an id instead of a time: later notes have greater ids, whatever the clocks say.
CREATE OR REPLACE FUNCTION report_from_now() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM FROM "notification_outbox" FOR UPDATE;
  IF NOT EXISTS (SELECT FROM "notification_targets" t WHERE t."enabled" AND t."id" <> NEW."id") THEN
    UPDATE "notification_outbox" SET "knows_alerts" = false;
    DELETE FROM "unreported_changes";
  END IF;
  NEW."events_after" := nextval(pg_get_serial_sequence('unreported_changes', 'id'));
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER report_from_now_insert BEFORE INSERT ON "notification_targets"
  FOR EACH ROW WHEN (NEW."enabled") EXECUTE FUNCTION report_from_now();
CREATE OR REPLACE TRIGGER report_from_now_update BEFORE UPDATE ON "notification_targets"
  FOR EACH ROW WHEN (NEW."enabled" AND NOT OLD."enabled") EXECUTE FUNCTION report_from_now();
