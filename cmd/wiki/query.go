package main

import (
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/query"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

type queryOptions struct {
	control.Flags
	save, json   bool
	today, title string
}

func newQuery(p *program) *cobra.Command {
	var o queryOptions
	c := &cobra.Command{
		Use:   "query QUESTION",
		Short: "Answer a question from the wiki, with checked citations",
		Long: `Answer a question from the wiki. The matching passages are given to an agent,
which may read more of the wiki but can't change it: the agent configured for
the role "reader" in wiki.yaml, or --agent. Every paragraph of the answer cites
a page with its heading, or a file with its lines; each citation is looked up,
and quotes are compared word for word. An answer with invalid citations is
retried once, and then printed as unsupported.

Without an agent the matching passages are printed.

With --save, a supported answer is saved as a page: in synthesis/, or where the
wiki keeps pages of that type, with entries in the index and the log.`,
		Example: `  wiki query "Why are retries bounded?"
  wiki query "What did the interviews say about prices?" --agent claude --save
  wiki query "Which ports are open?" --agent none --json`,
		Annotations: exits("0  the answer, or the passages, were printed", "1  the answer is unsupported, or no passage was found", "3  a program is missing: git, an agent",
			"4  the agent changed files it may not", "5  the budget is used up", "6  waiting for an agent's vendor"),
		GroupID:    groupAsk,
		SuggestFor: []string{"ask", "answer", "question"},
		Args:       takes(1, true, "QUESTION"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runQuery(cmd, p, o, text.Collapse(strings.Join(args, " ")))
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.Agent, "agent", "a", "", "let `AGENT`, or AGENT:MODEL, answer; none prints the passages")
	f.BoolVar(&o.save, "save", false, "save the answer as a page")
	f.StringVar(&o.title, "title", "", "use `TITLE` for that page instead of the question")
	f.StringVar(&o.today, "today", "", "use `DAY` as the date of that page")
	f.BoolVar(&o.json, "json", false, "print the answer, or the passages, as JSON")
	return c
}

func runQuery(cmd *cobra.Command, p *program, o queryOptions, question string) error {
	switch {
	case question == "":
		return misuse("pass a question", "the question is empty")
	case len(question) > query.MaxQuestion:
		return misuse("ask a shorter question", "the question is longer than %d bytes", query.MaxQuestion)
	}
	w, err := p.compile(cmd.Context(), compiler.Options{})
	if err != nil {
		return err
	}
	doc := queryDocument{Version: 1, Question: question, Citations: []query.Cite{}, Unsupported: []string{}, Passages: []queryPassage{}}
	reader, ctl, err := p.cast(cmd, o.Agent, loops.Reader, o.Given)
	if err != nil {
		return err
	}
	if ctl == nil {
		if o.save {
			return misuse("use --agent, or configure the role reader in wiki.yaml", "--save needs an agent that answers")
		}
		return p.printPassages(cmd.Context(), w, doc, o)
	}
	if err := p.outsideOfRuns(cmd.Context(), "query with an agent", "a person decides this, outside of the loop"); err != nil {
		return err
	}
	live, done := p.liveView(loopRunOptions{})
	a, err := ctl.Ask(cmd.Context(), w, question, *reader, o.Flags, live)
	done()
	if err != nil {
		return err
	}
	doc.take(a, runs.Summary(a.State, ctl.Alive))
	if o.save && doc.Supported {
		if doc.Page, err = p.saveAnswer(cmd.Context(), w, question, a.Text, o); err != nil {
			return err
		}
	}
	return p.printAnswer(ctl, doc, a, o)
}
