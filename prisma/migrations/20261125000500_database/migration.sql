-- The files of functions and triggers (src/*/*.sql) that this database has, each with the SHA-256 of its text.
CREATE TABLE "sql_files" (
  "name" TEXT COLLATE "C" NOT NULL,
  "hash" TEXT COLLATE "C" NOT NULL,
  CONSTRAINT "sql_files_pkey" PRIMARY KEY ("name")
);
