-- KEYS mark   ARGV seconds. Deletes it if it was not used for so long.
local used = string.match(redis.call('GET', KEYS[1]) or '', ':(%d+)$')
if used and redis.call('TIME')[1] - used >= tonumber(ARGV[1]) then
  return {redis.call('DEL', KEYS[1])}
end
return {0}
