-- The rule of every fence: a token above the mark passes, and an equal one of the mark's own holder. A mark is "token:holder:seconds",
-- the last being the server's clock when it was last shown. Tokens are compared as decimal text, since a Lua number is exact below
-- 2^53 only. Answers the token that stands against it.
local function staleAgainst(mark, token, holder)
  if not mark then
    return false
  end
  local highest, owner = string.match(mark, '^(%d+):(%x*):')
  if #token ~= #highest then
    return #token < #highest and highest
  end
  return (token < highest or (token == highest and (holder == '' or holder ~= owner))) and highest
end

local function raiseMark(key, token, holder)
  redis.call('SET', key, token .. ':' .. holder .. ':' .. redis.call('TIME')[1])
end
