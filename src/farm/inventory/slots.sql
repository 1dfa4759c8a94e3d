-- Slots and loads, whichever program writes them: notes changes in the feed, and bounds the number of slots of a printer.
--
-- Loads of one slot never overlap in time, and neither do loads of one spool. The exclusion constraints slot_loads_slot_once and
-- slot_loads_spool_once of the table slot_loads enforce this.

-- A change of a slot or of a load is a change of the printer and of the spool.

-- A slot that gets its row together with its first spool is noted with the load.
CREATE OR REPLACE FUNCTION note_slot_changes() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  "rows" TEXT := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT * FROM new_rows'
    WHEN 'DELETE' THEN 'SELECT * FROM old_rows'
    WHEN 'TRUNCATE' THEN format('SELECT * FROM %I', TG_TABLE_NAME)
    ELSE '(SELECT * FROM old_rows EXCEPT ALL SELECT * FROM new_rows)
        UNION ALL (SELECT * FROM new_rows EXCEPT ALL SELECT * FROM old_rows)' END;
  "changed" TEXT := CASE TG_TABLE_NAME
    WHEN 'slot_loads' THEN 'SELECT r.printer_id, r.spool_id FROM (' || "rows" || ') r'
    ELSE 'SELECT r.printer_id, l.spool_id FROM (' || "rows" || ') r
      LEFT JOIN slot_loads l ON l.printer_id = r.printer_id AND l.slot = r.slot AND l.to IS NULL'
      || CASE TG_OP WHEN 'INSERT' THEN ' WHERE l.spool_id IS NULL OR r.reported IS NOT NULL' ELSE '' END END;
BEGIN
  -- The slots of a removed printer and the loads of a removed spool are removed too. The removal itself is noted elsewhere.
  EXECUTE 'INSERT INTO changes (position, type, kind, entity)
    SELECT DISTINCT $1, r.type, ''UPDATED'', r.entity FROM (
      WITH s AS (' || "changed" || ')
      SELECT ''PRINTER'' AS type, p.id::text AS entity FROM s JOIN printers p ON p.id = s.printer_id
      UNION ALL SELECT ''SPOOL'', x.id::text FROM s JOIN spools x ON x.id = s.spool_id
    ) r ORDER BY r.type, r.entity' USING change_position();
  RETURN NULL;
END
$$;

DO $$
DECLARE
  "table" TEXT;
BEGIN
  FOREACH "table" IN ARRAY ARRAY['printer_slots', 'slot_loads'] LOOP
    EXECUTE format('
      CREATE OR REPLACE TRIGGER note_changes_insert AFTER INSERT ON %1$I
        REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_slot_changes();
      CREATE OR REPLACE TRIGGER note_changes_update AFTER UPDATE ON %1$I
        REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_slot_changes();
      CREATE OR REPLACE TRIGGER note_changes_delete AFTER DELETE ON %1$I
        REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_slot_changes();
      CREATE OR REPLACE TRIGGER note_changes_truncate BEFORE TRUNCATE ON %1$I
        FOR EACH STATEMENT EXECUTE FUNCTION note_slot_changes()', "table");
  END LOOP;
END
$$;

-- A printer has at most 64 slots (MAX_SLOTS_OF_PRINTER), whichever program writes them. Writers of one printer wait for each other:
-- otherwise two writers that both count 63 slots would both add one.
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

-- A load adds its slot to the slots of the printer.
CREATE OR REPLACE FUNCTION add_loaded_slot() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO printer_slots (printer_id, slot) VALUES (NEW.printer_id, NEW.slot) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER add_slot AFTER INSERT OR UPDATE OF "printer_id", "slot", "to" ON "slot_loads"
  FOR EACH ROW WHEN (NEW."to" IS NULL) EXECUTE FUNCTION add_loaded_slot();
