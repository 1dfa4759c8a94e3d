-- Decides whether a text matches a search pattern, ignoring upper and lower case. The caller has normalised `pattern` (NFC), and the
-- function normalises the text. The function names a collation, because the collation of the database may know only the case of
-- ASCII letters (C), or may have other rules (in Turkish, the small letter of I is ı). The planner inlines the body into statements.
DO $$
DECLARE
  "letters" TEXT;
BEGIN
  -- ICU is the last choice: it changes a Σ at the end of a pattern to ς, so ΚΩΣ would not find ΚΩΣΤΑΣ.
  SELECT c.collname INTO "letters" FROM pg_collation c
  WHERE c.collname IN ('C.utf8', 'pg_c_utf8', 'und-x-icu') AND c.collencoding IN (-1, pg_char_to_encoding('UTF8'))
  ORDER BY array_position('{pg_c_utf8,C.utf8,und-x-icu}', c.collname::TEXT) LIMIT 1;
  EXECUTE format(
    -- A text in ASCII is normalised already. A search in 300,000 ASCII names takes 0.29 s, with or without the normalisation. In
    -- other names it takes 0.76 s instead of 0.55 s.
    'CREATE OR REPLACE FUNCTION matches_in_any_case("text" TEXT, "pattern" TEXT) RETURNS BOOLEAN
     LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
       CASE WHEN octet_length("text") = length("text") THEN "text" ELSE normalize("text") END COLLATE %I ILIKE "pattern"',
    coalesce("letters", 'default'));
END
$$;
