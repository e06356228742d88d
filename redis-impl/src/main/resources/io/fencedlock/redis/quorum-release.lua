-- Ends a holder's entry on this node, of whatever phase; if a token was granted with it, whoever listens is told. Needs no memory.
-- KEYS lock, tombstone   ARGV holder, the try that is over or "", how long a late request of it is refused in ms, channel, lock name
local token, holder = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+):(%x+)')
local mine = holder == ARGV[1]
if mine then
  redis.call('DEL', KEYS[1])
  if token ~= '0' then
    redis.pcall('PUBLISH', ARGV[4], holder .. ':' .. ARGV[5])
  end
end
local refused = ARGV[2] == '' or pcall(redis.call, 'SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return {mine and 1 or 0, refused and 1 or 0}
