-- KEYS lock, then those of the change   ARGV token, holder, then those of the change. Answers {0} or as the change does.
local entry = redis.call('GET', KEYS[1])
local own = ARGV[1] .. ':' .. ARGV[2] .. ':'
if not entry or string.sub(entry, 1, #own) ~= own then
  return {0}
end
