--- `require`, `dofile`, `loadfile`: pure Lua text, whose body may wait. Nothing is looked for in the current folder.
--- A file of a layer has a `require` of its own: it looks in that layer, then in weaker ones, never upwards.
local private = ...
local load, read, once, can_wait, refuse = private.load, private.read, private.once, private.can_wait, private.refuse
local error, ipairs, pairs, select, setmetatable, type = error, ipairs, pairs, select, setmetatable, type
local concat = table.concat
local package, _G = package, _G

package.cpath = ""
local kept = {}
for template in package.path:gmatch("[^;]+") do
  if template:sub(1, 1) == "/" then kept[#kept + 1] = template end
end
package.path = private.module_path ~= "" and private.module_path or concat(kept, ";")

local function compile(path, text, environment)
  return load(text:gsub("^#[^\n]*", "", 1), "@" .. path, "t", environment or _G)
end

local function chunk_of(name, path, mode, environment)
  if not can_wait() then refuse(name) end
  if path == nil then return nil, name .. " needs a path" end
  if mode ~= nil and not mode:find("t", 1, true) then
    return nil, "attempt to load a text chunk (mode is '" .. mode .. "')"
  end
  local text, message = read(path)
  if not text then return nil, message end
  return compile(path, text, environment)
end

function loadfile(path, mode, environment)
  return chunk_of("loadfile", path, mode, environment)
end

function dofile(path)
  local chunk, message = chunk_of("dofile", path)
  if not chunk then error(message, 0) end
  return chunk()
end

package.searchers[2] = function(name)
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

--- The library's own modules, which no layer replaces.
local library = {}
for name in pairs(package.loaded) do
  library[name] = true
end

--- Where modules came from, and why others were not found, by name.
local origins, absent = {}, {}
local load_once = private.waiting("require", once)

--- Finds a module by the searchers and runs its body.
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

--- The module `name` of the layers up to `rank`, and its file; nil where none of them has it.
local function of_layers(space, rank, name)
  local text, file, at = space.find(rank, name)
  if not text then return nil end
  local key = at .. ":" .. name
  while space.values[key] == nil do
    load_once(file, function()
      local chunk, problem = compile(file, text, private.environment(space, at))
      if not chunk then error("error loading module '" .. name .. "':\n\t" .. problem, 0) end
      local result = chunk(name, file)
      if result == nil then result = true end
      space.values[key] = result
    end)
  end
  return space.values[key], file
end

--- What is part of the program: a tool as a record, or a file of its `lua/`.
local function of_program(space, name)
  local id = name:match("^builtin%.tools%.(.+)$")
  if id then
    if package.loaded[name] == nil then package.loaded[name] = private.shipped(id) end
    return package.loaded[name]
  end
  local file = name:match("^builtin%.(.+)$")
  local value, from
  if file then value, from = of_layers(space, space.weakest, file) end
  if value == nil then
    error("module '" .. name .. "' not found: there is builtin.tools.ID, and builtin.NAME for a policy", 3)
  end
  return value, from
end

--- The `require` of the files of one layer. A body runs once, and whoever asks for it meanwhile waits for that.
local function requiring(space_of, rank)
  return function(name)
    if type(name) ~= "string" then error("require takes the name of a module, got " .. type(name), 2) end
    local space = space_of()
    if name:find("^builtin%.") then return of_program(space, name) end
    local is_settled = package.loaded[name] ~= nil and (library[name] or rank == nil)
    if not is_settled then
      local value, file = of_layers(space, rank or space.strongest, name)
      if value ~= nil then return value, file end
    end
    while package.loaded[name] == nil do
      absent[name] = nil
      load_once(name, body)
      if absent[name] then error(absent[name], 2) end
    end
    return package.loaded[name], origins[name]
  end
end

--- What scripts see: the modules of the layers as they are now.
require = requiring(function() return private.space end)

--- The globals of the files of one layer: everybody's, but for `require` and what compiles text.
function private.environment(space, rank)
  if space.environments[rank] then return space.environments[rank] end
  local own = { require = requiring(function() return space end, rank) }
  function own.load(chunk, name, mode, ...)
    if select("#", ...) > 0 then return load(chunk, name, mode, ...) end
    return load(chunk, name, mode, own)
  end
  own.loadstring = own.load
  function own.loadfile(path, mode, environment)
    return chunk_of("loadfile", path, mode, environment or own)
  end
  function own.dofile(path)
    local chunk, message = chunk_of("dofile", path, nil, own)
    if not chunk then error(message, 0) end
    return chunk()
  end
  space.environments[rank] = setmetatable(own, { __index = _G, __newindex = _G })
  return space.environments[rank]
end
