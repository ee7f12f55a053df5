package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema/schematest"
)

const servedWiki = `
-- wiki/index.md --
# Index

[[limits]] [[drafts]]
-- wiki/limits.md --
---
title: Limits
---
# Limits

The gateway admits 100 requests a second.
-- wiki/drafts.md --
---
draft: true
---
# Drafts

Nobody knows of zebras yet. [[limits]]
`

// toolCalls are the arguments with which every tool answers about servedWiki, and what
// the answer has.
var toolCalls = map[string]struct {
	args map[string]any
	has  string
}{
	"search":         {map[string]any{"query": "requests"}, "limits.md"},
	"read_page":      {map[string]any{"page": "limits"}, "100 requests"},
	"list_pages":     {nil, "3 pages"},
	"backlinks":      {map[string]any{"page": "limits"}, "2 backlinks"},
	"graph":          {map[string]any{"page": "limits"}, "0 out, 2 in"},
	"claims":         {map[string]any{"page": "limits"}, "100"},
	"lint":           {nil, "finding"},
	"propose_page":   {map[string]any{"path": "new.md", "text": "# New"}, "proposed as .loopwiki/proposals/new-"},
	"propose_edit":   {map[string]any{"page": "limits", "section": "#limits", "hash": "0", "text": "x"}, "stale: "},
	"status":         {nil, "pages: 3"},
	"context_pack":   {map[string]any{"query": "requests a second"}, "=== limits.md:4-6 Limits"},
	"recent_changes": {nil, "limits.md"},
}

// served writes the wiki, and commits it.
func served(t *testing.T) string {
	t.Helper()
	dir := compilertest.Write(t, servedWiki)
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "begin"}} {
		c := exec.Command("git", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return dir
}

func textOf(r *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// connect greets a server, which is closed at the end of the test.
func connect(t *testing.T, to mcp.Transport) *mcp.ClientSession {
	t.Helper()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), to, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// callEach calls every tool that the server lists.
func callEach(t *testing.T, s *mcp.ClientSession) (answers map[string]string) {
	t.Helper()
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	answers = map[string]string{}
	for _, tool := range tools.Tools {
		c, ok := toolCalls[tool.Name]
		if !ok {
			t.Errorf("%s is not in toolCalls", tool.Name)
			continue
		}
		if c.args == nil {
			c.args = map[string]any{}
		}
		res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: c.args})
		if err != nil || res.IsError && !strings.Contains(textOf(res), c.has) {
			t.Errorf("%s: %v %v", tool.Name, err, res)
			continue
		}
		answers[tool.Name] = textOf(res)
	}
	return answers
}

func TestMCPOverStandardStreams(t *testing.T) {
	t.Parallel()
	c := exec.Command("wiki", "mcp", "--write")
	c.Dir, c.Stderr = served(t), os.Stderr
	s := connect(t, &mcp.CommandTransport{Command: c})
	answers := callEach(t, s)
	for name, want := range toolCalls {
		if !strings.Contains(answers[name], want.has) {
			t.Errorf("%s: no %q in\n%s", name, want.has, answers[name])
		}
	}
	for uri, want := range map[string]string{"wiki://index": "# Index", "wiki://page/limits.md": "100 requests", "wiki://status": "pages: 3"} {
		res, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || !strings.Contains(res.Contents[0].Text, want) {
			t.Errorf("%s: %v %v", uri, res, err)
		}
	}
}

// bearer sends a token with each request.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

func TestMCPOverHTTP(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "wiki", "mcp", "--http", "127.0.0.1:0")
	c.Dir = served(t)
	out, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Wait()
	defer cancel()
	var said strings.Builder
	var url, token []string
	for len(token) == 0 {
		b := make([]byte, 512)
		n, err := out.Read(b)
		said.Write(b[:n])
		if err != nil {
			t.Fatalf("%v after %q", err, said.String())
		}
		url, token = regexp.MustCompile(`http://\S+`).FindStringSubmatch(said.String()), regexp.MustCompile(`token: (\S+)\n`).FindStringSubmatch(said.String())
	}
	go io.Copy(io.Discard, out)
	answers := callEach(t, connect(t, &mcp.StreamableClientTransport{Endpoint: url[0], HTTPClient: &http.Client{Transport: bearer{token[1]}}}))
	if len(answers) != len(toolCalls)-2 || !strings.HasPrefix(answers["list_pages"], "2 pages") {
		t.Errorf("answers: %v", answers)
	}
	if all := fmt.Sprint(answers); strings.Contains(all, "drafts.md  ") || strings.Contains(all, "zebra") {
		t.Errorf("a draft is served: %s", all)
	}
	if _, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url[0], HTTPClient: &http.Client{Transport: bearer{"wrong"}}, MaxRetries: -1}, nil); err == nil {
		t.Error("a wrong token is admitted")
	}
}

// TestMCPWithInspector calls every tool with the command line client of the protocol's
// inspector, if it is in the folder of WIKI_MCP_INSPECTOR.
func TestMCPWithInspector(t *testing.T) {
	dir := os.Getenv("WIKI_MCP_INSPECTOR")
	schematest.Need(t, "mcp-inspector", dir != "", "set WIKI_MCP_INSPECTOR to a folder with @modelcontextprotocol/inspector from npm")
	wiki, err := exec.LookPath("wiki")
	if err != nil {
		t.Fatal(err)
	}
	at := served(t)
	for name, call := range toolCalls {
		args := []string{"--cli", wiki, "mcp", "--write", "-C", at, "--method", "tools/call", "--tool-name", name}
		for k, v := range call.args {
			args = append(args, "--tool-arg", fmt.Sprintf("%s=%v", k, v))
		}
		out, err := exec.Command(filepath.Join(dir, "node_modules", ".bin", "mcp-inspector"), args...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), call.has) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
