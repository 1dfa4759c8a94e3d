-- Since when a printer has its activity, for the alerts about faults and pauses, and whether a user paused the print.
ALTER TABLE "printer_states" ADD COLUMN "is_paused_by_user" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "printer_states" ADD COLUMN "activity_since" TIMESTAMPTZ(3);
UPDATE "printer_states" SET "activity_since" = "heard_at";
