-- Work that is claimed item by item; each claim raises the item's own fence.
CREATE TABLE IF NOT EXISTS fencedlock_work (
  item VARBINARY(512) NOT NULL PRIMARY KEY, -- UTF-8
  fence BIGINT NOT NULL, -- how often the item was claimed
  fence_holder VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin,
  claimed_until TIMESTAMP(6) NULL DEFAULT NULL, -- null: free
  done BOOLEAN NOT NULL
) ENGINE = InnoDB
