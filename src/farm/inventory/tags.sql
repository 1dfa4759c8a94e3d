-- Tags of spools, whichever program writes them: notes changes in the feed, and bounds the number of tags of a spool.

-- A changed tag is a change of its spool. A tag that was removed together with its spool is no change of its own.
CREATE OR REPLACE FUNCTION note_tag_changes() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  "rows" TEXT := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT * FROM new_rows'
    WHEN 'DELETE' THEN 'SELECT * FROM old_rows'
    WHEN 'TRUNCATE' THEN 'SELECT * FROM spool_tags'
    ELSE '(SELECT * FROM old_rows EXCEPT ALL SELECT * FROM new_rows)
        UNION ALL (SELECT * FROM new_rows EXCEPT ALL SELECT * FROM old_rows)' END;
BEGIN
  EXECUTE 'INSERT INTO changes (position, type, kind, entity)
    SELECT DISTINCT $1, ''SPOOL'', ''UPDATED'', s.id::text FROM (' || "rows" || ') r JOIN spools s ON s.id = r.spool_id ORDER BY 4'
    USING change_position();
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER note_changes_insert AFTER INSERT ON "spool_tags"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_tag_changes();
CREATE OR REPLACE TRIGGER note_changes_update AFTER UPDATE ON "spool_tags"
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_tag_changes();
CREATE OR REPLACE TRIGGER note_changes_delete AFTER DELETE ON "spool_tags"
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_tag_changes();
CREATE OR REPLACE TRIGGER note_changes_truncate BEFORE TRUNCATE ON "spool_tags"
  FOR EACH STATEMENT EXECUTE FUNCTION note_tag_changes();

-- A spool has at most 16 tags. Writers of one spool wait for each other: otherwise two writers that both count 15 tags would both add one. The row
-- of the spool is their lock, because an import adds tags to more spools than a server has advisory locks. After the wait, the second statement sees
-- what the others have written.
--
-- A session plans the statements once. After an import it would read the whole tables for each tag, without enable_seqscan = off.
CREATE OR REPLACE FUNCTION bound_spool_tags() RETURNS TRIGGER
LANGUAGE plpgsql SET search_path FROM CURRENT SET enable_seqscan = off AS $$
BEGIN
  PERFORM FROM "spools" s WHERE s."id" IN (SELECT n."spool_id" FROM "new_rows" n) ORDER BY s."id" FOR NO KEY UPDATE;
  IF EXISTS (
    SELECT FROM "spool_tags" t WHERE t."spool_id" IN (SELECT n."spool_id" FROM "new_rows" n) GROUP BY t."spool_id" HAVING count(*) > 16
  ) THEN
    RAISE EXCEPTION 'new row for relation "spool_tags" violates check constraint "spool_tags_at_most"'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END
$$;

DROP TRIGGER IF EXISTS bound_tags ON "spool_tags";
CREATE OR REPLACE TRIGGER bound_tags_insert AFTER INSERT ON "spool_tags"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bound_spool_tags();
CREATE OR REPLACE TRIGGER bound_tags_update AFTER UPDATE ON "spool_tags"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bound_spool_tags();
