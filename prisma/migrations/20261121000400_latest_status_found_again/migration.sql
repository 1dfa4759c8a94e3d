-- Two who deleted the two latest records of a camera at the same time left the one that the first of them had found.

-- Records are changed or gone: the latest records of their cameras are locked first, in order. Who waits there is given
-- what the holder before made of them, because they are changed in their place, and the statements behind the lock see
-- what it committed; then the log is read again for those that are among the records.
CREATE OR REPLACE FUNCTION "find_latest_status_again"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "again" TEXT[];
BEGIN
  "again" := ARRAY(
    SELECT x."camera_id" FROM (
      SELECT l."camera_id", l."id" FROM "camera_latest_status" l
      WHERE l."camera_id" IN (SELECT o."camera_id" FROM "old_rows" o)
      ORDER BY l."camera_id" FOR UPDATE
    ) x WHERE EXISTS (SELECT FROM "old_rows" o WHERE o."camera_id" = x."camera_id" AND o."id" = x."id"));
  UPDATE "camera_latest_status" l SET
      "id" = s."id",
      "recorded_at" = s."recorded_at",
      "battery_pct" = s."battery_pct",
      "video_remaining_sec" = s."video_remaining_sec",
      "recording_state" = s."recording_state",
      "mode" = s."mode",
      "resolution" = s."resolution",
      "fps" = s."fps",
      "online" = s."online",
      "raw_battery_pct" = s."raw_battery_pct"
    FROM unnest("again") a ("camera_id") CROSS JOIN LATERAL (
      SELECT * FROM "camera_status" c WHERE c."camera_id" = a."camera_id"
      ORDER BY c."recorded_at" DESC, c."id" DESC LIMIT 1
    ) s WHERE l."camera_id" = a."camera_id";
  DELETE FROM "camera_latest_status" l WHERE l."camera_id" = ANY ("again")
    AND NOT EXISTS (SELECT FROM "camera_status" c WHERE c."camera_id" = l."camera_id");
  RETURN NULL;
END
$$;
