package gate

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

var _ = register(Gate{
	ID:     "scope",
	Stages: []loops.Stage{loops.StageChunk, loops.StageGuard, loops.StageWiki},
	Doc:    "Only files in the chunk's scope change, including new symbolic links, submodules, ignored files and both names of a rename; no file is above 100 MB; and no more files than the loop's spec allows.",
	phase:  phaseChange,
	judge:  judgeScope,
})

func judgeScope(_ context.Context, j *judge) ([]loops.GateResult, error) {
	scope := j.scope()
	var out []loops.Reason
	for i := range j.changes {
		c := &j.changes[i]
		if why := j.unscoped(c, scope); why != "" {
			out = append(out, loops.Reason{Path: c.path, Message: why})
		}
	}
	if why := j.tooMany(); why != "" {
		out = append(out, loops.Reason{Message: why})
	}
	return because(loops.Unscoped, loops.ClassScope, out), nil
}

// tooMany reports that more files changed than may, or nothing.
func (j *judge) tooMany() string {
	most, n := j.c.Start.Plan.MostFiles, 0
	if most == 0 || j.c.Stage != loops.StageChunk {
		return ""
	}
	for i := range j.changes {
		if !j.changes[i].ignored {
			n++
		}
	}
	if n <= most {
		return ""
	}
	return fmt.Sprintf("%d files changed, more than %d; make a smaller change", n, most)
}

// scope returns the globs of what may change.
func (j *judge) scope() []string {
	scope := slices.Clone(j.c.Start.Plan.ScopeOf(&j.chunk))
	if j.c.Stage == loops.StageWiki {
		scope = append(slices.Clone(j.c.Start.Plan.Scope), j.wikiRoots()...)
		scope = append(scope, "90_LOG/**", "agents/CONTEXT.md", "agents/LANGUAGE.md", "agents/state/**", "CONTEXT.md")
	}
	return append(scope, j.unlocked...)
}

// unscoped reports why a change is outside the scope, or nothing.
func (j *judge) unscoped(c *change, scope []string) string {
	switch {
	case c.size > 0:
		return fmt.Sprintf("has %d MB: it is too large to be judged, and was removed", c.size>>20)
	case c.ignored && leftover(c.path):
		return ""
	case c.ignored && !matchAny(scope, c.path):
		return "is outside the scope, and ignored by git, so nobody would see it"
	case c.submodule():
		return "is a submodule, which no scope allows"
	case c.newMode == "120000":
		return fmt.Sprintf("is a symbolic link to %s, which no scope allows", clip(string(c.now), 80))
	case !matchAny(scope, c.path):
		switch {
		case c.from != "":
			return "is outside the scope " + list(scope) + ", renamed from " + c.from
		case c.gone:
			return "is outside the scope " + list(scope) + ", and deleted"
		case c.oldMode != c.newMode && !c.added && string(c.old) == string(c.now):
			return fmt.Sprintf("is outside the scope %s, and its mode changed to %s, was %s", list(scope), c.newMode, c.oldMode)
		}
		return "is outside the scope " + list(scope)
	case j.c.Stage == loops.StageWiki && !prose[strings.ToLower(path.Ext(c.path))] && !matchAny(j.wikiRoots(), c.path) && !matchAny(j.unlocked, c.path):
		return "is not a page; a writer may only change pages, as no test runs after it"
	case j.c.Stage == loops.StageChunk && j.chunk.Tests.Kind == loops.TestsCharacterize && !c.ignored && j.protectedKind(c.path) == ordinary && codeExt[strings.ToLower(path.Ext(c.path))]:
		return "is code; a chunk with \"tests: characterize\" only adds tests"
	}
	return ""
}

// prose are the extensions of what a writer may change beside the wiki, where the
// plan's scope holds it.
var prose = map[string]bool{".md": true, ".mdx": true, ".markdown": true, ".txt": true, ".rst": true, ".adoc": true, ".png": true, ".svg": true, ".jpg": true, ".webp": true}

// leftovers are what tools leave behind that git ignores: nobody judges by it,
// and nothing of it reaches an export.
var leftovers = map[string]bool{
	"node_modules": true, "target": true, "dist": true, "build": true, "out": true, "__pycache__": true, ".pytest_cache": true, ".mypy_cache": true, ".ruff_cache": true,
	".venv": true, "venv": true, ".tox": true, ".nox": true, "coverage": true, ".nyc_output": true, ".gradle": true, ".next": true, ".turbo": true, ".cache": true, ".vite": true, ".parcel-cache": true,
}

func leftover(p string) bool {
	if strings.HasPrefix(p, ".loopwiki/") {
		return false
	}
	for _, part := range strings.Split(p, "/") {
		if leftovers[part] || strings.HasSuffix(part, ".egg-info") {
			return true
		}
	}
	base := path.Base(p)
	switch path.Ext(base) {
	case ".pyc", ".o", ".class", ".tsbuildinfo", ".swp", ".log", ".out", ".test":
		return true
	}
	return base == ".coverage" || base == ".DS_Store" || base == ".eslintcache"
}

func list(items []string) string {
	if len(items) == 0 {
		return "(which is empty)"
	}
	if len(items) > 4 {
		items = append(slices.Clone(items[:4]), "…")
	}
	return strings.Join(items, ", ")
}

func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
