-- Whether a camera is meant to record each print of its printer: only then there are alerts of its films.
ALTER TABLE "cameras" ADD COLUMN "records_prints" BOOLEAN NOT NULL DEFAULT false;
