-- KEYS register
redis.call('DEL', KEYS[1])
return {1}
