package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/site"
)

// buildDocument is the result of a build.
type buildDocument struct {
	Version int           `json:"version"`
	Output  string        `json:"output" jsonschema:"folder of the site"`
	Files   int           `json:"files" jsonschema:"of the site"`
	Written int           `json:"written" jsonschema:"new or changed files"`
	Removed int           `json:"removed" jsonschema:"obsolete files of earlier builds"`
	Said    []string      `json:"said" jsonschema:"what is not published as the wiki has it, and a summary"`
	Checked *site.Checked `json:"checked,omitempty" jsonschema:"the result of --check"`
}

// end checks the built site and prints the result, as the options say.
func (p *building) end(ctx context.Context, said []string, o buildOptions) (err error) {
	d := buildDocument{Version: 1, Output: p.dir, Files: p.report.Files, Written: p.report.Written, Removed: p.report.Removed, Said: said}
	if o.check {
		if d.Checked, err = site.Check(ctx, p.dir); err != nil {
			return err
		}
	}
	if o.json {
		if err := p.json(d); err != nil {
			return err
		}
	}
	if d.Checked == nil {
		return nil
	}
	problems := d.Checked.Problems
	if !o.json {
		for _, bad := range problems {
			p.out.Printf("%s: %s: %s\n", cmp.Or(bad.File, p.shorten(p.dir)), bad.Kind, bad.Message)
		}
	}
	p.say("checked %s and %s: %s", text.Count(d.Checked.Pages, "HTML file"), text.Count(d.Checked.Links, "link"), text.Count(len(problems), "problem"))
	if len(problems) > 0 {
		return found()
	}
	return nil
}

// published counts the pages of the site.
func published(w *compiler.Wiki, s *site.Site) (pages int) {
	for _, p := range w.Pages() {
		if s.FileOf(p.ID) != "" {
			pages++
		}
	}
	return pages
}

// withheldCounts says how many pages are not published or not listed, and why.
func withheldCounts(pages []site.Withheld) string {
	var drafts, private, unread, unlisted int
	for _, p := range pages {
		switch {
		case p.Level == schema.Unlisted:
			unlisted++
		case p.Why.Unread:
			unread++
		case p.Why.Draft:
			drafts++
		default:
			private++
		}
	}
	var parts []string
	if drafts > 0 {
		parts = append(parts, text.Count(drafts, "draft"))
	}
	if private > 0 {
		parts = append(parts, fmt.Sprintf("%d private", private))
	}
	if unread > 0 {
		parts = append(parts, fmt.Sprintf("%d with unreadable front matter", unread))
	}
	text := ""
	if len(parts) > 0 {
		text = "; not published: " + strings.Join(parts, ", ")
	}
	if unlisted > 0 {
		text += fmt.Sprintf("; %d unlisted", unlisted)
	}
	return text
}

// withheldReason names a page that is not published or not listed, and why.
func withheldReason(p site.Withheld) string {
	state, where := "not published", ""
	if p.Level == schema.Unlisted {
		state = "not listed"
	}
	if p.Why.Unread {
		where = " in front matter that can't be read"
	}
	return fmt.Sprintf("%s: %s (%s: %s)%s", state, p.Path, p.Why.Key, p.Why.Value, where)
}
