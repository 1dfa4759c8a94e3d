-- Which camera watched which printer, whichever program writes cameras.

-- A watch begins and ends when the camera's row has been locked: `now()` of a transaction that waited for another one would turn two moves
-- around. A clock that was set back begins nothing before the last change. Rows that are empty are no watch.
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
    -- What a camera watched before it was first said is not known.
    "at" := least("at", NEW."created_at");
  END IF;
  IF NEW."printer_id" IS NOT NULL THEN
    -- Back in the same millisecond: it never left.
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
