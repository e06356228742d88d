-- What is done once: one row for each idempotency key.
CREATE TABLE IF NOT EXISTS fencedlock_once (
  id VARBINARY(512) NOT NULL PRIMARY KEY, -- UTF-8
  done BOOLEAN NOT NULL, -- false: begun, and perhaps done, but not recorded
  result CHARACTER LARGE OBJECT,
  changed_at TIMESTAMP(6) WITH TIME ZONE NOT NULL DEFAULT CURRENT_TIMESTAMP
)
