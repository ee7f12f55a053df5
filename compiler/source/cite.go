package source

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/citation"
	"github.com/loopwiki/wiki/schema"
	"github.com/zeebo/xxh3"
)

// cite judges citations of lines from git: what the lines said in the commit that last
// changed the page's line, or its line in wiki.lock, is looked for in the file of now.
// Without git, and in a shallow clone, nothing is known.
func (j *judge) cite(all []Verdict) error {
	c := &citing{judge: j, dating: dating{j.ctx, j.wiki}, hashes: map[*schema.Page]string{}, spansOf: map[*schema.Page][]schema.Span{}, now: map[string]*textFile{}, then: map[string]*textFile{}}
	for i := range all {
		v := &all[i]
		open := v.State == StateFresh || v.State == StateFileMissing
		if open && v.Anchor.FromLine > 0 && v.Anchor.ToLine >= v.Anchor.FromLine && (v.Locked == nil || v.Symbol == nil) {
			c.add(v)
		}
	}
	if len(c.open) == 0 || !j.history {
		return nil
	}
	c.known = readCache[outcome](j.wiki, "lines")
	c.known.some = j.some
	defer c.known.write(j.wiki)
	c.open = slices.DeleteFunc(c.open, c.remembered)
	if len(c.open) == 0 {
		return nil
	}
	err := c.date(c.lines())
	if err == nil {
		c.stamped(all)
		c.pin()
		err = c.find()
	}
	if err != nil { // of what was verified, the hashes in wiki.lock tell
		for _, o := range c.open {
			if o.Locked != nil {
				c.byFacets(o.Verdict, all)
			}
		}
		return j.ctx.Err()
	}
	for _, o := range c.open {
		c.compare(o, all)
	}
	return j.ctx.Err()
}

// pin moves the moment to compare with to the commit that the page says it describes.
func (c *citing) pin() {
	r := c.repository()
	for _, o := range c.open {
		if o.pinned == "" {
			continue
		}
		if _, known := r.Time(o.pinned); known {
			o.commit = o.pinned
		} else {
			o.pinned = ""
		}
	}
}

// citing is what judging citations needs.
type citing struct {
	*judge
	dating
	open    []*cited
	now     map[string]*textFile // files as they are
	then    map[string]*textFile // contents that files had, by their ids
	known   *outcomes[outcome]
	hashes  map[*schema.Page]string
	spansOf map[*schema.Page][]schema.Span // between backticks
}

// cited is a citation that is being judged.
type cited struct {
	*Verdict
	pageLine
	file string // it is of, as it is called now; relative to the wiki's root
	was  string // what the file was called then
	id   string // of its content then
	key  string // under which the outcome is kept
}

// textFile is a file as it is.
type textFile struct {
	file string
	src  []byte
	hash uint64
	text *citation.Text // once somebody wanted it
}

func (c *citing) add(v *Verdict) {
	if v.Record || c.judge.wiki.Identity().Superseded(v.Page.Path) {
		return
	}
	file := v.File
	if file == "" {
		if file = c.renamedTo(v); file == "" {
			return
		}
	}
	if c.text(file) == nil {
		return
	}
	c.open = append(c.open, &cited{Verdict: v, file: file, pageLine: pageLine{page: v.Page, line: v.Page.Lines.Position(v.At.Start).Line}})
}

func (c *citing) lines() []*pageLine {
	out := make([]*pageLine, len(c.open))
	for i, o := range c.open {
		out[i] = &o.pageLine
	}
	return out
}

// moment returns when a commit was made.
func moment(w *compiler.Wiki, commit string) schema.Moment {
	m := schema.Moment{Commit: commit}
	if h := w.History(); h != nil {
		c, _ := h.Commit(commit)
		m.Time = c.Time
	}
	return m
}

// renamedTo returns what a file that is gone is called now, as git tells.
func (c *citing) renamedTo(v *Verdict) string {
	r := c.repository()
	if r == nil {
		return ""
	}
	for _, was := range c.code.bases(v.Page, v.Anchor.Path) {
		if to := r.Moved(was); len(to) == 1 {
			v.was = was
			return to[0]
		}
	}
	if slices.ContainsFunc(c.code.bases(v.Page, v.Anchor.Path), func(was string) bool { return !r.Gone(was).IsZero() }) {
		v.State = StateFileMissing
	}
	return ""
}

// text returns a file as it is, nil for what is no text.
func (c *citing) text(file string) *textFile {
	f, read := c.now[file]
	if !read {
		if src, ok := c.code.tree.Read(file, maxCited); ok && !Binary(src) {
			f = newTextFile(file, src)
		}
		c.now[file] = f
	}
	return f
}

// has reports whether a line stands in the file.
func (f *textFile) has(line string) bool { return f.lines().Has(line) }

// maxCited is the size of the largest file whose lines are compared, in bytes.
const maxCited = 16 << 20

func newTextFile(file string, src []byte) *textFile {
	return &textFile{file: file, src: src, hash: xxh3.Hash(src)}
}

func (f *textFile) lines() *citation.Text {
	if f.text == nil {
		f.text = citation.NewText(f.file, strings.Split(strings.TrimSuffix(string(f.src), "\n"), "\n"))
	}
	return f.text
}

// find finds the contents that the cited files had then: under their present names,
// else under those that they had before.
func (c *citing) find() error {
	if err := c.ask(func(o *cited) []string { return []string{o.file} }); err != nil {
		return err
	}
	if slices.ContainsFunc(c.open, func(o *cited) bool { return o.commit != "" && o.id == "" }) {
		r := c.repository()
		err := c.ask(func(o *cited) []string {
			if r == nil || o.id != "" {
				return nil
			}
			return append(slices.Clone(r.Former(o.file)), c.code.bases(o.Page, o.Anchor.Path)...)
		})
		if err != nil {
			return err
		}
	}
	var ids []string
	file := map[string]string{}
	for _, o := range c.open {
		if o.id != "" {
			ids = append(ids, o.id)
			file[o.id] = o.was
		}
	}
	slices.Sort(ids)
	return c.judge.wiki.Contents(c.judge.ctx, slices.Compact(ids), maxCited, func(id string, content []byte) {
		if !Binary(content) {
			c.then[id] = newTextFile(file[id], content)
		}
	})
}

// ask asks git for the content that each citation's file had under the first of some
// names that it had then.
func (c *citing) ask(names func(*cited) []string) error {
	var objects []compiler.Object
	var of []*cited
	for _, o := range c.open {
		if o.commit == "" {
			continue
		}
		for _, name := range names(o) {
			objects, of = append(objects, compiler.Object{Revision: o.commit, File: name}), append(of, o)
		}
	}
	if len(objects) == 0 {
		return nil
	}
	ids, err := c.judge.wiki.ObjectIDs(c.judge.ctx, objects)
	if err != nil {
		return err
	}
	for i, o := range of {
		if o.id == "" {
			o.id, o.was = ids[i], objects[i].File
		}
	}
	return nil
}

// compare judges one citation and keeps what came of it.
func (c *citing) compare(o *cited, all []Verdict) {
	then, now := c.then[o.id], c.text(o.file)
	from, to := o.Anchor.FromLine, o.Anchor.ToLine
	if then != nil && to == then.lines().Lines()+1 {
		to-- // the empty line that editors show behind the last
	}
	if then == nil || to > then.lines().Lines() || to < from { // it never was right, as far as git tells
		out := outcome{Absent: o.commit != "" && o.id == ""}
		c.known.keep(o.key, out)
		c.apply(o, &out)
		return
	}
	if o.pinned != "" {
		out := outcome{Record: true}
		c.known.keep(o.key, out)
		c.apply(o, &out)
		return
	}
	out := outcome{Commit: o.commit, File: o.file, Result: citation.Compare(then.lines(), now.lines(), from, to)}
	if out.Result.State == citation.Changed {
		out.Values = c.stale(o, out.Result, then.src, all)
	}
	if out.Result.State == citation.Moved && o.Locked == nil {
		out.Named = c.named(o, then, out.Result)
	}
	c.known.keep(o.key, out)
	c.apply(o, &out)
}

// apply writes an outcome into a verdict.
func (c *citing) apply(o *cited, out *outcome) {
	v, r := o.Verdict, out.Result
	v.Absent, v.Record = out.Absent, out.Record
	if out.Commit == "" {
		return
	}
	v.Then = moment(c.judge.wiki, out.Commit)
	lines := schema.Anchor{FromLine: r.From, ToLine: r.To}
	switch {
	case r.State == citation.Changed:
		v.Was, v.Now, v.Values, v.State = r.Was, r.Now, out.Values, StateLinesChanged
		if r.From > 0 {
			v.Moved = c.code.tree.Below(out.File) + suffix(&lines)
		}
		if len(v.Values) > 0 {
			v.State = StateStaleValue
		}
	case r.State == citation.Same && v.File == out.File:
		v.State = StateFresh
	default:
		v.State, v.Unsure, v.Named = StateMoved, r.State == citation.Several, out.Named
		v.Moved = c.code.tree.Below(out.File) + suffix(&lines)
	}
}

// stale returns the values that a page's paragraph states, that the cited lines had,
// and that their file has no more.
func (c *citing) stale(o *cited, r citation.Outcome, then []byte, all []Verdict) []StaleValue {
	v := *o.Verdict
	from, to := o.Anchor.FromLine, o.Anchor.ToLine
	said := strings.ReplaceAll(string(passage(v.Page, v.At).In(v.Page.Source)), v.Anchor.Raw, "")
	if to-from > mostStated || v.Locked == nil && !shareValue(said, lineText(then, from, to)) {
		return nil
	}
	v.Old, v.Symbol = c.fragment(o.was, then, from, to), c.fragment(o.file, c.text(o.file).src, r.From, r.To)
	if v.Old == nil {
		return nil
	}
	if v.Symbol == nil {
		v.Symbol = &Symbol{}
	}
	if v.Locked == nil {
		v.Section = Section{Heading: cmp.Or(v.Section.Heading, "passage"), Span: passage(v.Page, v.At)}
	}
	var beside []Bound
	for i := range all {
		if all[i].Page == v.Page {
			beside = append(beside, all[i].Bound)
		}
	}
	if len(staleValues(&v, beside, nil)) == 0 {
		return nil // mostly, and then the whole file need not be read
	}
	now, err := c.code.File(c.judge.ctx, o.file)
	if err != nil {
		return nil
	}
	// Names and words move to other files, and stay true: a number that another took the
	// place of does not. Of a page that was verified more is known.
	return slices.DeleteFunc(staleValues(&v, beside, now.Whole.Values), func(s StaleValue) bool {
		return v.Locked == nil && (s.New == "" || !strings.ContainsAny(s.Old, "0123456789") || !strings.ContainsAny(s.New, "0123456789"))
	})
}

// mostStated is how many lines a citation may have to be for a value.
const mostStated = 80

// fragment returns what stands on some lines of a file, nil for nothing. The lines are
// read alone, which costs less than the file: their values are known all the same.
func (c *citing) fragment(file string, src []byte, from, to int) *Symbol {
	text := lineText(src, from, to)
	if len(text) == 0 {
		return nil
	}
	if f, err := Parse(c.judge.ctx, file, text); err == nil && f.Whole.tokens > 0 {
		return &f.Whole
	}
	if ext := strings.ToLower(path.Ext(file)); ext != ".go" && !spelledOut[ext] {
		return nil
	}
	f, err := parsed.parse(c.judge.ctx, file, src) // a part is nothing in these, and the whole is read fast
	if err != nil {
		return nil
	}
	return f.lines(from, min(to, f.index.Lines()))
}

// lineText returns some lines of a file.
func lineText(src []byte, from, to int) []byte {
	if from < 1 {
		return nil
	}
	index := schema.NewLineIndex(src)
	if to = min(to, index.Lines()); to < from {
		return nil
	}
	return src[index.Line(from).Start:index.Line(to).End]
}

// shareValue reports whether a number or a quoted word of code stands in a text too,
// which is cheap to know and mostly not so.
func shareValue(text string, code []byte) bool {
	plain := strings.NewReplacer(",", "", "_", "", "'", "").Replace
	text = strings.ToLower(plain(text))
	for word := range strings.FieldsFuncSeq(strings.ToLower(plain(string(code))), func(r rune) bool { return !wordRune(r) && !strings.ContainsRune(`"`+"`", r) }) {
		bare := strings.Trim(word, "\"`")
		if bare != "" && (bare != word || bare[0] >= '0' && bare[0] <= '9') && strings.Contains(text, bare) {
			return true
		}
	}
	return false
}

// passage is what a citation stands for: its paragraph, or the line of a list or table.
func passage(page *schema.Page, at schema.Span) schema.Span {
	line := page.Lines.Line(page.Lines.Position(at.Start).Line)
	text := strings.TrimSpace(string(line.In(page.Source)))
	if strings.HasPrefix(text, "|") || strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* ") || strings.HasPrefix(text, "#") {
		return line
	}
	return paragraph(page.Source, at)
}
