-- What a node of a Redlock remembers. It is one hash, so that it is lost as a whole or not at all: "config", its place among how many;
-- "nonce", drawn anew whenever the rest was lost; "life", the number with which it was seeded since then (without one it has no vote);
-- "top", the highest number it accepted; "base", what every counter is at least; a counter for each stripe of names; and "known1", ...,
-- the latest life that it knows of each node.
local function higher(a, b)
  return above(a, b) and a or b
end

local function member(key, config, nonce, size, stripe)
  local fields = {'config', 'nonce', 'life', 'top', 'base', stripe}
  for i = 1, tonumber(size) do
    fields[6 + i] = 'known' .. i
  end
  local found = redis.call('HMGET', key, unpack(fields))
  if not found[2] then
    redis.call('HSET', key, 'config', config, 'nonce', nonce)
    found[1], found[2] = config, nonce
  end
  local known = {}
  for i = 1, tonumber(size) do
    known[i] = found[6 + i] or '0'
  end
  local base = found[5] or '0'
  return {
    mine = found[1] == config,
    nonce = found[2],
    life = found[3] or '0',
    top = found[4] or '0',
    base = base,
    counter = higher(found[6] or '0', base),
    known = known
  }
end

-- An answer: what became of the question, the node's memory, and what is said of the entry.
local function tell(what, node, token, holder, millis)
  return {
    node.mine and what or 'stranger', node.nonce, node.life, node.top, node.counter, micros(), table.concat(node.known, ','),
    token or '0', holder or '', tostring(millis or -1)
  }
end
