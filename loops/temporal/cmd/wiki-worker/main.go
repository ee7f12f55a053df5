// Wiki-worker carries out the commands of loops on this machine, for a Temporal server. It
// keeps a clone of each repository and a worktree of each run, and starts the wiki program
// for each command.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/loops/temporal"
	"github.com/loopwiki/wiki/schema/text"
)

const usage = `Carry out runs of 'wiki loop run --on temporal' on this machine.

Usage: wiki-worker [flags]

A worker polls the task queue of all workers and that of its host. Worktrees stay
on the host that made them; workers of one host share --root. Agents are started
with the environment of the worker, as far as wiki.yaml passes it on.

%s is a key that encrypts what the server stores. All workers and
clients need the same.

Exit codes: 0 stopped by a signal, 2 usage, 3 no server or no wiki program

Flags:
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := serve(ctx, os.Args[1:], os.Stderr, os.Environ(), os.Getenv)
	stop()
	os.Exit(code)
}

type options struct {
	engine                      run.Engine
	root, host, wiki, artifacts string
	slots                       int
	keep                        bool
}

func serve(ctx context.Context, args []string, stderr io.Writer, environ []string, env func(string) string) int {
	w := text.New(stderr)
	fail := func(code int, err error) int {
		w.Printf("wiki-worker: %s\n", text.Error(err))
		return code
	}
	o, err := parse(args, w, env)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return fail(2, err)
	}
	h, err := newHost(ctx, o, environ, env)
	if err != nil {
		return fail(3, err)
	}
	defer h.Client.Close()
	workers := h.NewWorkers(o.engine.TaskQueue, o.slots)
	if err := workers.Start(); err != nil {
		return fail(3, err)
	}
	w.Printf("polling %s and %s on %s\n", o.engine.TaskQueue, temporal.HostQueue(o.engine.TaskQueue, h.ID), o.engine.Address)
	<-ctx.Done()
	workers.Stop()
	return 0
}

func parse(args []string, w *text.Writer, env func(string) string) (o options, err error) {
	f := flag.NewFlagSet("wiki-worker", flag.ContinueOnError)
	f.SetOutput(w)
	f.Usage = func() {
		w.WriteString(fmt.Sprintf(usage, temporal.KeyVariable))
		f.PrintDefaults()
	}
	f.StringVar(&o.engine.Address, "address", "127.0.0.1:7233", "`HOST:PORT` of the server")
	f.StringVar(&o.engine.Namespace, "namespace", "default", "`NAME` of the namespace")
	f.StringVar(&o.engine.TaskQueue, "queue", temporal.DefaultQueue, "`NAME` of the task queue of all workers")
	f.StringVar(&o.root, "root", temporal.DataHome(env), "`DIR` of clones and worktrees")
	f.StringVar(&o.host, "host", "", "`NAME` of this host; by default that of the machine")
	f.StringVar(&o.wiki, "wiki", "wiki", "`PROGRAM` to start")
	f.StringVar(&o.artifacts, "artifacts", "", "`DIR` of what runs leave: prompts, transcripts, evidence; by default artifacts in --root")
	f.IntVar(&o.slots, "slots", 4, "carry out at most `N` commands at a time")
	f.BoolVar(&o.keep, "keep", false, "keep the clones of runs that are over")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	switch {
	case f.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", f.Arg(0))
	case o.slots < 1:
		return o, fmt.Errorf("--slots: %d is not a number of commands; use 1 or more", o.slots)
	case o.root == "":
		return o, errors.New("--root: no folder for clones; set it, or HOME")
	}
	return o, nil
}

// newHost connects to the server.
func newHost(ctx context.Context, o options, environ []string, env func(string) string) (*temporal.Host, error) {
	root, err := filepath.Abs(o.root)
	if err != nil {
		return nil, err
	}
	wiki, err := exec.LookPath(o.wiki)
	if err == nil {
		wiki, err = filepath.Abs(wiki)
	}
	if err != nil {
		return nil, fmt.Errorf("the wiki program was not found: %w; install it, or pass --wiki PROGRAM", err)
	}
	if o.host == "" {
		if o.host, err = os.Hostname(); err != nil {
			return nil, fmt.Errorf("the machine has no name: %w; pass --host NAME", err)
		}
	}
	c, dc, err := temporal.Connect(ctx, o.engine, env(temporal.KeyVariable), o.host)
	if err != nil {
		return nil, err
	}
	environ = slices.DeleteFunc(slices.Clone(environ), func(e string) bool { return strings.HasPrefix(e, temporal.KeyVariable+"=") })
	return &temporal.Host{
		ID: o.host, Root: root, Wiki: wiki, Env: environ, Keep: o.keep, Artifacts: temporal.Folder(cmp.Or(o.artifacts, filepath.Join(root, "artifacts"))),
		Client: c, Converter: dc, Namespace: o.engine.Namespace,
	}, nil
}
