-- How urgent an alert was when it was raised: one that becomes CRITICAL later is raised again. Until now each kind had one severity.
ALTER TABLE "alert_states" ADD COLUMN "severity" TEXT COLLATE "C";
UPDATE "alert_states" SET "severity" = CASE WHEN "kind" IN ('CAMERA_LOST', 'PRINTER_LOST', 'PRINTS_LEFT_OUT') THEN 'CRITICAL' ELSE 'WARNING' END
  WHERE "raised_at" IS NOT NULL;
