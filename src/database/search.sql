-- Whether a text contains a part: `pattern` is normalised (NFC), the text is normalised here, and upper and lower case are
-- the same. The collation is named, because that of the database may know the case of ASCII letters alone (C), or may have
-- a case of its own (in Turkish, the small letter of I is ı). The planner puts the body into statements.
DO $$
DECLARE
  "letters" TEXT;
BEGIN
  -- ICU comes last: it writes a Σ at the end of a pattern as ς, so ΚΩΣ would not find ΚΩΣΤΑΣ.
  SELECT c.collname INTO "letters" FROM pg_collation c
  WHERE c.collname IN ('C.utf8', 'pg_c_utf8', 'und-x-icu') AND c.collencoding IN (-1, pg_char_to_encoding('UTF8'))
  ORDER BY array_position('{pg_c_utf8,C.utf8,und-x-icu}', c.collname::TEXT) LIMIT 1;
  EXECUTE format(
    -- ASCII is normalised already: 300,000 names of ASCII take 0.29 s as before, others 0.76 instead of 0.55.
    'CREATE OR REPLACE FUNCTION matches_in_any_case("text" TEXT, "pattern" TEXT) RETURNS BOOLEAN
     LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
       CASE WHEN octet_length("text") = length("text") THEN "text" ELSE normalize("text") END COLLATE %I ILIKE "pattern"',
    coalesce("letters", 'default'));
END
$$;
