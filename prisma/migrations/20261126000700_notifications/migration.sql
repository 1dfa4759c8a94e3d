-- Who is told what happens, and what was told.

CREATE TABLE "notification_targets" (
  "id"                      UUID NOT NULL,
  "kind"                    TEXT COLLATE "C" NOT NULL,
  "name"                    TEXT COLLATE "C" NOT NULL,
  -- Without credentials. Its path or its topic may be one: it is never logged.
  "url"                     TEXT COLLATE "C" NOT NULL,
  "username"                TEXT,
  -- Encrypted (src/wire/secrets.ts).
  "secret"                  TEXT COLLATE "C",
  -- Of a webhook: the secret before, which signs beside the new one until then. Encrypted, too.
  "former_secret"           TEXT COLLATE "C",
  "former_secret_until"     TIMESTAMPTZ(3),
  "certificate_fingerprint" TEXT COLLATE "C",
  "events"                  TEXT[] NOT NULL,
  "minimum_severity"        TEXT COLLATE "C" NOT NULL,
  -- Whether only some printers are told of: those in notification_target_printers.
  "some_printers"           BOOLEAN NOT NULL DEFAULT false,
  "enabled"                 BOOLEAN NOT NULL DEFAULT true,
  "state"                   TEXT COLLATE "C" NOT NULL DEFAULT 'OK',
  "state_since"             TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  -- Why it is not OK, as a code: a sentence is made of it.
  "fault"                   TEXT COLLATE "C",
  -- The receiver asked for silence until then (Retry-After).
  "silent_until"            TIMESTAMPTZ(3),
  -- It gets the events of unreported_changes with greater ids: a trigger writes it when the target is enabled.
  "events_after"            BIGINT NOT NULL DEFAULT 0,
  "created_at"              TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "updated_at"              TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "notification_targets_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "notification_targets_kind" CHECK ("kind" IN ('WEBHOOK', 'NTFY', 'MQTT')),
  CONSTRAINT "notification_targets_state" CHECK ("state" IN ('OK', 'RETRYING', 'FAILED', 'DISABLED')),
  CONSTRAINT "notification_targets_enabled" CHECK ("enabled" = ("state" <> 'DISABLED')),
  CONSTRAINT "notification_targets_severity" CHECK ("minimum_severity" IN ('WARNING', 'CRITICAL'))
);

CREATE TABLE "notification_target_printers" (
  "target_id"  UUID NOT NULL,
  "printer_id" UUID NOT NULL,
  CONSTRAINT "notification_target_printers_pkey" PRIMARY KEY ("target_id", "printer_id"),
  CONSTRAINT "notification_target_printers_target_id_fkey" FOREIGN KEY ("target_id") REFERENCES "notification_targets" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "notification_target_printers_printer_id_fkey" FOREIGN KEY ("printer_id") REFERENCES "printers" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "notification_target_printers_by_printer" ON "notification_target_printers" ("printer_id");

-- Each once, by the one process that reports, in the transaction that deletes what it was made of.
CREATE TABLE "notifications" (
  "id"       BIGINT GENERATED ALWAYS AS IDENTITY,
  "event"    TEXT COLLATE "C" NOT NULL,
  "at"       TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  -- Of an alert; null otherwise. Receivers order by it.
  "severity" TEXT COLLATE "C",
  "title"    TEXT NOT NULL,
  "text"     TEXT NOT NULL,
  -- The member data of a webhook, without text and url.
  "data"     JSON NOT NULL,
  CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- One for each notification and target that is told of it. Its id is the same at each try.
CREATE TABLE "notification_deliveries" (
  "id"              UUID NOT NULL,
  "target_id"       UUID NOT NULL,
  "notification_id" BIGINT NOT NULL,
  "state"           TEXT COLLATE "C" NOT NULL DEFAULT 'WAITING',
  -- Since it was told of, or was to be sent again.
  "waiting_since"   TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "attempts"        INTEGER NOT NULL DEFAULT 0,
  "last_attempt_at" TIMESTAMPTZ(3),
  -- null when it is not tried again.
  "next_attempt_at" TIMESTAMPTZ(3),
  "http_status"     INTEGER,
  "fault"           TEXT COLLATE "C",
  CONSTRAINT "notification_deliveries_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "notification_deliveries_target_id_fkey" FOREIGN KEY ("target_id") REFERENCES "notification_targets" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "notification_deliveries_notification_id_fkey" FOREIGN KEY ("notification_id") REFERENCES "notifications" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "notification_deliveries_state" CHECK ("state" IN ('WAITING', 'DELIVERED', 'GIVEN_UP')),
  CONSTRAINT "notification_deliveries_attempts" CHECK ("attempts" >= 0)
);
-- A target's deliveries in the order in which they are told.
CREATE UNIQUE INDEX "notification_deliveries_by_target" ON "notification_deliveries" ("target_id", "notification_id");
CREATE INDEX "notification_deliveries_by_notification" ON "notification_deliveries" ("notification_id");
CREATE INDEX "notification_deliveries_waiting" ON "notification_deliveries" ("target_id", "notification_id") WHERE "state" = 'WAITING';

-- The conditions of alerts as the process looked at them: one row for each kind and object that stands or stood.
CREATE TABLE "alert_states" (
  "kind"       TEXT COLLATE "C" NOT NULL,
  "about"      TEXT COLLATE "C" NOT NULL,
  "object_id"  TEXT COLLATE "C" NOT NULL,
  -- Since when it stands without a break; null while it is gone.
  "stands_since" TIMESTAMPTZ(3),
  -- Since when it is gone without a break; null while it stands.
  "gone_since" TIMESTAMPTZ(3),
  -- When it was told as raised, and the alert as it was told then; null before.
  "raised_at"  TIMESTAMPTZ(3),
  "alert"      JSON,
  -- The ids of the targets that were told of it.
  "told"       TEXT[] NOT NULL,
  CONSTRAINT "alert_states_pkey" PRIMARY KEY ("kind", "about", "object_id"),
  CONSTRAINT "alert_states_stands_or_gone" CHECK (("stands_since" IS NULL) <> ("gone_since" IS NULL))
);

-- How a print or a job was before a change that nothing was reported of yet. Triggers write it (src/notifications/events/note-changes.sql).
CREATE TABLE "unreported_changes" (
  "id"          BIGINT GENERATED ALWAYS AS IDENTITY,
  "at"          TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
  "type"        TEXT COLLATE "C" NOT NULL,
  -- The print or the job. It may be gone.
  "entity"      UUID NOT NULL,
  -- Of a print; all are null where it was not there.
  "outcome"     TEXT COLLATE "C",
  "job_id"      UUID,
  "lacks_spool" BOOLEAN,
  "ignored"     BOOLEAN,
  -- Of a job; null where it was not there.
  "status"      TEXT COLLATE "C",
  CONSTRAINT "unreported_changes_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "unreported_changes_type" CHECK ("type" IN ('PRINT', 'JOB'))
);
CREATE INDEX "unreported_changes_by_entity" ON "unreported_changes" ("entity", "id");
CREATE INDEX "unreported_changes_by_job" ON "unreported_changes" ("job_id") WHERE "job_id" IS NOT NULL;

-- One row: it is locked while anything is reported.
CREATE TABLE "notification_outbox" (
  "only"         BOOLEAN NOT NULL DEFAULT true,
  -- Whether alert_states has what stood when the first target was enabled.
  "knows_alerts" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "notification_outbox_pkey" PRIMARY KEY ("only"),
  CONSTRAINT "notification_outbox_only" CHECK ("only")
);
INSERT INTO "notification_outbox" DEFAULT VALUES;
