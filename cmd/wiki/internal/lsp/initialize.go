package lsp

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"time"

	"go.lsp.dev/jsonrpc2"
)

func (s *server) initialize(params json.RawMessage) (any, error) {
	var p initializeParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase != uninitialized {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server was initialized before")
	}
	s.phase = running
	s.caps, s.enc, s.folders = p.Capabilities, choose(p.Capabilities.General.Encodings), foldersOf(&p)
	return map[string]any{
		"serverInfo":   map[string]any{"name": "wiki", "version": s.opt.Version},
		"capabilities": s.capabilities(),
	}, nil
}

// foldersOf are the folders that the client has open, as paths.
func foldersOf(p *initializeParams) []string {
	var uris []string
	for _, f := range p.Folders {
		uris = append(uris, f.URI)
	}
	if len(uris) == 0 && p.RootURI != nil {
		uris = append(uris, *p.RootURI)
	}
	var out []string
	for _, uri := range uris {
		if dir, err := pathOf(uri); err == nil {
			out = append(out, dir)
		}
	}
	if len(out) == 0 && p.RootPath != nil && *p.RootPath != "" {
		out = append(out, *p.RootPath)
	}
	return out
}

func (s *server) capabilities() map[string]any {
	markdown := map[string]any{"filters": []any{map[string]any{"scheme": "file", "pattern": map[string]any{"glob": "**"}}}}
	c := map[string]any{
		"positionEncoding":        s.enc.String(),
		"textDocumentSync":        map[string]any{"openClose": true, "change": 2, "save": true},
		"definitionProvider":      true,
		"referencesProvider":      true,
		"hoverProvider":           true,
		"completionProvider":      map[string]any{"triggerCharacters": []string{"[", "#", "(", "/", "^", ":", "|"}},
		"documentSymbolProvider":  true,
		"documentLinkProvider":    map[string]any{"resolveProvider": false},
		"foldingRangeProvider":    true,
		"codeActionProvider":      map[string]any{"codeActionKinds": []string{"quickfix"}},
		"renameProvider":          map[string]any{"prepareProvider": true},
		"workspaceSymbolProvider": true,
		"workspace": map[string]any{
			"workspaceFolders": map[string]any{"supported": true},
			"fileOperations":   map[string]any{"willRename": markdown},
		},
	}
	if s.pulls() {
		c["diagnosticProvider"] = map[string]any{"identifier": "wiki", "interFileDependencies": true, "workspaceDiagnostics": false}
	}
	return c
}

// pulls reports whether the client asks for findings. One that also takes them when they
// come would show each twice.
func (s *server) pulls() bool {
	return s.caps.Document.Pull != nil && s.caps.Document.Publish == nil
}

func (s *server) initialized(json.RawMessage) error {
	go s.start()
	return nil
}

// registerWatchers asks the client to report changes on disk. It reports false if the
// client can't.
func (s *server) registerWatchers(ctx context.Context, root string) bool {
	if !s.caps.Workspace.Watched.Dynamic {
		return false
	}
	pattern := path.Join(globbed(root), "**")
	_, err := s.conn.Call(ctx, "client/registerCapability", map[string]any{"registrations": []any{map[string]any{
		"id": "files", "method": "workspace/didChangeWatchedFiles",
		"registerOptions": map[string]any{"watchers": []any{map[string]any{"globPattern": pattern}}},
	}}}, nil)
	return err == nil
}

// globbed returns a path as a pattern that matches it alone.
func globbed(p string) string {
	out := []rune{}
	for _, r := range p {
		if slices.Contains([]rune(`*?{}[]`), r) {
			r = '?'
		} else if r == '\\' {
			r = '/'
		}
		out = append(out, r)
	}
	return string(out)
}

// progress shows how far the reading of pages is, if the client can. Nothing waits for
// the client.
func (s *server) progress(title string) (step func(done, total int), end func()) {
	if !s.caps.Window.Progress {
		return nil, func() {}
	}
	const token = "wiki"
	send := func(value map[string]any) {
		s.notify("$/progress", map[string]any{"token": token, "value": value})
	}
	agreed := make(chan struct{})
	go func() {
		ctx, cancel := context.WithTimeout(s.ctx, time.Minute)
		defer cancel()
		if _, err := s.conn.Call(ctx, "window/workDoneProgress/create", map[string]any{"token": token}, nil); err == nil {
			send(map[string]any{"kind": "begin", "title": title, "percentage": 0})
			close(agreed)
		}
	}()
	ready := func() bool {
		select {
		case <-agreed:
			return true
		default:
			return false
		}
	}
	step = func(done, total int) {
		if ready() {
			send(map[string]any{"kind": "report", "percentage": 100 * done / max(1, total)})
		}
	}
	end = func() {
		go func() {
			select {
			case <-agreed:
				send(map[string]any{"kind": "end"})
			case <-time.After(time.Minute):
			case <-s.ctx.Done():
			}
		}()
	}
	return step, end
}
