package source

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"golang.org/x/sync/errgroup"
)

// mostVersionsRead is how many versions of a page are read to date its lines. Git is
// asked to blame those of more.
const mostVersionsRead = 64

// date finds the commits in which the pages' lines were written: the oldest version of
// the page that has the line. What no commit has is written now, and cites what is
// there.
//
// Git says the same by blame, but for lines that were put elsewhere on their page, and
// needs a process and a walk through the history for each page.
func (d *dating) date(all []*pageLine) error {
	lines := map[string][]*pageLine{}
	for _, o := range all {
		lines[o.page.Path] = append(lines[o.page.Path], o)
	}
	pages := make([]string, 0, len(lines))
	for p := range lines {
		pages = append(pages, p)
	}
	slices.Sort(pages)
	var read []*linesOf
	var blamed []string
	for _, p := range pages {
		switch file := d.wiki.History().Files[p]; {
		case file == nil: // it was never committed
		case len(file.Versions) == 0 || len(file.Versions) > mostVersionsRead:
			blamed = append(blamed, p)
		default:
			read = append(read, newLinesOf(lines[p], file.Versions))
		}
	}
	if err := d.readVersions(read); err != nil {
		return err
	}
	return d.blame(blamed, lines)
}

// rewrapped dates lines anew that the commit which blame names only wrapped, by as many
// versions of the page before it, and returns these lines.
func (d *dating) rewrapped(lines []*pageLine, most int) ([]*pageLine, error) {
	type origin struct {
		page   *schema.Page
		commit string
	}
	was := make([]string, len(lines))
	of := map[origin][]*pageLine{}
	for i, o := range lines {
		was[i], o.version = o.commit, 0
		of[origin{o.page, o.commit}] = append(of[origin{o.page, o.commit}], o)
	}
	var older []*linesOf
	for o, wrote := range of {
		versions := d.wiki.History().Files[o.page.Path].Versions
		at := 1 + slices.IndexFunc(versions, func(v compiler.Version) bool { return v.Commit == o.commit })
		if at > 0 && at < len(versions) {
			older = append(older, newLinesOf(wrote, versions[at:min(at+most, len(versions))]))
		}
	}
	err := d.readVersions(older)
	var out []*pageLine
	for i, o := range lines {
		if o.commit != was[i] {
			out = append(out, o)
		}
	}
	return out, err
}

// dating finds out in which commits lines of pages were written.
type dating struct {
	ctx  context.Context
	wiki *compiler.Wiki
}

// pageLine is a line of a page, and the commit in which it was written; empty when it
// is in none.
type pageLine struct {
	page    *schema.Page
	line    int // from 1
	commit  string
	version int // of the page that this was, counted from the newest
}

// linesOf is a page whose lines are being dated.
type linesOf struct {
	lines    []*pageLine        // those with words
	versions []compiler.Version // newest first
	ids      []string           // of the versions' contents
	phrases  *phrases
	phrase   []phrase   // of each line
	rank     []standing // of each line among equal ones, from 1
}

func newLinesOf(lines []*pageLine, versions []compiler.Version) *linesOf {
	p := &linesOf{versions: versions, phrases: newPhrases()}
	text := newRunning(lines[0].page.Source)
	count := map[string]int{}
	for _, word := range eachWord(text.text) {
		count[word]++
	}
	for _, o := range lines {
		if one, ok := p.phrases.add(text, o.line, count); ok {
			p.lines, p.phrase = append(p.lines, o), append(p.phrase, one)
		}
	}
	at := p.phrases.find(text)
	for _, one := range p.phrase {
		p.rank = append(p.rank, at.rank(one))
	}
	return p
}

// text is the line without the white space at its ends.
func (o *pageLine) text() string {
	return strings.TrimSpace(string(o.page.Lines.Line(o.line).In(o.page.Source)))
}

// readVersions dates the lines of pages by their versions.
func (d *dating) readVersions(pages []*linesOf) error {
	var objects []compiler.Object
	for _, p := range pages {
		for _, v := range p.versions {
			objects = append(objects, compiler.Object{Revision: v.Commit, File: v.Path})
		}
	}
	if len(objects) == 0 {
		return nil
	}
	ids, err := d.wiki.ObjectIDs(d.ctx, objects)
	if err != nil {
		return err
	}
	of := map[string][]*linesOf{}
	var want []string
	for _, p := range pages {
		p.ids, ids = ids[:len(p.versions)], ids[len(p.versions):]
		for _, id := range p.ids {
			if id != "" && !slices.Contains(of[id], p) {
				of[id] = append(of[id], p)
				want = append(want, id)
			}
		}
	}
	slices.Sort(want)
	return d.wiki.Contents(d.ctx, slices.Compact(want), maxCited, func(id string, content []byte) {
		for _, p := range of[id] {
			p.found(id, content)
		}
	})
}

// found notes which lines a version has, however it wraps them: the oldest that has one
// dates it.
func (p *linesOf) found(id string, content []byte) {
	oldest := len(p.ids) - 1
	for p.ids[oldest] != id {
		oldest--
	}
	at := p.phrases.find(newRunning(content))
	for i, o := range p.lines {
		n := at.count(p.phrase[i])
		if (n.lines >= p.rank[i].lines || n.wrapped >= p.rank[i].wrapped) && oldest >= o.version {
			o.version, o.commit = oldest, p.versions[oldest].Commit
		}
	}
}

// blame asks git which commits last changed the lines of pages.
func (d *dating) blame(pages []string, lines map[string][]*pageLine) error {
	origins := make([]map[int]compiler.Origin, len(pages))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, page := range pages {
		var want []int
		for _, o := range lines[page] {
			want = append(want, o.line)
		}
		slices.Sort(want)
		group.Go(func() (err error) {
			origins[i], err = d.wiki.Blame(d.ctx, page, slices.Compact(want))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	var open []*pageLine
	for i, page := range pages {
		for _, o := range lines[page] {
			o.commit = origins[i][o.line].Commit
			open = append(open, o)
		}
	}
	open, err := d.rewrapped(open, 1) // few are, and one version tells
	if err == nil {
		_, err = d.rewrapped(open, mostVersionsRead)
	}
	return err
}
