package docs

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// known are the files of a repository, also those that are gone.
type known struct {
	all    []string
	file   map[string]bool
	folder map[string]bool
	ending map[string][]string // by the last part of the path
}

func newKnown(files []string) *known {
	k := &known{file: map[string]bool{}, folder: map[string]bool{}, ending: map[string][]string{}}
	for _, f := range files {
		if k.file[f] {
			continue
		}
		k.file[f] = true
		k.all = append(k.all, f)
		k.ending[path.Base(f)] = append(k.ending[path.Base(f)], f)
		for dir := path.Dir(f); dir != "." && dir != "/" && !k.folder[dir]; dir = path.Dir(dir) {
			k.folder[dir] = true
		}
	}
	return k
}

func (k *known) matches(glob string) bool {
	for _, f := range k.all {
		if ok, _ := doublestar.Match(glob, f); ok {
			return true
		}
	}
	return false
}

// mostNamed is the part of all files beyond which a name says nothing: src, test.
const mostNamed = 0.25

// common are names that are in too many paths to tell one from another.
func (k *known) common(root string) map[string]bool {
	count, total := map[string]int{}, 0
	for _, f := range k.all {
		if strings.HasPrefix(f, root+"/") {
			continue
		}
		total++
		seen := map[string]bool{}
		for part := range strings.SplitSeq(f, "/") {
			if n := nameOf(part); !seen[n] {
				seen[n] = true
				count[n]++
			}
		}
	}
	out := map[string]bool{}
	for n, c := range count {
		if float64(c) > mostNamed*float64(total) && c > 3 {
			out[n] = true
		}
	}
	return out
}
