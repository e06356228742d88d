-- Another node lost its memory and is about to be seeded with a number: from now on this node knows.
-- KEYS member   ARGV config, nonce, size, stripe, the other's place, number
local node = member(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
if not node.mine or node.life == '0' then
  return tell('unseeded', node)
end
if not above(ARGV[6], node.top) then
  return tell('low', node)
end
redis.call('HSET', KEYS[1], 'top', ARGV[6], 'known' .. ARGV[5], ARGV[6])
node.top, node.known[tonumber(ARGV[5])] = ARGV[6], ARGV[6]
return tell('accepted', node)
