-- Materials, printers and spools. Texts whose order is promised are collated "C" (code points, whatever the database's own
-- collation). An upper bound on every number and time keeps NaN and infinity out: in PostgreSQL NaN sorts above all.

CREATE TABLE "materials" (
  "id"                UUID NOT NULL,
  "name"              TEXT COLLATE "C" NOT NULL,
  "density_g_per_cm3" NUMERIC NOT NULL,
  "archived_at"       TIMESTAMPTZ(3),
  CONSTRAINT "materials_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "materials_name_not_empty" CHECK ("name" <> ''),
  CONSTRAINT "materials_density" CHECK ("density_g_per_cm3" > 0 AND "density_g_per_cm3" < 1e18)
);
CREATE UNIQUE INDEX "materials_name_key" ON "materials" ("name");

CREATE TABLE "printers" (
  "id"          UUID NOT NULL,
  "name"        TEXT COLLATE "C" NOT NULL,
  "created_at"  TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "updated_at"  TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "archived_at" TIMESTAMPTZ(3),
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
  "archived_at"          TIMESTAMPTZ(3),
  "color_hex"            TEXT COLLATE "C",
  "vendor"               TEXT,
  CONSTRAINT "spools_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "spools_material_id_fkey" FOREIGN KEY ("material_id") REFERENCES "materials" ("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "spools_serial_not_empty" CHECK ("spool_serial" <> ''),
  CONSTRAINT "spools_color_hex" CHECK ("color_hex" ~ '^#[0-9A-Fa-f]{6}$'),
  CONSTRAINT "spools_diameter" CHECK ("filament_diameter_mm" > 0 AND "filament_diameter_mm" < 1e18),
  CONSTRAINT "spools_weight" CHECK ("weight_total_grams" >= 0 AND "weight_total_grams" < 1e18),
  CONSTRAINT "spools_price" CHECK ("purchase_price" >= 0 AND "purchase_price" < 1e18),
  CONSTRAINT "spools_times" CHECK ("created_at" >= '0001-01-01Z' AND "created_at" < '10000-01-01Z'
    AND "updated_at" >= '0001-01-01Z' AND "updated_at" < '10000-01-01Z')
);
CREATE UNIQUE INDEX "spools_spool_serial_key" ON "spools" ("spool_serial");
CREATE INDEX "spools_by_material" ON "spools" ("material_id");
