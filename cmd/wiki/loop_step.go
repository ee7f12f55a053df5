package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/loopwiki/wiki/loops"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/spf13/cobra"
)

// progressEvery is how often a step tells how far it is.
const progressEvery = time.Second

func newLoopStep(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "step",
		Short: "Carry out one command of a run for another engine",
		Long: `Carry out one command of a run whose journal another engine writes, read from
standard input as JSON, and end it with all its processes when that input
closes. Workers of an engine start this command; you need not.`,
		Hidden:      true,
		Annotations: exits("0  the result was printed"),
		Args:        takes(0, false),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := p.outsideOfRuns(cmd.Context(), "loop step", "loops can't start loops"); err != nil {
				return err
			}
			return runStep(cmd, p)
		},
	}
}

// runStep answers in lines of JSON; why there is no outcome is part of the answer.
func runStep(cmd *cobra.Command, p *program) error {
	if isTerminal(p.in) {
		return misuse("workers start this command", "standard input is a terminal")
	}
	d := json.NewDecoder(p.in)
	var q runs.StepRequest
	if err := d.Decode(&q); err != nil {
		return misuse("workers start this command", "read what to do: %v", err)
	}
	if q.Version != runs.StepVersion {
		return p.reply(runs.StepReply{Error: &runs.StepError{Kind: runs.StepFailed, Message: "the worker speaks another version than this program; install both from one release"}})
	}
	ctx, cancel := context.WithCancelCause(cmd.Context())
	defer cancel(nil)
	go func() {
		_, _ = io.Copy(io.Discard, p.in)
		cancel(errors.New("the worker is gone or stopped it"))
	}()
	out, err := p.step(cmd, ctx, q)
	reply := runs.StepReply{Outcome: &out}
	if err != nil {
		reply = runs.StepReply{Error: runs.NewStepError(err)}
	}
	return p.reply(reply)
}

// step carries out the command, and tells how far a call of an agent is.
func (p *program) step(cmd *cobra.Command, ctx context.Context, q runs.StepRequest) (out runs.Outcome, err error) {
	ctl, err := p.loops(cmd)
	if err != nil {
		return out, err
	}
	calls, ended := make(chan runs.Progress), make(chan struct{})
	go func() {
		defer close(ended)
		watching, stop := context.WithCancel(ctx)
		defer stop()
		out, err = ctl.Step(ctx, q, func(folder string, s *loops.State) { go progress(watching, folder, s.Spend.USD, calls) })
	}()
	for {
		select {
		case <-ended:
			return out, err
		case now := <-calls:
			_ = p.reply(runs.StepReply{Progress: &now}) // a worker that is gone closes standard input, too
		}
	}
}

// reply prints a line, now.
func (p *program) reply(r runs.StepReply) error {
	return errors.Join(p.jsonLine(r), p.out.Flush())
}

// progress sends how much a call printed until the context ends.
func progress(ctx context.Context, folder string, usd float64, to chan<- runs.Progress) {
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		now := runs.Progress{USD: usd}
		for _, name := range []string{"stdout", "stderr"} {
			if info, err := os.Stat(filepath.Join(folder, name)); err == nil {
				now.Output += info.Size()
			}
		}
		select {
		case <-ctx.Done():
			return
		case to <- now:
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
