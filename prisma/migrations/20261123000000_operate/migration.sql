-- What people who run the farm change: printers, spools and materials out of use, the printer of a camera, colour and
-- vendor of a spool, and cameras that are removed with their whole log.

ALTER TABLE "printers" ADD COLUMN "archived_at" TIMESTAMPTZ(3);
ALTER TABLE "materials" ADD COLUMN "archived_at" TIMESTAMPTZ(3);
ALTER TABLE "spools"
  ADD COLUMN "archived_at" TIMESTAMPTZ(3),
  ADD COLUMN "color_hex" TEXT COLLATE "C",
  ADD COLUMN "vendor" TEXT,
  ADD CONSTRAINT "spools_color_hex" CHECK ("color_hex" ~ '^#[0-9A-Fa-f]{6}$');

-- A camera with removed_at is gone for all readers. Its row stays as long as records of its log refer to it.
ALTER TABLE "cameras"
  ADD COLUMN "printer_id" UUID,
  ADD COLUMN "removed_at" TIMESTAMPTZ(3),
  ADD CONSTRAINT "cameras_printer_id_fkey" FOREIGN KEY ("printer_id") REFERENCES "printers" ("id")
    ON UPDATE CASCADE ON DELETE SET NULL;
CREATE INDEX "cameras_by_printer" ON "cameras" ("printer_id", "camera_id");

-- Pages of jobs by the time of their end.
CREATE INDEX "print_jobs_last_completed" ON "print_jobs" ("completed_at" DESC NULLS LAST, "id" DESC);

-- One step: deletes up to 10,000 records of a removed camera, of any if none is named, and with the last of them the
-- camera. Null: there is no such camera.
CREATE FUNCTION "forget_removed_camera"("wanted" TEXT DEFAULT NULL) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  "camera" TEXT := (SELECT c."camera_id" FROM "cameras" c
    WHERE c."removed_at" IS NOT NULL AND ("wanted" IS NULL OR c."camera_id" = "wanted") LIMIT 1 FOR UPDATE SKIP LOCKED);
  "until"  TIMESTAMPTZ;
BEGIN
  IF "camera" IS NULL THEN
    RETURN NULL;
  END IF;
  "until" := (SELECT s."recorded_at" FROM "camera_status" s WHERE s."camera_id" = "camera"
    ORDER BY s."recorded_at" OFFSET 9999 LIMIT 1);
  IF "until" IS NOT NULL THEN
    DELETE FROM "camera_status" s WHERE s."camera_id" = "camera" AND s."recorded_at" <= "until";
    RETURN format('10000 records of the removed camera %s were deleted', "camera");
  END IF;
  DELETE FROM "camera_status" s WHERE s."camera_id" = "camera";
  DELETE FROM "camera_status_set_aside" s WHERE s."camera_id" = "camera";
  DELETE FROM "cameras" c WHERE c."camera_id" = "camera";
  RETURN format('the removed camera %s was deleted', "camera");
END
$$;

-- The third argument of the trigger selects the rows that exist for readers: a camera is DELETED when it is removed.
CREATE OR REPLACE FUNCTION "note_row_changes"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "rows" TEXT := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT ''CREATED'' AS kind, n.%1$I::text AS entity FROM new_rows n %4$s'
    WHEN 'DELETE' THEN 'SELECT ''DELETED'' AS kind, o.%1$I::text AS entity FROM old_rows o %4$s'
    WHEN 'TRUNCATE' THEN 'SELECT ''DELETED'' AS kind, o.%1$I::text AS entity FROM %2$I.%3$I o %4$s'
    ELSE 'SELECT CASE WHEN o IS NULL THEN ''CREATED'' WHEN n IS NULL THEN ''DELETED'' ELSE ''UPDATED'' END AS kind,
        coalesce(n.%1$I, o.%1$I)::text AS entity
      FROM (SELECT * FROM old_rows %4$s) o FULL JOIN (SELECT * FROM new_rows %4$s) n ON n.%1$I = o.%1$I
      WHERE o IS DISTINCT FROM n' END;
BEGIN
  EXECUTE format('INSERT INTO changes (position, type, kind, entity) SELECT $1, $2, r.kind, r.entity FROM ('
    || "rows" || ') r ORDER BY r.entity', TG_ARGV[1], TG_TABLE_SCHEMA, TG_TABLE_NAME, TG_ARGV[2])
    USING change_position(), TG_ARGV[0];
  RETURN NULL;
END
$$;

DO $$
DECLARE
  "operation" TEXT;
  "function"  REGPROCEDURE;
BEGIN
  FOREACH "operation" IN ARRAY ARRAY[
    'insert AFTER INSERT ON cameras REFERENCING NEW TABLE AS new_rows',
    'update AFTER UPDATE ON cameras REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows',
    'delete AFTER DELETE ON cameras REFERENCING OLD TABLE AS old_rows',
    'truncate BEFORE TRUNCATE ON cameras']
  LOOP
    EXECUTE format('DROP TRIGGER note_changes_%s ON cameras', split_part("operation", ' ', 1));
    EXECUTE format('CREATE TRIGGER note_changes_%s FOR EACH STATEMENT
      EXECUTE FUNCTION note_row_changes(''CAMERA'', ''camera_id'', ''WHERE removed_at IS NULL'')', "operation");
  END LOOP;

  -- Records of removed cameras are refused, and their deletion is no change of a camera.
  FOR "function" IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = quote_ident(current_schema())::REGNAMESPACE
    AND p.proname IN ('record_camera_statuses', 'note_status_changes')
  LOOP
    EXECUTE replace(replace(pg_get_functiondef("function"),
      'WHERE c."camera_id" = ANY', 'WHERE c."removed_at" IS NULL AND c."camera_id" = ANY'),
      'ON c."camera_id" = o."camera_id"', 'ON c."camera_id" = o."camera_id" AND c."removed_at" IS NULL');
  END LOOP;

  -- These functions, too, work in their own schema.
  FOR "function" IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = quote_ident(current_schema())::REGNAMESPACE
    AND p.proname IN ('forget_removed_camera', 'note_row_changes')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path TO %I, pg_temp', "function", current_schema());
  END LOOP;
END
$$;
