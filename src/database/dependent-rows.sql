-- Deletes and updates the rows of a table that depend on the rows of another table, whichever program writes the other table. The
-- arguments of the trigger are the table with the dependent rows, and its column with the id.

CREATE OR REPLACE FUNCTION forget_dependents() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    EXECUTE format('DELETE FROM %I d USING "old_rows" o WHERE d.%I = o."id"', TG_ARGV[0], TG_ARGV[1]);
  ELSE
    PERFORM empty_table(TG_ARGV[0]::REGCLASS);
  END IF;
  RETURN NULL;
END
$$;

-- A row gets another id: the dependent rows get it, too.
CREATE OR REPLACE FUNCTION move_dependents() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  EXECUTE format('UPDATE %1$I d SET %2$I = $1 WHERE d.%2$I = $2', TG_ARGV[0], TG_ARGV[1]) USING NEW."id", OLD."id";
  RETURN NULL;
END
$$;
