-- KEYS lock, counter, tombstone, and to wait: waiters, seen
-- ARGV holder, lease in ms, token source, "pid:host", and to wait: "client:ms:pid:host", whether it waited before, patience in ms
local lock, counter, waiters, seen = KEYS[1], KEYS[2], KEYS[4], KEYS[5]
local holder, waiting = ARGV[1], ARGV[5] and ARGV[1] .. ':' .. ARGV[5]
local found = redis.call('MGET', lock, counter, KEYS[3])
local entry, last, abandoned = found[1], found[2], found[3]

if abandoned then
  return {'abandoned'}
end
if entry then
  local token, owner = string.match(entry, '^(%d+):(%x+)')
  if owner == holder then
    redis.call('PEXPIRE', lock, ARGV[2])
    return {'granted', token}
  end
  if waiting then
    local now = micros()
    redis.call('ZADD', waiters, 'NX', now, waiting)
    redis.call('ZADD', seen, now + ARGV[7] * 1000, waiting)
    redis.call('PEXPIRE', waiters, ARGV[7])
    redis.call('PEXPIRE', seen, ARGV[7])
  end
  return {'held', token, redis.call('PTTL', lock)}
end

local now = micros()
local token = mint(counter, ARGV[3], last, now)
redis.call('SET', lock, token .. ':' .. holder .. ':' .. now .. ':' .. ARGV[4], 'PX', ARGV[2])
if ARGV[6] == '1' then
  redis.call('ZREM', waiters, waiting)
  redis.call('ZREM', seen, waiting)
end
return {'granted', token}
