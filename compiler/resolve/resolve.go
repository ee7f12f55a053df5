package resolve

import (
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/loopwiki/wiki/schema"
)

// Resolve returns what a link of a page leads to, and why. It depends only on
// the names in the index, never on the order in which they were added.
func (x *Index) Resolve(from *schema.Page, l *schema.Link) schema.Resolution {
	raw := l.Raw
	if r, ok := unlookable(l, raw); ok {
		return r
	}
	if l.Syntax == schema.SyntaxWikilink && (noName(l.Raw) || tableOfTOML(from, l)) {
		if r := x.wikilink(from, l, norm.NFC.String(strings.TrimSpace(raw))); r.OK() {
			return r
		}
		return schema.Resolution{Broken: schema.BrokenTemplate, Path: raw}
	}
	if l.Markdown() {
		r := x.markdown(from, l)
		if l.Wiki != nil && !r.OK() {
			// [[page]](a note): a wikilink, since there is no such file.
			r = x.Resolve(from, l.Wiki)
			r.Wiki = true
		}
		return r
	}
	return x.wikilink(from, l, norm.NFC.String(strings.TrimSpace(raw)))
}

// placeholder reports whether a link names nothing and only looks like a link:
// the dots and the <name> of an example, a character class.
func placeholder(l *schema.Link, raw string) bool {
	name := strings.TrimSpace(raw)
	if name == "..." || name == "…" {
		return true
	}
	if l.Syntax != schema.SyntaxWikilink || len(name) < 3 {
		return false
	}
	first, last := name[0], name[len(name)-1]
	return first == '<' && last == '>' || first == ':' && last == ':'
}

// noName reports whether the text in double brackets can't be the name of a page: a
// shell test, or a synopsis. Obsidian allows no brackets in names.
func noName(name string) bool {
	if strings.ContainsAny(name, "[]") {
		return true
	}
	name = strings.TrimPrefix(name, "! ")
	for word := range strings.FieldsSeq(name) {
		switch {
		case word == "==" || word == "!=" || word == "=~" || word == "&&" || word == "||":
			return true
		case len(word) > 1 && word[0] == '$' && (word[1] == '{' || word[1] == '(' || word[1]|0x20 >= 'a' && word[1]|0x20 <= 'z' || strings.IndexByte("@?#*_", word[1]) >= 0):
			return true
		case len(word) == 2 && word[0] == '-' && strings.HasPrefix(name, word+" "), len(word) == 3 && strings.Contains(" -eq -ne -gt -ge -lt -le -nt -ot -ef ", " "+word+" "):
			return true
		}
	}
	return false
}

// setting is a line of TOML, behind the end of another.
var setting = schema.Expression(`^[ \t]*\r?\n[ \t]*[\w.-]+[ \t]*=[ \t]*\S`)

// tableOfTOML reports whether double brackets begin a TOML table, as between Hugo's
// shortcodes: alone on their line, followed by a setting.
func tableOfTOML(p *schema.Page, l *schema.Link) bool {
	if l.Span.End > len(p.Source) || strings.ContainsAny(l.Raw, " |#") {
		return false
	}
	before := strings.TrimRight(string(p.Source[max(0, l.Span.Start-len("        ")):l.Span.Start]), " \t")
	rest := p.Source[l.Span.End:]
	return strings.HasSuffix(before, "\n") && setting().Match(rest[:min(len(rest), longestSetting)])
}

// longestSetting bounds how far a setting is looked for.
const longestSetting = 200

// unlookable settles the links that no name can answer.
func unlookable(l *schema.Link, raw string) (schema.Resolution, bool) {
	switch {
	case strings.Contains(raw, "{{") || strings.Contains(raw, "{%") || strings.Contains(raw, "<%") || placeholder(l, raw):
		return schema.Resolution{Broken: schema.BrokenTemplate, Path: raw}, true
	case machineLocal(raw):
		return schema.Resolution{Broken: schema.BrokenLocal}, true
	case l.External:
		return schema.Resolution{Kind: schema.TargetExternal, By: schema.ByExternal, GitHub: true}, true
	case strings.TrimSpace(raw) == "":
		return schema.Resolution{Broken: schema.BrokenEmpty}, true
	case strings.IndexByte(raw, 0) >= 0:
		return schema.Resolution{Broken: schema.BrokenMissing}, true
	}
	return schema.Resolution{}, false
}

// machineLocal reports whether a destination is a place on one machine: a
// file: URL or a path with a drive letter.
func machineLocal(raw string) bool {
	if len(raw) >= 5 && strings.EqualFold(raw[:5], "file:") {
		return true
	}
	return len(raw) >= 3 && raw[1] == ':' && (raw[2] == '\\' || raw[2] == '/') &&
		('a' <= raw[0]|0x20 && raw[0]|0x20 <= 'z')
}

// wikilink resolves the text between [[ and ]], without its label.
func (x *Index) wikilink(from *schema.Page, l *schema.Link, raw string) schema.Resolution {
	first := strings.IndexByte(raw, '#')
	if first == 0 {
		return x.self(from, raw[1:], l)
	}
	if first > 0 && x.hash {
		// A name may hold a #: the longest part that names a target wins.
		for cut := len(raw); cut > first; cut = strings.LastIndexByte(raw[:cut], '#') {
			if r := x.obsidian(from, strings.TrimSpace(raw[:cut])); r.OK() {
				return x.withFragment(from, r, strings.TrimPrefix(raw[cut:], "#"), l)
			}
		}
	}
	name, fragment := raw, ""
	if first > 0 {
		name, fragment = strings.TrimSpace(raw[:first]), raw[first+1:]
	}
	r := x.obsidian(from, name)
	if !r.OK() {
		r = x.generous(from, name, r)
	}
	return x.withFragment(from, r, fragment, l)
}

// obsidian climbs the rungs that Obsidian has, as observed.
func (x *Index) obsidian(from *schema.Page, name string) schema.Resolution {
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		full := path.Join(path.Dir(norm.NFC.String(from.Path)), name)
		if strings.HasPrefix(full, "../") || full == ".." {
			return x.beyond(full)
		}
		return x.at(full, schema.ByRelative, name)
	}
	if rest, ok := strings.CutPrefix(name, "/"); ok {
		return x.at(rest, schema.ByRoot, rest)
	}
	name = strings.TrimPrefix(name, "./")
	if strings.Contains(name, "/") {
		if r := x.at(name, schema.ByRoot, name); r.OK() {
			return r
		}
	}
	return x.suffix(from, name)
}

// at looks a whole path up, exact and then with .md.
func (x *Index) at(full string, by schema.ResolvedBy, written string) schema.Resolution {
	full = strings.TrimSuffix(full, "/")
	for _, ext := range [...]string{"", ".md", ".markdown"} {
		if i, ok := x.exact[full+ext]; ok {
			return x.hit(i, by, written)
		}
	}
	fold := Fold(full)
	for _, ext := range [...]string{"", ".md", ".markdown"} {
		if i, ok := x.folded[fold+ext]; ok {
			return x.hit(i, by, written)
		}
	}
	return schema.Resolution{Broken: schema.BrokenMissing}
}

// suffix looks for a file whose path ends in name: in the page's own folder,
// then the shortest path, then the smallest.
func (x *Index) suffix(from *schema.Page, name string) schema.Resolution {
	fold := Fold(name)
	if x.profile.Underscores {
		fold = strings.ReplaceAll(fold, "___", "/")
	}
	b := x.bases[path.Base(fold)]
	if b == nil {
		return schema.Resolution{Broken: schema.BrokenMissing}
	}
	ids, paths := b.ids, b.paths
	if strings.Contains(fold, "/") {
		if ids, paths = x.endingIn(b.ids, fold, "/"), nil; len(ids) == 0 { // Obsidian finds wiki-en/a.md for en/a
			ids = x.endingIn(b.ids, fold, "-_. ")
		}
		if len(ids) > 1 {
			for _, i := range ids[:min(len(ids), schema.MaxCandidates)] {
				paths = append(paths, x.targets[i].disk)
			}
		}
	}
	if len(ids) == 0 {
		return schema.Resolution{Broken: schema.BrokenMissing}
	}
	best := ids[0]
	if dir := path.Dir(norm.NFC.String(from.Path)); len(ids) > 1 {
		best = x.preferred(ids, dir, fold)
	}
	r := x.hit(best, schema.BySuffix, name)
	if len(ids) > 1 {
		r.Candidates = paths
	}
	return r
}

// preferred picks among files of one name: the page's own folder first, then a
// page written with the same letter case, then the order of the bucket.
func (x *Index) preferred(ids []int32, dir, fold string) int32 {
	own := Fold(path.Join(dir, fold))
	for _, ext := range [...]string{"", ".md", ".markdown"} {
		if i, ok := x.folded[own+ext]; ok {
			return i
		}
	}
	return ids[0]
}

// endingIn returns those of targets whose paths end in the folded end, their page
// extension optional, behind nothing or one of some characters.
func (x *Index) endingIn(ids []int32, end, behind string) (out []int32) {
	for _, i := range ids {
		p := Fold(x.targets[i].path)
		if x.profile.Underscores {
			p = strings.ReplaceAll(p, "___", "/")
		}
		for _, full := range [...]string{p, strings.TrimSuffix(p, PageExtension(p))} {
			if rest, ok := strings.CutSuffix(full, end); ok && (rest == "" || strings.IndexByte(behind, rest[len(rest)-1]) >= 0) {
				out = append(out, i)
				break
			}
		}
	}
	return out
}

// generous climbs the rungs that Obsidian lacks and that wikis written by
// agents rely on.
func (x *Index) generous(from *schema.Page, name string, failed schema.Resolution) schema.Resolution {
	if r, ok := x.inRepository(name); ok {
		return r
	}
	fold := Fold(strings.Trim(name, "/"))
	if dir, ok := x.dirs[fold]; ok {
		if r, ok := x.folderIndex(dir); ok {
			r.CaseOnly = dir != norm.NFC.String(strings.Trim(name, "/"))
			return r
		}
	}
	if i, ok := x.ids[fold]; ok {
		return x.hit(i, schema.ByID, "")
	}
	for _, rung := range [...]struct {
		by schema.ResolvedBy
		in map[string][]int32
		as string
	}{
		{schema.ByAlias, x.alias, fold},
		{schema.ByTitle, x.titles, fold},
		{schema.BySlug, x.slugs, Slug(path.Base(name))},
	} {
		ids := rung.in[rung.as]
		if rung.by == schema.BySlug {
			ids = x.underFolder(ids, Slug(name))
		}
		if len(ids) == 0 {
			continue
		}
		best := x.nearest(ids, from)
		r := x.hit(best, rung.by, "")
		if len(ids) > 1 {
			for _, i := range ids[:min(len(ids), schema.MaxCandidates)] {
				r.Candidates = append(r.Candidates, x.targets[i].disk)
			}
		}
		return r
	}
	if failed.Broken == schema.BrokenNot {
		failed.Broken = schema.BrokenMissing
	}
	return failed
}

// underFolder keeps the targets whose path, slugged, ends in slug.
func (x *Index) underFolder(ids []int32, slug string) []int32 {
	if !strings.Contains(slug, "/") {
		return ids
	}
	var out []int32
	for _, i := range ids {
		p := x.targets[i].path
		p = Slug(strings.TrimSuffix(p, PageExtension(p)))
		if rest, ok := strings.CutSuffix(p, slug); ok && (rest == "" || strings.HasSuffix(rest, "/")) {
			out = append(out, i)
		}
	}
	return out
}

// nearest picks the target in the page's own folder, else the one with the
// shortest and then smallest path.
func (x *Index) nearest(ids []int32, from *schema.Page) int32 {
	dir := path.Dir(norm.NFC.String(from.Path))
	best := ids[0]
	for _, i := range ids[1:] {
		p, q := x.targets[i].path, x.targets[best].path
		pOwn, qOwn := path.Dir(p) == dir, path.Dir(q) == dir
		switch {
		case pOwn != qOwn:
			if pOwn {
				best = i
			}
		case len(p) < len(q) || len(p) == len(q) && x.order(i, best) < 0:
			best = i
		}
	}
	return best
}

// inRepository looks a name up from the root of the repository around the
// wiki, and in the folders of raw sources next to it.
func (x *Index) inRepository(name string) (schema.Resolution, bool) {
	name = strings.TrimPrefix(name, "/")
	if !cleanPath(name) {
		return schema.Resolution{}, false
	}
	if below, ok := strings.CutPrefix(name, x.place.RootPath+"/"); ok {
		if r := x.at(below, schema.ByRepository, below); r.OK() {
			return r, true
		}
	}
	for _, ext := range [...]string{"", ".md"} {
		for _, p := range [...]string{name + ext, path.Join(x.place.RootPath, name+ext)} {
			if strings.Contains(name, "/") && x.outside(p) {
				return schema.Resolution{Kind: schema.TargetOutside, By: schema.ByRepository, Path: x.above(p)}, true
			}
		}
	}
	if p := x.rawSource(Fold(name)); p != "" {
		return schema.Resolution{Kind: schema.TargetOutside, By: schema.ByRepository, Path: x.above(p)}, true
	}
	return schema.Resolution{}, false
}

func (x *Index) outside(p string) bool { return x.place.Outside != nil && x.place.Outside(p) }

// rawSource returns the first of the raw sources next to the wiki whose path ends
// in a folded name, with or without its extension.
func (x *Index) rawSource(name string) string {
	x.nextTo.Do(func() {
		x.raw = map[string][]string{}
		if x.place.Beside == nil {
			return
		}
		for _, p := range x.place.Beside() {
			base := Fold(path.Base(p))
			x.raw[base] = append(x.raw[base], p)
			if stem := strings.TrimSuffix(base, PageExtension(base)); stem != base {
				x.raw[stem] = append(x.raw[stem], p)
			}
		}
	})
	for _, p := range x.raw[path.Base(name)] {
		full := Fold("/" + p)
		if strings.HasSuffix(full, "/"+name) || strings.HasSuffix(strings.TrimSuffix(full, PageExtension(full)), "/"+name) {
			return p
		}
	}
	return ""
}

// above turns a path below the repository's root into one relative to the
// wiki's root.
func (x *Index) above(repo string) string {
	if x.place.RootPath == "." {
		return repo
	}
	if below, ok := strings.CutPrefix(repo, x.place.RootPath+"/"); ok {
		return below
	}
	return strings.Repeat("../", strings.Count(x.place.RootPath, "/")+1) + repo
}

func cleanPath(p string) bool {
	return path.Clean(p) == strings.TrimSuffix(p, "/") && p != ".." && !strings.HasPrefix(p, "../")
}

// hostPages are GitHub's pages at OWNER/REPO.
var hostPages = map[string]bool{
	"actions": true, "activity": true, "archive": true, "blame": true, "blob": true, "branches": true, "commit": true,
	"commits": true, "community": true, "compare": true, "contributors": true, "deployments": true, "discussions": true,
	"edit": true, "fork": true, "forks": true, "graphs": true, "issues": true, "labels": true, "milestone": true,
	"milestones": true, "network": true, "new": true, "packages": true, "projects": true, "pull": true, "pulls": true,
	"pulse": true, "raw": true, "releases": true, "security": true, "settings": true, "stargazers": true, "tags": true,
	"tree": true, "watchers": true, "wiki": true, "workflows": true,
}

// onHost reports whether a path leads to a page that GitHub has of the repository:
// it shows files below OWNER/REPO/blob/BRANCH, and the pages of a wiki below
// OWNER/REPO/wiki.
func (x *Index) onHost(full, repo string) bool {
	at, ok := strings.CutPrefix(repo, "../../")
	if x.profile.PageNames {
		at, ok = strings.CutPrefix(full, "../")
	}
	page, _, _ := strings.Cut(at, "/")
	return ok && hostPages[page]
}

// beyond resolves a path that leads out of the wiki's root, such as ../src/a.go.
func (x *Index) beyond(full string) schema.Resolution {
	repo := path.Join(x.place.RootPath, full)
	if x.onHost(full, repo) {
		return schema.Resolution{Kind: schema.TargetExternal, By: schema.ByExternal, GitHub: true}
	}
	if repo == ".." || strings.HasPrefix(repo, "../") {
		return schema.Resolution{Broken: schema.BrokenEscapes, Path: full}
	}
	if x.outside(repo) {
		return schema.Resolution{Kind: schema.TargetOutside, By: schema.ByRelative, Path: full, GitHub: true}
	}
	return schema.Resolution{Broken: schema.BrokenMissing, Path: full}
}

// hit returns the resolution to target i. written is the part of the link with the path;
// a difference in letter case only is recorded.
func (x *Index) hit(i int32, by schema.ResolvedBy, written string) schema.Resolution {
	t := &x.targets[i]
	r := schema.Resolution{Kind: schema.TargetFile, By: by, Path: t.disk}
	if t.page != nil {
		r.Kind, r.Page = schema.TargetPage, t.page.ID
	}
	written = strings.TrimSuffix(written, "/")
	for strings.HasPrefix(written, "../") || strings.HasPrefix(written, "./") {
		_, written, _ = strings.Cut(written, "/")
	}
	if written != "" && !x.profile.Underscores {
		p := t.path
		stem := strings.TrimSuffix(p, PageExtension(p))
		r.CaseOnly = !strings.HasSuffix(p, written) && !strings.HasSuffix(stem, written)
	}
	return r
}

// folderIndex returns the index page of a folder.
func (x *Index) folderIndex(dir string) (schema.Resolution, bool) {
	for _, name := range [...]string{"index.md", "_index.md", "README.md", "readme.md", "Index.md"} {
		if i, ok := x.exact[path.Join(dir, name)]; ok && x.targets[i].page != nil {
			r := x.hit(i, schema.ByIndex, "")
			return r, true
		}
	}
	return schema.Resolution{}, false
}
