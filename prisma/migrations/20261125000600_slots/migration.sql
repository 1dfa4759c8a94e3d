-- The places for filament in printers, and the spools that people put there.

CREATE TABLE "printer_slots" (
  "printer_id" UUID NOT NULL,
  -- As the kind of machine numbers them: tool:0, ams:0:2, ext:0.
  "slot"       TEXT COLLATE "C" NOT NULL,
  "spool_id"   UUID,
  "loaded_at"  TIMESTAMPTZ(3),
  -- What the printer says is in it.
  "reported"   TEXT,
  CONSTRAINT "printer_slots_pkey" PRIMARY KEY ("printer_id", "slot"),
  CONSTRAINT "printer_slots_printer_id_fkey" FOREIGN KEY ("printer_id") REFERENCES "printers" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "printer_slots_spool_id_fkey" FOREIGN KEY ("spool_id") REFERENCES "spools" ("id")
    ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT "printer_slots_slot" CHECK ("slot" ~ '^[a-z]+(:\d{1,3}){1,2}$')
);
-- A spool is in one slot at a time.
CREATE UNIQUE INDEX "printer_slots_spool_id_key" ON "printer_slots" ("spool_id");
