-- A session in Neovim by its own commands; what came of each is written as JSON.
local told = {}
local path = vim.env.TOLD

local function wait(what, done)
  if not vim.wait(60000, done, 20) then
    error("waited in vain for " .. what)
  end
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n") .. "\n"
end

local function go(pattern)
  vim.fn.cursor(1, 1)
  if vim.fn.search(pattern, "cW") == 0 then
    error("the text does not hold " .. pattern)
  end
end

local function diagnostics()
  local found = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, { line = each.lnum + 1, code = each.code, message = each.message })
  end
  return found
end

local function float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      return window
    end
  end
end

local function session()
  wait("a mistake", function() return #vim.diagnostic.get(0) > 0 end)
  told.mistakes = diagnostics()

  vim.ui.select = function(items, options, choose)
    told.offered = vim.tbl_map(options.format_item, items)
    choose(items[1], 1)
  end
  go("hepa")
  vim.lsp.buf.code_action()
  wait("the fix", function() return not text():find("hepa") end)
  wait("no mistakes", function() return #vim.diagnostic.get(0) == 0 end)

  go("heap of")
  vim.lsp.buf.hover()
  wait("what it is", float)
  local window = float()
  local shown = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true)
  told.hover = table.concat(shown, "\n")
  vim.api.nvim_win_close(window, true)

  go("heap to box")
  told.omnifunc = vim.bo.omnifunc
  told.start = vim.fn.eval("v:lua.vim.lsp.omnifunc(1, '')")
  local answers = vim.lsp.buf_request_sync(
    0, "textDocument/completion", vim.lsp.util.make_position_params(0, "utf-16"), 60000)
  told.completions = {}
  for _, answer in pairs(answers) do
    for _, item in ipairs(answer.result.items) do
      table.insert(told.completions, item.label)
    end
  end

  go("heap of")
  vim.lsp.buf.definition()
  vim.lsp.buf.rename("pile")
  wait("another name", function() return not text():find("heap") end)

  go("move n")
  vim.cmd("normal! wi  ")
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ async = false, timeout_ms = 60000 })
  else
    vim.lsp.buf.formatting_sync(nil, 60000)
  end
  wait("the layout", function() return text():find("\n    move n") end)

  local function lenses()
    local titles = {}
    for _, lens in ipairs(vim.lsp.codelens.get(0)) do
      if lens.command then
        titles[#titles + 1] = lens.command.title
      end
    end
    return titles
  end
  vim.lsp.codelens.refresh()
  wait("lenses", function() return #lenses() > 0 end)
  told.lenses = lenses()
  go("test \"one takes")
  vim.lsp.codelens.run()
  wait("a test that was run", function()
    vim.lsp.codelens.refresh()
    vim.wait(200)
    return vim.tbl_contains(lenses(), "✓ passed")
  end)

  told.text = text()
end

vim.api.nvim_create_autocmd("VimEnter", {
  callback = function()
    vim.defer_fn(function()
      local fine, why = xpcall(session, debug.traceback)
      told.failure = not fine and why .. vim.fn.execute("messages") or nil
      vim.fn.writefile({ vim.json and vim.json.encode(told) or vim.fn.json_encode(told) }, path)
      vim.cmd("qall!")
    end, 50)
  end,
})
