-- Which spool was in which slot, from when to when. The present is the rows without an end.
--
-- At every instant a spool is in one slot, and a slot holds one spool, whoever writes: two exclusion constraints. They hold under
-- parallel writers without a lock that another program could leave out, and behind any pooler. For `=` in such a constraint GiST
-- needs a class of operators. btree_gist has one for UUID and TEXT, but it is an extension: a role may lack the right to create
-- it, and the embedded database would have to load it. PostgreSQL itself has one for ranges, so a spool and a slot are compared
-- as ranges of one text.
CREATE TYPE "text_range" AS RANGE (SUBTYPE = TEXT, COLLATION = "C");

CREATE TABLE "slot_loads" (
  "printer_id" UUID NOT NULL,
  "slot"       TEXT COLLATE "C" NOT NULL,
  "spool_id"   UUID NOT NULL,
  "from"       TIMESTAMPTZ(3) NOT NULL,
  "to"         TIMESTAMPTZ(3),
  CONSTRAINT "slot_loads_pkey" PRIMARY KEY ("spool_id", "from"),
  CONSTRAINT "slot_loads_printer_id_fkey" FOREIGN KEY ("printer_id") REFERENCES "printers" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "slot_loads_spool_id_fkey" FOREIGN KEY ("spool_id") REFERENCES "spools" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "slot_loads_slot" CHECK ("slot" ~ '^[a-z]+(:\d{1,3}){1,2}$'),
  CONSTRAINT "slot_loads_times" CHECK ("from" >= '0001-01-01Z' AND "from" < '10000-01-01Z'
    AND ("to" IS NULL OR "from" < "to" AND "to" < '10000-01-01Z')),
  CONSTRAINT "slot_loads_spool_once" EXCLUDE USING gist (
    text_range("spool_id"::TEXT, "spool_id"::TEXT, '[]') WITH =, tstzrange("from", "to") WITH &&),
  CONSTRAINT "slot_loads_slot_once" EXCLUDE USING gist (
    text_range("printer_id" || ' ' || "slot", "printer_id" || ' ' || "slot", '[]') WITH =, tstzrange("from", "to") WITH &&)
);
-- What is in the slots of a printer.
CREATE INDEX "slot_loads_present" ON "slot_loads" ("printer_id", "slot") WHERE "to" IS NULL;
-- The histories of a printer and of a slot, newest first. That of a spool is read from the primary key.
CREATE INDEX "slot_loads_by_printer" ON "slot_loads" ("printer_id", "from" DESC, "slot" DESC);
CREATE INDEX "slot_loads_by_slot" ON "slot_loads" ("printer_id", "slot", "from" DESC);

-- Other programs may have left out the time, or written one that is none.
INSERT INTO "slot_loads" ("printer_id", "slot", "spool_id", "from")
SELECT "printer_id", "slot", "spool_id",
  CASE WHEN "loaded_at" >= '0001-01-01Z' AND "loaded_at" < '10000-01-01Z' THEN "loaded_at" ELSE now() END
FROM "printer_slots" WHERE "spool_id" IS NOT NULL;

ALTER TABLE "printer_slots" DROP COLUMN "spool_id", DROP COLUMN "loaded_at";
