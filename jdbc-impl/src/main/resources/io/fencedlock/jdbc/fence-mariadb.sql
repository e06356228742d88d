-- The marks of fenced resources: one row for each resource, kept when locks are gone.
CREATE TABLE IF NOT EXISTS fencedlock_fence (
  resource VARBINARY(512) NOT NULL PRIMARY KEY, -- UTF-8; bytes, so that no collation merges two names
  token BIGINT NOT NULL,
  holder VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin, -- null: raised by an operator
  entries BIGINT NOT NULL, -- how often the fence was entered
  changed_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)
) ENGINE = InnoDB
