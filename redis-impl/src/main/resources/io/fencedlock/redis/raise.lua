-- KEYS counters   ARGV the number that every later token is to be above
for _, counter in ipairs(KEYS) do
  local last = redis.call('GET', counter)
  if not last or above(ARGV[1], last) then
    redis.call('SET', counter, ARGV[1])
  end
end
return {1}
