-- KEYS member   ARGV config, nonce, size, stripe, the number that every later token is to be above
local node = member(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
if not node.mine or node.life == '0' then
  return tell('unseeded', node)
end
redis.call('HSET', KEYS[1], 'base', higher(ARGV[5], node.base), 'top', higher(ARGV[5], node.top))
return tell('accepted', node)
