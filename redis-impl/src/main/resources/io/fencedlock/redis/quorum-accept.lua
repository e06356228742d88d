-- Second phase: stores the token, if the lock is still the holder's here and this node has accepted no higher one.
-- KEYS member, lock
-- ARGV config, nonce, size, stripe, holder, token, lease in ms
local node = member(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
local token, holder, rest = string.match(redis.call('GET', KEYS[2]) or '', '^(%d+):(%x+)(.*)$')
if holder ~= ARGV[5] then
  return tell('gone', node)
end
if not node.mine or node.life == '0' then
  return tell('unseeded', node)
end
if token ~= ARGV[6] then
  if not above(ARGV[6], node.counter) then
    return tell('low', node)
  end
  node.counter, node.top = ARGV[6], higher(ARGV[6], node.top)
  redis.call('HSET', KEYS[1], ARGV[4], node.counter, 'top', node.top)
end
redis.call('SET', KEYS[2], ARGV[6] .. ':' .. holder .. rest, 'PX', ARGV[7])
return tell('accepted', node, ARGV[6], holder)
