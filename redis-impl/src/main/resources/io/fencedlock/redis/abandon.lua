-- KEYS lock, counter, waiters, seen, tombstone
-- ARGV holder, token source, channels, whether receivers are counted, tombstone in ms or 0, "client:ms:pid:host" or ""
if ARGV[6] ~= '' then
  local waiter = ARGV[1] .. ':' .. ARGV[6]
  redis.call('ZREM', KEYS[3], waiter)
  redis.call('ZREM', KEYS[4], waiter)
end
local entry = redis.call('GET', KEYS[1])
if entry and string.match(entry, '^%d+:(%x+)') == ARGV[1] then
  passOn(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[2], ARGV[3], ARGV[4])
end
return {bury(KEYS[5], ARGV[5])}
