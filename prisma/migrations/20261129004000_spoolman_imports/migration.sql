-- Imports from Spoolman, and the numbers that they may choose. The rules of the numbers are in src/farm/inventory/numbers.sql.

-- Numbers that the series skipped for an import. Nobody else gets them. A trigger computes each row.
CREATE TABLE "skipped_stock_numbers" (
  "from" INTEGER NOT NULL,
  "to"   INTEGER NOT NULL,
  CONSTRAINT "skipped_stock_numbers_pkey" PRIMARY KEY ("from"),
  CONSTRAINT "skipped_stock_numbers_order" CHECK ("from" > 0 AND "to" >= "from")
);

-- The skipped numbers that an import has given. A row stays when its spool or filament is removed, so that no number is given twice.
CREATE TABLE "imported_stock_numbers" (
  "number" INTEGER NOT NULL,
  CONSTRAINT "imported_stock_numbers_pkey" PRIMARY KEY ("number")
);

CREATE TABLE "spoolman_imports" (
  "id"           UUID NOT NULL,
  "source"       TEXT COLLATE "C" NOT NULL,
  "state"        TEXT NOT NULL,
  "message"      TEXT,
  -- Whether a running Spoolman was read. Only then objects can be missing there.
  "from_url"     BOOLEAN NOT NULL,
  "read"         INTEGER NOT NULL DEFAULT 0,
  "creates"      INTEGER NOT NULL DEFAULT 0,
  "updates"      INTEGER NOT NULL DEFAULT 0,
  "same"         INTEGER NOT NULL DEFAULT 0,
  "kept"         INTEGER NOT NULL DEFAULT 0,
  "refused"      INTEGER NOT NULL DEFAULT 0,
  "gone"         INTEGER NOT NULL DEFAULT 0,
  "without_tare" INTEGER NOT NULL DEFAULT 0,
  "confirm"      TEXT,
  -- The fields that the Spoolman defines; null if files were read.
  "fields"       JSONB,
  -- The name of the caller, for the ledger.
  "by"           TEXT,
  -- While it is READING or WRITING, the process that works on it moves this time on. An import whose time has passed has lost its process.
  "alive_until"  TIMESTAMPTZ(3),
  "created_at"   TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  -- When it became READY, WRITTEN or FAILED.
  "settled_at"   TIMESTAMPTZ(3),
  -- The transaction that writes it. No committed row has one.
  "transaction"  TEXT,
  -- Whether it is READING or WRITING; null if not. One import is, whichever process works on it.
  "active"       BOOLEAN,
  CONSTRAINT "spoolman_imports_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "spoolman_imports_state" CHECK ("state" IN ('READING', 'READY', 'WRITING', 'WRITTEN', 'FAILED')),
  CONSTRAINT "spoolman_imports_active" CHECK ("active" IS NOT DISTINCT FROM CASE WHEN "state" IN ('READING', 'WRITING') THEN true END),
  CONSTRAINT "spoolman_imports_source" CHECK ("source" ~ '^[a-z0-9-]{1,32}$')
);
CREATE UNIQUE INDEX "spoolman_imports_active_key" ON "spoolman_imports" ("active");

-- What an import read, and what each object becomes.
CREATE TABLE "spoolman_import_rows" (
  "import_id"   UUID NOT NULL,
  -- In the order of the preview: vendors, then filaments, then spools, each by id.
  "position"    INTEGER NOT NULL,
  "kind"        TEXT NOT NULL,
  "spoolman_id" INTEGER,
  "action"      TEXT NOT NULL,
  "number"      INTEGER,
  "name"        TEXT NOT NULL,
  "reason"      TEXT,
  "changes"     JSONB NOT NULL,
  -- The object as it was read.
  "object"      JSONB NOT NULL,
  -- The id of the filament or spool that the row creates.
  "creates_id"  UUID,
  CONSTRAINT "spoolman_import_rows_pkey" PRIMARY KEY ("import_id", "position"),
  CONSTRAINT "spoolman_import_rows_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "spoolman_imports" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "spoolman_import_rows_kind" CHECK ("kind" IN ('VENDOR', 'FILAMENT', 'SPOOL')),
  CONSTRAINT "spoolman_import_rows_action" CHECK ("action" IN ('CREATE', 'UPDATE', 'SAME', 'KEPT', 'REFUSED'))
);
CREATE INDEX "spoolman_import_rows_creates" ON "spoolman_import_rows" ("creates_id") WHERE "creates_id" IS NOT NULL;
