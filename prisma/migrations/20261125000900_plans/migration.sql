-- What slicers computed, sent by them, for printers that tell no amounts. Removed after 30 days.

CREATE TABLE "print_plans" (
  -- The base name of the file, without what it ends with.
  "name"        TEXT COLLATE "C" NOT NULL,
  "plate"       INTEGER NOT NULL,
  "seconds"     INTEGER,
  -- By the numbers of the slicer: [{"slot": 1, "mm", "grams"}].
  "slots"       JSON NOT NULL,
  -- The millimetres up to the end of a layer, in the order of the slots: [{"layer": 1, "mm": ["12.5"]}]; null where they are not known.
  "layers"      JSON,
  "recorded_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "print_plans_pkey" PRIMARY KEY ("name", "plate"),
  CONSTRAINT "print_plans_plate" CHECK ("plate" > 0)
);
CREATE INDEX "print_plans_by_age" ON "print_plans" ("recorded_at");
