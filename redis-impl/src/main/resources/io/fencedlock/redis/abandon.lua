-- KEYS lock, counter, tombstone, waiters, seen
-- ARGV holder, token source, channels, whether receivers are counted, "client:ms:pid:host" or "", and maybe tombstone in ms
if ARGV[5] ~= '' then
  local waiter = ARGV[1] .. ':' .. ARGV[5]
  redis.call('ZREM', KEYS[4], waiter)
  redis.call('ZREM', KEYS[5], waiter)
end
local entry = redis.call('GET', KEYS[1])
if entry and string.match(entry, '^%d+:(%x+)') == ARGV[1] then
  passOn(KEYS[1], KEYS[2], KEYS[4], KEYS[5], ARGV[2], ARGV[3], ARGV[4])
end
return {bury(KEYS[3], ARGV[6])}
