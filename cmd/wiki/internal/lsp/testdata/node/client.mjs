// Drives a language server with the client library of VS Code: node client.mjs WIKI ROOT PAGE HUB.
// PAGE is typed in, HUB is a page with many backlinks. It prints one JSON document.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import rpc from 'vscode-jsonrpc/node.js';
import lsp from 'vscode-languageserver-protocol';

const [wiki, root, page, hub] = process.argv.slice(2);
const server = spawn(wiki, ['lsp', '-q'], { stdio: ['pipe', 'pipe', 'inherit'] });
const exited = new Promise((done) => server.on('exit', done));
const conn = rpc.createMessageConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
const uri = (p) => pathToFileURL(join(root, p)).href;
const published = new Map();
const waiting = [];
const progress = [];
conn.onNotification(lsp.PublishDiagnosticsNotification.type, (p) => {
  published.set(p.uri, p);
  for (const w of waiting.splice(0)) w();
});
conn.onNotification('$/progress', (p) => progress.push(p.value.kind));
conn.onRequest(lsp.WorkDoneProgressCreateRequest.type, () => null);
const registered = [];
conn.onRequest(lsp.RegistrationRequest.type, (p) => { registered.push(...p.registrations.map((r) => r.method)); });
conn.listen();

const until = async (of, wanted) => {
  for (;;) {
    const p = published.get(of);
    if (p && wanted(p)) return p;
    await new Promise((done) => waiting.push(done));
  }
};
const out = {};
const init = await conn.sendRequest(lsp.InitializeRequest.type, {
  processId: process.pid, rootUri: pathToFileURL(root).href, workspaceFolders: [{ uri: pathToFileURL(root).href, name: 'wiki' }],
  capabilities: {
    general: { positionEncodings: ['utf-16'] }, window: { workDoneProgress: true },
    workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ['create', 'rename', 'delete'] }, didChangeWatchedFiles: { dynamicRegistration: true } },
    textDocument: {
      publishDiagnostics: { versionSupport: true, relatedInformation: true }, definition: { linkSupport: true },
      hover: { contentFormat: ['markdown'] }, documentSymbol: { hierarchicalDocumentSymbolSupport: true }, rename: { prepareSupport: true },
    },
  },
});
out.encoding = init.capabilities.positionEncoding;
await conn.sendNotification(lsp.InitializedNotification.type, {});

let text = readFileSync(join(root, page), 'utf8');
let version = 1;
const document = { uri: uri(page) };
await conn.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: { ...document, languageId: 'markdown', version, text } });
await until(document.uri, (p) => p.version === 1);

// Type at the end of the page, one character after the other.
const lines = text.split(/\r\n|\n|\r/);
let at = { line: lines.length - 1, character: lines[lines.length - 1].length };
const put = async (insert) => {
  version++;
  await conn.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { ...document, version }, contentChanges: [{ range: { start: at, end: at }, text: insert }] });
  const rows = insert.split('\n');
  at = rows.length > 1 ? { line: at.line + rows.length - 1, character: rows.at(-1).length } : { line: at.line, character: at.character + insert.length };
};
await put('\n\n');
const hubName = hub.replace(/\.md$/, '');
out.latencies = [];
for (const c of `See [[no such page]] and [[${hubName}]] too`) {
  const began = performance.now();
  await put(c);
  await until(document.uri, (p) => p.version === version);
  out.latencies.push(performance.now() - began);
  await new Promise((done) => setTimeout(done, 30));
}
out.latencies.sort((a, b) => a - b);
out.codes = [...new Set(published.get(document.uri).diagnostics.map((d) => d.code))].sort();

const link = { line: at.line, character: at.character - 8 };
const definition = await conn.sendRequest(lsp.DefinitionRequest.type, { textDocument: document, position: link });
out.definition = definition?.[0]?.targetUri === uri(hub);
const references = await conn.sendRequest(lsp.ReferencesRequest.type, { textDocument: document, position: link, context: { includeDeclaration: false } });
out.references = references.length;
out.hover = (await conn.sendRequest(lsp.HoverRequest.type, { textDocument: document, position: link }))?.contents.value ?? '';
const prepared = await conn.sendRequest(lsp.PrepareRenameRequest.type, { textDocument: document, position: link });
out.placeholder = prepared.placeholder;
const renamed = await conn.sendRequest(lsp.RenameRequest.type, { textDocument: document, position: link, newName: 'Renamed by an editor' });
out.rename = { files: renamed.documentChanges.filter((d) => d.edits).length, edits: renamed.documentChanges.flatMap((d) => d.edits ?? []).length, moves: renamed.documentChanges.filter((d) => d.kind === 'rename').length };
const will = await conn.sendRequest(lsp.WillRenameFilesRequest.type, { files: [{ oldUri: uri(hub), newUri: uri('elsewhere/' + hub.split('/').pop()) }] });
out.willRename = will.documentChanges.length;
const actions = await conn.sendRequest(lsp.CodeActionRequest.type, { textDocument: document, range: { start: { line: at.line, character: 0 }, end: at }, context: { diagnostics: [] } });
out.actions = actions.map((a) => a.title);
out.symbols = (await conn.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument: document })).length;
out.workspaceSymbols = (await conn.sendRequest(lsp.WorkspaceSymbolRequest.type, { query: hubName.split('/').pop() })).length;
out.links = (await conn.sendRequest(lsp.DocumentLinkRequest.type, { textDocument: document })).length;
out.folds = (await conn.sendRequest(lsp.FoldingRangeRequest.type, { textDocument: document })).length;

await put('\n[[');
const complete = (position) => conn.sendRequest(lsp.CompletionRequest.type, { textDocument: document, position });
out.completion = (await complete(at)).items.length;
await put(`${hubName}#`);
out.headings = (await complete(at)).items.length;

// A request that is cancelled is answered as such.
const source = new rpc.CancellationTokenSource();
const asked = conn.sendRequest(lsp.WorkspaceSymbolRequest.type, { query: 'a' }, source.token);
source.cancel();
out.cancelled = await asked.then(() => 'answered', (e) => e.code);

await conn.sendRequest(lsp.ShutdownRequest.type);
await conn.sendNotification(lsp.ExitNotification.type);
out.exit = await exited;
out.progress = progress;
out.registered = registered;
console.log(JSON.stringify(out));
conn.dispose();
