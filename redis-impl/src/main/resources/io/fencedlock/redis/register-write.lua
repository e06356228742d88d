-- KEYS register (a hash of "mark" and "value")   ARGV token, holder, "write" or "advance", value
local highest = staleAgainst(redis.call('HGET', KEYS[1], 'mark'), ARGV[1], ARGV[2])
if highest then
  return {0, highest}
end
redis.call('HSET', KEYS[1], 'mark', ARGV[1] .. ':' .. ARGV[2])
if ARGV[3] == 'write' then
  redis.call('HSET', KEYS[1], 'value', ARGV[4])
end
return {1}
