// Wiki-temporal starts, watches, answers and stops runs of loops on a Temporal server. The
// wiki program starts it for runs that are there; it links what that does not.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/loops/temporal"
	"github.com/loopwiki/wiki/schema/text"
)

const usage = `Start, watch, answer and stop runs on a Temporal server. 'wiki loop' starts this
program for such runs; its commands are for people who have only this one.

Usage: wiki-temporal COMMAND [flags] [RUN]

Commands:
  start     start the run on standard input, as 'wiki loop run' writes it
  watch     print the events of a run until it ends or waits
  status    print what a run has come to, and what it asks
  approve   approve a run that waits for a person
  reject    reject a run
  stop      stop the command in work; its programs are ended
  resume    go on with a run that was stopped, or that waits for a vendor
  journal   copy journal and evidence of runs into .loopwiki/runs

Exit codes: those of 'wiki loop run'; 2 usage, 3 no server

Flags:
`

// The exit codes of this program's own.
const (
	exitUsage       = 2
	exitEnvironment = 3
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p := &program{in: os.Stdin, out: text.New(os.Stdout), err: text.New(os.Stderr), env: os.Getenv}
	code := p.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// program is one run of wiki-temporal.
type program struct {
	in       io.Reader
	out, err *text.Writer
	env      func(string) string

	dir, by, reason, artifacts string
	json, detach               bool
	answerWithin, patience     time.Duration
	runs                       []string
}

// usageError is a fault of the command line.
type usageError struct{ error }

func (p *program) run(ctx context.Context, args []string) int {
	commands := map[string]func(context.Context) (int, error){
		"start": p.start, "watch": p.watch, "status": p.status, "approve": p.approve, "reject": p.reject, "stop": p.stop, "resume": p.resume, "journal": p.journal,
	}
	f := p.flags()
	if len(args) == 0 || commands[args[0]] == nil {
		f.Usage()
		if len(args) > 0 && slices.Contains([]string{"help", "-h", "--help"}, args[0]) {
			return 0
		}
		return exitUsage
	}
	if err := f.Parse(args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return exitUsage
	}
	p.runs = f.Args()
	code, err := commands[args[0]](ctx)
	if err == nil {
		return code
	}
	if ctx.Err() != nil {
		return 130
	}
	p.err.Printf("wiki-temporal: %s\n", text.Error(err))
	if errors.As(err, &usageError{}) {
		return exitUsage
	}
	return exitEnvironment
}

func (p *program) flags() *flag.FlagSet {
	f := flag.NewFlagSet("wiki-temporal", flag.ContinueOnError)
	f.SetOutput(p.err)
	f.Usage = func() {
		p.err.WriteString(usage)
		f.PrintDefaults()
	}
	f.StringVar(&p.dir, "C", ".", "`DIR` of the repository's main checkout")
	f.StringVar(&p.by, "by", "", "`NAME` of the person who decides")
	f.StringVar(&p.reason, "reason", "", "the reason, as `TEXT`")
	f.StringVar(&p.artifacts, "artifacts", p.env("WIKI_TEMPORAL_ARTIFACTS"), "`DIR` where workers put evidence; by default that of workers on this machine, or WIKI_TEMPORAL_ARTIFACTS")
	f.BoolVar(&p.json, "json", false, "print events as lines of JSON")
	f.BoolVar(&p.detach, "detach", false, "don't wait for the run")
	f.DurationVar(&p.answerWithin, "answer-within", temporal.DefaultAnswer, "start: reject the run if nobody answers for this `TIME`")
	f.DurationVar(&p.patience, "patience", temporal.DefaultPatience, "start: let another host take the run when its own is silent for this `TIME`")
	return f
}

// start starts a run, and watches it.
func (p *program) start(ctx context.Context) (int, error) {
	var sub run.Submission
	if err := json.NewDecoder(p.in).Decode(&sub); err != nil {
		return 0, usageError{fmt.Errorf("read the run from standard input: %w", err)}
	}
	if sub.Version != run.StepVersion {
		return 0, usageError{fmt.Errorf("the run has version %d, this program reads %d; install it and wiki from one release", sub.Version, run.StepVersion)}
	}
	r, err := p.connect(ctx, sub.Start.Run, sub.Engine)
	if err != nil {
		return 0, err
	}
	defer r.Client.Close()
	if r.Engine, err = temporal.Start(ctx, r.Client, r.Store, temporal.Input{Submission: sub, AnswerWithin: p.answerWithin, Patience: p.patience}); err != nil {
		return 0, err
	}
	if p.detach {
		p.out.Printf("%s\n", r.ID)
		return 0, nil
	}
	return p.follow(ctx, r, 0)
}

// connect reaches the server of a run.
func (p *program) connect(ctx context.Context, id string, e run.Engine) (*temporal.Remote, error) {
	root, err := filepath.Abs(p.dir)
	if err != nil {
		return nil, err
	}
	c, dc, err := temporal.Connect(ctx, e, p.env(temporal.KeyVariable), "wiki-temporal")
	if err != nil {
		return nil, err
	}
	dir := p.artifacts
	if home := temporal.DataHome(p.env); dir == "" && home != "" {
		dir = filepath.Join(home, "artifacts")
	}
	r := &temporal.Remote{Client: c, Converter: dc, Store: run.NewStore(root), Root: root, ID: id, Engine: e}
	if dir != "" {
		r.Artifacts = temporal.Folder(dir)
	}
	return r, nil
}

// open finds a run that was started from this checkout.
func (p *program) open(ctx context.Context) (*temporal.Remote, error) {
	if len(p.runs) > 1 {
		return nil, usageError{fmt.Errorf("unexpected argument %q", p.runs[1])}
	}
	root, err := filepath.Abs(p.dir)
	if err != nil {
		return nil, err
	}
	s := run.NewStore(root)
	id, err := s.Find(strings.Join(p.runs, ""))
	if err != nil {
		return nil, usageError{err}
	}
	e, ok, err := s.Engine(id)
	if err != nil {
		return nil, err
	}
	if !ok || e.First == "" {
		return nil, usageError{fmt.Errorf("run %s is not on a Temporal server", id)}
	}
	return p.connect(ctx, id, e)
}

// follow prints the events after those that are here, until the runner ends.
func (p *program) follow(ctx context.Context, r *temporal.Remote, after int) (int, error) {
	s, err := r.Watch(ctx, after, func(e loops.Event, s *loops.State) {
		if p.json {
			if line, err := json.Marshal(e); err == nil {
				p.out.Printf("%s\n", text.Block(line))
			}
			return
		}
		if line := run.Line(e, s); line != "" {
			p.err.Printf("%s\n", line)
		}
	})
	if err != nil {
		return 0, err
	}
	p.print(&s)
	return s.Status.Exit(), nil
}

// print prints what a run has come to.
func (p *program) print(s *loops.State) {
	if p.json {
		if line, err := json.Marshal(s.Summary()); err == nil {
			p.out.Printf("%s\n", text.Block(line))
		}
		return
	}
	p.out.Printf("%-12s %s  $%.2f\n", s.Status, s.Start.Run, s.Spend.USD)
	if s.Status == loops.Waiting && s.WaitingFor == loops.ForPerson {
		p.out.Printf("  asks (%s): %s\n", temporal.Digest(s), s.Question)
	}
	if why := s.End.Why; why != "" {
		p.out.Printf("  %s\n", why)
	}
}

func (p *program) watch(ctx context.Context) (int, error) {
	r, err := p.open(ctx)
	if err != nil {
		return 0, err
	}
	defer r.Client.Close()
	s, err := r.Export(ctx)
	if err == nil && s.Status != loops.Running {
		p.print(&s)
		return s.Status.Exit(), nil
	}
	n, err := p.seen(r)
	if err != nil {
		return 0, err
	}
	return p.follow(ctx, r, n)
}

// seen counts the events that are here.
func (p *program) seen(r *temporal.Remote) (int, error) {
	events, err := r.Store.Extend(r.ID, 1, nil)
	return len(events), err
}

func (p *program) status(ctx context.Context) (int, error) {
	r, err := p.open(ctx)
	if err != nil {
		return 0, err
	}
	defer r.Client.Close()
	s, err := r.Export(ctx)
	if err == nil {
		p.print(&s)
	}
	return 0, err
}

func (p *program) approve(ctx context.Context) (int, error) { return p.answer(ctx, true) }
func (p *program) reject(ctx context.Context) (int, error)  { return p.answer(ctx, false) }

// answer tells a run what a person decides.
func (p *program) answer(ctx context.Context, approve bool) (int, error) {
	if p.by == "" {
		return 0, usageError{errors.New("--by NAME is required")}
	}
	r, err := p.open(ctx)
	if err != nil {
		return 0, err
	}
	defer r.Client.Close()
	s, err := r.Export(ctx)
	if err != nil {
		return 0, err
	}
	switch asked := s.Status == loops.Waiting && s.WaitingFor == loops.ForPerson; {
	case s.Status.Over():
		return 0, usageError{fmt.Errorf("run %s is over: %s", r.ID, s.Status)}
	case s.Status == loops.Running:
		return 0, usageError{fmt.Errorf("run %s is running; stop it first", r.ID)}
	case approve && !asked:
		return 0, usageError{fmt.Errorf("run %s asks nothing: %s", r.ID, s.Status)}
	}
	n, err := p.seen(r)
	if err == nil {
		err = r.Answer(ctx, &s, loops.Answer{Approve: approve, By: p.by, Reason: p.reason})
	}
	if err != nil {
		return 0, err
	}
	return p.follow(ctx, r, n)
}

func (p *program) stop(ctx context.Context) (int, error) {
	r, err := p.open(ctx)
	if err != nil {
		return 0, err
	}
	defer r.Client.Close()
	s, err := r.Stop(ctx, cmp.Or(p.by, p.env("USER"), "a person"), time.Minute)
	if err != nil {
		return 0, fmt.Errorf("stop run %s: %w", r.ID, err)
	}
	p.print(&s)
	return 0, nil
}

func (p *program) resume(ctx context.Context) (int, error) {
	r, err := p.open(ctx)
	if err != nil {
		return 0, err
	}
	defer r.Client.Close()
	s, err := r.Export(ctx)
	if err != nil {
		return 0, err
	}
	if s.Status.Over() || s.Status == loops.Waiting && s.WaitingFor == loops.ForPerson {
		p.print(&s)
		return s.Status.Exit(), nil
	}
	n, err := p.seen(r)
	if err == nil && s.Status != loops.Running {
		err = r.Signal(ctx, temporal.ResumeSignal, nil)
	}
	if err != nil {
		return 0, err
	}
	if p.detach {
		return 0, nil
	}
	return p.follow(ctx, r, n)
}

// journal copies what the server and the workers have of runs: of those named, or of all
// that are not over here.
func (p *program) journal(ctx context.Context) (int, error) {
	ids := p.runs
	if len(ids) == 0 {
		root, err := filepath.Abs(p.dir)
		if err != nil {
			return 0, err
		}
		s := run.NewStore(root)
		all, err := s.IDs()
		if err != nil {
			return 0, err
		}
		for _, id := range all {
			if e, ok, err := s.Engine(id); err != nil || !ok || e.First == "" {
				continue
			}
			if _, events, err := s.Read(id); err == nil && s.Settled(id, events) {
				continue
			}
			ids = append(ids, id)
		}
	}
	var errs []error
	for _, id := range ids {
		p.runs = []string{id}
		r, err := p.open(ctx)
		if err == nil {
			_, err = r.Export(ctx)
			r.Client.Close()
		}
		errs = append(errs, err)
	}
	return 0, errors.Join(errs...)
}
