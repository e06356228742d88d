-- Mints the next token of a stripe: one above the last, and never below the server's clock in microseconds, unless the
-- source is the plain counter. Tokens stay decimal text all the way, as a Lua number is exact below 2^53 only.
local function above(a, b)
  return #a > #b or (#a == #b and a > b)
end

local function micros()
  local time = redis.call('TIME')
  return time[1] .. string.format('%06d', time[2])
end

local function mint(counter, source, last, now)
  if source == 'clock' and (not last or above(now, last)) then
    redis.call('SET', counter, now)
    return now
  end
  redis.call('INCR', counter)
  return redis.call('GET', counter)
end
