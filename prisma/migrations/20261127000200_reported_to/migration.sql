-- The targets that an alert was reported to, by the name that the code has for them.
ALTER TABLE "alert_states" RENAME COLUMN "told" TO "reported_to";
-- Also of deliveries that were left out, and whose target has got the message that says so.
UPDATE "notification_deliveries" SET "fault" = 'LEFT_OUT_REPORTED' WHERE "fault" = 'LEFT_OUT_TOLD';
