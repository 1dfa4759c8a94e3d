-- Slots that follow the machine: the active spool of Moonraker, and the tags that a Bambu Lab printer reads.

ALTER TABLE "devices"
  ADD COLUMN "follows_spools"    BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "sets_active_spool" BOOLEAN NOT NULL DEFAULT false,
  -- What the machine reported last for each slot, so that a restart neither repeats nor loses a change.
  ADD COLUMN "reported_spools"   JSONB,
  -- What Moonraker reports about its Spoolman.
  ADD COLUMN "spoolman"          JSONB;

-- The UID of the tag that the machine reads in the slot.
ALTER TABLE "printer_slots"
  ADD COLUMN "tag" TEXT COLLATE "C",
  ADD CONSTRAINT "printer_slots_tag" CHECK ("tag" ~ '^[0-9A-F]{1,64}$');
