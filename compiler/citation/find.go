package citation

import (
	"bytes"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
)

// Citation is a place where a page cites lines of a file:
//
//	src/a.go:12   src/a.go:12-20   src/a.go:12,30-34   src/a.go:L12-L20   src/a.go:12:5
//	src/a.go#L12  src/a.go#L12-L20 src/a.go#L12C3-L20C5
//	src/a.go line 12   `src/a.go` (lines 12-20)
//	https://host/owner/repository/blob/main/src/a.go#L12-L20 file://src/a.go#L12-L20
//
// in running text, between backticks, in tables, in the text of a link and in its
// address. A citation of several ranges is one for each.
type Citation struct {
	Span     schema.Span // the path and these lines, as written; of a further range its lines alone
	Path     string      // as written, without what an address has before it
	Blob     bool        // an address of this repository, whose path counts from its top
	From, To int         // from 1; [schema.NoLine] for a line that can not be
	places   []place     // of the citation, and of those that say the same beside it
}

// place is where the parts of a citation stand. The last number is empty where one
// line is cited.
type place struct{ path, from, to schema.Span }

// Remote is a copy of the repository on a host, of which addresses are citations.
type Remote struct {
	Address  string   // as https://host/owner/repository, without .git
	Branches []string // whose state is the present one; others are of another time
}

// Find returns the citations in a page's text, in order. What stands in fences and
// comments cites nothing, and nor does front matter, whose sources are fields. remotes
// is asked when a page has addresses that may be citations.
func Find(page *schema.Page, remotes func() []Remote) []Citation {
	f := &finder{src: page.Source, remotes: remotes}
	skip := make([]schema.Span, 0, len(page.Fences)+len(page.Comments))
	for i := range page.Fences {
		skip = append(skip, page.Fences[i].Span)
	}
	skip = append(skip, page.Comments...)
	slices.SortFunc(skip, func(a, b schema.Span) int { return a.Start - b.Start })
	at := page.Body
	for _, s := range skip {
		if s.Start >= at {
			f.text(at, s.Start)
		}
		at = max(at, s.End)
	}
	f.text(at, len(page.Source))
	return merge(page, f.found)
}

// merge makes one of the citations in the text of a link and in its address that
// say the same.
func merge(page *schema.Page, found []Citation) []Citation {
	in := func(c *Citation) *schema.Link {
		i, _ := slices.BinarySearchFunc(page.Links, c.Span.Start, func(l schema.Link, at int) int { return l.Span.End - at - 1 })
		if i < len(page.Links) && page.Links[i].Span.Contains(c.Span.Start) {
			return &page.Links[i]
		}
		return nil
	}
	out := found[:0]
	for _, c := range found {
		if n := len(out) - 1; n >= 0 {
			last, link := &out[n], in(&c)
			if link != nil && link == in(last) && last.From == c.From && last.To == c.To && path.Base(last.Path) == path.Base(c.Path) {
				if strings.Count(c.Path, "/") > strings.Count(last.Path, "/") || c.Blob {
					last.Path, last.Blob = c.Path, c.Blob
				}
				last.places = append(last.places, c.places...)
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

// Address returns what the addresses of a repository's files begin with, told by that
// which it is cloned from: https://host/owner/repository for git@host:owner/repository.git.
// It is empty for a folder.
func Address(clone string) string {
	clone = strings.TrimSuffix(strings.TrimSuffix(clone, "/"), ".git")
	host, repository, ok := "", "", false
	if _, rest, scheme := strings.Cut(clone, "://"); scheme {
		host, repository, ok = strings.Cut(rest, "/")
		host, _, _ = strings.Cut(host[strings.LastIndexByte(host, '@')+1:], ":")
	} else if host, repository, ok = strings.Cut(clone, ":"); ok {
		host = host[strings.LastIndexByte(host, '@')+1:]
	}
	if !ok || !strings.Contains(host, ".") || repository == "" {
		return ""
	}
	return "https://" + host + "/" + strings.TrimPrefix(repository, "/")
}

// Written returns a citation as its page writes it, a further range with the path.
func (c *Citation) Written(page *schema.Page) string {
	text := string(c.Span.In(page.Source))
	if p := c.places[0]; c.Span.Start > p.path.Start {
		return string(p.path.In(page.Source)) + ":" + text
	}
	return text
}

// Covers reports whether a citation stands at a place, or a part of it does.
func (c *Citation) Covers(at schema.Span) bool {
	return slices.ContainsFunc(c.places, func(p place) bool {
		return at.Overlaps(schema.Span{Start: p.path.Start, End: max(p.from.End, p.to.End)})
	})
}

// Lines returns the edits of a page that make a citation one of other lines. A
// citation of one line becomes one of one line.
func (c *Citation) Lines(page string, from, to int) []schema.Edit {
	var out []schema.Edit
	for _, p := range c.places {
		if from != c.From {
			out = append(out, schema.Edit{Path: page, Span: p.from, Text: strconv.Itoa(from)})
		}
		if p.to.Len() > 0 && to != c.To {
			out = append(out, schema.Edit{Path: page, Span: p.to, Text: strconv.Itoa(to)})
		}
	}
	return out
}

// File returns the edits of a page that make a citation one of another file; respell
// writes its path as the old one, as written, counted. Nil when the path stands
// there for several ranges, which one edit can not follow.
func (c *Citation) File(page *schema.Page, respell func(written string) string) []schema.Edit {
	var out []schema.Edit
	for _, p := range c.places {
		if p.path.End < p.from.Start-maxGap {
			return nil
		}
		out = append(out, schema.Edit{Path: page.Path, Span: p.path, Text: respell(string(p.path.In(page.Source)))})
	}
	return out
}

// maxGap is how many bytes stand between a path and its first line at most.
const maxGap = 12

type finder struct {
	src     []byte
	remotes func() []Remote
	found   []Citation
}

// text reads the citations in a part of a page.
func (f *finder) text(from, to int) {
	for i := from; i < to; i++ {
		switch b := f.src[i]; {
		case b == ':' || b == '#':
			i = max(i, f.marked(from, i, to))
		case (b == 'l' || b == 'L') && i > from && !wordByte(f.src[i-1]):
			i = max(i, f.spelled(from, i, to))
		}
	}
}

// marked reads path:12 and path#L12 around the mark at i, and returns where to go on.
func (f *finder) marked(start, i, end int) int {
	hash := f.src[i] == '#'
	at := i + 1
	if !f.numbered(at, end, hash) {
		return i
	}
	span := f.pathBefore(start, i)
	if span.Len() == 0 {
		return i
	}
	return f.ranges(span, at, end)
}

// spelled reads "path line 12" and "path (lines 12-20)" from the word line at i.
func (f *finder) spelled(start, i, end int) int {
	at := i + len("line")
	if at >= end || !strings.EqualFold(string(f.src[i:at]), "line") {
		return i
	}
	if f.src[at] == 's' {
		at++
	}
	if at+1 >= end || f.src[at] != ' ' || !digit(f.src[at+1]) {
		return i
	}
	before := i
	for before > start && i-before < maxGap && strings.IndexByte(" ,(`", f.src[before-1]) >= 0 {
		before--
	}
	span := f.pathBefore(start, before)
	if span.Len() == 0 || before == i || f.precedesPath(at+1, end) {
		return i
	}
	return f.ranges(span, at+1, end)
}

// precedesPath reports whether a path follows the numbers at a place, whose lines they
// are then: "line 62 src/b.go".
func (f *finder) precedesPath(at, end int) bool {
	for at < end && (digit(f.src[at]) || strings.IndexByte("-,", f.src[at]) >= 0) {
		at++
	}
	word := f.src[at:min(end, at+longestPath)]
	if len(word) == 0 || word[0] != ' ' {
		return false
	}
	word = bytes.TrimLeft(word, " `")
	if i := bytes.IndexFunc(word, func(r rune) bool { return r < utf8.RuneSelf && !pathByte(byte(r)) }); i >= 0 {
		word = word[:i]
	}
	return FileName(path.Base(strings.Trim(string(word), ".")))
}

// numbered reports whether the number of a line begins at a place, with an L before
// it where it has to be there.
func (f *finder) numbered(at, end int, mark bool) bool {
	if at < end && f.src[at] == 'L' {
		at++
	} else if mark {
		return false
	}
	return at < end && digit(f.src[at])
}

// ranges reads 12-20 and 12,30-34 and adds a citation for each range.
func (f *finder) ranges(span schema.Span, at, end int) int {
	first := len(f.found)
	for {
		p := place{path: span}
		from, next := f.number(at, end)
		p.from = from
		last := next
		if next+1 < end && f.src[next] == ':' && digit(f.src[next+1]) { // a column
			_, last = f.number(next+1, end)
		} else if to, n := f.number(f.dash(next, end), end); n > next && to.Len() > 0 {
			p.to, last = to, n
		}
		if !f.ends(last, end) {
			f.found = f.found[:first]
			return at
		}
		f.add(p, last, len(f.found) > first)
		at = last
		if at+1 >= end || f.src[at] != ',' || !digit(f.src[at+1]) {
			return at - 1
		}
		at++
	}
}

// number reads L12C3 or 12 at a place: where the digits of the line stand, and where
// it ends.
func (f *finder) number(at, end int) (digits schema.Span, next int) {
	if at < end && f.src[at] == 'L' {
		at++
	}
	next = at
	for next < end && digit(f.src[next]) {
		next++
	}
	digits = schema.Span{Start: at, End: next}
	if next+1 < end && f.src[next] == 'C' && digit(f.src[next+1]) {
		for next++; next < end && digit(f.src[next]); next++ {
		}
	}
	return digits, next
}

// dash returns where the second number of a range begins; end if there is none.
func (f *finder) dash(at, end int) int {
	r, size := utf8.DecodeRune(f.src[at:end])
	next := at + size
	if r != '-' && r != '–' || next >= end || !digit(f.src[next]) && f.src[next] != 'L' {
		return end
	}
	return next
}

// ends reports whether a number may end at a place: it is no part of a word, a
// version or a path.
func (f *finder) ends(at, end int) bool {
	if at >= end {
		return true
	}
	b := f.src[at]
	if b == '.' || b == ':' || b == '-' {
		return at+1 >= end || !wordByte(f.src[at+1])
	}
	return !wordByte(b) && b != '/' && b != '%' && b != '='
}

// add notes a citation whose lines end at a place.
func (f *finder) add(p place, end int, later bool) {
	c := Citation{Span: schema.Span{Start: p.path.Start, End: end}, Path: string(p.path.In(f.src)), places: []place{p}}
	if p.from.Start > p.path.End+maxGap || later {
		c.Span.Start = p.from.Start // a further range of the same path
	}
	if strings.Contains(c.Path, "://") {
		rest, ok := strings.CutPrefix(c.Path, "file://") // from the repository's top, as some generators write it
		if !ok {
			rest, ok = f.blob(c.Path)
		}
		if !ok {
			return
		}
		p.path.Start = p.path.End - len(rest)
		c.Path, c.Blob, c.places[0] = rest, true, p
	}
	if decoded, err := url.PathUnescape(c.Path); err == nil {
		c.Path = decoded
	}
	if a := schema.ParseAnchor(c.Path); a.Path != c.Path || a.URL != "" {
		return // at a revision, which is what it was
	}
	c.From = line(p.from.In(f.src))
	if c.To = c.From; p.to.Len() > 0 {
		c.To = line(p.to.In(f.src))
	}
	f.found = append(f.found, c)
}

func line(digits []byte) int {
	n, err := strconv.Atoi(string(digits))
	if n == 0 || err != nil || len(digits) > 9 {
		return schema.NoLine
	}
	return n
}

// blob returns the path in an address of a file of this repository as it is now:
// /blob/main/ at GitHub, /-/blob/main/ at GitLab, /src/branch/main/ at Gitea.
func (f *finder) blob(address string) (file string, ok bool) {
	for _, r := range f.remotes() {
		rest, ok := strings.CutPrefix(address, r.Address+"/")
		if !ok {
			continue
		}
		for _, form := range []string{"blob/", "-/blob/", "src/branch/"} {
			for _, branch := range r.Branches {
				if file, ok := strings.CutPrefix(rest, form+branch+"/"); ok && file != "" {
					return file, true
				}
			}
		}
	}
	return "", false
}

// pathBefore returns where the path of a file stands that ends at a place; empty
// when none does. An address is a path here.
func (f *finder) pathBefore(start, end int) schema.Span {
	at := end
	for at > start && end-at < longestPath {
		b := f.src[at-1]
		if b == ')' || b == ']' {
			open := f.folder(start, at)
			if open < 0 {
				break
			}
			at = open
			continue
		}
		if !pathByte(b) {
			break
		}
		at--
	}
	if at-1 > start && f.src[at-1] == ':' && strings.HasPrefix(string(f.src[at:end]), "//") {
		for at--; at > start && wordByte(f.src[at-1]); at-- {
		}
	}
	for at < end && strings.IndexByte("-~@+,", f.src[at]) >= 0 {
		at++
	}
	span := schema.Span{Start: at, End: end}
	if !FileName(path.Base(string(span.In(f.src)))) {
		return schema.Span{}
	}
	return span
}

// longestPath bounds the paths that are read, in bytes.
const longestPath = 300

// folder returns where the name of a folder in brackets begins, app/[id]/page.tsx,
// whose closing bracket stands before a place; -1 if it is none.
func (f *finder) folder(start, at int) int {
	opening := byte('(')
	if f.src[at-1] == ']' {
		opening = '['
	}
	for i := at - 2; i > start && at-i < 60; i-- {
		switch b := f.src[i]; {
		case b == opening:
			if f.src[i-1] == '/' && at < len(f.src) && (f.src[at] == '/' || f.src[at] == '.') {
				return i
			}
			return -1
		case !pathByte(b):
			return -1
		}
	}
	return -1
}

// FileName reports whether a name may be that of a file whose lines are cited: it
// has an extension, or is one of a few that have none.
func FileName(base string) bool {
	ext := path.Ext(base)
	if ext == "" {
		return base == "Makefile" || base == "Dockerfile" || base == "Jenkinsfile" || base == "Rakefile" || base == "Gemfile"
	}
	if len(ext) < 2 || len(ext) > 12 || len(base) == len(ext) {
		return false
	}
	for i := 1; i < len(ext); i++ {
		if !wordByte(ext[i]) {
			return false
		}
	}
	return !digit(ext[1])
}

// pathByte reports whether a byte may be part of a path.
func pathByte(b byte) bool {
	return wordByte(b) || strings.IndexByte("/.-+~@$%", b) >= 0
}

// wordByte reports whether a byte is of a letter, a digit or an underscore.
func wordByte(b byte) bool {
	return b >= 0x80 || b == '_' || digit(b) || b|0x20 >= 'a' && b|0x20 <= 'z'
}

func digit(b byte) bool { return b >= '0' && b <= '9' }
