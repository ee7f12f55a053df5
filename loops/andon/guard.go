package andon

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// ToolCall is what an agent is about to do.
type ToolCall struct {
	// Tool is the agent's word for it: Bash, Read; "" if it does not say.
	Tool string
	// Command is for a shell, "" if the call is none.
	Command string
	// Argv is a command as words, if it is given so.
	Argv []string
}

// ReadToolCall reads a call as hooks hand it over: tool_name and
// tool_input.command, or command alone, as a text or as a list of words.
func ReadToolCall(src []byte) (ToolCall, error) {
	var in struct {
		ToolName  string          `json:"tool_name"`
		Tool      string          `json:"tool"`
		Command   json.RawMessage `json:"command"`
		ToolInput json.RawMessage `json:"tool_input"`
	}
	if err := json.Unmarshal(src, &in); err != nil {
		return ToolCall{}, fmt.Errorf("not a tool call in JSON: %w", err)
	}
	call := ToolCall{Tool: in.ToolName}
	if call.Tool == "" {
		call.Tool = in.Tool
	}
	var inner struct {
		Command json.RawMessage `json:"command"`
		Cmd     json.RawMessage `json:"cmd"`
	}
	if len(in.ToolInput) > 0 && json.Unmarshal(in.ToolInput, &inner) != nil && shellTool().MatchString(call.Tool) {
		return call, errors.New("tool_input is not an object")
	}
	given := 0
	for _, c := range []json.RawMessage{in.Command, inner.Command, inner.Cmd} {
		if len(c) == 0 || string(c) == "null" {
			continue
		}
		given++
		if json.Unmarshal(c, &call.Command) != nil && json.Unmarshal(c, &call.Argv) != nil {
			return call, errors.New("command is neither a string nor a list of strings")
		}
	}
	if given == 0 && (call.Tool == "" || shellTool().MatchString(call.Tool)) {
		return call, errors.New("it has no command")
	}
	if given > 1 {
		return call, errors.New("it has more than one command")
	}
	return call, nil
}

var (
	shellTool = schema.Expression(`(?i)^(bash|shell|sh|exec|exec_command|run_shell_command|run_terminal_cmd|local_shell|execute)$`)
	// forwardTool are tools that do what a forbidden command does.
	forwardTool = schema.Expression(`(?i)(create|merge|update)_pull_request|push_files|push_to_|create_or_update_file|create_release|create_tag`)
)

// DeniedError is why an agent may not do something.
type DeniedError struct {
	Reason   string
	Incident string // that stops the line, "" if it has nothing to do with it
}

func (e *DeniedError) Error() string {
	if e.Incident == "" {
		return "denied: " + e.Reason
	}
	return fmt.Sprintf("denied while the line is stopped by %s: %s", e.Incident, e.Reason)
}

// Guard returns why an agent may not make a call, a *DeniedError, or nil. Text that is
// not closed, too long or nested too deep is always denied. While the line is
// stopped, so is what integrates or publishes work, and what can't be told from that.
func (l *Line) Guard(call ToolCall) error {
	commands, err := loops.ShellCommands(call.Command)
	if errors.Is(err, loops.ErrOpen) || errors.Is(err, loops.ErrDeep) || errors.Is(err, loops.ErrLong) {
		return &DeniedError{Reason: err.Error()}
	}
	if !l.Stopped() {
		return nil
	}
	if err != nil {
		return &DeniedError{err.Error(), l.incident()}
	}
	if len(call.Argv) > 0 {
		var c loops.ShellCommand
		for _, a := range call.Argv {
			c.Words = append(c.Words, loops.ShellWord{Text: a, Raw: a})
		}
		commands = append(commands, c)
	}
	if call.Command == "" && len(call.Argv) == 0 && forwardTool().MatchString(call.Tool) {
		return &DeniedError{call.Tool + " integrates or publishes work", l.incident()}
	}
	g := guard{}
	for _, c := range commands {
		if why := g.command(c, 0); why != "" {
			return &DeniedError{why, l.incident()}
		}
	}
	return nil
}

func (l *Line) incident() string {
	if l.Open != nil {
		return l.Open.IncidentID
	}
	return l.Meta.IncidentID
}

// guard tells what integrates or publishes work.
type guard struct {
	// steps bounds the work on commands in commands.
	steps int
}

// maxSteps is how many commands one call may come to.
const maxSteps = 10_000

// script judges a text that a shell is given.
func (g *guard) script(text string, depth int) string {
	commands, err := loops.ShellCommands(text)
	if err != nil {
		return err.Error()
	}
	for _, c := range commands {
		if why := g.command(c, depth+1); why != "" {
			return why
		}
	}
	return ""
}

// command reports why one command may not run now, or "".
func (g *guard) command(c loops.ShellCommand, depth int) string {
	if g.steps++; g.steps > maxSteps || depth > loops.MaxNesting {
		return "it is too complex to check"
	}
	words, open := c.Words, false
	for {
		words = unassigned(words)
		if len(words) == 0 {
			return ""
		}
		if words[0].Dynamic {
			return words[0].Raw + ": can't tell what it runs"
		}
		name := program(words[0].Text)
		if w, ok := wrappers[name]; ok {
			var why string
			if words, why = g.unwrap(name, w, words[1:], depth); why != "" || words == nil {
				return why
			}
			open = open || name == "xargs" || name == "parallel"
			continue
		}
		if strings.HasPrefix(name, "python") && len(words) > 2 && words[1].Text == "-m" {
			words = words[2:]
			continue
		}
		return g.program(name, words[1:], c, open, depth)
	}
}

// program judges a program with its arguments. open says that there will be more
// of them.
func (g *guard) program(name string, args []loops.ShellWord, c loops.ShellCommand, open bool, depth int) string {
	switch {
	case shells[name]:
		return g.shell(name, args, c, open, depth)
	case name == "eval":
		return g.script(joined(args), depth)
	case name == "source" || name == ".":
		if len(args) > 0 && strings.HasPrefix(args[0].Raw, "<(") {
			return name + " runs what another command prints"
		}
	case name == "alias":
		for _, a := range args {
			if _, value, ok := strings.Cut(a.Text, "="); ok {
				if why := g.script(value, depth); why != "" {
					return why
				}
			}
		}
	case name == "trap":
		if len(args) > 0 {
			return g.script(args[0].Text, depth)
		}
	case name == "find":
		return g.find(args, depth)
	case name == "git" || name == "hub":
		return g.git(args, open, depth)
	}
	return forward(name, args, open)
}

// shells run what they are given.
var shells = map[string]bool{"sh": true, "bash": true, "zsh": true, "dash": true, "ash": true, "ksh": true, "mksh": true, "fish": true}

// shell judges a shell: its -c, or what it reads.
func (g *guard) shell(name string, args []loops.ShellWord, c loops.ShellCommand, open bool, depth int) string {
	for n := 0; n < len(args); n++ {
		a := args[n]
		switch {
		case a.Dynamic && strings.HasPrefix(a.Raw, "<("):
			return name + " runs what another command prints"
		case a.Text == "-o" || a.Text == "+o" || a.Text == "-O" || a.Text == "+O" || a.Text == "--rcfile" || a.Text == "--init-file":
			n++
		case a.Text == "--command" || strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "--") && strings.Contains(a.Text, "c"):
			for n++; n < len(args) && strings.HasPrefix(args[n].Text, "-"); n++ {
			}
			if n == len(args) {
				return unseen(name, open)
			}
			return g.script(args[n].Text, depth)
		case strings.HasPrefix(a.Text, "-") && a.Text != "-" && a.Text != "-s" || strings.HasPrefix(a.Text, "+"):
		case a.Text == "-s" || a.Text == "-":
			return g.stdin(name, c, depth)
		default:
			return "" // a file, as any program is
		}
	}
	if open {
		return unseen(name, open)
	}
	return g.stdin(name, c, depth)
}

// unseen says that a program is given arguments that are not known yet.
func unseen(name string, open bool) string {
	if open {
		return name + " runs what another command prints"
	}
	return ""
}

// stdin judges what a shell reads from its input.
func (g *guard) stdin(name string, c loops.ShellCommand, depth int) string {
	if c.Piped {
		return name + " runs what another command prints"
	}
	for _, text := range c.Stdin {
		if why := g.script(text, depth); why != "" {
			return why
		}
	}
	return ""
}

// find judges the commands that find runs.
func (g *guard) find(args []loops.ShellWord, depth int) string {
	for n := 0; n < len(args); n++ {
		switch args[n].Text {
		case "-exec", "-execdir", "-ok", "-okdir":
			from := n + 1
			for n++; n < len(args) && args[n].Text != ";" && args[n].Text != "+"; n++ {
			}
			if from < len(args) {
				if why := g.command(loops.ShellCommand{Words: args[from:n]}, depth+1); why != "" {
					return why
				}
			}
		}
	}
	return ""
}

// program returns the name of a program without folder and extension. Some file
// systems do not tell large letters from small ones.
func program(text string) string {
	if n := strings.LastIndexAny(text, `/\`); n >= 0 {
		text = text[n+1:]
	}
	text = strings.ToLower(text)
	for _, ext := range []string{".exe", ".cmd", ".bat"} {
		text = strings.TrimSuffix(text, ext)
	}
	return text
}

var assignment = schema.Expression(`^[A-Za-z_][A-Za-z0-9_]*(\[[^\]]*\])?\+?=`)

// unassigned takes assignments off the front of a command.
func unassigned(words []loops.ShellWord) []loops.ShellWord {
	for len(words) > 0 && assignment().MatchString(words[0].Raw) {
		words = words[1:]
	}
	return words
}

func joined(words []loops.ShellWord) string {
	var all []string
	for _, w := range words {
		all = append(all, w.Text)
	}
	return strings.Join(all, " ")
}
