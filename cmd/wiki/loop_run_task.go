package main

import (
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/task"
	"github.com/spf13/cobra"
)

// taskFile returns the task file of another tool that the arguments of run name.
func taskFile(args []string) (file string, ok bool, err error) {
	if len(args) > 0 && args[0] == "execution" {
		args = args[1:]
	}
	if !slices.ContainsFunc(args, func(a string) bool { return strings.EqualFold(path.Ext(a), ".json") }) {
		return "", false, nil
	}
	if len(args) > 1 {
		return "", false, misuse("run them one after the other", "two task files, %s and %s: only one can be run", args[0], args[1])
	}
	return args[0], true, nil
}

// runTask carries out a task file of another tool in the repository of its workdir.
func (p *program) runTask(cmd *cobra.Command, file string, o loopRunOptions) error {
	mode := ""
	if contains(task.TaskModes, o.Mode) {
		mode, o.Mode = o.Mode, ""
	}
	if o.Mode != "" && !contains(loopModes, o.Mode) {
		return misuse(oneOf(o.Mode, slices.Concat(loopModes, task.TaskModes)), "--mode: unknown mode %q", o.Mode)
	}
	if !filepath.IsAbs(file) {
		file = p.path(file)
	}
	ctl, work, err := control.OpenTask(cmd.Context(), file, mode, p.env)
	if err != nil {
		return err
	}
	ws, err := compiler.Detect(ctl.Root, p.root)
	if err != nil {
		return err
	}
	if ctl, err = p.equip(ctl, ws); err != nil {
		return err
	}
	switch {
	case o.status:
		return p.taskStatus(ctl, work, o)
	case o.reset:
		return p.resetTask(cmd, ctl, work, o)
	}
	work.Resume = o.resume
	if o.inPlace {
		if err := work.WorkInPlace(cmd.Context(), ctl.Checkout()); err != nil {
			return err
		}
	}
	if o.dryRun {
		return p.dryRun(cmd, ctl, work, o)
	}
	if last, ok := ctl.Unfinished(work); ok && o.resume {
		return p.resumeRun(cmd, ctl, last.ID, o)
	}
	if o.detach {
		return p.detach(cmd, ctl, work)
	}
	err = p.carryOut(cmd, ctl, work, o)
	if open := (*task.OpenCircuitError)(nil); errors.As(err, &open) {
		return &fault{code: exitStopped, err: err, hint: open.Hint()}
	}
	return err
}

// exitStopped is the exit code while the line is stopped.
const exitStopped = 4

func (p *program) taskStatus(ctl *control.Controller, work *control.Work, o loopRunOptions) error {
	s, err := ctl.Standing(work)
	if err != nil {
		return err
	}
	if o.json {
		return p.json(s)
	}
	_, err = p.out.WriteString(s.String())
	return err
}

func (p *program) resetTask(cmd *cobra.Command, ctl *control.Controller, work *control.Work, o loopRunOptions) error {
	live, done := p.liveView(o)
	said, err := ctl.Reset(cmd.Context(), work, live)
	done()
	for _, line := range said {
		p.out.Println(line)
	}
	return err
}
