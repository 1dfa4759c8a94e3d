-- Records statuses from arrays, a column each, instead of one JSON value.

DROP FUNCTION "record_camera_statuses"(JSONB, TIMESTAMPTZ);

-- Records statuses, whose columns are given as arrays: sorted by camera, those of one camera by time, those without a time
-- last. Answers the rows as they are stored, in this order; where cameras do not exist, nothing is stored and the answer
-- is one row for each of them, with nothing but its id. The cameras are locked first, in order, so that no two writers
-- wait for each other in a ring; the statements behind the lock see what its previous holder committed, so that races are
-- settled here: each (camera, time) is kept once, and a record without a time gets the camera's next free millisecond
-- from "now" on. What is later than the camera's latest record is looked for nowhere, so that the usual record costs the
-- same however many partitions the log has.
CREATE FUNCTION "record_camera_statuses"("camera_ids" TEXT[], "times" TIMESTAMPTZ[], "battery_pcts" DOUBLE PRECISION[],
  "video_remaining_secs" INTEGER[], "recording_states" TEXT[], "modes" TEXT[], "resolutions" TEXT[],
  "fpss" DOUBLE PRECISION[], "onlines" BOOLEAN[], "raw_battery_pcts" DOUBLE PRECISION[], "now" TIMESTAMPTZ)
RETURNS SETOF "camera_status" LANGUAGE plpgsql AS $$
DECLARE
  "known"  TEXT[];
  "row"    "camera_status";
  "latest" TIMESTAMPTZ[];
  "first"  INTEGER;
  "last"   TIMESTAMPTZ;
  "at"     TIMESTAMPTZ(3);
  "taken"  BOOLEAN;
  "fresh"  BOOLEAN[] := '{}';
BEGIN
  "known" := ARRAY(SELECT c."camera_id" FROM "cameras" c WHERE c."camera_id" = ANY ("camera_ids")
    ORDER BY c."camera_id" FOR NO KEY UPDATE);
  IF cardinality("known") < cardinality("camera_ids") THEN
    FOR "row" IN SELECT NULL, x.* FROM (SELECT unnest("camera_ids") EXCEPT SELECT unnest("known")) x LOOP
      RETURN NEXT "row";
    END LOOP;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;

  "latest" := ARRAY(SELECT (SELECT l."recorded_at" FROM "camera_latest_status" l WHERE l."camera_id" = x)
    FROM unnest("camera_ids") x);
  FOR i IN 1..cardinality("camera_ids") LOOP
    IF i = 1 OR "camera_ids"[i] <> "camera_ids"[i - 1] THEN
      "first" := i;
      "last" := coalesce("latest"[i], '-infinity');
      "at" := "now";
    END IF;
    "taken" := false;
    IF "times"[i] IS NULL THEN
      WHILE "at" <= "last" LOOP
        "taken" := "at" = ANY ("times"["first":i - 1]) OR EXISTS (
          SELECT FROM "camera_status" s WHERE s."camera_id" = "camera_ids"[i] AND s."recorded_at" = "at");
        EXIT WHEN NOT "taken";
        "at" := "at" + INTERVAL '1 millisecond';
        "taken" := false;
      END LOOP;
      "times"[i] := "at";
    ELSIF "times"[i] <= "last" THEN
      "taken" := i > "first" AND "times"[i] = "times"[i - 1] OR EXISTS (
        SELECT FROM "camera_status" s WHERE s."camera_id" = "camera_ids"[i] AND s."recorded_at" = "times"[i]);
    END IF;
    "last" := greatest("last", "times"[i]);
    "fresh"[i] := NOT "taken";
  END LOOP;

  FOR "row" IN
    INSERT INTO "camera_status" ("camera_id", "recorded_at", "battery_pct", "video_remaining_sec", "recording_state",
      "mode", "resolution", "fps", "online", "raw_battery_pct")
    SELECT x."camera_id", x."at", x."battery_pct", x."video_remaining_sec", x."recording_state", x."mode",
      x."resolution", x."fps", x."online", x."raw_battery_pct"
    FROM unnest("camera_ids", "times", "battery_pcts", "video_remaining_secs", "recording_states", "modes",
      "resolutions", "fpss", "onlines", "raw_battery_pcts", "fresh") AS x ("camera_id", "at", "battery_pct",
      "video_remaining_sec", "recording_state", "mode", "resolution", "fps", "online", "raw_battery_pct", "fresh")
    WHERE x."fresh"
    RETURNING *
  LOOP
    CONTINUE WHEN false = ANY ("fresh");
    RETURN NEXT "row";
  END LOOP;
  IF false = ANY ("fresh") THEN
    RETURN QUERY SELECT s.* FROM unnest("camera_ids", "times") WITH ORDINALITY AS x ("camera_id", "at", n)
      CROSS JOIN LATERAL (
        SELECT * FROM "camera_status" s WHERE s."camera_id" = x."camera_id" AND s."recorded_at" = x."at"
        ORDER BY s."id" DESC LIMIT 1
      ) s ORDER BY x.n;
  END IF;
END
$$;
