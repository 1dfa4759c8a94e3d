-- Empties a table when another table is truncated. If a program truncates both tables in one statement, as CASCADE does, PostgreSQL
-- refuses a second TRUNCATE of this table. The table is empty then, so the DELETE finds nothing to delete.
CREATE OR REPLACE FUNCTION empty_table("emptied" REGCLASS) RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  EXECUTE format('TRUNCATE %s', "emptied");
EXCEPTION WHEN object_in_use THEN
  EXECUTE format('DELETE FROM %s', "emptied");
END
$$;
