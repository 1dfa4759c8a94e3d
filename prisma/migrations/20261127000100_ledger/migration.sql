-- The ledger of spools beside their jobs: what was found on them, and what people say of it.

-- The earliest completed_at that the job had before the one that it has; null: it had none. A trigger keeps it
-- (src/farm/stock/ledger.sql): a status that is said again moves completed_at, and a job counts at its first end.
ALTER TABLE "print_jobs" ADD COLUMN "earlier_completed_at" TIMESTAMPTZ(3);
-- As before, with the ends of the jobs: what a spool used up to a weighing is read from these indexes alone.
DROP INDEX "print_jobs_by_spool";
CREATE INDEX "print_jobs_by_spool" ON "print_jobs" ("spool_id", "created_at" DESC NULLS LAST, "id" DESC NULLS LAST)
  INCLUDE ("status", "started_at", "completed_at", "earlier_completed_at", "updated_at", "grams_derived", "divided");
DROP INDEX "print_jobs_divided";
CREATE INDEX "print_jobs_divided" ON "print_jobs" ("id")
  INCLUDE ("status", "started_at", "completed_at", "earlier_completed_at", "updated_at", "printer_id", "spool_id", "grams_derived",
    "cost_per_print")
  WHERE "divided";

CREATE TABLE "spool_adjustments" (
  -- By when they were written.
  "id"                 BIGINT GENERATED ALWAYS AS IDENTITY,
  "spool_id"           UUID NOT NULL,
  "kind"               TEXT COLLATE "C" NOT NULL,
  "at"                 TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
  -- Of OPENING and WEIGHED: what was left then.
  "net_grams"          NUMERIC,
  "gross_grams"        NUMERIC,
  "tare_grams"         NUMERIC,
  -- Of CORRECTED and LOST, signed. Of the others they are computed.
  "grams"              NUMERIC,
  -- Of the jobs that were printing then, what of the spool counts as used before: {"id of the job": "12.5"}. Null for a job: all of it.
  "printing"           JSON,
  -- Of the spool when this was written: the trigger sets them.
  "purchase_price"     NUMERIC,
  "weight_total_grams" NUMERIC,
  "note"               TEXT,
  "by"                 TEXT,
  "taken_back_at"      TIMESTAMPTZ(3),
  "taken_back_by"      TEXT,
  "taken_back_note"    TEXT,
  CONSTRAINT "spool_adjustments_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "spool_adjustments_spool_id_fkey" FOREIGN KEY ("spool_id") REFERENCES "spools" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "spool_adjustments_kind" CHECK ("kind" IN ('OPENING', 'WEIGHED', 'CORRECTED', 'LOST')),
  CONSTRAINT "spool_adjustments_net" CHECK (("kind" IN ('OPENING', 'WEIGHED')) = ("net_grams" IS NOT NULL)
    AND "net_grams" >= 0 AND "net_grams" < 1e18),
  CONSTRAINT "spool_adjustments_grams" CHECK (("kind" IN ('CORRECTED', 'LOST')) = ("grams" IS NOT NULL)
    AND "grams" <> 0 AND "grams" > -1e18 AND "grams" < CASE "kind" WHEN 'LOST' THEN 0 ELSE 1e18 END),
  CONSTRAINT "spool_adjustments_gross" CHECK (("gross_grams" IS NULL) = ("tare_grams" IS NULL)
    AND ("gross_grams" IS NULL OR "net_grams" IS NOT NULL)
    AND "gross_grams" >= 0 AND "gross_grams" < 1e18 AND "tare_grams" >= 0 AND "tare_grams" < 1e18),
  CONSTRAINT "spool_adjustments_times" CHECK ("at" >= '0001-01-01Z' AND "at" < '10000-01-01Z')
);
CREATE INDEX "spool_adjustments_by_spool" ON "spool_adjustments" ("spool_id", "at" DESC, "id" DESC);
CREATE UNIQUE INDEX "spool_adjustments_opening" ON "spool_adjustments" ("spool_id") WHERE "kind" = 'OPENING';
