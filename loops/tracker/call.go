package tracker

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/tracker/mcp"
	"github.com/loopwiki/wiki/schema"
)

// Bounds of a call.
const (
	maxArguments = 32
	maxArgument  = 60_000 // bytes of one value; hosts take 65,536 characters
	maxSaid      = 4 << 10
)

// Call is a tool of a tracker that changes something, and what it is given.
type Call struct {
	Connector, Tool string
	Arguments       map[string]string
}

// Scope is what of a call a person approves: arguments with their values, names of
// those that may be anything, and how many calls.
type Scope struct {
	Arguments map[string]string
	Open      []string // sorted
	Calls     int
}

// Writing is a tool that changes something, as a person is asked about it.
type Writing struct {
	Description string
	Digest      string // with the scope
}

// writer carries calls out.
type writer interface {
	// describe returns what the tool does, its definition as JSON, and the types of
	// its arguments by their name.
	describe(ctx context.Context, tool string) (about string, definition []byte, types map[string]string, err error)
	// fit says what is wrong with the arguments of a call, before it begins.
	fit(tool string, arguments map[string]string) error
	// call calls the tool and returns its answer.
	call(ctx context.Context, tool string, arguments map[string]string) ([]byte, error)
	close()
}

// openWriter returns who calls the tools of a connector that change something.
func (p Place) openWriter(ctx context.Context, name, tool string, c schema.LoopConnector) (writer, error) {
	if !slices.Contains(c.Writes, tool) {
		hint := "add it in wiki.yaml, under writes: of the connector"
		if near, ok := schema.Nearest(tool, c.Writes); ok {
			hint = "did you mean " + near + "?"
		}
		return nil, &NoAnswerError{fmt.Sprintf("connector %s: tool %s is not allowed", name, line(tool)), hint}
	}
	k, ok := kinds[c.Kind]
	if !ok {
		return nil, fmt.Errorf("connector %s: unknown kind %q", name, c.Kind)
	}
	return k.write(ctx, p, name, c)
}

// serverCalls are calls of a server of the Model Context Protocol.
type serverCalls struct {
	*server
	client *mcp.Client
	types  map[string]string
}

func (s *serverCalls) close() { s.client.Close() }

func (s *serverCalls) describe(ctx context.Context, name string) (string, []byte, map[string]string, error) {
	t, err := s.tool(ctx, s.client, name, s.conf.Writes)
	if err != nil {
		return "", nil, nil, err
	}
	s.types = t.Types
	return t.Description, t.Definition, t.Types, nil
}

func (s *serverCalls) fit(_ string, arguments map[string]string) error {
	_, err := typed(arguments, s.types)
	return err
}

func (s *serverCalls) call(ctx context.Context, name string, arguments map[string]string) ([]byte, error) {
	values, err := typed(arguments, s.types)
	if err != nil {
		return nil, err
	}
	return s.client.Call(ctx, name, values)
}

// AskWriting asks about a tool that changes something, within a scope.
func AskWriting(ctx context.Context, p Place, name, tool string, c schema.LoopConnector, scope Scope) (*Writing, error) {
	ctx, cancel := context.WithTimeout(ctx, wall)
	defer cancel()
	w, err := p.openWriter(ctx, name, tool, c)
	if err != nil {
		return nil, err
	}
	defer w.close()
	about, definition, types, err := w.describe(ctx, tool)
	if err != nil {
		return nil, err
	}
	for _, argument := range slices.Concat(slices.Sorted(maps.Keys(scope.Arguments)), scope.Open) {
		if err := known(argument, types); err != nil {
			return nil, err
		}
	}
	digest, err := p.writing(c, tool, definition, scope)
	return &Writing{cut(clean(about), 2000), digest}, err
}

// writing returns what is approved of a call: the program with its scripts, the tool as it
// is described, and the scope.
func (p Place) writing(c schema.LoopConnector, tool string, definition []byte, scope Scope) (string, error) {
	files, err := scripts(p.Root, c.Argv)
	if len(scope.Arguments) == 0 {
		scope.Arguments = nil // as it is read again
	}
	return approved{Argv: c.Argv, Arguments: scope.Arguments, Definition: definition, Files: files, Repository: c.Repository, Tool: tool, Open: scope.Open}.digest(), err
}

// known says that a tool has an argument.
func known(argument string, types map[string]string) error {
	if _, ok := types[argument]; ok {
		return nil
	}
	names := slices.Sorted(maps.Keys(types))
	hint := "it has " + strings.Join(names, ", ")
	if near, ok := schema.Nearest(argument, names); ok {
		hint = "did you mean " + near + "?"
	}
	return &NoAnswerError{fmt.Sprintf("unknown argument %q", line(argument)), line(hint)}
}

// covers reports whether a call lies within the scope.
func (s Scope) covers(arguments map[string]string) bool {
	for name, value := range s.Arguments {
		if got, ok := arguments[name]; !ok || got != value {
			return false
		}
	}
	for name := range arguments {
		if _, fixed := s.Arguments[name]; !fixed && !slices.Contains(s.Open, name) {
			return false
		}
	}
	return true
}

// check refuses what must not leave the machine, or is not an argument at all.
func (c *Call) check(types map[string]string, secrets []string) error {
	if len(c.Arguments) > maxArguments {
		return &NoAnswerError{fmt.Sprintf("%d arguments, more than %d", len(c.Arguments), maxArguments), "pass fewer"}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Arguments)) {
		value := c.Arguments[name]
		if err := known(name, types); err != nil {
			return err
		}
		switch {
		case len(value) > maxArgument:
			return &NoAnswerError{fmt.Sprintf("argument %s has %d bytes, more than %d", name, len(value), maxArgument), "shorten it"}
		case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
			return &NoAnswerError{fmt.Sprintf("argument %s is not UTF-8 text", name), "pass UTF-8"}
		}
		if safe, _ := loops.NewRedactor(secrets).Text(value); safe != value {
			return &NoAnswerError{fmt.Sprintf("argument %s contains what looks like a secret", name), "remove it: many people read a tracker"}
		}
	}
	return nil
}

// Do carries a call out that a person approved, and writes into the journal that it
// begins, and how it ended. by is who asks for it.
func Do(ctx context.Context, p Place, call Call, c schema.LoopConnector, by string) (*Done, error) {
	ctx, cancel := context.WithTimeout(ctx, wall)
	defer cancel()
	w, err := p.openWriter(ctx, call.Connector, call.Tool, c)
	if err != nil {
		return nil, err
	}
	defer w.close()
	_, definition, types, err := w.describe(ctx, call.Tool)
	if err != nil {
		return nil, err
	}
	secrets := p.secrets(append([]string{"GH_TOKEN", "GITHUB_TOKEN"}, c.Env...))
	if err := call.check(types, secrets); err != nil {
		return nil, err
	}
	if err := w.fit(call.Tool, call.Arguments); err != nil {
		return nil, err
	}
	a, most, err := p.leave(call, c, definition)
	if err != nil {
		return nil, err
	}
	entry, err := p.begin(call, a, most, by)
	if err != nil {
		return nil, err
	}
	answer, err := w.call(ctx, call.Tool, call.Arguments)
	said, _ := loops.NewRedactor(secrets).Text(clean(string(answer)))
	done := &Done{Approval: *a, Said: cut(said, maxSaid)}
	return done, p.end(entry, done.Said, err)
}

// Done is a call that was carried out.
type Done struct {
	Approval Approval
	Said     string // the answer, bounded and without secrets
}

// leave finds the approval that lets a call be made and has calls left, and how many
// calls there may be on it: who approves the same again adds to them.
func (p Place) leave(call Call, c schema.LoopConnector, definition []byte) (*Approval, int, error) {
	all, err := approvals(p.Root)
	if err != nil {
		return nil, 0, err
	}
	journal, err := readJournal(p.Root)
	if err != nil {
		return nil, 0, err
	}
	most := make(map[string]int)
	for i := range all {
		most[all[i].ID()] += all[i].Calls
	}
	var spent *Approval
	for i := range all {
		a := &all[i]
		if a.Connector != call.Connector || a.Tool != call.Tool || a.Calls == 0 || a.By == "" {
			continue
		}
		digest, err := p.writing(c, call.Tool, definition, a.scope())
		if err != nil {
			return nil, 0, err
		}
		if a.Digest != digest || !a.scope().covers(call.Arguments) {
			continue
		}
		if begun(journal, journal, a.ID()) < most[a.ID()] {
			return a, most[a.ID()], nil
		}
		spent = a
	}
	if spent != nil {
		return nil, 0, &SpentError{*spent, most[spent.ID()]}
	}
	return nil, 0, &UnapprovedCallError{call}
}

// UnapprovedCallError is a call that nobody approved as it is.
type UnapprovedCallError struct{ Call Call }

func (e *UnapprovedCallError) Error() string {
	return fmt.Sprintf("connector %s: %s is not approved with these arguments and the tool's current version", e.Call.Connector, e.Call.Tool)
}

// Hint returns what to do.
func (e *UnapprovedCallError) Hint() string {
	hint := "approve it: wiki connector approve " + e.Call.Connector + " " + e.Call.Tool
	for _, name := range slices.Sorted(maps.Keys(e.Call.Arguments)) {
		if v := e.Call.Arguments[name]; len(v) <= 40 && !strings.ContainsAny(v, " '\"\n") {
			hint += " --arg " + name + "=" + v
		} else {
			hint += " --any " + name
		}
	}
	return line(hint)
}

// SpentError is an approval all of whose calls were made.
type SpentError struct {
	Approval Approval
	Calls    int // that there were
}

func (e *SpentError) Error() string {
	return fmt.Sprintf("the approval by %s of %s is used up: %d of %d calls of %s", e.Approval.By, e.Approval.Date, e.Calls, e.Calls, e.Approval.Tool)
}

// Hint returns what to do.
func (e *SpentError) Hint() string {
	return "read " + CallsFile + ", then approve it again: wiki connector approve " + e.Approval.Connector + " " + e.Approval.Tool
}
