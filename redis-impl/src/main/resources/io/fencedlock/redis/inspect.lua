-- KEYS lock, seen
local entry = redis.call('GET', KEYS[1])
if not entry then
  return {}
end
local time = redis.call('TIME')
local now = time[1] .. string.format('%06d', time[2])
return {entry, redis.call('PTTL', KEYS[1]), redis.call('ZCOUNT', KEYS[2], now, '+inf')}
