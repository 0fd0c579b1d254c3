--- Edits find their place although trailing commas differ: a comma before `}`, `]`, `)` or a line end may be there or not.
--- Only looks; what it finds is replaced as any other place is.

--- The text without such commas, and for each byte of it where it was.
local function bare(text)
  local kept, positions = {}, {}
  for at = 1, #text do
    local byte = text:sub(at, at)
    if byte ~= "," or not text:find("^[ \t]*[%]})\n]", at + 1) then
      kept[#kept + 1] = byte
      positions[#positions + 1] = at
    end
  end
  return table.concat(kept), positions
end

local function trailing_commas(text, old)
  local wanted = bare(old)
  if wanted == "" then return {} end
  local without, positions = bare(text)
  local places, from = {}, 1
  while true do
    local first, last = without:find(wanted, from, true)
    if not first then return places end
    places[#places + 1] = { positions[first], positions[last], 0.95 }
    from = last + 1
  end
end

return {
  chain = {
    "simple", { "trailing_commas", trailing_commas }, "line_trimmed", "block_anchor", "whitespace_normalized",
    "indentation_flexible", "escape_normalized", "trimmed_boundary", "context_aware", "multi_occurrence",
  },
}
