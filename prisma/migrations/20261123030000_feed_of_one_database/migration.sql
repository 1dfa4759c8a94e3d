-- Names the feed of this database. Two new databases give their first changes the same positions and ids. A cursor holds
-- the name, so that the feed of another database refuses it. Backups keep the name.
ALTER TABLE "change_feed" ADD COLUMN "name" TEXT NOT NULL DEFAULT substr(gen_random_uuid()::TEXT, 1, 8);
ALTER TABLE "change_feed" ALTER COLUMN "name" DROP DEFAULT;

-- A camera is told when a record of its log is changed, removed, or moved to it from another camera. A statement that
-- writes the values that are there already tells nothing.
CREATE OR REPLACE FUNCTION "note_status_changes"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "position" BIGINT := change_position();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity", "recorded_at", "record_id")
    SELECT "position", 'CAMERA_STATUS', 'CREATED', n."camera_id", n."recorded_at", n."id"
    FROM "new_rows" n ORDER BY n."id";
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity")
    SELECT DISTINCT "position", 'CAMERA', 'UPDATED', c."camera_id"
    FROM (
      (SELECT * FROM "old_rows" EXCEPT ALL SELECT * FROM "new_rows")
      UNION ALL (SELECT * FROM "new_rows" EXCEPT ALL SELECT * FROM "old_rows")
    ) r JOIN "cameras" c ON c."camera_id" = r."camera_id" AND c."removed_at" IS NULL ORDER BY c."camera_id";
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity")
    SELECT DISTINCT "position", 'CAMERA', 'UPDATED', c."camera_id"
    FROM "old_rows" o JOIN "cameras" c ON c."camera_id" = o."camera_id" AND c."removed_at" IS NULL ORDER BY c."camera_id";
  ELSE
    INSERT INTO "changes" ("position", "type", "kind", "entity")
    SELECT "position", 'CAMERA', 'UPDATED', l."camera_id" FROM "camera_latest_status" l ORDER BY l."camera_id";
  END IF;
  RETURN NULL;
END
$$;

-- Triggers write the tables that they keep with the rights of the owner: a program that may write printers needs no
-- right to write changes.
DO $$
DECLARE
  "function" REGPROCEDURE;
BEGIN
  EXECUTE format('ALTER FUNCTION note_status_changes() SET search_path TO %I, pg_temp', current_schema());
  FOR "function" IN SELECT p.oid FROM pg_proc p
    WHERE p.pronamespace = quote_ident(current_schema())::REGNAMESPACE AND p.prorettype = 'trigger'::REGTYPE
  LOOP
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER', "function");
  END LOOP;
END
$$;
