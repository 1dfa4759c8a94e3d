-- Filaments: what spools are bought as. The short numbers of filaments and spools, and the places of spools.

-- One series for both tables. Triggers take from it (src/farm/inventory/numbers.sql). It belongs to no column: TRUNCATE … RESTART
-- IDENTITY would begin an owned one anew.
CREATE SEQUENCE "stock_numbers" AS INTEGER;

CREATE TABLE "filaments" (
  "id"                   UUID NOT NULL,
  -- 0 asks the trigger for the next one.
  "number"               INTEGER NOT NULL DEFAULT 0,
  "name"                 TEXT COLLATE "C" NOT NULL,
  "vendor"               TEXT COLLATE "C",
  "material_id"          UUID NOT NULL,
  "color_hex"            TEXT COLLATE "C",
  "filament_diameter_mm" NUMERIC NOT NULL,
  "weight_total_grams"   NUMERIC NOT NULL,
  "tare_grams"           NUMERIC,
  "purchase_price"       NUMERIC,
  "article_number"       TEXT,
  "minimum_grams"        NUMERIC,
  "created_at"           TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "updated_at"           TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "archived_at"          TIMESTAMPTZ(3),
  CONSTRAINT "filaments_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "filaments_material_id_fkey" FOREIGN KEY ("material_id") REFERENCES "materials" ("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "filaments_number" CHECK ("number" > 0),
  CONSTRAINT "filaments_name_not_empty" CHECK ("name" <> ''),
  CONSTRAINT "filaments_vendor_not_empty" CHECK ("vendor" <> ''),
  CONSTRAINT "filaments_color_hex" CHECK ("color_hex" ~ '^#[0-9A-Fa-f]{6}$'),
  CONSTRAINT "filaments_diameter" CHECK ("filament_diameter_mm" > 0 AND "filament_diameter_mm" < 1e18),
  CONSTRAINT "filaments_weights" CHECK ("weight_total_grams" >= 0 AND "weight_total_grams" < 1e18
    AND "tare_grams" >= 0 AND "tare_grams" < 1e18 AND "minimum_grams" >= 0 AND "minimum_grams" < 1e18),
  CONSTRAINT "filaments_price" CHECK ("purchase_price" >= 0 AND "purchase_price" < 1e18),
  CONSTRAINT "filaments_times" CHECK ("created_at" >= '0001-01-01Z' AND "created_at" < '10000-01-01Z'
    AND "updated_at" >= '0001-01-01Z' AND "updated_at" < '10000-01-01Z')
);
CREATE UNIQUE INDEX "filaments_number_key" ON "filaments" ("number");
-- A name is unique together with the vendor, and without one too.
CREATE UNIQUE INDEX "filaments_vendor_name_key" ON "filaments" ("name", "vendor");
CREATE UNIQUE INDEX "filaments_name_key" ON "filaments" ("name") WHERE "vendor" IS NULL;
CREATE INDEX "filaments_by_name" ON "filaments" ("name", "number");
CREATE INDEX "filaments_by_material" ON "filaments" ("material_id");

ALTER TABLE "spools"
  ADD COLUMN "number" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "filament_id" UUID,
  ADD COLUMN "tare_grams" NUMERIC,
  ADD COLUMN "place" TEXT COLLATE "C";

UPDATE "spools" s SET "number" = n."number"
FROM (SELECT "id", row_number() OVER (ORDER BY "created_at", "id") AS "number" FROM "spools") n WHERE n."id" = s."id";
SELECT setval('stock_numbers', max("number")) FROM "spools" HAVING count(*) > 0;

ALTER TABLE "spools"
  ADD CONSTRAINT "spools_number" CHECK ("number" > 0),
  ADD CONSTRAINT "spools_filament_id_fkey" FOREIGN KEY ("filament_id") REFERENCES "filaments" ("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "spools_tare" CHECK ("tare_grams" >= 0 AND "tare_grams" < 1e18),
  ADD CONSTRAINT "spools_place" CHECK ("place" ~ '\S' AND length("place") <= 100);
CREATE UNIQUE INDEX "spools_number_key" ON "spools" ("number");
CREATE INDEX "spools_by_filament" ON "spools" ("filament_id", "spool_serial");
