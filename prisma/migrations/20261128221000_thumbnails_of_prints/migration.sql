-- The slicer's preview picture of a print's file: a PNG or JPEG, checked by its header (src/values/thumbnail.ts).
CREATE TABLE "print_thumbnails" (
  "print_id" UUID NOT NULL,
  "picture"  BYTEA NOT NULL,
  CONSTRAINT "print_thumbnails_pkey" PRIMARY KEY ("print_id"),
  CONSTRAINT "print_thumbnails_print_id_fkey" FOREIGN KEY ("print_id") REFERENCES "observed_prints" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "print_thumbnails_size" CHECK (octet_length("picture") BETWEEN 1 AND 65536)
);
-- A picture is compressed already, so the database does not try to compress it again.
ALTER TABLE "print_thumbnails" ALTER COLUMN "picture" SET STORAGE EXTERNAL;
-- A slicer sends the picture with its plan. The print that starts later gets a copy.
ALTER TABLE "print_plans" ADD COLUMN "picture" BYTEA;
ALTER TABLE "print_plans" ADD CONSTRAINT "print_plans_picture_size" CHECK (octet_length("picture") BETWEEN 1 AND 65536);
ALTER TABLE "print_plans" ALTER COLUMN "picture" SET STORAGE EXTERNAL;
