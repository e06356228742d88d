-- Ends a holder's entry on this node, of whatever phase, up to a try; if a token was granted with it, whoever listens is told. Needs no memory.
-- KEYS lock, tombstone
-- ARGV holder, the last try that is over, the last whose late requests are refused or "", for how long in ms, channel, lock name
local token, holder, try = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+):(%x+)%.(%d+)')
local mine = holder == ARGV[1] and tonumber(try) <= tonumber(ARGV[2])
if mine then
  redis.call('DEL', KEYS[1])
  if token ~= '0' then
    redis.pcall('PUBLISH', ARGV[5], holder .. ':' .. ARGV[6])
  end
end
local refused = ARGV[3] == '' or pcall(redis.call, 'SET', KEYS[2], ARGV[3], 'PX', ARGV[4])
return {mine and 1 or 0, refused and 1 or 0}
