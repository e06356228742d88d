-- KEYS register   ARGV value. Asks no fence and leaves the mark alone.
redis.call('HSET', KEYS[1], 'value', ARGV[1])
return {1}
