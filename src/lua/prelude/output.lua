--- Standard output: `print`, `io.write`, `io.stdout` go where the program says, in the order they were called.
local private = ...
local write = private.write
local concat, select, tostring, type = table.concat, select, tostring, type
local raw_type, raw_close, raw_output = io.type, io.close, io.output
local error, open = error, io.open

function print(...)
  local pieces = {}
  for i = 1, select("#", ...) do
    pieces[i] = tostring((select(i, ...)))
  end
  write(concat(pieces, "\t") .. "\n")
end

local stdout = {}
local methods = {}
stdout = setmetatable(stdout, {
  __name = "FILE*",
  __index = methods,
  __tostring = function() return "file (stdout)" end,
})

function methods.write(self, ...)
  for i = 1, select("#", ...) do
    local piece = select(i, ...)
    if type(piece) ~= "string" and type(piece) ~= "number" then
      error("bad argument #" .. i .. " to 'write' (string expected, got " .. type(piece) .. ")", 2)
    end
    write(tostring(piece))
  end
  return self
end
function methods.flush(self) return self end
function methods.setvbuf() return true end
function methods.seek() return nil, "Illegal seek", 29 end
function methods.close() return nil, "standard output stays open" end
function methods.read() return nil, "Bad file descriptor", 9 end
methods.lines = methods.read

--- What `io.write` writes to.
local current = stdout
io.stdout = stdout

function io.write(...)
  return current:write(...)
end

function io.output(file)
  if type(file) == "string" then
    local opened, message = open(file, "w")
    if not opened then error(message, 2) end
    current = opened
  elseif file ~= nil then
    if file ~= stdout then raw_output(file) end
    current = file
  end
  return current
end

function io.close(file)
  if file == nil then file = current end
  if file == stdout then return stdout:close() end
  return raw_close(file)
end

function io.type(file)
  if file == stdout then return "file" end
  return raw_type(file)
end
