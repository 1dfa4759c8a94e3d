-- The writes that clients named with an idempotency key, each with its answer, stored in the write's own transaction and
-- removed after 24 hours.
CREATE TABLE "idempotency_keys" (
  "caller"      TEXT COLLATE "C" NOT NULL,
  "key"         TEXT COLLATE "C" NOT NULL,
  -- SHA-256 of the request: the same key with another request is refused.
  "fingerprint" TEXT COLLATE "C" NOT NULL,
  "answer"      JSON,
  "created_at"  TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("caller", "key")
);

CREATE INDEX "idempotency_keys_by_age" ON "idempotency_keys" ("created_at");
