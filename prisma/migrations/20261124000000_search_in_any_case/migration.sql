-- Whether a text matches a pattern in upper or lower case. Where the database has the locale C, PostgreSQL knows the case
-- of ASCII letters alone: there a collation is named that knows all letters. The planner puts the body into statements.
DO $$
DECLARE
  "letters" TEXT;
BEGIN
  IF lower('Ä' COLLATE "default") <> 'ä' THEN
    SELECT c.collname INTO "letters" FROM pg_collation c
    WHERE c.collname IN ('pg_c_utf8', 'und-x-icu', 'C.utf8') AND c.collencoding IN (-1, pg_char_to_encoding('UTF8'))
    ORDER BY c.collname DESC LIMIT 1;
  END IF;
  EXECUTE format(
    'CREATE FUNCTION "matches_in_any_case"("text" TEXT, "pattern" TEXT) RETURNS BOOLEAN
     LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN "text" COLLATE %I ILIKE "pattern"',
    coalesce("letters", 'default'));
END $$;
