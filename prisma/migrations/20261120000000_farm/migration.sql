-- The farm: cameras, materials, printers, spools and print jobs. Texts whose order is promised are collated "C" (code points, whatever the database's own
-- collation). An upper bound on every number and time keeps NaN and infinity out: in PostgreSQL NaN sorts above all.

CREATE TABLE "cameras" (
  "camera_id"     TEXT COLLATE "C" NOT NULL,
  "friendly_name" TEXT COLLATE "C" NOT NULL,
  "mac_address"   TEXT COLLATE "C",
  "created_at"    TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "updated_at"    TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "cameras_pkey" PRIMARY KEY ("camera_id"),
  CONSTRAINT "cameras_camera_id_not_empty" CHECK ("camera_id" <> ''),
  CONSTRAINT "cameras_friendly_name_not_empty" CHECK ("friendly_name" <> ''),
  CONSTRAINT "cameras_times" CHECK ("created_at" >= '0001-01-01Z' AND "created_at" < '10000-01-01Z'
    AND "updated_at" >= '0001-01-01Z' AND "updated_at" < '10000-01-01Z')
);
CREATE UNIQUE INDEX "cameras_mac_address_key" ON "cameras" ("mac_address");

CREATE TABLE "materials" (
  "id"                UUID NOT NULL,
  "name"              TEXT COLLATE "C" NOT NULL,
  "density_g_per_cm3" NUMERIC NOT NULL,
  CONSTRAINT "materials_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "materials_name_not_empty" CHECK ("name" <> ''),
  CONSTRAINT "materials_density" CHECK ("density_g_per_cm3" > 0 AND "density_g_per_cm3" < 1e18)
);
CREATE UNIQUE INDEX "materials_name_key" ON "materials" ("name");

CREATE TABLE "printers" (
  "id"         UUID NOT NULL,
  "name"       TEXT COLLATE "C" NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "printers_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "printers_name_not_empty" CHECK ("name" <> ''),
  CONSTRAINT "printers_times" CHECK ("created_at" >= '0001-01-01Z' AND "created_at" < '10000-01-01Z'
    AND "updated_at" >= '0001-01-01Z' AND "updated_at" < '10000-01-01Z')
);
CREATE INDEX "printers_by_name" ON "printers" ("name", "id");

CREATE TABLE "spools" (
  "id"                   UUID NOT NULL,
  "spool_serial"         TEXT COLLATE "C" NOT NULL,
  "filament_diameter_mm" NUMERIC NOT NULL,
  "weight_total_grams"   NUMERIC NOT NULL,
  "purchase_price"       NUMERIC,
  "material_id"          UUID NOT NULL,
  "created_at"           TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "updated_at"           TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "spools_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "spools_material_id_fkey" FOREIGN KEY ("material_id") REFERENCES "materials" ("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "spools_serial_not_empty" CHECK ("spool_serial" <> ''),
  CONSTRAINT "spools_diameter" CHECK ("filament_diameter_mm" > 0 AND "filament_diameter_mm" < 1e18),
  CONSTRAINT "spools_weight" CHECK ("weight_total_grams" >= 0 AND "weight_total_grams" < 1e18),
  CONSTRAINT "spools_price" CHECK ("purchase_price" >= 0 AND "purchase_price" < 1e18),
  CONSTRAINT "spools_times" CHECK ("created_at" >= '0001-01-01Z' AND "created_at" < '10000-01-01Z'
    AND "updated_at" >= '0001-01-01Z' AND "updated_at" < '10000-01-01Z')
);
CREATE UNIQUE INDEX "spools_spool_serial_key" ON "spools" ("spool_serial");
CREATE INDEX "spools_by_material" ON "spools" ("material_id");

CREATE TABLE "print_jobs" (
  "id"                            UUID NOT NULL,
  "printer_id"                    UUID NOT NULL,
  "spool_id"                      UUID NOT NULL,
  "print_name"                    TEXT NOT NULL,
  "gcode_file_path"               TEXT NOT NULL,
  "mm_extruded"                   NUMERIC NOT NULL,
  "grams_derived"                 NUMERIC NOT NULL,
  "cost_per_print"                NUMERIC NOT NULL,
  "started_at"                    TIMESTAMPTZ(3),
  "completed_at"                  TIMESTAMPTZ(3),
  "status"                        TEXT COLLATE "C" NOT NULL,
  "data_source"                   TEXT COLLATE "C" NOT NULL,
  "filament_diameter_at_print_mm" NUMERIC NOT NULL,
  "material_density_at_print"     NUMERIC NOT NULL,
  "notes"                         TEXT,
  "created_at"                    TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "updated_at"                    TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "print_jobs_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "print_jobs_printer_id_fkey" FOREIGN KEY ("printer_id") REFERENCES "printers" ("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "print_jobs_spool_id_fkey" FOREIGN KEY ("spool_id") REFERENCES "spools" ("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "print_jobs_status" CHECK ("status" IN ('Queued', 'Printing', 'Completed', 'Cancelled', 'Failed')),
  CONSTRAINT "print_jobs_data_source" CHECK ("data_source" IN ('Mqtt', 'PrinterApi', 'Manual')),
  CONSTRAINT "print_jobs_amounts" CHECK ("mm_extruded" >= 0 AND "mm_extruded" < 1e18
    AND "grams_derived" >= 0 AND "grams_derived" < 1e30 AND "cost_per_print" >= 0 AND "cost_per_print" < 1e30
    AND "filament_diameter_at_print_mm" >= 0 AND "filament_diameter_at_print_mm" < 1e18
    AND "material_density_at_print" >= 0 AND "material_density_at_print" < 1e18),
  CONSTRAINT "print_jobs_times" CHECK ("created_at" >= '0001-01-01Z' AND "created_at" < '10000-01-01Z'
    AND "updated_at" >= '0001-01-01Z' AND "updated_at" < '10000-01-01Z'
    AND "started_at" >= '0001-01-01Z' AND "started_at" < '10000-01-01Z'
    AND "completed_at" >= '0001-01-01Z' AND "completed_at" < '10000-01-01Z')
);
CREATE INDEX "print_jobs_newest" ON "print_jobs" ("created_at" DESC, "id" DESC);
-- No time or id is null. NULLS LAST keeps a list that asks for it out of the index above, whose walk would be as long as
-- the whole table for a printer that has not printed for years.
CREATE INDEX "print_jobs_by_status" ON "print_jobs" ("status", "created_at" DESC NULLS LAST, "id" DESC NULLS LAST);
CREATE INDEX "print_jobs_by_printer" ON "print_jobs" ("printer_id", "created_at" DESC NULLS LAST, "id" DESC NULLS LAST);
CREATE INDEX "print_jobs_by_spool" ON "print_jobs" ("spool_id", "created_at" DESC NULLS LAST, "id" DESC NULLS LAST);
CREATE INDEX "print_jobs_by_data_source" ON "print_jobs" ("data_source", "created_at" DESC NULLS LAST, "id" DESC NULLS LAST);
