-- Drives a language server with the client of Neovim: nvim --headless -u NONE -c 'luafile lsp.lua',
-- with WIKI, ROOT and OUT in the environment. It writes one JSON document to OUT.
local wiki, root, out = os.getenv('WIKI'), os.getenv('ROOT'), {}
local function run()
  vim.cmd('edit ' .. vim.fn.fnameescape(root .. '/wiki/page.md'))
  local buf = vim.api.nvim_get_current_buf()
  local client = vim.lsp.start_client({ name = 'wiki', cmd = { wiki, 'lsp', '-q' }, root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = 'wiki' } } })
  vim.lsp.buf_attach_client(buf, client)
  local function codes()
    local all = {}
    for _, d in ipairs(vim.diagnostic.get(buf)) do all[#all + 1] = d.code end
    return all
  end
  local function has(code)
    return vim.wait(30000, function() return vim.tbl_contains(codes(), code) end, 10)
  end
  out.opened = has('broken-wikilink')
  -- Mend the link as a person does, and write another one.
  vim.api.nvim_buf_set_lines(buf, 2, 3, false, { 'See [[other]].' })
  out.mended = vim.wait(30000, function() return not vim.tbl_contains(codes(), 'broken-wikilink') end, 10)
  local function request(method, line, character, more)
    local params = vim.tbl_extend('force', { textDocument = { uri = vim.uri_from_bufnr(buf) }, position = { line = line, character = character } }, more or {})
    local answers = vim.lsp.buf_request_sync(buf, method, params, 30000)
    return answers and answers[client] and answers[client].result
  end
  out.definition = request('textDocument/definition', 2, 8)
  out.hover = request('textDocument/hover', 2, 8)
  vim.api.nvim_buf_set_lines(buf, 3, 3, false, { 'And [[oth' })
  local list = request('textDocument/completion', 3, 9)
  out.completion = list and list.items[1] and list.items[1].label
  -- A rename is applied to the buffers of both pages, and the file gets its name.
  vim.api.nvim_buf_set_lines(buf, 3, 4, false, {})
  local edit = request('textDocument/rename', 2, 8, { newName = 'renamed' })
  vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
  out.renamed = vim.api.nvim_buf_get_lines(buf, 2, 3, false)[1]
  out.moved = vim.fn.filereadable(root .. '/wiki/renamed.md') == 1
  vim.lsp.stop_client(client)
  out.stopped = vim.wait(10000, function() return vim.lsp.client_is_stopped(client) end, 10)
end
local ok, err = pcall(run)
if not ok then out.error = tostring(err) end
local file = io.open(os.getenv('OUT'), 'w')
file:write(vim.json and vim.json.encode(out) or vim.fn.json_encode(out))
file:close()
vim.cmd('qall!')
