package lsp

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	_ "github.com/loopwiki/wiki/linter/rules"
	"go.lsp.dev/jsonrpc2"
)

// client speaks to a server over pipes, as an editor does.
type client struct {
	testing.TB
	conn jsonrpc2.Conn
	root string // the folder it has open
	done chan error

	mu        sync.Mutex
	published map[string]publishParams // the last of each URI
	messages  []string
	progress  []string
	asked     []string
	news      chan struct{}
}

// capable are the capabilities of a client that can do everything.
const capable = `{"general": {"positionEncodings": ["utf-16"]}, "window": {"workDoneProgress": true},
	"workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create", "rename", "delete"]}, "didChangeWatchedFiles": {"dynamicRegistration": true}},
	"textDocument": {"publishDiagnostics": {"relatedInformation": true}, "hover": {"contentFormat": ["markdown"]}, "documentSymbol": {"hierarchicalDocumentSymbolSupport": true}}}`

// connect begins a conversation about a folder.
func connect(t testing.TB, root, capabilities string) *client {
	t.Helper()
	c := startClient(t, root)
	c.initialize(capabilities)
	return c
}

// initialize begins the conversation.
func (c *client) initialize(capabilities string) {
	c.Helper()
	var params map[string]any
	if err := json.Unmarshal([]byte(`{"capabilities": `+capabilities+`}`), &params); err != nil {
		c.Fatal(err)
	}
	params["rootUri"] = uriOf(c.root)
	var result json.RawMessage
	c.call("initialize", params, &result)
	c.notify("initialized", map[string]any{})
}

func startClient(t testing.TB, root string) *client {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	c := newClient(t, root, fromServer, toServer)
	go func() {
		err := Run(ctx, in, out, Options{
			Dir:    root,
			Detect: func(dir string) (*compiler.Workspace, error) { return compiler.Detect(dir, "") },
			Config: func(*compiler.Workspace) (linter.Config, []string) { return linter.Config{Lock: &source.Lock{}}, nil },
			Today:  func() time.Time { return time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC) },
			Log:    slog.New(slog.DiscardHandler),
		})
		c.done <- err
		out.Close()
	}()
	t.Cleanup(func() { stop(); toServer.Close(); in.Close(); fromServer.Close() })
	return c
}

// newClient speaks to a server behind two streams.
func newClient(t testing.TB, root string, in io.Reader, out io.Writer) *client {
	c := &client{TB: t, root: root, done: make(chan error, 1), published: map[string]publishParams{}, news: make(chan struct{}, 1)}
	c.conn = jsonrpc2.NewConn(newStream(in, out), jsonrpc2.WithCodec(codec{}))
	c.conn.Go(context.Background(), c.handle)
	return c
}

func (c *client) handle(_ context.Context, req *jsonrpc2.Request) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch req.Method() {
	case "textDocument/publishDiagnostics":
		var p publishParams
		if err := json.Unmarshal(req.Params(), &p); err != nil {
			return nil, err
		}
		c.published[p.URI] = p
		select {
		case c.news <- struct{}{}:
		default:
		}
	case "window/showMessage":
		c.messages = append(c.messages, string(req.Params()))
	case "$/progress":
		c.progress = append(c.progress, string(req.Params()))
	default:
		c.asked = append(c.asked, req.Method()+string(req.Params()))
	}
	return nil, nil
}

func (c *client) call(method string, params, result any) {
	c.Helper()
	if err := c.try(method, params, result); err != nil {
		c.Fatalf("%s: %v", method, err)
	}
}

func (c *client) try(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, err := c.conn.Call(ctx, method, params, result)
	return err
}

func (c *client) notify(method string, params any) {
	c.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.Fatalf("%s: %v", method, err)
	}
}

func (c *client) uri(path string) string {
	return uriOf(filepath.Join(c.root, filepath.FromSlash(path)))
}

func (c *client) doc(path string) map[string]any { return map[string]any{"uri": c.uri(path)} }

// open opens a file as it is on disk.
func (c *client) open(path string) string {
	c.Helper()
	src := c.read(path)
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri(path), "languageId": "markdown", "version": 1, "text": src}})
	return src
}

// change replaces a range of an open file.
func (c *client) change(path string, version int, r textRange, text string) {
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.uri(path), "version": version}, "contentChanges": []any{map[string]any{"range": r, "text": text}}})
}

// at is the parameter of a request about a place.
func (c *client) at(path string, line, character int) map[string]any {
	return map[string]any{"textDocument": c.doc(path), "position": position{line, character}}
}

// waitFor waits until what was published of a file is as wanted.
func (c *client) waitFor(path, what string, wanted func(publishParams) bool) publishParams {
	c.Helper()
	deadline := time.After(time.Minute)
	for {
		c.mu.Lock()
		p, ok := c.published[c.uri(path)]
		c.mu.Unlock()
		if ok && wanted(p) {
			return p
		}
		select {
		case <-c.news:
		case <-deadline:
			c.Fatalf("%s: no %s; it has %+v, and said %q", path, what, p, c.messages)
		}
	}
}

// has returns a condition for waitFor: a finding of a rule.
func has(rule string) func(publishParams) bool {
	return func(p publishParams) bool {
		for _, d := range p.Diagnostics {
			if d.Code == rule {
				return true
			}
		}
		return false
	}
}

// shop is the wiki of most tests.
const shop = `-- wiki/index.md --
# Shop

- [[rate-limit]]: how many calls
- [[prices|Prices]], [quota](rate-limit.md#per-key)

Soon there is a [[missing-page]] here.
-- wiki/rate-limit.md --
---
type: concept
status: stable
tags: [limits]
---
# Rate limit

At most ten calls. See [[prices#Taxes]]. ^ten

## Per key

Each key has *its own* limit, 💶 included [[prices]]. #billing
-- wiki/prices.md --
---
type: concept
tags: [billing]
aliases: [Tariff]
---
# Prices

A price is in cents. See [[index]].

## Taxes

None.
-- wiki/.obsidian-is-not-here --
`

func shopClient(t testing.TB) *client {
	t.Helper()
	return connect(t, compilertest.Write(t, shop), capable)
}
