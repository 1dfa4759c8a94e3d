-- Empties a table when another one is truncated. A program that truncates both at once (CASCADE does) holds this one already: PostgreSQL
-- refuses a second TRUNCATE of it then, and finds nothing to delete.
CREATE OR REPLACE FUNCTION empty_table("emptied" REGCLASS) RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  EXECUTE format('TRUNCATE %s', "emptied");
EXCEPTION WHEN object_in_use THEN
  EXECUTE format('DELETE FROM %s', "emptied");
END
$$;
