package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// lodeloopAgents are the agents that lodeloop knows.
var lodeloopAgents = []string{"codex", "claude"}

// LodeloopOptions are lodeloop's command line and environment.
type LodeloopOptions struct {
	Task          string // the task file
	Agent         string
	MaxIterations int
	Timeout       time.Duration // of one iteration
	Notify        string
	DryRun        bool
	Resume        bool
	Reset         bool
	Status        bool
	Verbose       bool
	Help          bool
	// NoProgress and SameError are when the breaker opens.
	NoProgress int
	SameError  int
	// Given are the flags and variables that were set, by the flag's name: the
	// task file's agent gives way to a flag, and not to a default.
	Given map[string]bool
}

// LodeloopVariables are the variables that lodeloop reads.
var LodeloopVariables = []string{"LODELOOP_AGENT", "LODELOOP_MAX_ITER", "LODELOOP_TIMEOUT", "CB_NO_PROGRESS_THRESHOLD", "CB_SAME_ERROR_THRESHOLD"}

// lodeloopFlag is a flag of lodeloop's; set is nil for one without a value.
type lodeloopFlag struct {
	name, short, variable string
	on                    func(*LodeloopOptions)
	set                   func(*LodeloopOptions, string) error
}

var lodeloopFlags = []lodeloopFlag{
	{"max-iterations", "n", "LODELOOP_MAX_ITER", nil, func(o *LodeloopOptions, v string) error { return whole(v, &o.MaxIterations) }},
	{"agent", "a", "LODELOOP_AGENT", nil, func(o *LodeloopOptions, v string) error {
		if !slices.Contains(lodeloopAgents, v) {
			return fmt.Errorf("%q is not a lodeloop agent: %s", v, nearest(v, lodeloopAgents))
		}
		o.Agent = v
		return nil
	}},
	{"timeout", "t", "LODELOOP_TIMEOUT", nil, func(o *LodeloopOptions, v string) error {
		var seconds int
		err := whole(v, &seconds)
		o.Timeout = time.Duration(seconds) * time.Second
		return err
	}},
	{"notify", "", "", nil, func(o *LodeloopOptions, v string) error {
		_, err := NotifyArgs(v, "", "", "")
		o.Notify = v
		return err
	}},
	{"dry-run", "", "", func(o *LodeloopOptions) { o.DryRun = true }, nil},
	{"resume", "", "", func(o *LodeloopOptions) { o.Resume = true }, nil},
	{"reset", "", "", func(o *LodeloopOptions) { o.Reset = true }, nil},
	{"status", "", "", func(o *LodeloopOptions) { o.Status = true }, nil},
	{"verbose", "", "", func(o *LodeloopOptions) { o.Verbose = true }, nil},
	{"help", "h", "", func(o *LodeloopOptions) { o.Help = true }, nil},
	{"CB_NO_PROGRESS_THRESHOLD", "", "CB_NO_PROGRESS_THRESHOLD", nil, func(o *LodeloopOptions, v string) error { return whole(v, &o.NoProgress) }},
	{"CB_SAME_ERROR_THRESHOLD", "", "CB_SAME_ERROR_THRESHOLD", nil, func(o *LodeloopOptions, v string) error { return whole(v, &o.SameError) }},
}

// whole reads a whole number above 0, small enough to count seconds by.
func whole(v string, into *int) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > 1_000_000 {
		return fmt.Errorf("%q is not a whole number from 1 to 1000000", v)
	}
	*into = n
	return nil
}

// ReadLodeloop reads lodeloop's command line, without the program's name, over
// its environment, over its defaults.
func ReadLodeloop(args []string, env func(string) string) (LodeloopOptions, error) {
	o := LodeloopOptions{Agent: "codex", MaxIterations: 20, Timeout: 600 * time.Second, NoProgress: 3, SameError: 5, Given: map[string]bool{}}
	for _, f := range lodeloopFlags {
		if v := ""; f.variable != "" {
			if v = env(f.variable); v == "" {
				continue
			}
			if err := f.set(&o, v); err != nil {
				return o, fmt.Errorf("%s: %w", f.variable, err)
			}
			o.Given[f.name] = true
		}
	}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" || !strings.HasPrefix(arg, "-") || arg == "-" {
			if arg == "--" {
				if len(args) == 0 {
					break
				}
				arg, args = args[0], append([]string{"--"}, args[1:]...)
			}
			if o.Task != "" {
				return o, fmt.Errorf("two task files, %s and %s: expected one", o.Task, arg)
			}
			o.Task = arg
			continue
		}
		rest, err := o.flag(arg, args)
		if err != nil {
			return o, err
		}
		args = rest
	}
	if o.Task == "" && !o.Help {
		return o, fmt.Errorf("no task file: expected task.json")
	}
	return o, nil
}

// flag reads one flag and returns the arguments after it.
func (o *LodeloopOptions) flag(arg string, args []string) ([]string, error) {
	name, value, joined := strings.Cut(arg, "=")
	for _, f := range lodeloopFlags {
		if strings.ToUpper(f.name) == f.name || name != "--"+f.name && (f.short == "" || name != "-"+f.short) {
			continue
		}
		o.Given[f.name] = true
		switch {
		case f.on != nil && joined:
			return nil, fmt.Errorf("%s takes no value", name)
		case f.on != nil:
			f.on(o)
			return args, nil
		case !joined && (len(args) == 0 || strings.HasPrefix(args[0], "-")):
			return nil, fmt.Errorf("%s needs a value", name)
		case !joined:
			value, args = args[0], args[1:]
		}
		if err := f.set(o, value); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return args, nil
	}
	var names []string
	for _, f := range lodeloopFlags {
		if strings.ToLower(f.name) == f.name {
			names = append(names, "--"+f.name)
		}
	}
	return nil, fmt.Errorf("unknown option %s: %s", name, nearest(name, names))
}

// Limits returns limits with those of the options.
func (o LodeloopOptions) Limits(l loops.Limits) loops.Limits {
	l.Budget.Iterations = o.MaxIterations
	l.NoProgress, l.SameError = o.NoProgress, o.SameError
	l.HalfOpen = min(2, o.NoProgress)
	return l
}

// NotifyArgs cuts a command for a notification into its arguments and then puts
// the values in the places of {status}, {iterations} and {stories}. No shell
// reads it: a value is part of one argument, whatever it holds, and a variable
// stays as it is written. Quotes and backslashes are as in a shell.
func NotifyArgs(command, status, iterations, stories string) ([]string, error) {
	command = strings.TrimSpace(command)
	line, err := loops.ParseShell(command)
	if err != nil {
		return nil, fmt.Errorf("%q is not a command: %w", command, err)
	}
	if len(line.Stmts) == 0 {
		return nil, fmt.Errorf("the notify command is empty")
	}
	call := call(line.Stmts[0])
	if call == nil || len(call.Assigns) > 0 || call.Pos() != line.Stmts[0].Pos() || int(call.End().Offset()) < len(command) {
		return nil, fmt.Errorf("%q is more than a program and its arguments; quote shell syntax", command)
	}
	fill := strings.NewReplacer("{status}", status, "{iterations}", iterations, "{stories}", stories)
	var words []string
	for _, w := range call.Args {
		words = append(words, fill.Replace(line.Word(w).Text))
	}
	if words[0] == "" {
		return nil, fmt.Errorf("the notify command is empty")
	}
	return words, nil
}
