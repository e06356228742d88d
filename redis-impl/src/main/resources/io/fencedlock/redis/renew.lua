-- KEYS lock   ARGV "token:holder:", lease in ms
local entry = redis.call('GET', KEYS[1])
if entry and string.sub(entry, 1, #ARGV[1]) == ARGV[1] then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return {1}
end
return {0}
