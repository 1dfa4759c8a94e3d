-- How a print was fed on its way, so that what each spool gave is known at its end.

-- Its stretches by their begins, and where the machine's measure was heard last: {"stretches": [{"slot", "from": {"at", "layer", "file"},
-- "to": as from, "mm"}], "measure": {"mm", "slot", "mark"}}. Null: nothing was heard of it while it ran.
ALTER TABLE "observed_prints" ADD COLUMN "course" JSON;
