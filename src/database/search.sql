-- Whether a text matches a pattern in upper or lower case. Where the database has the locale C, PostgreSQL knows the case
-- of ASCII letters alone: there a collation is named that knows all letters. The planner puts the body into statements.
DO $$
DECLARE
  "letters" TEXT;
BEGIN
  IF lower('Ä' COLLATE "default") <> 'ä' THEN
    SELECT c.collname INTO "letters" FROM pg_collation c
    WHERE c.collname IN ('C.utf8', 'pg_c_utf8', 'und-x-icu') AND c.collencoding IN (-1, pg_char_to_encoding('UTF8'))
    -- ICU comes last: it writes a Σ at the end of a pattern as ς, so ΚΩΣ would not find ΚΩΣΤΑΣ.
    ORDER BY c.collname LIMIT 1;
  END IF;
  EXECUTE format(
    'CREATE OR REPLACE FUNCTION matches_in_any_case("text" TEXT, "pattern" TEXT) RETURNS BOOLEAN
     LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN "text" COLLATE %I ILIKE "pattern"',
    coalesce("letters", 'default'));
END
$$;
