-- KEYS mark, then those of the change   ARGV token, holder, then those of the change. Answers {0, the token against it} or as the change does.
local highest = staleAgainst(redis.call('GET', KEYS[1]), ARGV[1], ARGV[2])
if highest then
  return {0, highest}
end
raiseMark(KEYS[1], ARGV[1], ARGV[2])
