-- How a print was fed on its way, so that what each spool gave is known at its end.

-- {"slot": the last one that fed, "segments": [{"slot", "before", "layer"}], "pauses": [{"from", "to", "layer", "mm"}]}. Null: it went on
-- from the slots of its plan, without a pause.
ALTER TABLE "observed_prints" ADD COLUMN "course" JSON;
