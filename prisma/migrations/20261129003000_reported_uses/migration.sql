-- What other programs reported as used of spools (src/farm/reported-uses). Consecutive reports of one program are one row, because a program
-- may report every second. The row keeps the single reports in lists, because each of them counts or not.
CREATE TABLE "reported_uses" (
  "id"           BIGINT GENERATED ALWAYS AS IDENTITY,
  "spool_id"     UUID NOT NULL,
  "by"           TEXT NOT NULL,
  -- By the formula of jobs, with the diameter and the density of the spool at that time. Null if the program reported grams.
  "grams_per_mm" NUMERIC,
  -- The end of the first report and of the last report.
  "started_at"   TIMESTAMPTZ(3) NOT NULL,
  "ended_at"     TIMESTAMPTZ(3) NOT NULL,
  -- The start of the earliest period that a report covers.
  "since"        TIMESTAMPTZ(3) NOT NULL,
  -- The sum, in millimetres or grams.
  "amount"       NUMERIC NOT NULL,
  -- Whether one of the reports gives filament back.
  "gives_back"   BOOLEAN NOT NULL,
  "froms"        TIMESTAMPTZ(3)[] NOT NULL,
  "tos"          TIMESTAMPTZ(3)[] NOT NULL,
  "amounts"      NUMERIC[] NOT NULL,
  CONSTRAINT "reported_uses_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "reported_uses_spool_id_fkey" FOREIGN KEY ("spool_id") REFERENCES "spools" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "reported_uses_times" CHECK ("since" <= "started_at" AND "started_at" <= "ended_at"),
  CONSTRAINT "reported_uses_lists" CHECK (cardinality("froms") = cardinality("tos") AND cardinality("tos") = cardinality("amounts"))
) WITH (fillfactor = 60);
-- No column of this index changes, so that PostgreSQL can write a longer row beside the old one without touching the index.
CREATE INDEX "reported_uses_by_spool" ON "reported_uses" ("spool_id", "started_at" DESC, "id" DESC);

CREATE INDEX "reported_uses_giving_back" ON "reported_uses" ("spool_id") WHERE "gives_back";

-- Reports whose client may not have got the answer. Such a client sends the amount again. A row lives for a tenth of a second in general, so
-- it has no foreign key, which would take a tenth of the time of a report.
CREATE TABLE "unanswered_reports" (
  "id"        UUID NOT NULL,
  "spool_id"  UUID NOT NULL,
  "by"        TEXT NOT NULL,
  "is_length" BOOLEAN NOT NULL,
  -- The process that is answering it.
  "process"   UUID NOT NULL,
  "stored_at" TIMESTAMPTZ(3) NOT NULL,
  "given"     NUMERIC NOT NULL,
  -- How much of it is in reported_uses.
  "counted"   NUMERIC NOT NULL,
  CONSTRAINT "unanswered_reports_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "unanswered_reports_by_spool" ON "unanswered_reports" ("spool_id");
