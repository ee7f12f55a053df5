package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/loopwiki/wiki/schema/schematest"
	"go.lsp.dev/jsonrpc2"
)

func framed(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

const notification = `{"jsonrpc":"2.0","method":"exit"}`

func TestStreamReadsMessages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in    string
		reads int    // messages before the end
		end   string // a part of the error, empty for a clean end
		says  string // a part of what is answered
	}{
		"two messages":         {framed(notification) + framed(notification), 2, "", ""},
		"other fields":         {"Content-Type: x\r\ncontent-length: 33\r\n\r\n" + notification, 1, "", ""},
		"line feeds alone":     {"Content-Length: 33\n\n" + notification, 1, "", ""},
		"nothing":              {"", 0, "", ""},
		"no JSON":              {framed("{") + framed(notification), 1, "", "-32700"},
		"a batch":              {framed("[]") + framed(notification), 1, "", "-32700"},
		"nothing in a message": {framed("") + framed(notification), 1, "", "-32700"},
		"no length":            {"X: y\r\n\r\n" + notification, 0, "no Content-Length", ""},
		"a length that lies":   {"Content-Length: 99999999999999999999\r\n\r\n", 0, "not a number of bytes", ""},
		"a negative length":    {"Content-Length: -1\r\n\r\n", 0, "not a number of bytes", ""},
		"too long":             {"Content-Length: 67108865\r\n\r\n", 0, "more than 67108864", ""},
		"cut off":              {"Content-Length: 67108864\r\n\r\nshort", 0, "after 5 of 67108864", ""},
		"cut off in a header":  {"Content-Le", 0, "ends in its header", ""},
		"no header":            {"GET / HTTP/1.1\r\n\r\n", 0, "no field of a header", ""},
		"an endless header":    {strings.Repeat("x", 5000), 0, "longer than 4096", ""},
		"endless fields":       {strings.Repeat("X: y\r\n", 5000), 0, "longer than 4096", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			s := newStream(iotest.OneByteReader(strings.NewReader(c.in)), &out)
			n := 0
			var err error
			for err == nil {
				if _, _, err = s.Read(t.Context()); err == nil {
					n++
				}
			}
			if n != c.reads {
				t.Errorf("%d messages, want %d", n, c.reads)
			}
			if clean := errors.Is(err, io.EOF) && !strings.Contains(err.Error(), "message"); clean != (c.end == "") || !strings.Contains(err.Error(), c.end) {
				t.Errorf("it ends with %v, want %q", err, c.end)
			}
			if !strings.Contains(out.String(), c.says) || (c.says == "") != (out.Len() == 0) {
				t.Errorf("it says %q, want %q", out.String(), c.says)
			}
		})
	}
}

// FuzzStream reads whatever comes: a message or an error, never more memory than came.
func FuzzStream(f *testing.F) {
	for _, seed := range schematest.Vary(200, framed(notification), framed(`{"jsonrpc":"2.0","id":1,"method":"shutdown","params":{}}`), framed("{"), "Content-Length: 5\r\n\r\n") {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		s := newStream(bytes.NewReader(in), &out)
		for n := 0; ; n++ {
			msg, size, err := s.Read(t.Context())
			if err != nil {
				return
			}
			if int(size) > len(in) || n > len(in) {
				t.Fatalf("message %d of %d bytes from %d", n, size, len(in))
			}
			written := newStream(strings.NewReader(""), &out)
			if _, err := written.Write(t.Context(), msg); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzMessages lets a server read whatever a client may send after it was initialized.
func FuzzMessages(f *testing.F) {
	f.Add("textDocument/didChange", `{"textDocument":{"uri":"file:///a.md","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":9,"character":-1}},"text":"x"}]}`)
	f.Add("textDocument/didOpen", `{"textDocument":{"uri":"file:///a.md","version":1,"text":"# A"}}`)
	f.Add("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file:///%00"}]}`)
	f.Add("$/cancelRequest", `{"id":[1]}`)
	for method := range requests {
		f.Add(method, `{"textDocument":{"uri":"file:///a.md"},"position":{"line":1,"character":2},"newName":"x","query":"y"}`)
	}
	f.Fuzz(func(t *testing.T, method, params string) {
		s := &server{ctx: t.Context(), phase: running, told: map[string]bool{}, wakeup: make(chan struct{}, 1)}
		s.load.ready = make(chan struct{})
		if take := notices[method]; take != nil && method != "exit" && method != "initialized" && !strings.Contains(method, "Save") && !strings.Contains(method, "Watched") && !strings.Contains(method, "Open") {
			_ = take(s, []byte(params)) // an error, and no panic
		}
		if d := newDocument("", "", 0, []byte(params), encoding(len(method)%2 == 0)); d != nil {
			at := position{len(method), len(params)}
			d.with(1, []contentChange{{&textRange{at, position{}}, method}, {nil, params}})
		}
	})
}

func TestIDsOfCancelledRequests(t *testing.T) {
	t.Parallel()
	for raw, id := range map[string]jsonrpc2.ID{`7`: jsonrpc2.NewNumberID(7), `"a"`: jsonrpc2.NewStringID("a")} {
		ended := false
		s := &server{cancel: map[jsonrpc2.ID]context.CancelFunc{id: func() { ended = true }}}
		if err := s.cancelRequest([]byte(`{"id": ` + raw + `}`)); err != nil || !ended {
			t.Errorf("%s: %v %v", raw, ended, err)
		}
	}
}
