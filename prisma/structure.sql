-- The tables, functions and triggers as they are now, to read. The migrations make them; `npm run codegen` writes this.

CREATE SEQUENCE camera_status_id_seq AS bigint;

CREATE SEQUENCE changes_id_seq AS bigint;

CREATE SEQUENCE filament_to_fold_id_seq AS bigint;

CREATE SEQUENCE print_job_status_changes_id_seq AS bigint;

CREATE SEQUENCE print_job_sums_to_add_id_seq AS bigint;

CREATE TABLE camera_latest_status (
  id bigint NOT NULL,
  camera_id text COLLATE "C" NOT NULL,
  recorded_at timestamp(3) with time zone NOT NULL,
  battery_pct double precision,
  video_remaining_sec integer,
  recording_state text COLLATE "C",
  mode text COLLATE "C",
  resolution text COLLATE "C",
  fps double precision,
  online boolean NOT NULL,
  raw_battery_pct double precision,
  CONSTRAINT camera_latest_status_pkey PRIMARY KEY (camera_id),
  CONSTRAINT camera_latest_status_camera_id_fkey FOREIGN KEY (camera_id) REFERENCES cameras(camera_id) ON UPDATE CASCADE ON DELETE CASCADE
) WITH (fillfactor=50);

CREATE TABLE camera_status (
  id bigint NOT NULL DEFAULT nextval('camera_status_id_seq'::regclass),
  camera_id text COLLATE "C" NOT NULL,
  recorded_at timestamp(3) with time zone NOT NULL,
  battery_pct double precision,
  video_remaining_sec integer,
  recording_state text COLLATE "C",
  mode text COLLATE "C",
  resolution text COLLATE "C",
  fps double precision,
  online boolean NOT NULL DEFAULT false,
  raw_battery_pct double precision,
  CONSTRAINT camera_status_pkey PRIMARY KEY (camera_id, recorded_at, id),
  CONSTRAINT camera_status_camera_id_fkey FOREIGN KEY (camera_id) REFERENCES cameras(camera_id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT camera_status_battery_pct CHECK (((battery_pct >= (0)::double precision) AND (battery_pct <= (100)::double precision))),
  CONSTRAINT camera_status_fps CHECK (((fps >= (0)::double precision) AND (fps < 'Infinity'::double precision))),
  CONSTRAINT camera_status_raw_battery_pct CHECK (((raw_battery_pct > '-Infinity'::double precision) AND (raw_battery_pct < 'Infinity'::double precision))),
  CONSTRAINT camera_status_recorded_at CHECK (((recorded_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (recorded_at < '10000-01-01 00:00:00+00'::timestamp with time zone))),
  CONSTRAINT camera_status_video_remaining_sec CHECK ((video_remaining_sec >= 0))
) PARTITION BY RANGE (recorded_at);

CREATE TABLE camera_status_set_aside (
  camera_id text COLLATE "C" NOT NULL,
  recorded_at timestamp(3) with time zone NOT NULL,
  id bigint NOT NULL,
  record json NOT NULL,
  set_aside_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT camera_status_set_aside_pkey PRIMARY KEY (camera_id, recorded_at, id)
);

CREATE TABLE cameras (
  camera_id text COLLATE "C" NOT NULL,
  friendly_name text COLLATE "C" NOT NULL,
  mac_address text COLLATE "C",
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  printer_id uuid,
  removed_at timestamp(3) with time zone,
  expected_interval_sec integer,
  CONSTRAINT cameras_pkey PRIMARY KEY (camera_id),
  CONSTRAINT cameras_printer_id_fkey FOREIGN KEY (printer_id) REFERENCES printers(id) ON UPDATE CASCADE ON DELETE SET NULL,
  CONSTRAINT cameras_camera_id_not_empty CHECK ((camera_id <> ''::text)),
  CONSTRAINT cameras_expected_interval_sec CHECK (((expected_interval_sec >= 1) AND (expected_interval_sec <= 86400))),
  CONSTRAINT cameras_friendly_name_not_empty CHECK ((friendly_name <> ''::text)),
  CONSTRAINT cameras_times CHECK (((created_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (created_at < '10000-01-01 00:00:00+00'::timestamp with time zone) AND (updated_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (updated_at < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);

CREATE TABLE change_feed (
  "only" boolean NOT NULL DEFAULT true,
  position_offset bigint NOT NULL DEFAULT 0,
  forgotten_position bigint NOT NULL DEFAULT 0,
  forgotten_id bigint NOT NULL DEFAULT 0,
  name text NOT NULL,
  CONSTRAINT change_feed_pkey PRIMARY KEY ("only"),
  CONSTRAINT change_feed_only CHECK ("only")
);

CREATE TABLE changes (
  "position" bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('changes_id_seq'::regclass),
  at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  type text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  entity text COLLATE "C" NOT NULL,
  recorded_at timestamp(3) with time zone,
  record_id bigint,
  job json,
  CONSTRAINT changes_pkey PRIMARY KEY ("position", id)
);

CREATE TABLE filament_by_spool (
  spool_id uuid NOT NULL,
  used_grams numeric NOT NULL,
  planned_grams numeric NOT NULL,
  CONSTRAINT filament_by_spool_pkey PRIMARY KEY (spool_id)
) WITH (fillfactor=50);

CREATE TABLE filament_by_time (
  minutes integer NOT NULL,
  begins timestamp(3) with time zone NOT NULL,
  completed_jobs bigint NOT NULL,
  completed_grams numeric NOT NULL,
  completed_cost numeric NOT NULL,
  wasted_jobs bigint NOT NULL,
  wasted_grams numeric NOT NULL,
  wasted_cost numeric NOT NULL,
  CONSTRAINT filament_by_time_pkey PRIMARY KEY (minutes, begins)
);

CREATE TABLE filament_to_fold (
  id bigint NOT NULL DEFAULT nextval('filament_to_fold_id_seq'::regclass),
  begins timestamp(3) with time zone NOT NULL,
  completed_jobs bigint NOT NULL,
  completed_grams numeric NOT NULL,
  completed_cost numeric NOT NULL,
  wasted_jobs bigint NOT NULL,
  wasted_grams numeric NOT NULL,
  wasted_cost numeric NOT NULL,
  CONSTRAINT filament_to_fold_pkey PRIMARY KEY (id)
);

CREATE TABLE idempotency_keys (
  caller text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  answer json,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (caller, key)
);

CREATE TABLE materials (
  id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  density_g_per_cm3 numeric NOT NULL,
  archived_at timestamp(3) with time zone,
  CONSTRAINT materials_pkey PRIMARY KEY (id),
  CONSTRAINT materials_density CHECK (((density_g_per_cm3 > (0)::numeric) AND (density_g_per_cm3 < '1000000000000000000'::numeric))),
  CONSTRAINT materials_name_not_empty CHECK ((name <> ''::text))
);

CREATE TABLE print_job_counts (
  printer_id uuid NOT NULL,
  status text COLLATE "C" NOT NULL,
  data_source text COLLATE "C" NOT NULL,
  jobs bigint NOT NULL,
  CONSTRAINT print_job_counts_pkey PRIMARY KEY (printer_id, status, data_source)
) WITH (fillfactor=50);

CREATE TABLE print_job_status_changes (
  id bigint NOT NULL DEFAULT nextval('print_job_status_changes_id_seq'::regclass),
  job_id uuid NOT NULL,
  from_status text COLLATE "C",
  to_status text COLLATE "C" NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  CONSTRAINT print_job_status_changes_pkey PRIMARY KEY (job_id, id)
);

CREATE TABLE print_job_sums_to_add (
  transaction bigint NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
  id bigint NOT NULL DEFAULT nextval('print_job_sums_to_add_id_seq'::regclass),
  printer_id uuid,
  status text COLLATE "C",
  data_source text COLLATE "C",
  jobs bigint,
  spool_id uuid,
  used_grams numeric,
  planned_grams numeric,
  CONSTRAINT add_print_job_sums TRIGGER DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT print_job_sums_to_add_pkey PRIMARY KEY (transaction, id)
);

CREATE TABLE print_jobs (
  id uuid NOT NULL,
  printer_id uuid NOT NULL,
  spool_id uuid NOT NULL,
  print_name text NOT NULL,
  gcode_file_path text NOT NULL,
  mm_extruded numeric NOT NULL,
  grams_derived numeric NOT NULL,
  cost_per_print numeric NOT NULL,
  started_at timestamp(3) with time zone,
  completed_at timestamp(3) with time zone,
  status text COLLATE "C" NOT NULL,
  data_source text COLLATE "C" NOT NULL,
  filament_diameter_at_print_mm numeric NOT NULL,
  material_density_at_print numeric NOT NULL,
  notes text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT print_jobs_pkey PRIMARY KEY (id),
  CONSTRAINT print_jobs_printer_id_fkey FOREIGN KEY (printer_id) REFERENCES printers(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT print_jobs_spool_id_fkey FOREIGN KEY (spool_id) REFERENCES spools(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT print_jobs_amounts CHECK (((mm_extruded >= (0)::numeric) AND (mm_extruded < '1000000000000000000'::numeric) AND (grams_derived >= (0)::numeric) AND (grams_derived < '1000000000000000000000000000000'::numeric) AND (cost_per_print >= (0)::numeric) AND (cost_per_print < '1000000000000000000000000000000'::numeric) AND (filament_diameter_at_print_mm >= (0)::numeric) AND (filament_diameter_at_print_mm < '1000000000000000000'::numeric) AND (material_density_at_print >= (0)::numeric) AND (material_density_at_print < '1000000000000000000'::numeric))),
  CONSTRAINT print_jobs_data_source CHECK ((data_source = ANY (ARRAY['Mqtt'::text, 'PrinterApi'::text, 'Manual'::text]))),
  CONSTRAINT print_jobs_status CHECK ((status = ANY (ARRAY['Queued'::text, 'Printing'::text, 'Completed'::text, 'Cancelled'::text, 'Failed'::text]))),
  CONSTRAINT print_jobs_times CHECK (((created_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (created_at < '10000-01-01 00:00:00+00'::timestamp with time zone) AND (updated_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (updated_at < '10000-01-01 00:00:00+00'::timestamp with time zone) AND (started_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (started_at < '10000-01-01 00:00:00+00'::timestamp with time zone) AND (completed_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (completed_at < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);

CREATE TABLE printers (
  id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  archived_at timestamp(3) with time zone,
  CONSTRAINT printers_pkey PRIMARY KEY (id),
  CONSTRAINT printers_name_not_empty CHECK ((name <> ''::text)),
  CONSTRAINT printers_times CHECK (((created_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (created_at < '10000-01-01 00:00:00+00'::timestamp with time zone) AND (updated_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (updated_at < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);

CREATE TABLE spools (
  id uuid NOT NULL,
  spool_serial text COLLATE "C" NOT NULL,
  filament_diameter_mm numeric NOT NULL,
  weight_total_grams numeric NOT NULL,
  purchase_price numeric,
  material_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  archived_at timestamp(3) with time zone,
  color_hex text COLLATE "C",
  vendor text,
  CONSTRAINT spools_pkey PRIMARY KEY (id),
  CONSTRAINT spools_material_id_fkey FOREIGN KEY (material_id) REFERENCES materials(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT spools_color_hex CHECK ((color_hex ~ '^#[0-9A-Fa-f]{6}$'::text)),
  CONSTRAINT spools_diameter CHECK (((filament_diameter_mm > (0)::numeric) AND (filament_diameter_mm < '1000000000000000000'::numeric))),
  CONSTRAINT spools_price CHECK (((purchase_price >= (0)::numeric) AND (purchase_price < '1000000000000000000'::numeric))),
  CONSTRAINT spools_serial_not_empty CHECK ((spool_serial <> ''::text)),
  CONSTRAINT spools_times CHECK (((created_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (created_at < '10000-01-01 00:00:00+00'::timestamp with time zone) AND (updated_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (updated_at < '10000-01-01 00:00:00+00'::timestamp with time zone))),
  CONSTRAINT spools_weight CHECK (((weight_total_grams >= (0)::numeric) AND (weight_total_grams < '1000000000000000000'::numeric)))
);

CREATE INDEX cameras_by_printer ON cameras USING btree (printer_id, camera_id);

CREATE UNIQUE INDEX cameras_mac_address_key ON cameras USING btree (mac_address);

CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);

CREATE UNIQUE INDEX materials_name_key ON materials USING btree (name);

CREATE INDEX print_jobs_by_data_source ON print_jobs USING btree (data_source, created_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX print_jobs_by_end ON print_jobs USING btree (completed_at, updated_at) WHERE (filament_use(status, started_at) <> 'planned'::text);

CREATE INDEX print_jobs_by_printer ON print_jobs USING btree (printer_id, created_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX print_jobs_by_spool ON print_jobs USING btree (spool_id, created_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX print_jobs_by_status ON print_jobs USING btree (status, created_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX print_jobs_last_completed ON print_jobs USING btree (completed_at DESC NULLS LAST, id DESC);

CREATE INDEX print_jobs_newest ON print_jobs USING btree (created_at DESC, id DESC);

CREATE INDEX print_jobs_printing ON print_jobs USING btree (updated_at) WHERE (status = 'Printing'::text);

CREATE INDEX print_jobs_to_do ON print_jobs USING btree (spool_id, created_at) WHERE (status = ANY (ARRAY['Queued'::text, 'Printing'::text]));

CREATE INDEX printers_by_name ON printers USING btree (name, id);

CREATE INDEX spools_by_material ON spools USING btree (material_id);

CREATE UNIQUE INDEX spools_spool_serial_key ON spools USING btree (spool_serial);

CREATE OR REPLACE FUNCTION add_filament_on_delete()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  added BIGINT;
BEGIN
  WITH counted AS (
    SELECT r.n, r.spool_id, filament_use(r.status, r.started_at) AS use,
      date_bin('15 minutes', coalesce(r.completed_at, r.updated_at), '2000-01-01Z') AS begins,
      r.n * r.grams_derived AS grams, r.n * r.cost_per_print AS cost
    FROM (SELECT -1 AS n, * FROM old_rows) r
  ), by_spool AS (
    SELECT a.* FROM (
      SELECT c.spool_id, coalesce(sum(c.grams) FILTER (WHERE c.use <> 'planned'), 0) AS used,
        coalesce(sum(c.grams) FILTER (WHERE c.use = 'planned'), 0) AS planned
      FROM counted c GROUP BY c.spool_id
    ) a WHERE a.used <> 0 OR a.planned <> 0
  ), at_commit AS (
    INSERT INTO print_job_sums_to_add (spool_id, used_grams, planned_grams) SELECT * FROM by_spool WHERE true
  )
  INSERT INTO filament_to_fold (begins, completed_jobs, completed_grams, completed_cost, wasted_jobs, wasted_grams, wasted_cost)
  SELECT a.* FROM (
    SELECT c.begins,
      coalesce(sum(c.n) FILTER (WHERE c.use = 'completed'), 0) AS completed_jobs,
      coalesce(sum(c.grams) FILTER (WHERE c.use = 'completed'), 0) AS completed_grams,
      coalesce(sum(c.cost) FILTER (WHERE c.use = 'completed'), 0) AS completed_cost,
      coalesce(sum(c.n) FILTER (WHERE c.use = 'wasted'), 0) AS wasted_jobs,
      coalesce(sum(c.grams) FILTER (WHERE c.use = 'wasted'), 0) AS wasted_grams,
      coalesce(sum(c.cost) FILTER (WHERE c.use = 'wasted'), 0) AS wasted_cost
    FROM counted c WHERE c.use <> 'planned' GROUP BY c.begins
  ) a WHERE (a.completed_jobs, a.completed_grams, a.completed_cost, a.wasted_jobs, a.wasted_grams, a.wasted_cost)
    <> (0, 0, 0, 0, 0, 0);
  GET DIAGNOSTICS added = ROW_COUNT;
  IF added > 100 AND current_setting('transaction_isolation') = 'read committed' THEN
    PERFORM fold_filament(100000);
  END IF;
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION add_filament_on_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  added BIGINT;
BEGIN
  WITH counted AS (
    SELECT r.n, r.spool_id, filament_use(r.status, r.started_at) AS use,
      date_bin('15 minutes', coalesce(r.completed_at, r.updated_at), '2000-01-01Z') AS begins,
      r.n * r.grams_derived AS grams, r.n * r.cost_per_print AS cost
    FROM (SELECT 1 AS n, * FROM new_rows) r
  ), by_spool AS (
    SELECT a.* FROM (
      SELECT c.spool_id, coalesce(sum(c.grams) FILTER (WHERE c.use <> 'planned'), 0) AS used,
        coalesce(sum(c.grams) FILTER (WHERE c.use = 'planned'), 0) AS planned
      FROM counted c GROUP BY c.spool_id
    ) a WHERE a.used <> 0 OR a.planned <> 0
  ), at_once AS (
    INSERT INTO filament_by_spool AS s (spool_id, used_grams, planned_grams)
    SELECT * FROM by_spool WHERE current_setting('print_farm_gateway.sums', true) IS NOT DISTINCT FROM 'at once' ORDER BY spool_id
    ON CONFLICT (spool_id) DO UPDATE SET used_grams = s.used_grams + EXCLUDED.used_grams,
      planned_grams = s.planned_grams + EXCLUDED.planned_grams
  ), at_commit AS (
    INSERT INTO print_job_sums_to_add (spool_id, used_grams, planned_grams) SELECT * FROM by_spool WHERE NOT current_setting('print_farm_gateway.sums', true) IS NOT DISTINCT FROM 'at once'
  )
  INSERT INTO filament_to_fold (begins, completed_jobs, completed_grams, completed_cost, wasted_jobs, wasted_grams, wasted_cost)
  SELECT a.* FROM (
    SELECT c.begins,
      coalesce(sum(c.n) FILTER (WHERE c.use = 'completed'), 0) AS completed_jobs,
      coalesce(sum(c.grams) FILTER (WHERE c.use = 'completed'), 0) AS completed_grams,
      coalesce(sum(c.cost) FILTER (WHERE c.use = 'completed'), 0) AS completed_cost,
      coalesce(sum(c.n) FILTER (WHERE c.use = 'wasted'), 0) AS wasted_jobs,
      coalesce(sum(c.grams) FILTER (WHERE c.use = 'wasted'), 0) AS wasted_grams,
      coalesce(sum(c.cost) FILTER (WHERE c.use = 'wasted'), 0) AS wasted_cost
    FROM counted c WHERE c.use <> 'planned' GROUP BY c.begins
  ) a WHERE (a.completed_jobs, a.completed_grams, a.completed_cost, a.wasted_jobs, a.wasted_grams, a.wasted_cost)
    <> (0, 0, 0, 0, 0, 0);
  GET DIAGNOSTICS added = ROW_COUNT;
  IF added > 100 AND current_setting('transaction_isolation') = 'read committed' THEN
    PERFORM fold_filament(100000);
  END IF;
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION add_filament_on_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  added BIGINT;
BEGIN
  WITH counted AS (
    SELECT r.n, r.spool_id, filament_use(r.status, r.started_at) AS use,
      date_bin('15 minutes', coalesce(r.completed_at, r.updated_at), '2000-01-01Z') AS begins,
      r.n * r.grams_derived AS grams, r.n * r.cost_per_print AS cost
    FROM (SELECT 1 AS n, * FROM new_rows UNION ALL SELECT -1, * FROM old_rows) r
  ), by_spool AS (
    SELECT a.* FROM (
      SELECT c.spool_id, coalesce(sum(c.grams) FILTER (WHERE c.use <> 'planned'), 0) AS used,
        coalesce(sum(c.grams) FILTER (WHERE c.use = 'planned'), 0) AS planned
      FROM counted c GROUP BY c.spool_id
    ) a WHERE a.used <> 0 OR a.planned <> 0
  ), at_commit AS (
    INSERT INTO print_job_sums_to_add (spool_id, used_grams, planned_grams) SELECT * FROM by_spool WHERE true
  )
  INSERT INTO filament_to_fold (begins, completed_jobs, completed_grams, completed_cost, wasted_jobs, wasted_grams, wasted_cost)
  SELECT a.* FROM (
    SELECT c.begins,
      coalesce(sum(c.n) FILTER (WHERE c.use = 'completed'), 0) AS completed_jobs,
      coalesce(sum(c.grams) FILTER (WHERE c.use = 'completed'), 0) AS completed_grams,
      coalesce(sum(c.cost) FILTER (WHERE c.use = 'completed'), 0) AS completed_cost,
      coalesce(sum(c.n) FILTER (WHERE c.use = 'wasted'), 0) AS wasted_jobs,
      coalesce(sum(c.grams) FILTER (WHERE c.use = 'wasted'), 0) AS wasted_grams,
      coalesce(sum(c.cost) FILTER (WHERE c.use = 'wasted'), 0) AS wasted_cost
    FROM counted c WHERE c.use <> 'planned' GROUP BY c.begins
  ) a WHERE (a.completed_jobs, a.completed_grams, a.completed_cost, a.wasted_jobs, a.wasted_grams, a.wasted_cost)
    <> (0, 0, 0, 0, 0, 0);
  GET DIAGNOSTICS added = ROW_COUNT;
  IF added > 100 AND current_setting('transaction_isolation') = 'read committed' THEN
    PERFORM fold_filament(100000);
  END IF;
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION add_print_job_sums()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET enable_seqscan TO 'off'
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM "print_job_sums_to_add" a WHERE a."transaction" = NEW."transaction" AND a."id" = NEW."id") THEN
    INSERT INTO "filament_by_spool" AS s ("spool_id", "used_grams", "planned_grams")
    SELECT a."spool_id", sum(a."used_grams"), sum(a."planned_grams") FROM "print_job_sums_to_add" a
    WHERE a."transaction" = NEW."transaction" AND a."spool_id" IS NOT NULL
    GROUP BY 1 HAVING (sum(a."used_grams"), sum(a."planned_grams")) <> (0, 0) ORDER BY 1
    ON CONFLICT ("spool_id") DO UPDATE SET "used_grams" = s."used_grams" + EXCLUDED."used_grams",
      "planned_grams" = s."planned_grams" + EXCLUDED."planned_grams";
    INSERT INTO "print_job_counts" AS c ("printer_id", "status", "data_source", "jobs")
    SELECT a."printer_id", a."status", a."data_source", sum(a."jobs") FROM "print_job_sums_to_add" a
    WHERE a."transaction" = NEW."transaction" AND a."printer_id" IS NOT NULL
    GROUP BY 1, 2, 3 HAVING sum(a."jobs") <> 0 ORDER BY 1, 2, 3
    ON CONFLICT ("printer_id", "status", "data_source") DO UPDATE SET "jobs" = c."jobs" + EXCLUDED."jobs";
    DELETE FROM "print_job_sums_to_add" a WHERE a."transaction" = NEW."transaction";
  END IF;
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION camera_status_partitions()
 RETURNS TABLE(name text, first timestamp with time zone, "end" timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT c.relname, replace(trim('''' FROM b.bound[1]), 'MINVALUE', '-infinity')::TIMESTAMPTZ,
    replace(trim('''' FROM b.bound[2]), 'MAXVALUE', 'infinity')::TIMESTAMPTZ
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \((.+)\) TO \((.+)\)') b (bound)
  WHERE i.inhparent = 'camera_status'::REGCLASS
$function$
;

CREATE OR REPLACE FUNCTION change_horizon()
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT f."position_offset" + pg_snapshot_xmin(pg_current_snapshot())::TEXT::BIGINT FROM "change_feed" f
$function$
;

CREATE OR REPLACE FUNCTION change_position()
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RETURN (SELECT f."position_offset" FROM "change_feed" f) + greatest(
    pg_current_xact_id()::TEXT::BIGINT, pg_snapshot_xmax(pg_current_snapshot())::TEXT::BIGINT - 1);
END
$function$
;

CREATE OR REPLACE FUNCTION count_no_print_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  DELETE FROM "print_job_counts";
  DELETE FROM "print_job_sums_to_add" WHERE "printer_id" IS NOT NULL;
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION count_print_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF TG_OP = 'INSERT' AND current_setting('print_farm_gateway.sums', true) = 'at once' THEN
    INSERT INTO "print_job_counts" AS c ("printer_id", "status", "data_source", "jobs")
    SELECT "printer_id", "status", "data_source", count(*) FROM "new_rows" GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT ("printer_id", "status", "data_source") DO UPDATE SET "jobs" = c."jobs" + EXCLUDED."jobs";
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO "print_job_sums_to_add" ("printer_id", "status", "data_source", "jobs")
    SELECT "printer_id", "status", "data_source", count(*) FROM "new_rows" GROUP BY 1, 2, 3;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "print_job_sums_to_add" ("printer_id", "status", "data_source", "jobs")
    SELECT "printer_id", "status", "data_source", -count(*) FROM "old_rows" GROUP BY 1, 2, 3;
  ELSE
    INSERT INTO "print_job_sums_to_add" ("printer_id", "status", "data_source", "jobs")
    SELECT "printer_id", "status", "data_source", sum(d."change") FROM (
      SELECT "printer_id", "status", "data_source", 1 AS "change" FROM "new_rows"
      UNION ALL
      SELECT "printer_id", "status", "data_source", -1 FROM "old_rows"
    ) d GROUP BY 1, 2, 3 HAVING sum(d."change") <> 0;
  END IF;
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION filament_use(status text, started_at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (status = 'Completed'::text) THEN 'completed'::text WHEN ((status = 'Failed'::text) OR ((status = 'Cancelled'::text) AND (started_at IS NOT NULL))) THEN 'wasted'::text WHEN (status = ANY (ARRAY['Queued'::text, 'Printing'::text])) THEN 'planned'::text ELSE NULL::text END
;

CREATE OR REPLACE FUNCTION fill_filament()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  LOCK TABLE print_jobs IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM filament_to_fold;
  DELETE FROM filament_by_time;
  DELETE FROM filament_by_spool;
  DELETE FROM print_job_sums_to_add WHERE spool_id IS NOT NULL;

  WITH counted AS (
    SELECT r.n, r.spool_id, filament_use(r.status, r.started_at) AS use,
      date_bin('15 minutes', coalesce(r.completed_at, r.updated_at), '2000-01-01Z') AS begins,
      r.n * r.grams_derived AS grams, r.n * r.cost_per_print AS cost
    FROM (SELECT 1 AS n, * FROM print_jobs) r
  ), by_spool AS (
    SELECT a.* FROM (
      SELECT c.spool_id, coalesce(sum(c.grams) FILTER (WHERE c.use <> 'planned'), 0) AS used,
        coalesce(sum(c.grams) FILTER (WHERE c.use = 'planned'), 0) AS planned
      FROM counted c GROUP BY c.spool_id
    ) a WHERE a.used <> 0 OR a.planned <> 0
  ), at_once AS (
    INSERT INTO filament_by_spool AS s (spool_id, used_grams, planned_grams)
    SELECT * FROM by_spool WHERE true ORDER BY spool_id
    ON CONFLICT (spool_id) DO UPDATE SET used_grams = s.used_grams + EXCLUDED.used_grams,
      planned_grams = s.planned_grams + EXCLUDED.planned_grams
  )
  INSERT INTO filament_to_fold (begins, completed_jobs, completed_grams, completed_cost, wasted_jobs, wasted_grams, wasted_cost)
  SELECT a.* FROM (
    SELECT c.begins,
      coalesce(sum(c.n) FILTER (WHERE c.use = 'completed'), 0) AS completed_jobs,
      coalesce(sum(c.grams) FILTER (WHERE c.use = 'completed'), 0) AS completed_grams,
      coalesce(sum(c.cost) FILTER (WHERE c.use = 'completed'), 0) AS completed_cost,
      coalesce(sum(c.n) FILTER (WHERE c.use = 'wasted'), 0) AS wasted_jobs,
      coalesce(sum(c.grams) FILTER (WHERE c.use = 'wasted'), 0) AS wasted_grams,
      coalesce(sum(c.cost) FILTER (WHERE c.use = 'wasted'), 0) AS wasted_cost
    FROM counted c WHERE c.use <> 'planned' GROUP BY c.begins
  ) a WHERE (a.completed_jobs, a.completed_grams, a.completed_cost, a.wasted_jobs, a.wasted_grams, a.wasted_cost)
    <> (0, 0, 0, 0, 0, 0);
  WHILE fold_filament(100000) > 0 LOOP
  END LOOP;
END
$function$
;

CREATE OR REPLACE FUNCTION find_latest_status_again()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  "again" TEXT[];
BEGIN
  "again" := ARRAY(
    SELECT x."camera_id" FROM (
      SELECT l."camera_id", l."id" FROM "camera_latest_status" l
      WHERE l."camera_id" IN (SELECT o."camera_id" FROM "old_rows" o)
      ORDER BY l."camera_id" FOR UPDATE
    ) x WHERE EXISTS (SELECT FROM "old_rows" o WHERE o."camera_id" = x."camera_id" AND o."id" = x."id"));
  UPDATE "camera_latest_status" l SET
      "id" = s."id",
      "recorded_at" = s."recorded_at",
      "battery_pct" = s."battery_pct",
      "video_remaining_sec" = s."video_remaining_sec",
      "recording_state" = s."recording_state",
      "mode" = s."mode",
      "resolution" = s."resolution",
      "fps" = s."fps",
      "online" = s."online",
      "raw_battery_pct" = s."raw_battery_pct"
    FROM unnest("again") a ("camera_id") CROSS JOIN LATERAL (
      SELECT * FROM "camera_status" c WHERE c."camera_id" = a."camera_id"
      ORDER BY c."recorded_at" DESC, c."id" DESC LIMIT 1
    ) s WHERE l."camera_id" = a."camera_id";
  DELETE FROM "camera_latest_status" l WHERE l."camera_id" = ANY ("again")
    AND NOT EXISTS (SELECT FROM "camera_status" c WHERE c."camera_id" = l."camera_id");
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION fold_filament(rows bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  "folded" BIGINT := 0;
BEGIN
  IF pg_try_advisory_xact_lock('filament_by_time'::REGCLASS::BIGINT) THEN
    WITH gone AS (
      DELETE FROM "filament_to_fold" WHERE "id" IN (SELECT f."id" FROM "filament_to_fold" f ORDER BY f."id" LIMIT "rows")
      RETURNING *
    ), added AS (
      INSERT INTO "filament_by_time" AS t ("minutes", "begins", "completed_jobs", "completed_grams", "completed_cost",
        "wasted_jobs", "wasted_grams", "wasted_cost")
      SELECT m."minutes", date_bin(m."minutes" * INTERVAL '1 minute', g."begins", '2000-01-01Z'),
        sum(g."completed_jobs"), sum(g."completed_grams"), sum(g."completed_cost"),
        sum(g."wasted_jobs"), sum(g."wasted_grams"), sum(g."wasted_cost")
      FROM gone g, (VALUES (15), (60), (1440)) m ("minutes") GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT ("minutes", "begins") DO UPDATE SET
        "completed_jobs" = t."completed_jobs" + EXCLUDED."completed_jobs",
        "completed_grams" = t."completed_grams" + EXCLUDED."completed_grams",
        "completed_cost" = t."completed_cost" + EXCLUDED."completed_cost",
        "wasted_jobs" = t."wasted_jobs" + EXCLUDED."wasted_jobs",
        "wasted_grams" = t."wasted_grams" + EXCLUDED."wasted_grams",
        "wasted_cost" = t."wasted_cost" + EXCLUDED."wasted_cost"
    )
    SELECT count(*) INTO "folded" FROM gone;
  END IF;
  RETURN "folded";
END
$function$
;

CREATE OR REPLACE FUNCTION forget_filament()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  DELETE FROM "filament_to_fold";
  DELETE FROM "filament_by_time";
  DELETE FROM "filament_by_spool";
  DELETE FROM "print_job_sums_to_add" WHERE "spool_id" IS NOT NULL;
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION forget_latest_status()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  DELETE FROM "camera_latest_status";
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION forget_removed_camera(wanted text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  "camera" TEXT := (SELECT c."camera_id" FROM "cameras" c
    WHERE c."removed_at" IS NOT NULL AND ("wanted" IS NULL OR c."camera_id" = "wanted") LIMIT 1 FOR UPDATE SKIP LOCKED);
  "until"  TIMESTAMPTZ;
BEGIN
  IF "camera" IS NULL THEN
    RETURN NULL;
  END IF;
  "until" := (SELECT s."recorded_at" FROM "camera_status" s WHERE s."camera_id" = "camera"
    ORDER BY s."recorded_at" OFFSET 9999 LIMIT 1);
  IF "until" IS NOT NULL THEN
    DELETE FROM "camera_status" s WHERE s."camera_id" = "camera" AND s."recorded_at" <= "until";
    RETURN format('10000 records of the removed camera %s were deleted', "camera");
  END IF;
  DELETE FROM "camera_status" s WHERE s."camera_id" = "camera";
  DELETE FROM "camera_status_set_aside" s WHERE s."camera_id" = "camera";
  DELETE FROM "cameras" c WHERE c."camera_id" = "camera";
  RETURN format('the removed camera %s was deleted', "camera");
END
$function$
;

CREATE OR REPLACE FUNCTION keep_latest_status_on_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM "new_rows" n WHERE n."recorded_at" > now() + INTERVAL '25 hours') THEN
    RAISE EXCEPTION 'new row for relation "camera_status" violates check constraint "camera_status_not_ahead"'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'camera_status_not_ahead', TABLE = 'camera_status',
        DETAIL = 'recorded_at is more than 25 hours later than now.';
  END IF;
  INSERT INTO "camera_latest_status" AS l ("id", "camera_id", "recorded_at", "battery_pct", "video_remaining_sec", "recording_state", "mode", "resolution", "fps", "online", "raw_battery_pct")
  SELECT DISTINCT ON (n."camera_id") n."id", n."camera_id", n."recorded_at", n."battery_pct", n."video_remaining_sec", n."recording_state", n."mode", n."resolution", n."fps", n."online", n."raw_battery_pct"
  FROM "new_rows" n ORDER BY n."camera_id", n."recorded_at" DESC, n."id" DESC
  ON CONFLICT ("camera_id") DO UPDATE SET
      "id" = EXCLUDED."id",
      "recorded_at" = EXCLUDED."recorded_at",
      "battery_pct" = EXCLUDED."battery_pct",
      "video_remaining_sec" = EXCLUDED."video_remaining_sec",
      "recording_state" = EXCLUDED."recording_state",
      "mode" = EXCLUDED."mode",
      "resolution" = EXCLUDED."resolution",
      "fps" = EXCLUDED."fps",
      "online" = EXCLUDED."online",
      "raw_battery_pct" = EXCLUDED."raw_battery_pct"
    WHERE (EXCLUDED."recorded_at", EXCLUDED."id") > (l."recorded_at", l."id");
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION maintain_camera_status(now timestamp with time zone, retention_days integer)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$ SELECT maintain_status_log("retention_days", now()) $function$
;

CREATE OR REPLACE FUNCTION maintain_status_log(retention_days integer, now timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SET "TimeZone" TO 'UTC'
 SET lock_timeout TO '200ms'
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  "week"    CONSTANT TIMESTAMPTZ := date_trunc('week', "now");
  "soon"    CONSTANT TIMESTAMPTZ := "now" + INTERVAL '25 hours';
  "horizon" CONSTANT TIMESTAMPTZ := "week" + INTERVAL '6 weeks';
  "kept"    CONSTANT TIMESTAMPTZ := coalesce(date_trunc('week', "now" - make_interval(days => "retention_days")), '-infinity');
  "first"   TIMESTAMPTZ;
  "later"   TIMESTAMPTZ;
  "end"     TIMESTAMPTZ;
  "name"    TEXT;
  "filled"  BOOLEAN;
  "gone"    TEXT[] := '{}';
  "moved"   BIGINT;
BEGIN
  -- Of several gateways one works.
  IF NOT pg_try_advisory_xact_lock('camera_status'::REGCLASS::BIGINT) THEN
    RETURN NULL;
  END IF;

  -- Records of the far future. The literal keeps the partitions of the past out of the plan.
  IF EXISTS (SELECT FROM "camera_latest_status" WHERE "recorded_at" > "soon") THEN
    EXECUTE format('WITH ahead AS (
        SELECT s.camera_id, s.recorded_at, s.id FROM camera_latest_status l
        JOIN camera_status s ON s.camera_id = l.camera_id AND s.recorded_at > %1$L
        WHERE l.recorded_at > %1$L LIMIT 10000
      ), gone AS (
        DELETE FROM camera_status s USING ahead a
        WHERE s.recorded_at > %1$L AND (s.camera_id, s.recorded_at, s.id) = (a.camera_id, a.recorded_at, a.id) RETURNING s.*
      ) INSERT INTO camera_status_set_aside (camera_id, recorded_at, id, record)
        SELECT g.camera_id, g.recorded_at, g.id, to_json(g) FROM gone g
        ON CONFLICT (camera_id, recorded_at, id) DO UPDATE SET record = excluded.record, set_aside_at = now()', "soon");
    GET DIAGNOSTICS "moved" = ROW_COUNT;
    IF "moved" > 0 THEN
      RETURN format('%s records of more than a day ahead were moved to camera_status_set_aside', "moved");
    END IF;
  END IF;

  -- Empty partitions that a wrong clock has made.
  FOR "name", "first" IN SELECT p."name", p."first" FROM camera_status_partitions() p
    WHERE p."end" > "horizon" AND p."first" > '-infinity' ORDER BY p."end" DESC LIMIT 50
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %I)', "name") INTO "filled";
    EXIT WHEN "filled";
    "gone" := "gone" || "name";
    "later" := "first";
  END LOOP;
  IF cardinality("gone") > 1 THEN
    LOCK TABLE "cameras" IN SHARE ROW EXCLUSIVE MODE;
    LOCK TABLE ONLY "camera_status" IN ACCESS EXCLUSIVE MODE;
    EXECUTE (SELECT 'DROP TABLE ' || string_agg(quote_ident(g), ', ') FROM unnest("gone") g);
    EXECUTE format('CREATE TABLE camera_status_later PARTITION OF camera_status FOR VALUES FROM (%L) TO (MAXVALUE)', "later");
    RETURN format('%s empty partitions of the far future were dropped', cardinality("gone") - 1);
  END IF;

  -- A hole between two partitions refuses the records of its time. The retention leaves one, which is older than itself. A
  -- clock that was once ahead of the retention leaves another one: the weeks of now were dropped as too old, and then the
  -- empty ones of its future.
  SELECT greatest(p."end", "kept"), p."next" INTO "later", "first" FROM (
    SELECT q."end", lead(q."first") OVER (ORDER BY q."first") AS "next" FROM camera_status_partitions() q
  ) p WHERE p."end" < p."next" AND p."next" > "kept" ORDER BY p."end" LIMIT 1;
  IF FOUND THEN
    LOCK TABLE "cameras" IN SHARE ROW EXCLUSIVE MODE;
    LOCK TABLE ONLY "camera_status" IN ACCESS EXCLUSIVE MODE;
    WHILE "later" < "first" LOOP
      "end" := least(greatest("later" + INTERVAL '1 week', "week"), "first");
      EXECUTE format('CREATE TABLE %I PARTITION OF camera_status FOR VALUES FROM (%L) TO (%L)',
        'camera_status_' || to_char("later", 'YYYYMMDD'), "later", "end");
      "later" := "end";
    END LOOP;
    RETURN format('partitions were made in a hole that ended at %s', "first"::DATE);
  END IF;

  -- Partitions of the next six weeks, when fewer than three are ahead. The time without a gateway is one partition.
  SELECT p."first" INTO "later" FROM camera_status_partitions() p WHERE p."name" = 'camera_status_later';
  IF "later" < "week" + INTERVAL '3 weeks' THEN
    "filled" := EXISTS (SELECT FROM "camera_status_later");
    IF "filled" THEN
      -- Other programs wrote while no gateway made partitions. Their records stay where they are.
      LOCK TABLE "cameras", ONLY "camera_status" IN ACCESS EXCLUSIVE MODE;
      "name" := 'camera_status_' || to_char("later", 'YYYYMMDD');
      "end" := greatest("later" + INTERVAL '1 week', "week" + INTERVAL '2 weeks');
      ALTER TABLE "camera_status" DETACH PARTITION "camera_status_later";
      EXECUTE format('ALTER TABLE camera_status_later RENAME TO %I', "name");
      EXECUTE format('ALTER TABLE %I RENAME CONSTRAINT camera_status_later_pkey TO %I', "name", "name" || '_pkey');
      EXECUTE format('ALTER TABLE camera_status ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', "name", "later", "end");
      "later" := "end";
    ELSE
      LOCK TABLE "cameras" IN SHARE ROW EXCLUSIVE MODE;
      LOCK TABLE ONLY "camera_status" IN ACCESS EXCLUSIVE MODE;
      IF EXISTS (SELECT FROM "camera_status_later") THEN
        RETURN 'a record came first';
      END IF;
      DROP TABLE "camera_status_later";
    END IF;
    WHILE "later" < "horizon" LOOP
      "end" := greatest("later" + INTERVAL '1 week', "week");
      EXECUTE format('CREATE TABLE %I PARTITION OF camera_status FOR VALUES FROM (%L) TO (%L)',
        'camera_status_' || to_char("later", 'YYYYMMDD'), "later", "end");
      "later" := "end";
    END LOOP;
    EXECUTE format('CREATE TABLE camera_status_later PARTITION OF camera_status FOR VALUES FROM (%L) TO (MAXVALUE)', "later");
    RETURN format('partitions were made up to %s', "later"::DATE);
  END IF;

  -- What is wholly older than the retention. The latest status of a camera stays, because no trigger sees a partition go.
  FOR "name" IN SELECT p."name" FROM camera_status_partitions() p
    WHERE p."end" <= "now" - make_interval(days => "retention_days") ORDER BY p."end"
  LOOP
    IF "name" <> 'camera_status_earlier' THEN
      EXECUTE format('DROP TABLE %I', "name");
      RETURN format('the partition %s was dropped', "name");
    ELSIF EXISTS (SELECT FROM "camera_status_earlier") THEN
      TRUNCATE "camera_status_earlier";
      RETURN 'the partition camera_status_earlier was emptied';
    END IF;
  END LOOP;
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION matches_in_any_case(text text, pattern text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((text COLLATE "default") ~~* pattern)
;

CREATE OR REPLACE FUNCTION note_print_job_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  "position" BIGINT := change_position();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity", "job")
    SELECT "position", 'PRINT_JOB', 'CREATED', n."id", json_build_array(NULL, n."status", n."printer_id", n."spool_id",
      n."data_source", n."created_at", n."print_name")
    FROM "new_rows" n ORDER BY n."created_at", n."id";
    INSERT INTO "print_job_status_changes" ("job_id", "to_status", "at")
    SELECT n."id", n."status", n."created_at" FROM "new_rows" n WHERE n."status" <> 'Queued';
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity", "job")
    SELECT "position", 'PRINT_JOB', CASE WHEN o IS NULL THEN 'CREATED' WHEN n IS NULL THEN 'DELETED' ELSE 'UPDATED' END,
      coalesce(n."id", o."id"), json_build_array(o."status", n."status", coalesce(n."printer_id", o."printer_id"),
        coalesce(n."spool_id", o."spool_id"), coalesce(n."data_source", o."data_source"),
        coalesce(n."created_at", o."created_at"), coalesce(n."print_name", o."print_name"))
    FROM "old_rows" o FULL JOIN "new_rows" n ON n."id" = o."id" WHERE o IS DISTINCT FROM n ORDER BY coalesce(n."id", o."id");
    INSERT INTO "print_job_status_changes" ("job_id", "from_status", "to_status", "at")
    SELECT n."id", o."status", n."status",
      CASE WHEN n."updated_at" <> o."updated_at" THEN n."updated_at" ELSE clock_timestamp() END
    FROM "new_rows" n LEFT JOIN "old_rows" o ON o."id" = n."id" WHERE n."status" <> coalesce(o."status", 'Queued');
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity", "job")
    SELECT "position", 'PRINT_JOB', 'DELETED', o."id", json_build_array(o."status", NULL, o."printer_id", o."spool_id",
      o."data_source", o."created_at", o."print_name")
    FROM "old_rows" o ORDER BY o."id";
    DELETE FROM "print_job_status_changes" c USING "old_rows" o WHERE c."job_id" = o."id";
  ELSE
    INSERT INTO "changes" ("position", "type", "kind", "entity", "job")
    SELECT "position", 'PRINT_JOB', 'DELETED', o."id", json_build_array(o."status", NULL, o."printer_id", o."spool_id",
      o."data_source", o."created_at", o."print_name")
    FROM "print_jobs" o ORDER BY o."id";
    TRUNCATE "print_job_status_changes";
  END IF;
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION note_row_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  "rows" TEXT := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT ''CREATED'' AS kind, n.%1$I::text AS entity FROM new_rows n %4$s'
    WHEN 'DELETE' THEN 'SELECT ''DELETED'' AS kind, o.%1$I::text AS entity FROM old_rows o %4$s'
    WHEN 'TRUNCATE' THEN 'SELECT ''DELETED'' AS kind, o.%1$I::text AS entity FROM %2$I.%3$I o %4$s'
    ELSE 'SELECT CASE WHEN o IS NULL THEN ''CREATED'' WHEN n IS NULL THEN ''DELETED'' ELSE ''UPDATED'' END AS kind,
        coalesce(n.%1$I, o.%1$I)::text AS entity
      FROM (SELECT * FROM old_rows %4$s) o FULL JOIN (SELECT * FROM new_rows %4$s) n ON n.%1$I = o.%1$I
      WHERE o IS DISTINCT FROM n' END;
BEGIN
  EXECUTE format('INSERT INTO changes (position, type, kind, entity) SELECT $1, $2, r.kind, r.entity FROM ('
    || "rows" || ') r ORDER BY r.entity', TG_ARGV[1], TG_TABLE_SCHEMA, TG_TABLE_NAME, TG_ARGV[2])
    USING change_position(), TG_ARGV[0];
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION note_status_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  "position" BIGINT := change_position();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity", "recorded_at", "record_id")
    SELECT "position", 'CAMERA_STATUS', 'CREATED', n."camera_id", n."recorded_at", n."id"
    FROM "new_rows" n ORDER BY n."id";
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity")
    SELECT DISTINCT "position", 'CAMERA', 'UPDATED', c."camera_id"
    FROM (
      (SELECT * FROM "old_rows" EXCEPT ALL SELECT * FROM "new_rows")
      UNION ALL (SELECT * FROM "new_rows" EXCEPT ALL SELECT * FROM "old_rows")
    ) r JOIN "cameras" c ON c."camera_id" = r."camera_id" AND c."removed_at" IS NULL ORDER BY c."camera_id";
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "changes" ("position", "type", "kind", "entity")
    SELECT DISTINCT "position", 'CAMERA', 'UPDATED', c."camera_id"
    FROM "old_rows" o JOIN "cameras" c ON c."camera_id" = o."camera_id" AND c."removed_at" IS NULL ORDER BY c."camera_id";
  ELSE
    INSERT INTO "changes" ("position", "type", "kind", "entity")
    SELECT "position", 'CAMERA', 'UPDATED', l."camera_id" FROM "camera_latest_status" l ORDER BY l."camera_id";
  END IF;
  RETURN NULL;
END
$function$
;

CREATE OR REPLACE FUNCTION record_camera_statuses(records json, now timestamp with time zone)
 RETURNS SETOF camera_status
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  "given"   "camera_status"[] := ARRAY(SELECT r FROM json_populate_recordset(NULL::"camera_status", "records") r);
  "answers" "camera_status"[] := '{}';
  "new"     "camera_status"[] := '{}';
  "wanted"  TEXT[];
  "known"   TEXT[];
  "times"   TIMESTAMPTZ[];
  "camera"  TEXT;
  "last"    TIMESTAMPTZ;
  "at"      TIMESTAMPTZ(3);
  "taken"   BIGINT;
  "row"     "camera_status";
  "answer"  "camera_status";
BEGIN
  "wanted" := ARRAY(SELECT g."camera_id" FROM unnest("given") g);
  "known" := ARRAY(SELECT c."camera_id" FROM "cameras" c WHERE c."removed_at" IS NULL AND c."camera_id" = ANY ("wanted")
    ORDER BY c."camera_id" FOR NO KEY UPDATE);
  FOR "camera" IN SELECT unnest("wanted") EXCEPT SELECT unnest("known") LOOP
    "row" := NULL;
    "row"."camera_id" := "camera";
    RETURN NEXT "row";
  END LOOP;
  IF FOUND THEN
    RETURN;
  END IF;

  "camera" := NULL;
  FOREACH "row" IN ARRAY "given" LOOP
    IF "camera" IS DISTINCT FROM "row"."camera_id" THEN
      "camera" := "row"."camera_id";
      "answer" := NULL;
      "times" := '{}';
      "at" := "now";
      SELECT l."recorded_at" INTO "last" FROM "camera_latest_status" l WHERE l."camera_id" = "camera";
      "last" := coalesce("last", '-infinity');
    END IF;
    IF "row"."recorded_at" IS NULL THEN
      -- "last" is never earlier than a time of this call, so beyond it everything is free.
      WHILE "at" <= "last" LOOP
        -- The milliseconds from "at" on that are taken without a gap, counted up to 1,000.
        SELECT count(*) INTO "taken" FROM (
          SELECT s."recorded_at", row_number() OVER (ORDER BY s."recorded_at") - 1 AS "n" FROM (
            SELECT DISTINCT c."recorded_at" FROM "camera_status" c
            WHERE c."camera_id" = "camera" AND c."recorded_at" >= "at" ORDER BY 1 LIMIT 1000
          ) s
        ) x WHERE x."recorded_at" = "at" + x."n" * INTERVAL '1 millisecond';
        IF "taken" = 1000 THEN
          "at" := "last" + INTERVAL '1 millisecond';
        ELSE
          "at" := "at" + "taken" * INTERVAL '1 millisecond';
        END IF;
        EXIT WHEN NOT "at" = ANY ("times");
        "at" := "at" + INTERVAL '1 millisecond';
      END LOOP;
      "row"."recorded_at" := "at";
      "at" := "at" + INTERVAL '1 millisecond';
      "answer" := NULL;
    ELSIF "row"."recorded_at" IS DISTINCT FROM "answer"."recorded_at" THEN
      "answer" := NULL;
      IF "row"."recorded_at" <= "last" THEN
        SELECT * INTO "answer" FROM "camera_status" s
          WHERE s."camera_id" = "camera" AND s."recorded_at" = "row"."recorded_at" ORDER BY s."id" DESC LIMIT 1;
      END IF;
    END IF;
    IF "answer"."id" IS NULL THEN
      "row"."id" := nextval('camera_status_id_seq');
      "answer" := "row";
      "new" := "new" || "row";
      "last" := greatest("last", "row"."recorded_at");
      "times" := "times" || "row"."recorded_at";
    END IF;
    "answers" := "answers" || "answer";
  END LOOP;

  INSERT INTO "camera_status" SELECT n.* FROM unnest("new") n;
  RETURN QUERY SELECT a.* FROM unnest("answers") a;
END
$function$
;

CREATE OR REPLACE FUNCTION record_camera_statuses(camera_ids text[], times timestamp with time zone[], battery_pcts double precision[], video_remaining_secs integer[], recording_states text[], modes text[], resolutions text[], fpss double precision[], onlines boolean[], raw_battery_pcts double precision[], now timestamp with time zone)
 RETURNS SETOF camera_status
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  "known"  TEXT[];
  "row"    "camera_status";
  "latest" TIMESTAMPTZ[];
  "first"  INTEGER;
  "last"   TIMESTAMPTZ;
  "at"     TIMESTAMPTZ(3);
  "taken"  BOOLEAN;
  "fresh"  BOOLEAN[] := '{}';
BEGIN
  "known" := ARRAY(SELECT c."camera_id" FROM "cameras" c WHERE c."removed_at" IS NULL AND c."camera_id" = ANY ("camera_ids")
    ORDER BY c."camera_id" FOR NO KEY UPDATE);
  IF cardinality("known") < cardinality("camera_ids") THEN
    FOR "row" IN SELECT NULL, x.* FROM (SELECT unnest("camera_ids") EXCEPT SELECT unnest("known")) x LOOP
      RETURN NEXT "row";
    END LOOP;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;

  "latest" := ARRAY(SELECT (SELECT l."recorded_at" FROM "camera_latest_status" l WHERE l."camera_id" = x)
    FROM unnest("camera_ids") x);
  FOR i IN 1..cardinality("camera_ids") LOOP
    IF i = 1 OR "camera_ids"[i] <> "camera_ids"[i - 1] THEN
      "first" := i;
      "last" := coalesce("latest"[i], '-infinity');
      "at" := "now";
    END IF;
    "taken" := false;
    IF "times"[i] IS NULL THEN
      WHILE "at" <= "last" LOOP
        "taken" := "at" = ANY ("times"["first":i - 1]) OR EXISTS (
          SELECT FROM "camera_status" s WHERE s."camera_id" = "camera_ids"[i] AND s."recorded_at" = "at");
        EXIT WHEN NOT "taken";
        "at" := "at" + INTERVAL '1 millisecond';
        "taken" := false;
      END LOOP;
      "times"[i] := "at";
    ELSIF "times"[i] <= "last" THEN
      "taken" := i > "first" AND "times"[i] = "times"[i - 1] OR EXISTS (
        SELECT FROM "camera_status" s WHERE s."camera_id" = "camera_ids"[i] AND s."recorded_at" = "times"[i]);
    END IF;
    "last" := greatest("last", "times"[i]);
    "fresh"[i] := NOT "taken";
  END LOOP;

  FOR "row" IN
    INSERT INTO "camera_status" ("camera_id", "recorded_at", "battery_pct", "video_remaining_sec", "recording_state",
      "mode", "resolution", "fps", "online", "raw_battery_pct")
    SELECT x."camera_id", x."at", x."battery_pct", x."video_remaining_sec", x."recording_state", x."mode",
      x."resolution", x."fps", x."online", x."raw_battery_pct"
    FROM unnest("camera_ids", "times", "battery_pcts", "video_remaining_secs", "recording_states", "modes",
      "resolutions", "fpss", "onlines", "raw_battery_pcts", "fresh") AS x ("camera_id", "at", "battery_pct",
      "video_remaining_sec", "recording_state", "mode", "resolution", "fps", "online", "raw_battery_pct", "fresh")
    WHERE x."fresh"
    RETURNING *
  LOOP
    CONTINUE WHEN false = ANY ("fresh");
    RETURN NEXT "row";
  END LOOP;
  IF false = ANY ("fresh") THEN
    RETURN QUERY SELECT s.* FROM unnest("camera_ids", "times") WITH ORDINALITY AS x ("camera_id", "at", n)
      CROSS JOIN LATERAL (
        SELECT * FROM "camera_status" s WHERE s."camera_id" = x."camera_id" AND s."recorded_at" = x."at"
        ORDER BY s."id" DESC LIMIT 1
      ) s ORDER BY x.n;
  END IF;
END
$function$
;

CREATE TRIGGER latest_status_1_delete AFTER DELETE ON camera_status REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION find_latest_status_again();

CREATE TRIGGER latest_status_1_update AFTER UPDATE ON camera_status REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION find_latest_status_again();

CREATE TRIGGER latest_status_2_insert AFTER INSERT ON camera_status REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_latest_status_on_insert();

CREATE TRIGGER latest_status_2_update AFTER UPDATE ON camera_status REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_latest_status_on_insert();

CREATE TRIGGER latest_status_truncate AFTER TRUNCATE ON camera_status FOR EACH STATEMENT EXECUTE FUNCTION forget_latest_status();

CREATE TRIGGER note_changes_delete AFTER DELETE ON camera_status REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_status_changes();

CREATE TRIGGER note_changes_insert AFTER INSERT ON camera_status REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_status_changes();

CREATE TRIGGER note_changes_truncate BEFORE TRUNCATE ON camera_status FOR EACH STATEMENT EXECUTE FUNCTION note_status_changes();

CREATE TRIGGER note_changes_update AFTER UPDATE ON camera_status REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_status_changes();

CREATE TRIGGER note_changes_delete AFTER DELETE ON cameras REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_row_changes('CAMERA', 'camera_id', 'WHERE removed_at IS NULL');

CREATE TRIGGER note_changes_insert AFTER INSERT ON cameras REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_row_changes('CAMERA', 'camera_id', 'WHERE removed_at IS NULL');

CREATE TRIGGER note_changes_truncate BEFORE TRUNCATE ON cameras FOR EACH STATEMENT EXECUTE FUNCTION note_row_changes('CAMERA', 'camera_id', 'WHERE removed_at IS NULL');

CREATE TRIGGER note_changes_update AFTER UPDATE ON cameras REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_row_changes('CAMERA', 'camera_id', 'WHERE removed_at IS NULL');

CREATE TRIGGER note_changes_delete AFTER DELETE ON materials REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_row_changes('MATERIAL', 'id');

CREATE TRIGGER note_changes_insert AFTER INSERT ON materials REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_row_changes('MATERIAL', 'id');

CREATE TRIGGER note_changes_truncate BEFORE TRUNCATE ON materials FOR EACH STATEMENT EXECUTE FUNCTION note_row_changes('MATERIAL', 'id');

CREATE TRIGGER note_changes_update AFTER UPDATE ON materials REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_row_changes('MATERIAL', 'id');

CREATE CONSTRAINT TRIGGER add_print_job_sums AFTER INSERT ON print_job_sums_to_add DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION add_print_job_sums();

CREATE TRIGGER filament_delete AFTER DELETE ON print_jobs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION add_filament_on_delete();

CREATE TRIGGER filament_insert AFTER INSERT ON print_jobs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION add_filament_on_insert();

CREATE TRIGGER filament_truncate AFTER TRUNCATE ON print_jobs FOR EACH STATEMENT EXECUTE FUNCTION forget_filament();

CREATE TRIGGER filament_update AFTER UPDATE ON print_jobs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION add_filament_on_update();

CREATE TRIGGER note_changes_delete AFTER DELETE ON print_jobs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_print_job_changes();

CREATE TRIGGER note_changes_insert AFTER INSERT ON print_jobs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_print_job_changes();

CREATE TRIGGER note_changes_truncate BEFORE TRUNCATE ON print_jobs FOR EACH STATEMENT EXECUTE FUNCTION note_print_job_changes();

CREATE TRIGGER note_changes_update AFTER UPDATE ON print_jobs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_print_job_changes();

CREATE TRIGGER print_job_counts_delete AFTER DELETE ON print_jobs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_print_jobs();

CREATE TRIGGER print_job_counts_insert AFTER INSERT ON print_jobs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_print_jobs();

CREATE TRIGGER print_job_counts_truncate AFTER TRUNCATE ON print_jobs FOR EACH STATEMENT EXECUTE FUNCTION count_no_print_jobs();

CREATE TRIGGER print_job_counts_update AFTER UPDATE ON print_jobs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_print_jobs();

CREATE TRIGGER note_changes_delete AFTER DELETE ON printers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_row_changes('PRINTER', 'id');

CREATE TRIGGER note_changes_insert AFTER INSERT ON printers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_row_changes('PRINTER', 'id');

CREATE TRIGGER note_changes_truncate BEFORE TRUNCATE ON printers FOR EACH STATEMENT EXECUTE FUNCTION note_row_changes('PRINTER', 'id');

CREATE TRIGGER note_changes_update AFTER UPDATE ON printers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_row_changes('PRINTER', 'id');

CREATE TRIGGER note_changes_delete AFTER DELETE ON spools REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_row_changes('SPOOL', 'id');

CREATE TRIGGER note_changes_insert AFTER INSERT ON spools REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_row_changes('SPOOL', 'id');

CREATE TRIGGER note_changes_truncate BEFORE TRUNCATE ON spools FOR EACH STATEMENT EXECUTE FUNCTION note_row_changes('SPOOL', 'id');

CREATE TRIGGER note_changes_update AFTER UPDATE ON spools REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_row_changes('SPOOL', 'id');
