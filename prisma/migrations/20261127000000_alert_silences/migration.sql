-- Alerts that people have put aside.

-- One row for each kind and object: whoever writes last decides until when.
CREATE TABLE "alert_silences" (
  "kind"        TEXT COLLATE "C" NOT NULL,
  "object_id"   TEXT COLLATE "C" NOT NULL,
  -- Of the alert when it was silenced: a worse one is not silenced.
  "severity"    TEXT COLLATE "C" NOT NULL,
  -- The name in the credentials; null without any.
  "silenced_by" TEXT,
  "silenced_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  -- Null: for as long as the alert stands.
  "until"       TIMESTAMPTZ(3),
  -- Since when the alert was seen to be gone; null while it stands.
  "gone_since"  TIMESTAMPTZ(3),
  CONSTRAINT "alert_silences_pkey" PRIMARY KEY ("kind", "object_id"),
  CONSTRAINT "alert_silences_severity" CHECK ("severity" IN ('WARNING', 'CRITICAL'))
);

-- Whether it was silenced since it stands: then it is told when the silence ends.
ALTER TABLE "alert_states" ADD COLUMN "was_silenced" BOOLEAN NOT NULL DEFAULT false;
