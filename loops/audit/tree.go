package audit

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/source"
)

// Tree is a repository as an auditor saw it.
type Tree struct {
	// FS is its root. No link in it leads out.
	FS fs.FS
	// Files are those that git tracks, sorted.
	Files []string
	// Test reports whether a path is that of a test.
	Test func(path string) bool

	parsed map[string]*parsed
}

// parsed is a file that was read.
type parsed struct {
	*source.File
	lines []string
}

// read returns a tracked file that is one: no link, no device, not too large.
func (t *Tree) read(name string) ([]byte, bool) {
	if _, ok := slices.BinarySearch(t.Files, name); !ok {
		return nil, false
	}
	info, err := fs.Lstat(t.FS, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > source.MaxBytes {
		return nil, false
	}
	f, err := t.FS.Open(name)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, source.MaxBytes+1))
	return src, err == nil && len(src) <= source.MaxBytes
}

// file reads a file and what it declares; nil if it can't be read.
func (t *Tree) file(ctx context.Context, name string) *parsed {
	if f, ok := t.parsed[name]; ok {
		return f
	}
	var f *parsed
	if src, ok := t.read(name); ok {
		code, err := source.Parse(ctx, name, src)
		if err != nil {
			code = &source.File{Path: name, Language: "text", Source: src} // its lines are there all the same
		}
		f = &parsed{code, linesOf(src)}
	}
	if t.parsed == nil {
		t.parsed = make(map[string]*parsed)
	}
	t.parsed[name] = f
	return f
}

// Verify looks up every place that a finding cites: the file is one of the tree,
// the line is in it, and what is quoted is there word for word. It returns why
// one does not, "" if all do. A quotation that stands elsewhere in its file moves
// the citation there, and every citation learns the declaration around it.
func (t *Tree) Verify(ctx context.Context, f *Finding) string {
	for i := range f.Cites {
		c := &f.Cites[i]
		code := t.file(ctx, c.Path)
		if code == nil {
			return fmt.Sprintf("cites %s, but the file does not exist", c)
		}
		if c.Line > len(code.lines) {
			return fmt.Sprintf("cites %s, but the file has %d lines", c, len(code.lines))
		}
		if c.Quote != "" {
			at := standsAt(code.lines, c.Quote, c.Line)
			if at == 0 {
				return fmt.Sprintf("quotes text that is not in %s", c)
			}
			c.Line = at
		}
		c.Symbol = around(code.File, c.Line)
	}
	return ""
}

// linesOf returns the lines of a file. The empty one behind the last line end is none.
func linesOf(src []byte) []string {
	lines := strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")
	if len(src) == 0 {
		return nil
	}
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

// standsAt returns the line, from 1, at which a quotation begins, that nearest to
// where it is cited; 0 if it stands nowhere. The first and the last line may be
// quoted in part; indentation does not count.
func standsAt(lines []string, quote string, cited int) int {
	want := strings.Split(strings.ReplaceAll(quote, "\r\n", "\n"), "\n")
	for i := range want {
		want[i] = strings.TrimSpace(want[i])
	}
	if strings.Join(want, "") == "" {
		return 0
	}
	best := 0
	for at := 1; at+len(want)-1 <= len(lines); at++ {
		if stands(lines[at-1:], want) && (best == 0 || abs(at-cited) < abs(best-cited)) {
			best = at
		}
	}
	return best
}

func stands(lines, want []string) bool {
	last := len(want) - 1
	for i, w := range want {
		have := strings.TrimSpace(lines[i])
		switch {
		case last == 0:
			return strings.Contains(have, w)
		case i == 0 && !strings.HasSuffix(have, w), i == last && !strings.HasPrefix(have, w), i > 0 && i < last && have != w:
			return false
		}
	}
	return true
}

func abs(n int) int { return max(n, -n) }

// around returns the name of the innermost declaration that a line is in, "" if none is.
func around(f *source.File, line int) string {
	if f.Language == "text" {
		return ""
	}
	var in []*source.Symbol
	for i := range f.Symbols {
		s := &f.Symbols[i]
		end := s.Line + strings.Count(string(s.Span.In(f.Source)), "\n")
		if s.Line <= line && line <= end {
			in = append(in, s)
		}
	}
	if len(in) == 0 {
		return ""
	}
	return slices.MinFunc(in, func(a, b *source.Symbol) int {
		return cmp.Or(cmp.Compare(a.Span.Len(), b.Span.Len()), strings.Compare(a.Name, b.Name))
	}).Name
}
