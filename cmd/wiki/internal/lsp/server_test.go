package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"go.lsp.dev/jsonrpc2"
)

func TestFindingsFollowTheText(t *testing.T) {
	t.Parallel()
	c := shopClient(t)
	c.waitFor("wiki/index.md", "broken link", has("broken-wikilink")) // though nobody opened it
	c.open("wiki/rate-limit.md")
	c.waitFor("wiki/rate-limit.md", "version 1", func(p publishParams) bool { return p.Version != nil && *p.Version == 1 })
	c.change("wiki/rate-limit.md", 2, textRange{position{7, 0}, position{7, 0}}, "[[nowhere]] ")
	p := c.waitFor("wiki/rate-limit.md", "broken link", has("broken-wikilink"))
	if *p.Version != 2 {
		t.Errorf("version %d", *p.Version)
	}
	i := slices.IndexFunc(p.Diagnostics, func(d diagnostic) bool { return d.Code == "broken-wikilink" })
	if got, want := p.Diagnostics[i].Range, (textRange{position{7, 2}, position{7, 9}}); got != want {
		t.Errorf("range %v, want %v", got, want)
	}
	c.change("wiki/rate-limit.md", 3, textRange{position{7, 0}, position{7, 12}}, "")
	c.waitFor("wiki/rate-limit.md", "mended link", func(p publishParams) bool { return *p.Version == 3 && !has("broken-wikilink")(p) })
	// A page that is made in the editor mends the link of another.
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri("wiki/missing-page.md"), "version": 1, "text": "# Missing\n\nSee [[index]].\n"}})
	c.waitFor("wiki/index.md", "mended link", func(p publishParams) bool { return !has("broken-wikilink")(p) })
	c.notify("textDocument/didClose", map[string]any{"textDocument": c.doc("wiki/missing-page.md")})
	c.waitFor("wiki/index.md", "broken link", has("broken-wikilink"))
}

func TestChangesOnDiskAreSeen(t *testing.T) {
	t.Parallel()
	for _, told := range []bool{true, false} {
		capabilities := capable
		if !told {
			capabilities = `{"textDocument": {"publishDiagnostics": {}}}`
		}
		c := connect(t, compilertest.Write(t, shop), capabilities)
		c.waitFor("wiki/index.md", "broken link", has("broken-wikilink"))
		if err := os.WriteFile(filepath.Join(c.root, "wiki", "missing-page.md"), []byte("# Missing page\n\nSee [[index]].\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if told {
			c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": c.uri("wiki/missing-page.md"), "type": 1}}})
		}
		c.waitFor("wiki/index.md", "mended link", func(p publishParams) bool { return !has("broken-wikilink")(p) })
		if told != slices.ContainsFunc(c.asked, func(s string) bool { return strings.HasPrefix(s, "client/registerCapability") }) {
			t.Errorf("asked %q", c.asked)
		}
	}
}

func TestBrokenConfigurationIsAFinding(t *testing.T) {
	t.Parallel()
	c := connect(t, compilertest.Write(t, "-- wiki.yaml --\nlimts: {}\n"+shop), capable)
	c.waitFor("wiki.yaml", "finding", func(p publishParams) bool { return len(p.Diagnostics) == 1 })
	if err := os.WriteFile(filepath.Join(c.root, "wiki.yaml"), []byte("limits: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.notify("textDocument/didSave", map[string]any{"textDocument": c.doc("wiki.yaml")})
	c.waitFor("wiki.yaml", "end of the finding", func(p publishParams) bool { return len(p.Diagnostics) == 0 })
	c.waitFor("wiki/index.md", "broken link", has("broken-wikilink"))
}

func TestLifecycle(t *testing.T) {
	t.Parallel()
	c := startClient(t, compilertest.Write(t, shop))
	code := func(err error) jsonrpc2.Code {
		var e *jsonrpc2.Error
		if errors.As(err, &e) {
			return e.Code
		}
		return 0
	}
	if err := c.try("textDocument/hover", c.at("wiki/index.md", 0, 0), nil); code(err) != jsonrpc2.ServerNotInitialized {
		t.Errorf("before initialize: %v", err)
	}
	var result struct {
		Capabilities struct {
			Encoding string `json:"positionEncoding"`
		} `json:"capabilities"`
	}
	c.call("initialize", map[string]any{"rootUri": uriOf(c.root), "capabilities": map[string]any{"general": map[string]any{"positionEncodings": []string{"utf-32", "utf-8"}}}}, &result)
	if result.Capabilities.Encoding != "utf-8" {
		t.Errorf("encoding %q", result.Capabilities.Encoding)
	}
	c.notify("initialized", map[string]any{})
	if err := c.try("initialize", map[string]any{}, nil); code(err) != jsonrpc2.InvalidRequest {
		t.Errorf("initialize again: %v", err)
	}
	if err := c.try("textDocument/formatting", map[string]any{}, nil); code(err) != jsonrpc2.MethodNotFound {
		t.Errorf("unknown method: %v", err)
	}
	if err := c.try("textDocument/hover", []int{1}, nil); code(err) != jsonrpc2.InvalidParams {
		t.Errorf("wrong parameters: %v", err)
	}
	c.notify("textDocument/didChange", "nonsense")
	c.notify("$/unknown", nil)
	c.call("shutdown", nil, nil)
	if err := c.try("textDocument/hover", c.at("wiki/index.md", 0, 0), nil); code(err) != jsonrpc2.InvalidRequest {
		t.Errorf("after shutdown: %v", err)
	}
	c.notify("exit", nil)
	if err := <-c.done; err != nil {
		t.Errorf("exit after shutdown: %v", err)
	}
	c = startClient(t, c.root)
	c.notify("exit", nil)
	var unclean *UncleanExitError
	if err := <-c.done; !errors.As(err, &unclean) {
		t.Errorf("exit without shutdown: %v", err)
	}
}

func TestCancelledRequestsAreAnswered(t *testing.T) {
	t.Parallel()
	s := &server{slots: make(chan struct{}, 1)}
	s.load.ready = make(chan struct{}) // never
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.respond(ctx, moment{}, nil)
	var e *jsonrpc2.Error
	if !errors.As(err, &e) || e.Code != requestCancelled {
		t.Errorf("%v", err)
	}
}

func TestAPanicEndsOneRequest(t *testing.T) {
	requests["test/panic"] = func(context.Context, *view, json.RawMessage) (any, error) { panic("boo") }
	t.Cleanup(func() { delete(requests, "test/panic") })
	c := shopClient(t)
	var e *jsonrpc2.Error
	if err := c.try("test/panic", map[string]any{}, nil); !errors.As(err, &e) || e.Code != jsonrpc2.InternalError || !strings.Contains(e.Message, "boo") {
		t.Errorf("%v", err)
	}
	c.call("textDocument/hover", c.at("wiki/index.md", 2, 5), nil)
}

func TestFilesOutsideAreIgnoredWithOneMessage(t *testing.T) {
	t.Parallel()
	c := shopClient(t)
	for _, uri := range []string{"file:///elsewhere/a.md", "file:///elsewhere/b.md", "untitled:Untitled-1"} {
		c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 1, "text": "[[x]]"}})
		var result any
		c.call("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": uri}, "position": position{}}, &result)
		if result != nil {
			t.Errorf("%s: %v", uri, result)
		}
	}
	deadline := time.Now().Add(time.Minute)
	for {
		c.mu.Lock()
		n := len(c.messages)
		c.mu.Unlock()
		if n == 1 {
			return
		}
		if n > 1 || time.Now().After(deadline) {
			t.Fatalf("messages: %q", c.messages)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestProgressIsShown(t *testing.T) {
	t.Parallel()
	c := shopClient(t)
	c.waitFor("wiki/index.md", "broken link", has("broken-wikilink"))
	deadline := time.Now().Add(time.Minute)
	for {
		c.mu.Lock()
		all := strings.Join(c.progress, "\n")
		c.mu.Unlock()
		if strings.Contains(all, `"begin"`) && strings.Contains(all, `"end"`) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("progress: %s", all)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
