-- Functions and triggers work in their own schema, whatever search_path the program has that writes: two farms in two
-- schemas of one database would count and keep each other's rows. This costs 4 microseconds per call (embedded: 3 → 7).
DO $$
DECLARE
  "function" REGPROCEDURE;
BEGIN
  FOR "function" IN
    SELECT p.oid FROM pg_proc p WHERE p.pronamespace = quote_ident(current_schema())::regnamespace AND p.proname IN (
      'camera_status_partitions', 'count_no_print_jobs', 'count_print_jobs', 'find_latest_status_again',
      'forget_latest_status', 'keep_latest_status_on_insert', 'maintain_camera_status', 'maintain_status_log',
      'record_camera_statuses')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path TO %I, pg_temp', "function", current_schema());
  END LOOP;
END
$$;
