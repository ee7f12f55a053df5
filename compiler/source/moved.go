package source

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// home is where a symbol is declared.
type home struct {
	file   string // relative to the wiki's root
	symbol *Symbol
}

// A symbol of fewer tokens is like too many others to be told by them, unless
// it also kept its name.
const tellingTokens = 12

// mostFiles is how many files are searched for a symbol that is not where it was.
const mostFiles = 20_000

// find looks for what is no longer where a reference says, by the tokens that
// were locked. It needs to be found in one place only.
//
// A file that git knows to have been renamed is found without a lock.
func (j *judge) find(v *Verdict) {
	if v.File == "" && j.renamed(v) || v.Locked == nil {
		return
	}
	if v.Anchor.FromLine > 0 {
		if v.File != "" {
			j.findLines(v)
		}
		return
	}
	if v.Anchor.Symbol == "" {
		return // a whole file that was moved is told by git
	}
	homes := j.elsewhere(v.Locked.Facets)
	name := lastPart(nameKey(v.Anchor.Symbol))
	if len(homes) > 1 {
		homes = slices.DeleteFunc(slices.Clone(homes), func(h home) bool { return lastPart(h.symbol.Name) != name })
	}
	if len(homes) != 1 || homes[0].symbol.tokens < tellingTokens && lastPart(homes[0].symbol.Name) != name {
		return
	}
	v.State, v.Symbol = StateMoved, homes[0].symbol
	v.Moved = j.code.tree.Below(homes[0].file) + "#" + homes[0].symbol.Name
}

// renamed looks for a file that is gone under the one name that git knows it to
// have now. Of a symbol in it the new file must have one.
func (j *judge) renamed(v *Verdict) bool {
	r := j.repository()
	if r == nil {
		return false
	}
	for _, was := range j.code.bases(v.Page, v.Anchor.Path) {
		to := r.Moved(was)
		if len(to) != 1 {
			continue
		}
		now := Bound{Reference: v.Reference, File: to[0]}
		if now.look(j.ctx, j.code); now.Symbol == nil {
			return false
		}
		v.State, v.Symbol, v.Moved = StateMoved, now.Symbol, j.code.tree.Below(to[0])+suffix(&v.Anchor)
		return true
	}
	return false
}

// elsewhere returns the symbols of the repository that have these facets.
func (j *judge) elsewhere(f Facets) []home {
	if j.moved == nil {
		j.index()
	}
	return slices.DeleteFunc(slices.Clone(j.moved[f.Tokens]), func(h home) bool { return h.symbol.Facets != f })
}

// index reads all the code that git knows, which is done only when something
// is missing.
func (j *judge) index() {
	j.moved = map[Facet][]home{}
	r := j.repository()
	if r == nil {
		return
	}
	var files []string
	for file := range r.Files() {
		if Known(file) {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	for _, file := range files[:min(len(files), mostFiles)] {
		f, err := j.code.File(j.ctx, file)
		if err != nil {
			continue
		}
		for i := range f.Symbols {
			s := &f.Symbols[i]
			j.moved[s.Facets.Tokens] = append(j.moved[s.Facets.Tokens], home{file, s})
		}
	}
}

// findLines looks for lines that others were put before or taken from before.
func (j *judge) findLines(v *Verdict) {
	f, err := j.code.File(j.ctx, v.File)
	if err != nil {
		return
	}
	n := v.Anchor.ToLine - v.Anchor.FromLine
	lines := f.index.Lines()
	if n*lines > mostLineWork {
		return
	}
	var found *Symbol
	for from := 1; from+n <= lines; from++ {
		if s := f.lines(from, from+n); s.tokens > 0 && s.Facets == v.Locked.Facets {
			if found != nil {
				return // repeated lines: which of them was meant is not known
			}
			found = s
		}
	}
	if found != nil {
		a := schema.Anchor{FromLine: found.Line, ToLine: found.Line + n}
		v.State, v.Symbol, v.Moved = StateMoved, found, j.code.tree.Below(v.File)+suffix(&a)
	}
}

// mostLineWork bounds the search for lines: lines of the reference times lines
// of the file.
const mostLineWork = 2_000_000

// Respell returns the anchor of a verdict of StateMoved as the page writes it:
// in the same spelling, counted from the same folder.
func (v *Verdict) Respell(code *Code) (string, error) {
	raw := string(v.At.In(v.Page.Source))
	file, rest := v.Moved, ""
	if i := strings.LastIndexAny(v.Moved, "#:"); i > 0 {
		file, rest = v.Moved[:i], v.Moved[i:]
	}
	i := strings.Index(raw, v.Anchor.Path)
	if i < 0 {
		return "", fmt.Errorf("%q does not hold the path %q", raw, v.Anchor.Path)
	}
	spelled := v.Anchor.Path
	if code.tree.Below(v.File) != file || v.File == "" {
		spelled = respellPath(v, code, file)
	}
	tail := raw[i+len(v.Anchor.Path):]
	switch {
	case v.Anchor.Symbol != "":
		k := strings.Index(tail, v.Anchor.Symbol)
		if k < 0 {
			return "", fmt.Errorf("%q does not hold the symbol %q", raw, v.Anchor.Symbol)
		}
		tail = tail[:k] + rest[1:] + tail[k+len(v.Anchor.Symbol):]
	case v.Anchor.FromLine > 0:
		tail = respellLines(tail, rest)
	}
	return raw[:i] + spelled + tail, nil
}

// RespellPath returns the path of a verdict of StateMoved as the page wrote it.
func (v *Verdict) RespellPath(code *Code, written string) string {
	file := schema.ParseAnchor(v.Moved).Path
	switch i := slices.Index(code.bases(v.Page, written), v.was); {
	case v.Cite != nil && v.Cite.Blob || i < 0:
		return file
	case strings.HasPrefix(written, "/"):
		return "/" + file
	case i == 0 && path.Dir(v.Page.Path) != ".":
		return schema.RelativePath(v.Page.Path, code.tree.Above(file))
	case i == 1:
		return code.tree.Above(file)
	}
	return file
}

// respellPath writes a path below the repository the way the anchor's was.
func respellPath(v *Verdict, code *Code, file string) string {
	above := code.tree.Above(file)
	old, _ := code.Locate(v.Page, v.Anchor.Path)
	if old == "" || path.Join(path.Dir(v.Page.Path), v.Anchor.Path) != old {
		return file
	}
	return schema.RelativePath(v.Page.Path, above)
}

// respellLines writes :12-30 in the place of the lines that tail begins with,
// keeping #L12-L30 where they are written so.
func respellLines(tail, lines string) string {
	end := 1
	for end < len(tail) && (tail[end] >= '0' && tail[end] <= '9' || tail[end] == '-' || tail[end] == 'L') {
		end++
	}
	if strings.HasPrefix(tail, "#") {
		from, to, several := strings.Cut(lines[1:], "-")
		lines = "#L" + from
		if several {
			lines += "-L" + to
		}
	}
	return lines + tail[min(end, len(tail)):]
}

// lastPart returns the part of a qualified name behind the last dot.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
