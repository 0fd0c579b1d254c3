--- `require`, `dofile`, `loadfile`: pure Lua text, whose body may wait. Nothing is looked for in the current folder.
local private = ...
local load, open = private.load, io.open
local error, ipairs, type = error, ipairs, type
local package = package

package.cpath = ""
local kept = {}
for template in package.path:gmatch("[^;]+") do
  if template:sub(1, 1) == "/" then kept[#kept + 1] = template end
end
package.path = private.module_path ~= "" and private.module_path or table.concat(kept, ";")

local function compile(path, ...)
  local file, message = open(path, "rb")
  if not file then return nil, message end
  local text = file:read("a")
  file:close()
  if not text then return nil, "cannot read " .. path end
  return load(text:gsub("^#[^\n]*", "", 1), "@" .. path, "t", ...)
end

function loadfile(path, mode, ...)
  if path == nil then return nil, "loadfile needs a path" end
  if mode ~= nil and not mode:find("t", 1, true) then
    return nil, "attempt to load a text chunk (mode is '" .. mode .. "')"
  end
  return compile(path, ...)
end

function dofile(path)
  local chunk, message = loadfile(path)
  if not chunk then error(message, 0) end
  return chunk()
end

package.searchers[2] = function(name)
  local path, message = package.searchpath(name, package.path)
  if not path then return message end
  local chunk, problem = compile(path)
  if not chunk then error("error loading module '" .. name .. "':\n\t" .. problem, 0) end
  return chunk, path
end
for i = #package.searchers, 3, -1 do
  package.searchers[i] = nil
end

--- The value of a module; its body runs once.
function require(name)
  if package.loaded[name] ~= nil then return package.loaded[name] end
  local missing = {}
  for _, searcher in ipairs(package.searchers) do
    local loader, extra = searcher(name)
    if type(loader) == "function" then
      local result = loader(name, extra)
      if result ~= nil then package.loaded[name] = result end
      if package.loaded[name] == nil then package.loaded[name] = true end
      return package.loaded[name], extra
    end
    if type(loader) == "string" then missing[#missing + 1] = loader end
  end
  error("module '" .. name .. "' not found:\n\t" .. table.concat(missing, "\n\t"), 2)
end
