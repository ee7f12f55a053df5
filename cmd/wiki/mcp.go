package main

import (
	"context"
	"io"
	"strings"

	"github.com/loopwiki/wiki/cmd/wiki/internal/mcp"
	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/control/show"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/site/search"
	"github.com/spf13/cobra"
)

type mcpOptions struct {
	http, tokenFile string
	write           bool
}

func newMCP(p *program) *cobra.Command {
	var o mcpOptions
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the wiki to agents over the Model Context Protocol",
		Long: `Serve the wiki to agents over the Model Context Protocol: tools to search, read
pages by section, list claims and findings, and get context within a token
budget. It only reads, and every answer has a bounded size. A changed file is
seen by the next call.

With --write, clients can propose pages and changes of sections too: a proposal
is compiled and linted, and written as a patch to .loopwiki/proposals, which a
person applies with git apply. No tool changes a page, verifies one, or accepts a
finding.

By default one client is served over standard input and output, and pages that
are not published are marked. With --http, clients on this machine are served at
http://ADDR/mcp if they send the token, and pages that are not published are
left out.`,
		Example: `  wiki mcp
  wiki mcp -C ~/project
  wiki mcp --http 127.0.0.1:8090 --token-file ~/.config/wiki-token`,
		Annotations: exits("0  the client left", "3  the address can't be used"),
		GroupID:     groupAsk,
		SuggestFor:  []string{"server", "agent", "tools"},
		Args:        takes(0, false),
		RunE:        func(cmd *cobra.Command, _ []string) error { return runMCP(cmd.Context(), p, o) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&o.write, "write", false, "let the client write proposals to "+mcp.ProposalFolder)
	f.StringVar(&o.http, "http", "", "serve over HTTP at `ADDR`, a port or host:port of this machine, instead of standard input and output")
	f.StringVar(&o.tokenFile, "token-file", "", "with --http, read the token from `FILE` instead of printing a new one")
	c.AddCommand(newMCPInstall(p))
	return c
}

func runMCP(ctx context.Context, p *program, o mcpOptions) error {
	if o.tokenFile != "" && o.http == "" {
		return misuse("use it with --http", "--token-file requires --http")
	}
	if o.write {
		if o.http != "" {
			return misuse("use --write over standard input and output", "--write can't be used with --http")
		}
		if err := p.outsideOfRuns(ctx, "mcp --write", "run it without --write; agents of a run change files of their worktree"); err != nil {
			return err
		}
	}
	ws, err := p.detect()
	if err != nil {
		return err
	}
	known := &follower{program: p}
	opt := mcp.Options{
		Version: buildVersion().Wiki, Detect: p.detect, Public: o.http != "", Write: o.write,
		Compile: func(ctx context.Context, ws *compiler.Workspace) (*compiler.Wiki, error) {
			today, err := p.today("")
			if err != nil {
				return nil, err
			}
			return compiler.Compile(ctx, ws, compiler.Options{History: true, Today: today})
		},
		Index: func(ctx context.Context, w *compiler.Wiki) (*search.Index, error) {
			return search.Of(ctx, w, buildVersion().String())
		},
		Lint: func(ctx context.Context, w *compiler.Wiki) mcp.Known {
			k := known.known(ctx, w)
			return mcp.Known{Findings: k.Findings, Contradictions: k.Contradictions, Watched: k.Watched, Problem: k.Problem, Files: k.Files}
		},
		Contradictions: func(ctx context.Context, w *compiler.Wiki) mcp.Known {
			k := known.contradictions(ctx, w)
			return mcp.Known{Contradictions: k.Contradictions, Problem: k.Problem, Files: k.Files}
		},
		Watched: known.watched,
	}
	if ctl, err := p.controller(ctx); err == nil {
		opt.Runs = show.New(ctl.Repo).All
	}
	server := mcp.New(opt)
	if o.http == "" {
		if err := server.Run(ctx, io.NopCloser(p.in), lineWriter{p.out}); err != nil {
			return err
		}
		return context.Cause(ctx)
	}
	return serveMCP(ctx, p, o, ws, server)
}

func serveMCP(ctx context.Context, p *program, o mcpOptions, ws *compiler.Workspace, server *mcp.Server) error {
	token := mcp.NewToken()
	if o.tokenFile != "" {
		src, err := files.ReadGiven(p.path(o.tokenFile))
		if err != nil {
			return err
		}
		token = strings.TrimSpace(string(src))
		if err := mcp.CheckToken(token); err != nil {
			return misuse("write a longer one into the file", "--token-file: %v", err)
		}
	}
	l, err := mcp.Listen(ctx, o.http)
	if err != nil {
		return err
	}
	p.say("http://%s%s  (Ctrl-C to stop)", l.Addr(), mcp.Endpoint)
	if o.tokenFile == "" {
		p.say("token: %s", token)
	}
	if err := server.Serve(ctx, l, token); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// lineWriter writes each message at once.
type lineWriter struct{ out *text.Writer }

func (w lineWriter) Write(b []byte) (int, error) {
	n, err := text.JSON(w.out).Write(b)
	if err == nil {
		err = w.out.Flush()
	}
	return n, err
}

func (w lineWriter) Close() error { return w.out.Flush() }
