-- Records which camera watched which printer from when to when, whichever program writes cameras.

-- A watch starts and ends at the time at which the row of the camera was locked. With `now()`, a transaction that waited for another one could
-- swap two changes. If a clock was set back, the change gets the time of the last change. A watch without a length is deleted.
CREATE OR REPLACE FUNCTION note_camera_watch() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  "last" "camera_watches";
  "at"   TIMESTAMPTZ := date_trunc('milliseconds', clock_timestamp());
BEGIN
  SELECT w.* INTO "last" FROM "camera_watches" w WHERE w."camera_id" = NEW."camera_id" ORDER BY w."from" DESC LIMIT 1;
  IF FOUND THEN
    "at" := greatest("at", "last"."from", "last"."to");
    DELETE FROM "camera_watches" w WHERE w."camera_id" = NEW."camera_id" AND w."from" = "at";
    UPDATE "camera_watches" w SET "to" = "at" WHERE w."camera_id" = NEW."camera_id" AND w."to" IS NULL;
  ELSE
    -- The first printer of a camera counts as watched since the registration of the camera.
    "at" := least("at", NEW."created_at");
  END IF;
  IF NEW."printer_id" IS NOT NULL THEN
    -- A camera that returns to its printer in the same millisecond continues its watch.
    UPDATE "camera_watches" w SET "to" = NULL
    WHERE w."camera_id" = NEW."camera_id" AND w."to" = "at" AND w."printer_id" = NEW."printer_id";
    IF NOT FOUND THEN
      INSERT INTO "camera_watches" ("camera_id", "from", "printer_id") VALUES (NEW."camera_id", "at", NEW."printer_id");
    END IF;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER watches_insert AFTER INSERT ON "cameras"
  FOR EACH ROW WHEN (NEW."printer_id" IS NOT NULL) EXECUTE FUNCTION note_camera_watch();
CREATE OR REPLACE TRIGGER watches_update AFTER UPDATE ON "cameras"
  FOR EACH ROW WHEN (OLD."printer_id" IS DISTINCT FROM NEW."printer_id") EXECUTE FUNCTION note_camera_watch();
