-- Ends an entry: the first waiter that is still there gets the lock and is told so; without one the lock is free.
-- A waiter is "holder:client:milliseconds:pid:host". Whatever needs memory or a right that may be missing is tried only, so
-- that a release always works; then the waiter is told to ask again, or does so by itself.
local function passOn(lock, counter, waiters, seen, source, channels, counted)
  if redis.call('EXISTS', waiters) == 0 then
    redis.call('DEL', lock)
    return
  end
  local waiter = redis.call('ZRANGE', waiters, 0, 0)[1]
  local now = micros()
  local token
  while waiter do
    local deadline = redis.call('ZSCORE', seen, waiter)
    redis.call('ZREM', waiters, waiter)
    redis.call('ZREM', seen, waiter)
    if deadline and tonumber(deadline) > tonumber(now) then
      local holder, client, millis, about = string.match(waiter, '^(%x+):(%x+):(%d+):(.*)$')
      local done
      if not token then
        done, token = pcall(mint, counter, source, redis.call('GET', counter), now)
      end
      if done ~= false then
        local entry = token .. ':' .. holder .. ':' .. now .. ':' .. about
        done = pcall(redis.call, 'SET', lock, entry, 'PX', millis)
      end
      if not done then
        redis.call('DEL', lock)
        redis.pcall('PUBLISH', channels .. client, holder .. ':')
        return
      end
      local heard = redis.pcall('PUBLISH', channels .. client, holder .. ':' .. token)
      if type(heard) ~= 'number' then
        break
      elseif heard > 0 or counted == '0' then
        return
      end
    end
    waiter = redis.call('ZRANGE', waiters, 0, 0)[1]
  end
  redis.call('DEL', lock)
end

-- Sees to it that a request of this holder that is still on its way, if one may be, grants nothing. Answers whether that is so.
local function bury(tombstone, millis)
  if not millis then
    return 1
  end
  return pcall(redis.call, 'SET', tombstone, '', 'PX', millis) and 1 or 0
end
