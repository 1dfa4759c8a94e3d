-- What the gateway wrote last into the job of a print: its spool, amounts and status. A job that differs in its words alone, such as its
-- notes, gets the amounts of the machine. Null: job_updated_at alone decides.
ALTER TABLE "observed_prints" ADD COLUMN "job_written" TEXT COLLATE "C";
