-- Records statuses from rows of JSON: the function names the columns that decide, and no others, so that a new column of
-- the log needs no change here. The next free time is found by one look-up instead of one for each millisecond. The
-- function with arrays stays for gateways of the version before, which may share the database during an upgrade.

-- `records` are rows of camera_status without ids: sorted by camera, those of one camera by time, those without a time
-- last. Answers the rows as they are stored, in this order. Where cameras do not exist, nothing is stored, and the answer
-- is one row for each of these, with nothing but the camera's id. The cameras are locked first, in order, so that no two
-- writers wait for each other in a ring. The statements behind the lock see the commit of the lock's previous holder, so
-- races are settled here: each (camera, time) is kept once, and a record without a time gets the camera's next free
-- millisecond from "now" on. A record that is newer than the camera's latest is looked for nowhere, so that its cost does
-- not grow with the number of partitions.
CREATE FUNCTION "record_camera_statuses"("records" JSON, "now" TIMESTAMPTZ) RETURNS SETOF "camera_status"
LANGUAGE plpgsql SET plan_cache_mode = 'force_generic_plan' AS $$
DECLARE
  "given"  "camera_status"[] := ARRAY(SELECT r FROM json_populate_recordset(NULL::"camera_status", "records") r);
  "wanted" TEXT[];
  "known"  TEXT[];
  "row"    "camera_status";
  "times"  TIMESTAMPTZ[] := '{}';
  "new"    "camera_status"[] := '{}';
  "first"  INTEGER;
  "camera" TEXT;
  "last"   TIMESTAMPTZ;
  "at"     TIMESTAMPTZ(3);
  "taken"  BOOLEAN;
BEGIN
  "wanted" := ARRAY(SELECT g."camera_id" FROM unnest("given") g);
  "known" := ARRAY(SELECT c."camera_id" FROM "cameras" c WHERE c."camera_id" = ANY ("wanted")
    ORDER BY c."camera_id" FOR NO KEY UPDATE);
  FOR "camera" IN SELECT unnest("wanted") EXCEPT SELECT unnest("known") LOOP
    "row" := NULL;
    "row"."camera_id" := "camera";
    RETURN NEXT "row";
  END LOOP;
  IF FOUND THEN
    RETURN;
  END IF;

  "camera" := NULL;
  FOR i IN 1..cardinality("given") LOOP
    "row" := "given"[i];
    IF "camera" IS DISTINCT FROM "row"."camera_id" THEN
      "camera" := "row"."camera_id";
      "first" := i;
      "at" := "now";
      SELECT l."recorded_at" INTO "last" FROM "camera_latest_status" l WHERE l."camera_id" = "camera";
      "last" := coalesce("last", '-infinity');
    END IF;
    IF "row"."recorded_at" IS NULL THEN
      -- "last" is never earlier than a time of this call, so beyond it everything is free.
      WHILE "at" <= "last" LOOP
        IF EXISTS (SELECT FROM "camera_status" s WHERE s."camera_id" = "camera" AND s."recorded_at" = "at") THEN
          SELECT s."recorded_at" + INTERVAL '1 millisecond' INTO "at" FROM "camera_status" s
            WHERE s."camera_id" = "camera" AND s."recorded_at" >= "at" AND NOT EXISTS (
              SELECT FROM "camera_status" n
              WHERE n."camera_id" = "camera" AND n."recorded_at" = s."recorded_at" + INTERVAL '1 millisecond')
            ORDER BY s."recorded_at" LIMIT 1;
        END IF;
        EXIT WHEN NOT "at" = ANY ("times"["first":i - 1]);
        "at" := "at" + INTERVAL '1 millisecond';
      END LOOP;
      "row"."recorded_at" := "at";
      "taken" := false;
      "at" := "at" + INTERVAL '1 millisecond';
    ELSE
      "taken" := "row"."recorded_at" <= "last" AND (
        i > "first" AND "row"."recorded_at" = "times"[i - 1] OR EXISTS (
          SELECT FROM "camera_status" s WHERE s."camera_id" = "camera" AND s."recorded_at" = "row"."recorded_at"));
    END IF;
    "times"[i] := "row"."recorded_at";
    "last" := greatest("last", "row"."recorded_at");
    IF NOT "taken" THEN
      "row"."id" := nextval('camera_status_id_seq');
      "new"[cardinality("new") + 1] := "row";
    END IF;
  END LOOP;

  IF cardinality("new") = cardinality("given") THEN
    RETURN QUERY INSERT INTO "camera_status" SELECT n.* FROM unnest("new") n RETURNING *;
    RETURN;
  END IF;
  INSERT INTO "camera_status" SELECT n.* FROM unnest("new") n;
  RETURN QUERY SELECT s.* FROM unnest("wanted", "times") WITH ORDINALITY AS x ("camera_id", "at", n)
    CROSS JOIN LATERAL (
      SELECT * FROM "camera_status" s WHERE s."camera_id" = x."camera_id" AND s."recorded_at" = x."at"
      ORDER BY s."id" DESC LIMIT 1
    ) s ORDER BY x.n;
END
$$;
