-- KEYS mark   ARGV token. Answers the mark afterwards.
local highest = staleAgainst(redis.call('GET', KEYS[1]), ARGV[1], '')
if not highest or highest == ARGV[1] then
  raiseMark(KEYS[1], ARGV[1], '')
end
return {redis.call('GET', KEYS[1])}
