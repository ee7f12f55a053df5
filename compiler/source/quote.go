package source

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/citation"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// StaleQuote is a line of a block of code on a page that stood in a file which the page
// names when the line was written, and stands in no file of the repository now.
type StaleQuote struct {
	Page *schema.Page `json:"-"`
	Line int          // of the page, from 1
	File string       // that it stood in, below the repository, by its name of then; empty for one of several
	Then schema.Moment
	Near string // the line of the file of now that is most like it; empty for none
	At   int    // the number of that line
}

// StaleQuotes returns the lines of code that pages quote and the repository has no more,
// in order of page and line. Examples, which never stood in the code, are none. Without
// a history nothing is known.
func StaleQuotes(ctx context.Context, w *compiler.Wiki, code *Code) ([]StaleQuote, error) {
	h := w.History()
	if h == nil || h.Shallow || !w.Workspace().Git {
		return nil, nil
	}
	q := &quoting{dating: dating{ctx, w}, code: code, now: map[string]*textFile{}, plain: map[string]string{}, known: readCache[[]StaleQuote](w, "quotes")}
	defer q.known.write(w)
	q.names = maps.Clone(code.tracked(ctx))
	if r, err := w.Repository(ctx); err == nil {
		for _, f := range slices.Sorted(r.Lost()) {
			q.names[path.Base(f)] = append(slices.Clip(q.names[path.Base(f)]), f)
		}
	}
	var open []*quotingPage
	for _, page := range w.Pages() {
		file := h.Files[page.Path]
		if file == nil || len(page.Fences) == 0 || !speaksOfNow(w, page) {
			continue
		}
		if p := q.page(page, file.Changed.ID); p != nil {
			open = append(open, p)
		}
	}
	if err := q.judge(open); err != nil || ctx.Err() != nil {
		return nil, ctx.Err() // what git does not tell is not known
	}
	return q.missing(), ctx.Err()
}

// speaksOfNow reports whether what a page says is meant of the code as it is.
func speaksOfNow(w *compiler.Wiki, page *schema.Page) bool {
	return !claim.Mute(page) && !schema.TemplatePath(page.Path) && !claim.NewRecords(page).Page() && !w.Identity().Superseded(page.Path)
}

// quoting is what judging quoted code needs.
type quoting struct {
	dating
	code  *Code
	now   map[string]*textFile
	plain map[string]string   // files as they are, squeezed
	names map[string][]string // files that are or were in the repository, by their base name
	known *outcomes[[]StaleQuote]
	found []StaleQuote
}

// quotingPage is a page with lines of code that its files do not have now.
type quotingPage struct {
	page  *schema.Page
	key   string
	files []string // that it names, relative to the wiki's root; some may be gone
	lines []*pageLine
}

// page returns the lines of a page that may be stale; nil when there are none, or what
// became of them is known.
func (q *quoting) page(page *schema.Page, last string) *quotingPage {
	p := &quotingPage{page: page, files: q.named(page)}
	if len(p.files) == 0 {
		return nil
	}
	key := newKey(page.Path, last, string(page.Source))
	for _, f := range p.files {
		if t := q.text(f); t != nil {
			key.add(f, fmt.Sprint(t.hash))
		}
	}
	p.key = key.String()
	before, ok := q.known.get(p.key)
	if ok = ok && !slices.ContainsFunc(before, func(s StaleQuote) bool { return s.Line < 1 || s.Line > page.Lines.Lines() }); ok {
		for _, s := range before {
			s.Page = page
			q.found = append(q.found, s)
		}
		return nil
	}
	for _, n := range slices.Concat(quotedLines(page)...) {
		l := &pageLine{page: page, line: n}
		if text := l.text(); !slices.ContainsFunc(p.files, func(f string) bool { return q.text(f).has(text) }) {
			p.lines = append(p.lines, l)
		}
	}
	if len(p.lines) == 0 {
		q.known.keep(p.key, nil)
		return nil
	}
	return p
}

// mostOfOneName is how many files of one name a page may mean by it.
const mostOfOneName = 12

// named returns the files that a page names in any way, by path or by name.
func (q *quoting) named(page *schema.Page) []string {
	seen := map[string]bool{}
	var out []string
	add := func(f string) {
		if !document(f) {
			out = append(out, f)
		}
	}
	for word := range strings.FieldsFuncSeq(string(page.Source), func(r rune) bool { return !wordRune(r) && !strings.ContainsRune("_-./+[]()@", r) }) {
		word = strings.Trim(word, ".()[]-/")
		if seen[word] || !citation.FileName(path.Base(word)) {
			continue
		}
		seen[word] = true
		if file, folder := q.code.Locate(page, word); file != "" && !folder {
			add(file)
			continue
		}
		var of []string
		for _, f := range q.names[path.Base(word)] {
			if f == word || strings.HasSuffix(f, "/"+word) {
				of = append(of, f)
			}
		}
		switch {
		case len(of) > 0 && len(of) <= mostOfOneName:
			for _, f := range of {
				add(f)
			}
		case len(of) == 0 && strings.Contains(word, "/"):
			for _, f := range q.code.bases(page, word) { // it may have been there
				add(f)
			}
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(gone(q.text(a)), gone(q.text(b))) })
	return out
}

func gone(f *textFile) int {
	if len(f.src) > 0 {
		return 0
	}
	return 1
}

// text returns a file as it is, an empty one for what is not there.
func (q *quoting) text(file string) *textFile {
	f := q.now[file]
	if f == nil {
		f = newTextFile(file, nil)
		if src, ok := q.code.tree.Read(file, maxCited); ok && !Binary(src) {
			f = newTextFile(file, src)
		}
		q.now[file] = f
	}
	return f
}

// judge finds out what the files of pages had when the pages' lines were written.
func (q *quoting) judge(pages []*quotingPage) error {
	var lines []*pageLine
	for _, p := range pages {
		lines = append(lines, p.lines...)
	}
	if len(lines) == 0 {
		return nil
	}
	if err := q.date(lines); err != nil {
		return err
	}
	r, err := q.wiki.Repository(q.ctx)
	if err != nil {
		return err
	}
	var objects []compiler.Object
	for _, p := range pages {
		objects = append(objects, p.objects(r)...)
	}
	ids, err := q.wiki.ObjectIDs(q.ctx, objects)
	if err != nil {
		return err
	}
	then := map[compiler.Object]string{}
	var want []string
	for i, o := range objects {
		if ids[i] != "" {
			then[o] = ids[i]
			want = append(want, ids[i])
		}
	}
	slices.Sort(want)
	has := map[string]map[string]bool{} // lines that somebody quotes, by the content that has them
	quoted := map[string]bool{}
	for _, l := range lines {
		quoted[l.text()] = true
	}
	err = q.wiki.Contents(q.ctx, slices.Compact(want), maxCited, func(id string, content []byte) {
		for line := range strings.Lines(string(content)) {
			if line = strings.TrimSpace(line); quoted[line] {
				if has[id] == nil {
					has[id] = map[string]bool{}
				}
				has[id][line] = true
			}
		}
	})
	for _, p := range pages {
		q.settle(p, r, then, has)
	}
	return err
}

// objects returns the files of a page as they were when its lines were written.
func (p *quotingPage) objects(r *compiler.Repository) []compiler.Object {
	commits := map[string]bool{}
	var out []compiler.Object
	for _, l := range p.lines {
		if l.commit == "" || commits[l.commit] {
			continue
		}
		commits[l.commit] = true
		for _, f := range p.files {
			for _, name := range append([]string{f}, r.Former(f)...) {
				out = append(out, compiler.Object{Revision: l.commit, File: name})
			}
		}
	}
	return out
}

// settle notes which lines of a page stood in its files.
func (q *quoting) settle(p *quotingPage, r *compiler.Repository, then map[compiler.Object]string, has map[string]map[string]bool) {
	var out []StaleQuote
	for _, l := range p.lines {
		s := StaleQuote{Page: p.page, Line: l.line, Then: moment(q.wiki, l.commit)}
		best, stood := 0.0, 0
		for _, f := range p.files {
			names := append([]string{f}, r.Former(f)...)
			at := slices.IndexFunc(names, func(name string) bool {
				return mayQuote(p.page, l.line, name) && l.commit != "" && has[then[compiler.Object{Revision: l.commit, File: name}]][l.text()]
			})
			if at < 0 {
				continue
			}
			if strings.Contains(q.squeezed(f), squeeze(l.text())) {
				stood = 0 // wrapped differently
				break
			}
			stood++
			near, number, alike := nearest(l.text(), q.text(f).lines().Trimmed())
			if stood == 1 || alike > best {
				s.File, s.Near, s.At, best = q.code.tree.Below(names[at]), near, number, alike
			}
		}
		if stood > 1 && s.Near == "" {
			s.File = "" // which of them is meant is not known
		}
		if stood > 0 {
			out = append(out, s)
		}
	}
	out = q.quoted(p, out)
	q.known.keep(p.key, out)
	q.found = append(q.found, out...)
}

// missing returns the quotes that stand in no file that git tracks.
func (q *quoting) missing() []StaleQuote {
	if len(q.found) == 0 {
		return nil
	}
	wanted := map[string]bool{}
	for i := range q.found {
		wanted[textOf(q.found[i])] = true
	}
	for _, f := range q.wiki.Tracked(q.ctx) {
		if document(f) || q.ctx.Err() != nil {
			continue
		}
		src, ok := q.code.tree.Read(f, maxCited)
		if !ok || Binary(src) {
			continue
		}
		for line := range strings.Lines(string(src)) {
			delete(wanted, strings.TrimSpace(line))
		}
	}
	return slices.DeleteFunc(q.found, func(s StaleQuote) bool { return !wanted[textOf(s)] })
}

// nearest returns the line that is most like another, its number, and which share of
// the words of both is the same: more than two thirds, or the line is empty.
func nearest(line string, lines []string) (near string, number int, alike float64) {
	words := func(s string) map[string]bool {
		out := map[string]bool{}
		for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !wordRune(r) && r != '_' }) {
			out[w] = true
		}
		return out
	}
	want, best := words(line), 0.66
	for i, l := range lines {
		if !tellingLine(l) {
			continue
		}
		have, same := words(l), 0
		for w := range have {
			if want[w] {
				same++
			}
		}
		if share := 2 * float64(same) / float64(len(want)+len(have)); share > best {
			near, number, best = l, i+1, share
		}
	}
	return near, number, best
}
