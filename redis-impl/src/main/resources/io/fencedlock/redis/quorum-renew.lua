-- KEYS lock   ARGV holder, lease in ms
local holder = string.match(redis.call('GET', KEYS[1]) or '', '^%d+:(%x+)')
if holder == ARGV[1] then
  return {redis.call('PEXPIRE', KEYS[1], ARGV[2])}
end
return {0}
