package lsp

import (
	"log/slog"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
)

// BenchmarkKeystroke compiles and checks a page after each of its changes.
func BenchmarkKeystroke(b *testing.B) {
	dir := *measure
	if dir == "" {
		dir = b.TempDir()
		compilertest.Generate(b, dir, 2000)
	}
	w := compilertest.CompileWith(b, dir, compiler.Options{History: true})
	s := &server{ctx: b.Context(), opt: Options{Today: func() time.Time { return time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC) }, Log: slog.New(slog.DiscardHandler)}}
	s.load.ready = make(chan struct{})
	close(s.load.ready)
	s.load.config = linter.Config{Lock: &source.Lock{}}
	s.load.last = &view{server: s, wiki: w}
	p := w.Pages()[len(w.Pages())/2]
	path := (&view{server: s, wiki: w}).absolute(p.Path)
	n := 0
	for b.Loop() {
		n++
		src := append([]byte("x [[nowhere]] "), p.Source...)
		src[0] = byte('a' + n%26)
		v, err := s.view(b.Context(), moment{n, documents{path: newDocument(uriOf(path), path, n, src, utf16Encoding)}})
		if err != nil {
			b.Fatal(err)
		}
		if found, err := v.findings(b.Context(), v.pageAt(p.Path)); err != nil || len(found) == 0 {
			b.Fatal(found, err)
		}
	}
}
