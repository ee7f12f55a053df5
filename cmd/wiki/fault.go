package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/andon"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/fleet"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/statebranch"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/loops/tracker"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit codes; see the package comment.
const (
	exitFindings    = 1
	exitUsage       = 2
	exitEnvironment = 3
)

// fault is an error with its exit code and a hint for the person who reads it.
type fault struct {
	code int
	err  error // nil if everything was printed already
	hint string
}

func (f *fault) Error() string {
	if f.err == nil {
		return "exit status " + strconv.Itoa(f.code)
	}
	return f.err.Error()
}

func (f *fault) Unwrap() error { return f.err }

// misuse is a fault of the command line.
func misuse(hint, format string, args ...any) error {
	return &fault{code: exitUsage, err: fmt.Errorf(format, args...), hint: hint}
}

// found ends a command whose findings were printed already.
func found() error { return &fault{code: exitFindings} }

// hinted is an error of another room with a remedy.
type hinted interface{ Hint() string }

// asFault gives every error its exit code.
func asFault(ctx context.Context, err error) *fault {
	var sig signalled
	if errors.As(context.Cause(ctx), &sig) {
		return &fault{code: sig.code()}
	}
	var f *fault
	if errors.As(err, &f) {
		return f
	}
	if errors.Is(err, syscall.EPIPE) {
		return &fault{code: 0} // the reader closed the pipe, as head does
	}
	message, hint := splitHint(text.Error(err))
	f = &fault{code: exitUsage, err: lines(message), hint: hint}
	var h hinted
	var missing *exec.Error
	var lacking *runs.MissingError
	var stopped *andon.StoppedError
	var unexplained *andon.HypothesisError
	var lost *statebranch.LostError
	var config *compiler.ConfigError
	var root *compiler.RootError
	var rule *linter.UnknownRuleError
	var busy *process.BusyError
	var overlap *control.OverlapError
	var fleeting *fleet.BusyError
	var unknown *runs.UnknownRunError
	var unreachable *tracker.UnreachableError
	switch {
	case errors.As(err, &stopped), errors.As(err, &unexplained), errors.As(err, &lost):
		f.code = loops.Stopped.Exit()
		if errors.As(err, &h) {
			f.hint = h.Hint()
		}
	case errors.As(err, &lacking):
		f.code, f.err, f.hint = exitEnvironment, errors.New(lacking.What), lacking.Hint
	case errors.As(err, &missing):
		f.code, f.hint = exitEnvironment, "install "+missing.Name+" and make sure it is in PATH"
	case errors.Is(err, syscall.EADDRINUSE):
		f.code = exitEnvironment
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		f.code, f.hint = exitEnvironment, "free some space, then run it again"
	case errors.Is(err, syscall.EROFS):
		f.code = exitEnvironment
	case errors.As(err, &busy): // as with a port in use, nothing was called wrongly
		f.code, f.hint = exitEnvironment, busy.Hint()
	case errors.As(err, &fleeting):
		f.code, f.hint = exitEnvironment, fleeting.Hint()
	case errors.As(err, &overlap):
		f.code, f.hint = exitEnvironment, overlap.Hint()
	case errors.As(err, &unreachable):
		f.code, f.hint = exitEnvironment, unreachable.Hint()
	case f.hint != "":
	case errors.As(err, &h):
		f.hint = h.Hint()
	case errors.As(err, &config):
		f.hint = "'wiki schema config' lists all keys"
	case errors.As(err, &unknown):
		f.hint = runHint(unknown)
	case errors.As(err, &rule):
		f.hint = "'wiki lint --list-rules' lists all rules"
	case errors.As(err, &root):
		f.hint = "set the wiki root with --root, or with root: in wiki.yaml"
	case errors.Is(err, fs.ErrPermission):
		f.hint = "check its permissions"
	case errors.Is(err, syscall.ENOTDIR):
		f.hint = "expected a folder, found a file"
	case errors.Is(err, fs.ErrNotExist):
		f.hint = "check that it and its folder exist"
	case errors.Is(err, syscall.EISDIR):
		f.hint = "expected a file, found a folder"
	}
	return f
}

// lines is an error of several messages, one on each line.
func lines(messages string) error {
	var all []error
	for m := range strings.SplitSeq(messages, "\n") {
		all = append(all, errors.New(m))
	}
	return errors.Join(all...)
}

// runHint suggests a known run.
func runHint(e *runs.UnknownRunError) string {
	if len(e.Known) == 0 {
		return "no runs yet; start one with 'wiki loop run PLAN'"
	}
	names := slices.Clone(e.Known)
	for _, id := range e.Known {
		_, plan, _ := strings.Cut(id, "Z-")
		names = append(names, plan)
		if len(plan) > len("2006-01-") {
			names = append(names, plan[len("2006-01-"):])
		}
	}
	if near := nearest(e.Given, names); near != "" && len(e.Among) == 0 {
		return "did you mean " + near + "?"
	}
	return "'wiki loop list' lists the runs"
}

// splitHint splits the remedy off a one-line message; messages of the other rooms end in
// what was expected.
func splitHint(text string) (message, hint string) {
	if strings.Contains(text, "\n") {
		return text, ""
	}
	for _, begin := range []string{"did you mean ", "expected ", "upgrade ", "give ", "please ", "use ", "choose "} {
		for _, mark := range []string{": ", "; "} {
			if i := strings.LastIndex(text, mark+begin); i >= 0 {
				return text[:i], text[i+len(mark):]
			}
		}
	}
	return text, ""
}

// explain prints a fault for people; shorten makes paths short, as typed.
func explain(w *text.Writer, f *fault, shorten func(string) string) {
	if f.err == nil {
		return
	}
	w.Printf("wiki: %s\n", text.Block(shorten(text.Error(f.err))))
	if f.hint != "" {
		w.Printf("hint: %s\n", shorten(f.hint))
	}
}

// flagFault words an error of pflag.
func flagFault(cmd *cobra.Command, err error) error {
	help := "see '" + cmd.CommandPath() + " --help'"
	var unknown *pflag.NotExistError
	var valueless *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			return misuse(help, "%s has no flag -%s", cmd.CommandPath(), unknown.GetSpecifiedName())
		}
		var names []string
		add := func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		}
		cmd.Flags().VisitAll(add)
		cmd.InheritedFlags().VisitAll(add)
		if near := nearest(unknown.GetSpecifiedName(), names); near != "" {
			help = "did you mean --" + near + "?"
		}
		return misuse(help, "%s has no flag --%s", cmd.CommandPath(), unknown.GetSpecifiedName())
	case errors.As(err, &valueless):
		name := valueless.GetSpecifiedName()
		dashes := "--"
		if valueless.GetSpecifiedShortnames() != "" {
			dashes = "-"
		}
		return misuse(help, "%s%s needs a value", dashes, name)
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		cause := errors.Unwrap(invalid)
		var number *strconv.NumError
		switch {
		case errors.As(err, &number) && f.Value.Type() == "int":
			return misuse(help, "--%s: %q is not a whole number", f.Name, invalid.GetValue())
		case errors.As(err, &number):
			return misuse(help, "--%s: %q is not a %s", f.Name, invalid.GetValue(), f.Value.Type())
		}
		return misuse(help, "--%s: %v", f.Name, cause)
	}
	return misuse(help, "%v", err)
}

// unknownCommand words cobra's error about an unknown command.
func unknownCommand(root *cobra.Command, err error) error {
	var known *fault
	if errors.As(err, &known) {
		return err
	}
	rest, ok := strings.CutPrefix(err.Error(), "unknown command ")
	quoted, qerr := strconv.QuotedPrefix(rest)
	if !ok || qerr != nil {
		return err
	}
	name, _ := strconv.Unquote(quoted)
	return noCommand(root, name)
}

func noCommand(parent *cobra.Command, name string) error {
	var names []string
	for _, c := range parent.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		names = append(names, c.Name())
		for _, s := range c.SuggestFor {
			if s == name {
				return misuse("did you mean '"+c.CommandPath()+"'?", "unknown command %q", name)
			}
		}
	}
	hint := "see '" + parent.CommandPath() + " --help' for the commands"
	if near := nearest(name, names); near != "" {
		hint = "did you mean '" + parent.CommandPath() + " " + near + "'?"
	}
	return misuse(hint, "unknown command %q", name)
}
