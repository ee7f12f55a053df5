package main

import (
	"context"
	"os/exec"
	"runtime"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/search"
	"github.com/loopwiki/wiki/site/serve"
	"github.com/spf13/cobra"
)

type serveOptions struct {
	host string
	port int
	open bool
	poll bool

	fleet string
}

func newServe(p *program) *cobra.Command {
	var o serveOptions
	c := &cobra.Command{
		Use:   "serve [DIR]",
		Short: "Preview the wiki in a browser with live reload",
		Long: `Preview the wiki in a browser, including drafts and findings, with live reload:
saved changes show at once in every open tab. If loops were run, /loops/ shows
what agents did, who judged it and what it cost, with prompts and transcripts,
to the local machine only. It also shows loop specifications in agents/loops with
the scores of their runs, agents/leaderboard.json, and with --fleet the table of
'wiki loop fleet FILE', at /loops/fleet.html.

By default it listens on localhost; use --host to change that. If the port is
taken, the next free one is used. Stop it with Ctrl-C.`,
		Example: `  wiki serve --open
  wiki serve --port 8080
  wiki serve --host 0.0.0.0 --poll   # in a container, with a mounted folder`,
		Annotations: exits("0  never; the server runs until interrupted", "3  no free port, or the address cannot be used"),
		GroupID:     groupMake,
		SuggestFor:  []string{"dev", "preview", "start", "watch", "server", "run"},
		Args:        p.takesFolder,
		RunE:        func(cmd *cobra.Command, _ []string) error { return runServe(cmd.Context(), p, o) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.IntVarP(&o.port, "port", "p", serve.DefaultPort, "listen on port `N`, or the next free one; 0 picks any")
	f.StringVar(&o.host, "host", "127.0.0.1", "listen on this host name or address")
	f.BoolVar(&o.open, "open", false, "open a browser")
	f.StringVar(&o.fleet, "fleet", "", "show how the plans of the repositories in `FILE` stand")
	f.BoolVar(&o.poll, "poll", false, "poll files for changes, where the system does not report them")
	return c
}

func runServe(ctx context.Context, p *program, o serveOptions) error {
	if o.port < 0 || o.port > 65535 {
		return misuse("use a number from 0 to 65535", "--port: %d is not a port", o.port)
	}
	w, err := p.load(ctx)
	if err != nil {
		return err
	}
	shown, err := p.shownLoops(ctx, o.fleet)
	if err != nil {
		return err
	}
	server, err := serve.New(w, serve.Options{
		Host: o.host, Port: o.port, Poll: o.poll, Load: p.load, Lint: (&follower{program: p}).known, Search: &searcher{},
		Loops: shown, Version: buildVersion().Wiki, Log: p.logger(),
	})
	if err != nil {
		return err
	}
	url, err := server.Listen()
	if err != nil {
		return &fault{code: exitEnvironment, err: err, hint: "choose another with --port or --host"}
	}
	p.say("%s  (Ctrl-C to stop)", url)
	if o.open {
		p.open(ctx, url)
	}
	if err := server.Serve(ctx); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// load compiles the wiki from scratch.
func (p *program) load(ctx context.Context) (*compiler.Wiki, error) {
	today, err := p.today("")
	if err != nil {
		return nil, err
	}
	ws, err := p.detect()
	if err != nil {
		return nil, err
	}
	return p.compileAt(ctx, ws, compiler.Options{History: true, Today: today})
}

// open shows a page in the browser of anyone who started the program.
func (p *program) open(ctx context.Context, url string) {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	cmd := exec.CommandContext(ctx, name, args...)
	if err := cmd.Start(); err != nil {
		p.say("could not open a browser (%v); go to %s", err, url)
		return
	}
	go cmd.Wait() // so that no zombie is left behind
}

// searcher answers the queries of served pages from the full-text index.
type searcher struct{ index search.Index }

func (s *searcher) Update(ctx context.Context, w *compiler.Wiki, changed []schema.PageID) error {
	return s.index.Update(ctx, w, changed)
}

func (s *searcher) Search(ctx context.Context, query string, n int) (int, []serve.Hit, error) {
	res, err := s.index.Search(ctx, query, n)
	if err != nil {
		return 0, nil, err
	}
	hits := make([]serve.Hit, len(res.Results))
	for i, r := range res.Results {
		hits[i] = serve.Hit{Page: r.Page, Title: r.Title, Score: r.Score, Snippet: r.Snippet, Status: r.Status, Anchor: r.Anchor}
	}
	return res.Total, hits, nil
}
