package source

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// The bounds of what is read of a repository to find names. They are counts and
// bytes, and no time, so that a slow machine changes no result.
const (
	mostEntries = 200_000  // files and folders that are listed
	mostHomes   = 64       // files that a name may stand in; one that stands in more is a word
	mostSource  = 24 << 20 // bytes of the files that are parsed
)

// Names is what the code of a repository says of the names that were asked for.
type Names struct{ byName map[string][]*Stated }

// FindNames looks some names up in the code of a repository: those of wanted
// in all of it, others in the files of bound, whose paths are relative to the
// wiki's root. Only files in which a name stands are parsed. The paths of what is found
// are relative to the wiki's root too. The error says what was too much.
func FindNames(ctx context.Context, w *compiler.Wiki, tree *compiler.Tree, wanted []string, bound []string) (*Names, error) {
	var files []string
	search := newSearch(wanted)
	if len(search.known) > 0 {
		var more bool
		files, more = w.SourceFiles(ctx, tree, mostEntries, func(dir string) bool {
			return !muteFolders[strings.ToLower(path.Base(dir))] && path.Base(dir)[0] != '.'
		},
			func(file string) bool { return Known(file) && !MuteFile(file) })
		if more {
			return nil, fmt.Errorf("the repository has more than %d files and folders; set root: in wiki.yaml, or let git ignore what is no source", mostEntries)
		}
	}
	hits := scan(ctx, tree, files, search)
	homes := map[string]int{}
	for _, h := range hits {
		for _, name := range h.words {
			homes[name]++
		}
	}
	hits = slices.DeleteFunc(hits, func(h hit) bool {
		return h.src == nil || !slices.ContainsFunc(h.words, func(name string) bool { return homes[name] <= mostHomes })
	})
	inOrder := hits
	for _, file := range bound {
		if _, there := slices.BinarySearchFunc(inOrder, file, func(h hit, f string) int { return strings.Compare(h.file, f) }); !there {
			if src, ok := tree.Read(file, MaxBytes); ok {
				hits = append(hits, hit{file: file, src: src})
			}
		}
	}
	size := 0
	for _, h := range hits {
		size += len(h.src)
	}
	if size > mostSource {
		return nil, fmt.Errorf("the names on the pages stand in %d files of code, of %d MB in all; bind the pages to the files that they are about", len(hits), size>>20)
	}
	n := &Names{byName: map[string][]*Stated{}}
	for i, found := range parallel(ctx, hits, func(h hit) []Stated { return StatedBy(ctx, tree.Below(h.file), h.src) }) {
		for _, s := range found {
			s.Path = hits[i].file
			name := lastName(s.Subject.Names[0])
			if homes[name] <= mostHomes || slices.Contains(bound, s.Path) {
				n.byName[name] = append(n.byName[name], &s)
			}
		}
	}
	return n, ctx.Err()
}

// lastName returns what stands behind the last separator of a name; all of a flag.
func lastName(name string) string {
	if strings.HasPrefix(name, "-") {
		return "--" + strings.TrimLeft(name, "-")
	}
	return lastPart(nameKey(name))
}

// hit is a file in which names stand that were asked for.
type hit struct {
	file  string
	src   []byte
	words []string
}

// scan reads files and keeps those in which a word stands, in order.
func scan(ctx context.Context, tree *compiler.Tree, files []string, search *search) []hit {
	found := parallel(ctx, files, func(file string) hit {
		src, ok := tree.Read(file, MaxBytes)
		if !ok {
			return hit{}
		}
		if in := search.in(src, spelledOut[strings.ToLower(path.Ext(file))]); len(in) > 0 {
			return hit{file, src, in}
		}
		return hit{}
	})
	return slices.DeleteFunc(found, func(h hit) bool { return h.src == nil })
}

// parallel calls f for every item, and returns what it returned in their order.
func parallel[T, R any](ctx context.Context, items []T, f func(T) R) []R {
	out := make([]R, len(items))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(items)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(items) {
					return
				}
				out[i] = f(items[i])
			}
		})
	}
	wg.Wait()
	return out
}

// spelledOut are the files in which a point is no way to reach a name.
var spelledOut = map[string]bool{".yaml": true, ".yml": true, ".toml": true, ".json": true}

// search finds words in code.
type search struct {
	known    map[string]bool
	first    [256]bool
	shortest int
	longest  int
}

func newSearch(names []string) *search {
	w := &search{known: map[string]bool{}, shortest: longestName}
	for _, name := range names {
		if name = strings.TrimLeft(lastName(name), "-"); name != "" {
			w.known[name] = true
			w.first[name[0]] = true
			w.shortest, w.longest = min(w.shortest, len(name)), max(w.longest, len(name))
		}
	}
	return w
}

// wordByte are the bytes that words of code consist of; those of options and
// keys also hold a hyphen.
var wordByte = func() (m [256]bool) {
	for c := range 256 {
		m[c] = c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' || c == '-' || c >= 0x80
	}
	return m
}()

// given reports whether the word that stands in a piece of code may be given a
// value there: it is the text of a string, as the names of variables and flags
// are, or declared. In X = 1, X: int = 1, X int = 1, #define X 1 and int X; it is.
func given(src []byte, from, to int) bool {
	before := bytes.TrimRight(src[max(0, from-16):from], " \t")
	if n := len(before); n > 0 && bytes.IndexByte([]byte("\"'`-"), before[n-1]) >= 0 || bytes.HasSuffix(before, []byte("env.")) || bytes.HasSuffix(before, []byte("define")) {
		return true
	} else if n > 0 && before[n-1] == '.' {
		return false
	}
	rest := bytes.TrimLeft(src[to:min(len(src), to+16)], " \t")
	if len(rest) == 0 || wordByte[rest[0]] {
		return len(rest) > 0 && rest[0] != '-'
	}
	return bytes.IndexByte([]byte("=:;,\r\n"), rest[0]) >= 0 && !bytes.HasPrefix(rest, []byte("=="))
}

// in returns the words that stand in a file where they may be given a value,
// sorted; spelled is set for a file of configuration, in which they stand as keys.
func (w *search) in(src []byte, spelled bool) []string {
	found := map[string]bool{}
	look := func(from, to int) {
		if n := to - from; n < w.shortest || n > w.longest || !w.first[src[from]] || !w.known[string(src[from:to])] {
			return
		}
		if spelled || given(src, from, to) {
			found[string(src[from:to])] = true
		}
	}
	for i := 0; i < len(src); i++ {
		if !wordByte[src[i]] {
			continue
		}
		from, hyphen := i, false
		for i < len(src) && wordByte[src[i]] {
			hyphen = hyphen || src[i] == '-'
			i++
		}
		look(from, i)
		if !hyphen {
			continue
		}
		look(from+len(src[from:i])-len(bytes.TrimLeft(src[from:i], "-")), i)
		for part := from; part < i; {
			end := part
			for end < i && src[end] != '-' {
				end++
			}
			if end > part {
				look(part, end)
			}
			part = end + 1
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Of returns what code says of a name as a page writes it: `MaxBody`,
// `limits.MaxBody`, `pool.max_size`, `--max-body`. What stands before its last part must be
// what the code qualifies the name by, or the package or file that it stands in. A page may
// leave that out.
func (n *Names) Of(name string) []*Stated {
	found := n.byName[lastName(name)]
	if strings.HasPrefix(name, "-") {
		return found
	}
	want := strings.Split(nameKey(strings.TrimPrefix(name, "$")), ".")
	if len(found) == 0 && len(want) == 1 && strings.Contains(name, "-") {
		found = n.byName["--"+name]
		return found
	}
	var out []*Stated
	for _, s := range found {
		have := strings.Split(s.Subject.Names[0], ".")
		for _, where := range []string{path.Dir(s.Path), strings.TrimSuffix(s.Path, path.Ext(s.Path))} {
			all := have
			if len(want) > len(have) {
				all = append([]string{path.Base(where)}, have...)
			}
			if len(want) <= len(all) && slices.Equal(want, all[len(all)-len(want):]) {
				out = append(out, s)
				break
			}
		}
	}
	return out
}

// Telling reports whether a name as a page writes it is hardly a word: it has
// two parts, or the dashes of a flag.
func Telling(name string) bool { return strings.HasPrefix(name, "--") || tellingName(name) }

// Variable reports whether a name can be that of an environment variable.
func Variable(name string) bool { return variable(strings.TrimPrefix(name, "$")) }

// FilesOf returns the files that the sections of a page are about: the section
// of each reference and the file, relative to the wiki's root.
func FilesOf(ctx context.Context, w *compiler.Wiki, code *Code, page *schema.Page) []Bound {
	out := locate(ctx, w, code, page)
	return slices.DeleteFunc(out, func(b Bound) bool { return b.File == "" || !Known(b.File) })
}
