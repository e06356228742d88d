-- Makes the change with keys and arguments of its own. Answers {1, its answer}, or {2, why it failed}.
local function from(list, first)
  local rest = {}
  for i = first, #list do
    rest[#rest + 1] = list[i]
  end
  return rest
end
local made, answer = pcall(function(KEYS, ARGV)
@change@
end, from(KEYS, 2), from(ARGV, 3))
if made and not (type(answer) == 'table' and answer.err) then
  return {1, answer}
end
return {2, type(answer) == 'table' and answer.err or tostring(answer)}
