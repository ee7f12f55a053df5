package plan

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// lintCommands judges the goal, the checks and what chunks verify.
func (d *document) lintCommands(in Surroundings) {
	scope := d.entries("scope")
	if n := d.root.Get("goal"); n.IsScalar() && strings.TrimSpace(n.Text) != "" {
		d.command(word{n.Text, n.Span}, "goal", scope, in)
	}
	checks := d.entries("checks")
	d.twice("checks", checks)
	for _, w := range checks {
		d.command(w, "check", scope, in)
	}
	for _, c := range d.chunks {
		for _, w := range append(c.find("verify"), c.steps...) {
			d.command(w, "verify", scope, in)
		}
	}
	d.quoted()
}

// command judges one line for the shell.
func (d *document) command(w word, what string, scope []word, in Surroundings) {
	line := readLine(w.text)
	switch name := line.first(); {
	case strings.TrimSpace(w.text) == "":
		d.err(what+"-empty", w.span, "write a command", "the %s is empty", what)
	case sentence(w.text):
		d.err(what+"-sentence", w.span, "write a command whose exit status decides, such as npm test", "the %s is a sentence, not a command", what)
	case line.neverFails():
		d.err(what+"-never-fails", w.span, "write a command that can fail", "the %s can never fail", what)
	case !d.runnable(name, scope, in):
		d.err(what+"-program", w.span, "use a program on PATH, or the path of a file in the repository", "the %s can't run: program %q not found", what, name)
	default:
		if last := line.pipedInto(); last != "" {
			d.warn(what+"-piped", w.span, "remove the pipe", "the %s fails only if %s does; failures before the pipe are ignored", what, last)
		}
	}
}

// runnable reports whether the shell finds a program: one of its own, a file of
// the repository or one that the plan is to make, or one in PATH.
func (d *document) runnable(name string, scope []word, in Surroundings) bool {
	switch {
	case name == "" || strings.ContainsAny(name, "$`") || slices.Contains(builtins, name):
		return true
	case strings.HasPrefix(name, "/"):
		return true // on which machine it is there, no plan knows
	case strings.Contains(name, "/"):
		file := path.Clean(name)
		if in.Repo == nil || unsafePath(file) != "" {
			return unsafePath(file) == ""
		}
		info, err := fs.Stat(in.Repo, file)
		return err == nil && !info.IsDir() || inScope(scope, file)
	}
	return in.Program == nil || in.Program(name)
}

// quoted warns where the text tells the maker what is withheld from it.
func (d *document) quoted() {
	for _, re := range d.secrets(&loops.Plan{}) {
		if m := re.FindIndex(d.src[d.body:]); m != nil {
			at := trimSpan(d.src, schema.Span{Start: d.body + m[0], End: d.body + m[1]})
			d.warn("goal-quoted", at, "the maker reads "+Withheld+" there; use a chunk's verify: for commands that the maker should see", "the text quotes the goal or a check")
		}
	}
}
