-- KEYS register   Answers the value and the mark, false for what is not there.
return redis.call('HMGET', KEYS[1], 'value', 'mark')
