-- A change of a slot is a change of its printer, and of the spools that came into it or left it.

CREATE OR REPLACE FUNCTION note_slot_changes() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  "slots" TEXT := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT n.printer_id, n.spool_id FROM new_rows n'
    WHEN 'DELETE' THEN 'SELECT o.printer_id, o.spool_id FROM old_rows o'
    WHEN 'TRUNCATE' THEN 'SELECT o.printer_id, o.spool_id FROM printer_slots o'
    ELSE 'SELECT s.printer_id, s.spool_id FROM (
        (SELECT * FROM old_rows EXCEPT ALL SELECT * FROM new_rows)
        UNION ALL (SELECT * FROM new_rows EXCEPT ALL SELECT * FROM old_rows)
      ) s' END;
BEGIN
  -- The slots of a printer that is removed go with it, and the removal is noted by itself.
  EXECUTE 'INSERT INTO changes (position, type, kind, entity)
    SELECT DISTINCT $1, r.type, ''UPDATED'', r.entity FROM (
      WITH s AS (' || "slots" || ')
      SELECT ''PRINTER'' AS type, p.id::text AS entity FROM s JOIN printers p ON p.id = s.printer_id
      UNION ALL SELECT ''SPOOL'', x.id::text FROM s JOIN spools x ON x.id = s.spool_id
    ) r ORDER BY r.type, r.entity' USING change_position();
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER note_changes_insert AFTER INSERT ON "printer_slots"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_slot_changes();
CREATE OR REPLACE TRIGGER note_changes_update AFTER UPDATE ON "printer_slots"
  REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_slot_changes();
CREATE OR REPLACE TRIGGER note_changes_delete AFTER DELETE ON "printer_slots"
  REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION note_slot_changes();
CREATE OR REPLACE TRIGGER note_changes_truncate BEFORE TRUNCATE ON "printer_slots"
  FOR EACH STATEMENT EXECUTE FUNCTION note_slot_changes();

-- A printer has at most 64 slots, whoever writes them (slot.limits.ts). Writers of one printer go one after the other: else two
-- that count 63 would both add one.
CREATE OR REPLACE FUNCTION bound_printer_slots() RETURNS TRIGGER
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('printer_slots ' || NEW.printer_id, 0));
  IF (SELECT count(*) >= 64 AND NOT coalesce(bool_or(k.slot = NEW.slot), false) FROM printer_slots k WHERE k.printer_id = NEW.printer_id) THEN
    RAISE EXCEPTION 'new row for relation "printer_slots" violates check constraint "printer_slots_at_most"'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER bound_slots BEFORE INSERT OR UPDATE OF "printer_id" ON "printer_slots"
  FOR EACH ROW EXECUTE FUNCTION bound_printer_slots();
