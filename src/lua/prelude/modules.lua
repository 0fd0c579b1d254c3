--- `require`, `dofile`, `loadfile`: pure Lua text, whose body may wait. Nothing is looked for in the current folder.
local private = ...
local load, read, once, can_wait, refuse = private.load, private.read, private.once, private.can_wait, private.refuse
local error, ipairs, type = error, ipairs, type
local concat = table.concat
local package = package

package.cpath = ""
local kept = {}
for template in package.path:gmatch("[^;]+") do
  if template:sub(1, 1) == "/" then kept[#kept + 1] = template end
end
package.path = private.module_path ~= "" and private.module_path or concat(kept, ";")

local function compile(path, text, ...)
  return load(text:gsub("^#[^\n]*", "", 1), "@" .. path, "t", ...)
end

local function chunk_of(name, path, mode, ...)
  if not can_wait() then refuse(name) end
  if path == nil then return nil, name .. " needs a path" end
  if mode ~= nil and not mode:find("t", 1, true) then
    return nil, "attempt to load a text chunk (mode is '" .. mode .. "')"
  end
  local text, message = read(path)
  if not text then return nil, message end
  return compile(path, text, ...)
end

function loadfile(path, mode, ...)
  return chunk_of("loadfile", path, mode, ...)
end

function dofile(path)
  local chunk, message = chunk_of("dofile", path)
  if not chunk then error(message, 0) end
  return chunk()
end

package.searchers[2] = function(name)
  local id = name:match("^builtin%.tools%.(.+)$")
  if id then return private.builtin, id end
  local missing = {}
  for template in package.path:gmatch("[^;]+") do
    local path = template:gsub("%?", (name:gsub("%.", "/"):gsub("%%", "%%%%")))
    local text, message = read(path)
    if text then
      local chunk, problem = compile(path, text)
      if not chunk then error("error loading module '" .. name .. "':\n\t" .. problem, 0) end
      return chunk, path
    end
    missing[#missing + 1] = message
  end
  return concat(missing, "\n\t")
end
for i = #package.searchers, 3, -1 do
  package.searchers[i] = nil
end

--- Where modules came from, and why others were not found, by name.
local origins, absent = {}, {}

--- Finds a module and runs its body.
local function body(name)
  local missing = {}
  for _, searcher in ipairs(package.searchers) do
    local loader, extra = searcher(name)
    if type(loader) == "function" then
      local result = loader(name, extra)
      if result ~= nil then package.loaded[name] = result end
      if package.loaded[name] == nil then package.loaded[name] = true end
      origins[name] = extra
      return
    end
    if type(loader) == "string" then missing[#missing + 1] = loader end
  end
  absent[name] = "module '" .. name .. "' not found:\n\t" .. concat(missing, "\n\t")
end

local load_once = private.waiting("require", once)

--- The value of a module. Its body runs once, and whoever asks for it meanwhile waits for that.
function require(name)
  if type(name) ~= "string" then error("require takes the name of a module, got " .. type(name), 2) end
  while package.loaded[name] == nil do
    absent[name] = nil
    load_once(name, body)
    if absent[name] then error(absent[name], 2) end
  end
  return package.loaded[name], origins[name]
end
