-- Work that is claimed item by item; each claim raises the item's own fence.
CREATE TABLE IF NOT EXISTS fencedlock_work (
  item BYTEA NOT NULL PRIMARY KEY, -- UTF-8
  fence BIGINT NOT NULL, -- how often the item was claimed
  fence_holder VARCHAR(32),
  claimed_until TIMESTAMP WITH TIME ZONE, -- null: free
  done BOOLEAN NOT NULL
)
