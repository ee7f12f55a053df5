package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/spf13/cobra"
)

// The engines that carry plans out.
const (
	engineEmbedded = "embedded"
	engineTemporal = "temporal"
)

var engines = []string{engineEmbedded, engineTemporal}

// engineProgram is the program that speaks to a Temporal server.
const engineProgram = "wiki-temporal"

// engine returns which engine a run is for, as the command line and the configuration say.
func engine(ctl *control.Controller, on string) string {
	return cmp.Or(on, ctl.Config.Engine, engineEmbedded)
}

// findEngine returns the program of the engine.
func findEngine(ctl *control.Controller) (string, error) {
	if path := ctl.LookPath(engineProgram); path != "" {
		return path, nil
	}
	return "", &fault{
		code: exitEnvironment, err: fmt.Errorf("%s not found in PATH", engineProgram),
		hint: "run 'go install ./cmd/...' in loops/temporal of a checkout of wiki, or use --on embedded",
	}
}

// submit hands a plan to the workers of the engine, and shows what they do.
func (p *program) submit(cmd *cobra.Command, ctl *control.Controller, work *control.Work, o loopRunOptions) error {
	if o.Notify != "" {
		return misuse("set notify under loops: in wiki.yaml; the worker runs it", "--notify can't be used with --on temporal")
	}
	path, err := findEngine(ctl)
	if err != nil {
		return err
	}
	e := runs.Engine{
		Name: engineTemporal, Address: cmp.Or(ctl.Config.Address, "127.0.0.1:7233"), Namespace: cmp.Or(ctl.Config.Namespace, "default"),
		TaskQueue: cmp.Or(ctl.Config.TaskQueue, "wiki-loops"),
	}
	live, done := p.liveView(o)
	sub, err := ctl.Submit(cmd.Context(), work, o.Flags, e, live)
	done()
	if err != nil {
		return err
	}
	text, err := json.Marshal(sub)
	if err != nil {
		return err
	}
	args := []string{"start"}
	if o.detach {
		args = append(args, "--detach")
	}
	err = p.callEngine(cmd.Context(), ctl, path, text, o.json, args...)
	if e, _, _ := ctl.Store.Engine(sub.Start.Run); e.First == "" { // it never was
		return errors.Join(err, os.RemoveAll(ctl.Store.Folder(sub.Start.Run)))
	}
	if !o.detach && !o.json {
		err = errors.Join(p.ranElsewhere(cmd, ctl, sub.Start.Run), err)
	}
	return err
}

// callEngine runs the program of the engine with the standard streams of this one.
func (p *program) callEngine(ctx context.Context, ctl *control.Controller, path string, stdin []byte, asJSON bool, args ...string) error {
	if err := p.out.Flush(); err != nil {
		return err
	}
	args = append([]string{args[0], "-C", ctl.Root}, args[1:]...)
	if asJSON {
		args = append(args[:1:1], append([]string{"--json"}, args[1:]...)...)
	}
	c := exec.CommandContext(ctx, path, args...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 2 * time.Second
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(stdin), p.stdout, p.terminal
	err := c.Run()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return ended(failed.ExitCode())
	}
	return err
}

// ranElsewhere prints what became of a run on another engine, and brings its branch here.
func (p *program) ranElsewhere(cmd *cobra.Command, ctl *control.Controller, id string) error {
	s, _, err := ctl.Store.Read(id)
	if err != nil {
		return err
	}
	if err := ctl.Arrived(cmd.Context(), &s); err != nil {
		p.say("warning: %v", err)
	}
	sum := runs.Summary(s, func(string) bool { return true })
	if next := runs.NextStep(sum); next != "" {
		p.out.Printf("  %s\n", next)
	}
	return nil
}

// onEngine reports whether another engine carries a run out that is not over.
func onEngine(ctl *control.Controller, id string) (bool, error) {
	e, ok, err := ctl.Store.Engine(id)
	if err != nil || !ok || e.First == "" {
		return false, err
	}
	_, events, err := ctl.Store.Read(id)
	if errors.As(err, new(*runs.NotBegunError)) {
		return true, nil
	}
	return err == nil && !ctl.Store.Settled(id, events), err
}

// elsewhere has the engine of a run do something with it; ok is false if this program
// carries it out.
func (p *program) elsewhere(cmd *cobra.Command, ctl *control.Controller, id string, asJSON bool, args ...string) (ok bool, err error) {
	if ok, err = onEngine(ctl, id); err != nil || !ok {
		return ok, err
	}
	path, err := findEngine(ctl)
	if err != nil {
		return true, err
	}
	err = p.callEngine(cmd.Context(), ctl, path, nil, asJSON, append(args, id)...)
	if !asJSON {
		err = errors.Join(p.ranElsewhere(cmd, ctl, id), err)
	}
	return true, err
}

// answerElsewhere tells the engine of a run what a person decides.
func (p *program) answerElsewhere(cmd *cobra.Command, ctl *control.Controller, id string, a *loops.Answer, asJSON bool) (bool, error) {
	what := "reject"
	if a.Approve {
		what = "approve"
	}
	return p.elsewhere(cmd, ctl, id, asJSON, what, "--by="+a.By, "--reason="+a.Reason)
}

// refresh brings the journals of runs on other engines up to date: of the run, or of all.
// What can't be reached is shown as it was.
func (p *program) refresh(ctx context.Context, ctl *control.Controller, only string) {
	if err := refreshed(ctx, ctl, only); err != nil {
		p.say("warning: %v; runs are shown as they were last seen", err)
	}
}

// refreshed is refresh, and returns why runs are as they were.
func refreshed(ctx context.Context, ctl *control.Controller, only string) error {
	ids := []string{only}
	if only == "" {
		ids, _ = ctl.Store.IDs()
	}
	var open []string
	for _, id := range ids {
		if ok, err := onEngine(ctl, id); err == nil && ok {
			open = append(open, id)
		}
	}
	if len(open) == 0 {
		return nil
	}
	path, err := findEngine(ctl)
	if err != nil {
		return err
	}
	c := exec.CommandContext(ctx, path, append([]string{"journal", "-C", ctl.Root}, open...)...)
	if out, err := c.CombinedOutput(); err != nil {
		return errors.New(cmp.Or(strings.TrimSpace(string(out)), err.Error()))
	}
	var errs []error
	for _, id := range open {
		if s, _, err := ctl.Store.Read(id); err == nil && s.Status.Over() {
			errs = append(errs, ctl.Arrived(ctx, &s))
		}
	}
	return errors.Join(errs...)
}

// withEngine refuses an engine that is unknown, or that can't carry out what is asked for.
func withEngine(on string, plan bool) error {
	if on != "" && !contains(engines, on) {
		return misuse(oneOf(on, engines), "--on: unknown engine %q", on)
	}
	if on == engineTemporal && !plan {
		return misuse("run it without --on", "--on temporal carries out plans only")
	}
	return nil
}
