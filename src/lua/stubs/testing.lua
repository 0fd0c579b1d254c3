---@meta
--- The words of test files, which `agent test` runs.

--- A group of tests.
---@param name string
---@param body fun()
function describe(name, body) end

--- One test, in an empty workspace. Without a function it is skipped.
---@param name string
---@param body? fun()
---@param options? { timeout?: number }
function it(name, body, options) end

--- Outside of a test: one that is to be written. Inside: leaves out the rest of it.
---@param name? string
---@param body? fun()
function pending(name, body) end

--- Runs before every test of the block around it.
---@param body fun()
function before_each(body) end

--- Runs after every test of the block around it, also after one that failed.
---@param body fun()
function after_each(body) end

--- Runs once, before the first test of the block around it.
---@param body fun()
function setup(body) end

--- Runs once, after the last test of the block around it.
---@param body fun()
function teardown(body) end

--- Creates files in the workspace of the test: paths and contents.
---@param list table<string, string>
function files(list) end

--- Runs a function as a language model would, with nobody there to ask.
---@param body fun(...: any): ...any
---@param ... any
---@return any ...
function as_model(body, ...) end

---@class agent.mock
---@field tool string The id of the tool
---@field calls table<string, any>[] The arguments of every call, decoded
---@field count integer How many calls there were
---@field off fun() Takes the mock off

--- Answers in the place of a tool: with a text, a record, an error to raise, or a function of the arguments.
---@param tool string
---@param result any
---@return agent.mock
function mock(tool, result) end

--- Lua's own, and the assertions: assert.equal, assert.is_not.same, assert.has_no.errors, ...
---@class agent.assert
---@field equal fun(expected: any, actual: any, message?: string)
---@field same fun(expected: any, actual: any, message?: string)
---@field is_true fun(value: any, message?: string)
---@field is_false fun(value: any, message?: string)
---@field is_nil fun(value: any, message?: string)
---@field is_not_nil fun(value: any, message?: string)
---@field truthy fun(value: any, message?: string)
---@field falsy fun(value: any, message?: string)
---@field has_error fun(body: fun(), expected?: any): any
---@field error_matches fun(body: fun(), pattern: string): any
---@field fails fun(kind: string, body: function, ...: any): tools.error
---@field matches fun(pattern: string, text: any, message?: string)
---@field near fun(expected: number, actual: number, tolerance: number, message?: string)
---@field contains fun(part: any, whole: any, message?: string)
---@field [string] any
---@overload fun(value: any, message?: any, ...: any): any
assert = {}
