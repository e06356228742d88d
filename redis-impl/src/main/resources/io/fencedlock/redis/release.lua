-- KEYS lock, counter, tombstone, waiters, seen
-- ARGV "token:holder:" (or "token:" for any holder), token source, channels, whether receivers are counted, and maybe tombstone in ms
local entry = redis.call('GET', KEYS[1])
local mine = entry and string.sub(entry, 1, #ARGV[1]) == ARGV[1]
if mine then
  passOn(KEYS[1], KEYS[2], KEYS[4], KEYS[5], ARGV[2], ARGV[3], ARGV[4])
end
bury(KEYS[3], ARGV[5])
return {mine and 1 or 0}
