-- KEYS locks   ARGV for each: "token:holder:", lease in ms. Answers for each 1 or, where the entry is not its own, 0, or what is wrong with it:
-- one key that is no lock must not keep the others from being renewed.
local answers = {}
for i, lock in ipairs(KEYS) do
  local own = ARGV[2 * i - 1]
  local entry = redis.pcall('GET', lock)
  if type(entry) == 'table' then
    answers[i] = entry.err
  elseif entry and string.sub(entry, 1, #own) == own then
    redis.call('PEXPIRE', lock, ARGV[2 * i])
    answers[i] = 1
  else
    answers[i] = 0
  end
end
return answers
