-- What is done once: one row for each idempotency key.
CREATE TABLE IF NOT EXISTS fencedlock_once (
  id BYTEA NOT NULL PRIMARY KEY, -- UTF-8
  done BOOLEAN NOT NULL, -- false: begun, and perhaps done, but not recorded
  result TEXT,
  changed_at TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT CURRENT_TIMESTAMP
)
