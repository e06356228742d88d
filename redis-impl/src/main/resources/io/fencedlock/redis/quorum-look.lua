-- KEYS member   ARGV config, nonce, size, stripe
return tell('seen', member(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4]))
