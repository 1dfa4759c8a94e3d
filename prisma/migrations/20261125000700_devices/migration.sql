-- The machines that the gateway listens to, and the leases of those who do.

-- When it was heard of is stored every 10 s. Half of each page is free for these updates in place.
CREATE TABLE "devices" (
  "id"                      UUID NOT NULL,
  "kind"                    TEXT COLLATE "C" NOT NULL,
  "printer_id"              UUID,
  "camera_id"               TEXT COLLATE "C",
  "address"                 TEXT COLLATE "C" NOT NULL,
  "serial"                  TEXT COLLATE "C",
  "username"                TEXT,
  -- Encrypted (src/wire/secrets.ts).
  "secret"                  TEXT COLLATE "C",
  "certificate_fingerprint" TEXT COLLATE "C",
  "enabled"                 BOOLEAN NOT NULL DEFAULT true,
  "state"                   TEXT COLLATE "C" NOT NULL,
  "state_since"             TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "fault"                   TEXT COLLATE "C",
  "last_message_at"         TIMESTAMPTZ(3),
  "created_at"              TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "updated_at"              TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "devices_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "devices_printer_id_fkey" FOREIGN KEY ("printer_id") REFERENCES "printers" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "devices_camera_id_fkey" FOREIGN KEY ("camera_id") REFERENCES "cameras" ("camera_id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "devices_kind" CHECK ("kind" IN ('MOONRAKER', 'OCTOPRINT', 'PRUSALINK', 'BAMBU', 'OPEN_GOPRO')),
  CONSTRAINT "devices_owner" CHECK (("printer_id" IS NULL) <> ("camera_id" IS NULL)),
  CONSTRAINT "devices_address_not_empty" CHECK ("address" <> ''),
  CONSTRAINT "devices_state" CHECK ("state" IN ('CONNECTING', 'CONNECTED', 'OFFLINE', 'REFUSED'))
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX "devices_printer_id_key" ON "devices" ("printer_id");
CREATE UNIQUE INDEX "devices_camera_id_key" ON "devices" ("camera_id");

-- Which process holds a device, or does other work that one process at a time does: until when by the clock of the database, and how
-- often the holder has changed. Each write of a holder compares its number, so a process that slept through its lease writes nothing.
-- Leases are renewed every 10 s.
CREATE TABLE "leases" (
  -- Of a device its id.
  "name"      TEXT COLLATE "C" NOT NULL,
  "device_id" UUID,
  "holder"    TEXT COLLATE "C",
  "number"    BIGINT NOT NULL DEFAULT 0,
  "until"     TIMESTAMPTZ(3),
  CONSTRAINT "leases_pkey" PRIMARY KEY ("name"),
  CONSTRAINT "leases_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "devices" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "leases_name" CHECK ("name" = "device_id"::TEXT)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX "leases_device_id_key" ON "leases" ("device_id");
