// Package lsp is the language server of wiki: an editor's messages come in on a stream,
// findings, links and edits go out. It holds no knowledge of wikis; it asks the compiler,
// the linter and compiler/edit, and translates what they answer into the shapes and
// positions of the protocol.
//
// What surprises: a page that an editor has open counts as the editor has it, not as it
// is on disk, for every request and every other page. A request is answered for the text
// as it was when the request came in.
//
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification
package lsp
