-- KEYS counter   ARGV the number that every later token is to be above
local last = redis.call('GET', KEYS[1])
if not last or above(ARGV[1], last) then
  redis.call('SET', KEYS[1], ARGV[1])
end
return {1}
