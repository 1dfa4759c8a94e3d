-- At most one opening of a spool counts. One whose time lay ahead is taken back, and another one with the time of the clock replaces it
-- (src/farm/stock/ledger.sql).
DROP INDEX "spool_adjustments_opening";
CREATE UNIQUE INDEX "spool_adjustments_opening" ON "spool_adjustments" ("spool_id")
  WHERE "kind" = 'OPENING' AND "taken_back_at" IS NULL;
