-- First phase: takes the lock on this node and tells what it remembers.
-- KEYS member, lock, tombstone
-- ARGV config, nonce, size, stripe, holder, number of the try, lease in ms, "pid:host"
local node = member(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
local found = redis.call('MGET', KEYS[2], KEYS[3])
local entry, abandoned = found[1], found[2]
if not node.mine then
  return tell('stranger', node)
end
if abandoned and tonumber(abandoned) >= tonumber(ARGV[6]) then
  return tell('abandoned', node)
end
local token, holder, since = string.match(entry or '', '^(%d+):(%x+)[.%d]*:(%d+)')
if entry and holder ~= ARGV[5] then
  return tell('held', node, token, holder, redis.call('PTTL', KEYS[2]))
end
token, holder = token or '0', ARGV[5] .. '.' .. ARGV[6]
redis.call('SET', KEYS[2], table.concat({token, holder, since or micros(), ARGV[8]}, ':'), 'PX', ARGV[7])
return tell('mine', node, token, ARGV[5])
