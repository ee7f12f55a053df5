package main

import (
	"context"
	"path"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/query"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// queryDocument is the JSON of query.
type queryDocument struct {
	Version  int    `json:"version"`
	Question string `json:"question"`
	Answer   string `json:"answer,omitempty"`
	// Supported is true if every citation holds and nothing lacks one.
	Supported   bool         `json:"supported"`
	Unsupported []string     `json:"unsupported"`
	Citations   []query.Cite `json:"citations"`
	// Passages are the matching passages, if no agent answered.
	Passages []queryPassage     `json:"passages"`
	Page     string             `json:"page,omitempty"` // that the answer is filed as
	Run      *schema.RunSummary `json:"run,omitempty"`
}

// queryPassage is a section of a page.
type queryPassage struct {
	Path    string `json:"path"`
	Heading string `json:"heading,omitempty"`
	Text    string `json:"text"`
}

// take puts an answer into the document.
func (d *queryDocument) take(a *control.Answer, run schema.RunSummary) {
	d.Answer, d.Run = a.Text, &run
	d.Citations = append(d.Citations, a.Cites...)
	d.Unsupported = append(d.Unsupported, a.Unsupported...)
	d.Supported = a.State.Status == loops.GoalMet && len(a.Unsupported) == 0
}

// printAnswer prints an answer, marked if it does not hold.
func (p *program) printAnswer(ctl *control.Controller, doc queryDocument, a *control.Answer, o queryOptions) error {
	exit := a.State.Status.Exit()
	if o.json {
		if err := p.json(doc); err != nil {
			return err
		}
		return ended(exit)
	}
	if a.Text != "" && !doc.Supported {
		p.out.Println("UNSUPPORTED: what follows is not what the wiki says, as far as its citations show.")
		p.out.Println()
	}
	if a.Text != "" {
		p.out.Printf("%s\n", text.Block(a.Text))
	}
	for _, why := range doc.Unsupported {
		p.say("unsupported: %s", why)
	}
	if doc.Page != "" {
		p.say("saved as %s", doc.Page)
	} else if o.save {
		p.say("not saved")
	}
	if exit != 0 && exit != exitFindings {
		return p.runEnded(ctl, a.State, nil, loopRunOptions{})
	}
	return ended(exit)
}

// printPassages prints what a question finds.
func (p *program) printPassages(ctx context.Context, w *compiler.Wiki, doc queryDocument, o queryOptions) error {
	passages, err := p.passages(ctx, w, doc.Question, query.PassageSize)
	if err != nil {
		return err
	}
	for _, s := range passages {
		doc.Passages = append(doc.Passages, queryPassage{s.Path, s.Heading, s.Text})
	}
	if o.json {
		if err := p.json(doc); err != nil {
			return err
		}
	} else {
		p.say("no agent is configured for the role \"reader\"; showing matching passages")
		for _, s := range doc.Passages {
			at := path.Join(relativeRoot(w.Workspace()), strings.TrimPrefix(s.Path, w.Workspace().RootPath+"/"))
			if s.Heading != "" {
				at += "#" + s.Heading
			}
			p.out.Printf("%s\n\n%s\n\n", at, text.Block(s.Text))
		}
	}
	if len(doc.Passages) == 0 {
		p.say("no matching passages")
		return found()
	}
	return nil
}
