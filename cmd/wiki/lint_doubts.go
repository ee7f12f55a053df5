package main

import (
	"context"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter/conflict"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// doubts is the JSON document of wiki lint --doubts.
type doubts struct {
	Version int     `json:"version"`
	Doubts  []doubt `json:"doubts"`
}

type doubt struct {
	About string          `json:"about"`
	Score float64         `json:"score"`
	Sides [2]doubtfulSide `json:"sides"`
}

type doubtfulSide struct {
	Path    string   `json:"path"` // below the wiki's root
	Line    int      `json:"line"`
	Column  int      `json:"column"`
	Section []string `json:"section"`
	Text    string   `json:"text"`
}

const doubtsVersion = 1

// runDoubts lists the pairs of statements that may contradict each other and that no rule reports.
func runDoubts(ctx context.Context, p *program, o lintOptions) error {
	w, err := p.compile(ctx, compiler.Options{History: true})
	if err != nil {
		return err
	}
	found := conflict.Find(conflict.NewInput(w)).Doubts
	d := doubts{Version: doubtsVersion, Doubts: []doubt{}}
	for i := range found {
		f := &found[i]
		d.Doubts = append(d.Doubts, doubt{f.About, f.Score, [2]doubtfulSide{sideOfDoubt(w, &f.A), sideOfDoubt(w, &f.B)}})
	}
	if o.json || o.format == "json" {
		return p.json(&d)
	}
	for i := range d.Doubts {
		for k, s := range d.Doubts[i].Sides {
			p.out.Printf("%s%s:%d:%d: %s\n", strings.Repeat("  ", k), s.Path, s.Line, s.Column, s.Text)
		}
	}
	p.out.Printf("%s; 'wiki lint --judge' asks a model about them\n", text.Count(len(d.Doubts), "doubt"))
	return nil
}

func sideOfDoubt(w *compiler.Wiki, c *schema.Claim) doubtfulSide {
	at := w.Page(c.Page).Lines.Position(c.Span.Start)
	return doubtfulSide{c.Path, at.Line, at.Column, append([]string{}, c.Section...), text.Collapse(c.Text)}
}
