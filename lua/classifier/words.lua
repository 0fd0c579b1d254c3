--- The words of a command: which options stand among them, and rules that go by them. It knows no program.
local M = {}

function M.set(names)
  local found = {}
  for name in names:gmatch("%S+") do found[name] = true end
  return found
end

--- Whether a word of `argv` is one of these, to the letter.
function M.has_exactly(argv, ...)
  for at = 2, #argv do
    for _, word in ipairs { ... } do
      if argv[at] == word then return true end
    end
  end
  return false
end

--- Whether one of these options could be among the words: a long one shortened, a short one together with others or with its value.
function M.has(argv, ...)
  for at = 2, #argv do
    local word = argv[at]:match("^[^=]*")
    for _, option in ipairs { ... } do
      local is_long = option:sub(1, 2) == "--" and #word > 3 and option:sub(1, #word) == word
      local is_short = #option == 2 and option ~= "--" and word:find("^%-%a*" .. option:sub(2)) ~= nil
      if word == option or is_long or is_short then return true end
    end
  end
  return false
end

--- Whether one of the short options bundled in a word, as in `-rf`, is `letter`.
function M.has_letter(argv, letter)
  for at = 2, #argv do
    if argv[at]:find("^%-[%a]*" .. letter) then return true end
  end
  return false
end

function M.operands(argv)
  local found = {}
  for at = 2, #argv do
    if argv[at]:sub(1, 1) ~= "-" then found[#found + 1] = argv[at] end
  end
  return found
end

--- A program whose first word says what it does: `low` lists what is harmless, a field of the word's name says anything else.
function M.by_word(name, rules)
  local low = M.set(rules.low or "")
  return function(argv, facts)
    local at = 2
    while argv[at] and argv[at]:sub(1, 1) == "+" do at = at + 1 end
    local word = argv[at]
    if not word or word == "--version" or word == "--help" then return "low" end
    if word:sub(1, 1) == "-" then return "medium", "an option stands before what `" .. name .. "` shall do" end
    local more = rules[word]
    if type(more) == "function" then return more(argv, facts) end
    if type(more) == "table" then return more[1], more[2] end
    if low[word] then return "low" end
    return "medium", "`" .. name .. " " .. word .. "` is not known to be harmless"
  end
end

function M.unless(words, reason, level)
  return function(argv)
    if M.has(argv, table.unpack(words)) then return level or "medium", reason end
    return "low"
  end
end

return M
