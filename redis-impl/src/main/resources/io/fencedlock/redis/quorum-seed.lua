-- Gives a node a vote again, if its memory is still the one that was looked at: nothing is ever taken from what it knows.
-- KEYS member   ARGV config, nonce, size, stripe, the nonce looked at, life, base, then for each node the latest life known
local node = member(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
if not node.mine or node.nonce ~= ARGV[5] or not above(ARGV[6], node.life) then
  return tell('changed', node)
end
local fields = {'life', ARGV[6], 'top', higher(ARGV[6], node.top), 'base', higher(ARGV[7], node.base)}
for i, known in ipairs(node.known) do
  fields[#fields + 1] = 'known' .. i
  fields[#fields + 1] = higher(ARGV[7 + i], known)
end
redis.call('HSET', KEYS[1], unpack(fields))
return tell('accepted', node)
