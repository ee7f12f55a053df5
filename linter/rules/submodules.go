package rules

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// absent counts references into repositories that are not checked out: submodules, and
// missing folders from which pages cite sources at commits unknown to this repository.
type absent struct {
	p       *linter.Pass
	folders []string       // below the wiki's root
	counts  map[string]int // by the name of the repository's folder
}

func newAbsent(p *linter.Pass) *absent {
	a := &absent{p: p, counts: map[string]int{}}
	refs := sourceFact.Of(p)
	for i := range refs.all {
		ref := &refs.all[i]
		if ref.found != "" || ref.commit == "" {
			continue
		}
		repository, _ := p.Wiki.Repository(p)
		if knowsCommit(repository, ref.commit) {
			continue
		}
		for _, file := range []string{path.Join(path.Dir(ref.page.Path), ref.name), path.Clean(ref.name)} {
			if dir := nameFact.Of(p).absent(file); dir != "" && !slices.Contains(a.folders, dir) {
				a.folders = append(a.folders, dir)
			}
		}
	}
	return a
}

// count records a file, by its path relative to the wiki's root, and reports whether it
// is in such a repository.
func (a *absent) count(file string) bool {
	ws := a.p.Wiki.Workspace()
	name := ws.Submodule(path.Join(ws.RootPath, file))
	for _, dir := range a.folders {
		if name == "" && strings.HasPrefix(file, dir+"/") {
			name = path.Join(ws.RootPath, dir)
		}
	}
	if name != "" {
		a.counts[name]++
	}
	return name != ""
}

// skip reports the skipped references.
func (a *absent) skip(noun string) {
	for _, name := range slices.Sorted(maps.Keys(a.counts)) {
		a.p.Skip("%s in the submodule %s could not be checked; run git submodule update --init %s", text.Count(a.counts[name], noun), name, name)
	}
}

// knows reports whether the target of a link is in such a repository.
func (a *absent) knows(s site) bool {
	switch {
	case s.Res.Kind == schema.TargetOutside:
		return a.count(s.Res.Path)
	case s.missing() && s.Link.Markdown():
		return a.count(linkedFile(s))
	}
	return s.missing() && a.count(path.Clean(s.Link.Target))
}

// linkedFile returns the path, relative to the wiki's root, of the file that a
// markdown link names.
func linkedFile(s site) string {
	if strings.HasPrefix(s.Link.Target, "/") {
		return strings.TrimPrefix(path.Clean(s.Link.Target), "/")
	}
	return path.Join(path.Dir(s.Page.Path), s.Link.Target)
}
