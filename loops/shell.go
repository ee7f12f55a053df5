package loops

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// MaxScript bounds a text for a shell in bytes: Linux starts no program with a
// longer argument. MaxNesting bounds how deep commands are nested in commands, and
// maxParentheses what the parser is given: it takes memory for each.
const (
	MaxScript      = 128 << 10
	MaxNesting     = 32
	maxParentheses = 16 << 10
)

// Errors of text that no shell would run as it stands, or that nobody can see through.
var (
	ErrOpen = errors.New("unclosed quote, substitution or compound command")
	ErrDeep = errors.New("commands are nested too deeply")
	ErrLong = errors.New("the command is longer than 128 KiB")
)

// Shell is a parsed text in the language of POSIX shells and bash.
type Shell struct {
	*syntax.File
	src string
}

// ParseShell parses a text for a shell. The error is ErrLong, ErrDeep or ErrOpen, or
// says what is wrong with the grammar.
func ParseShell(src string) (*Shell, error) {
	if len(src) > MaxScript {
		return nil, ErrLong
	}
	if strings.Count(src, "(") > maxParentheses {
		return nil, ErrDeep
	}
	f, err := syntax.NewParser(syntax.KeepComments(true)).Parse(strings.NewReader(src), "")
	if e, ok := errors.AsType[syntax.ParseError](err); ok {
		if e.Incomplete {
			return nil, ErrOpen
		}
		return nil, errors.New(e.Text)
	}
	if err != nil {
		return nil, err
	}
	return &Shell{f, src}, nil
}

// ShellWord is one word of a command, with its quotes removed.
type ShellWord struct {
	Text string // with expansions unexpanded
	Raw  string // as the whole word is written
	// Dynamic is true if what it comes to depends on a variable, a glob or the
	// output of a command.
	Dynamic bool
}

// Word takes the quotes off a word of the text.
func (s *Shell) Word(w *syntax.Word) ShellWord {
	out := ShellWord{Raw: s.written(w)}
	var b strings.Builder
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			glob := unescape(&b, p.Value, "")
			out.Dynamic = out.Dynamic || glob && out.Raw != "[" && out.Raw != "[["
		case *syntax.SglQuoted:
			text := p.Value
			if p.Dollar {
				text, _, _ = expand.Format(nil, text, nil)
			}
			b.WriteString(text)
		case *syntax.DblQuoted:
			for _, p := range p.Parts {
				if l, ok := p.(*syntax.Lit); ok {
					unescape(&b, l.Value, "$`\"\\")
				} else {
					b.WriteString(s.written(p))
					out.Dynamic = true
				}
			}
		default:
			b.WriteString(s.written(p))
			out.Dynamic = true
		}
	}
	out.Text = b.String()
	return out
}

func (s *Shell) written(n syntax.Node) string { return s.src[n.Pos().Offset():n.End().Offset()] }

// unescape writes a literal without its backslashes, of which only those before
// a letter of the set count, all if there is none. It reports whether the literal
// is a pattern.
func unescape(b *strings.Builder, text, of string) (pattern bool) {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (of == "" || strings.IndexByte(of, text[i+1]) >= 0) {
			i++
		} else if strings.IndexByte("*?[{", text[i]) >= 0 {
			pattern = true
		}
		b.WriteByte(text[i])
	}
	return pattern
}

// ShellCommand is one command: a program and its arguments.
type ShellCommand struct {
	Words []ShellWord // without the assignments before them
	// Stdin are the here-documents and here-strings that it is given.
	Stdin []string
	// Piped is true if its input is a file or what another command prints.
	Piped bool
}

// ShellCommands returns every command of a text for a shell, in whatever it is
// nested: lists, pipes, groups, functions, substitutions. What is data for a
// command is not a command. The errors are those of [ParseShell], ErrDeep, and what
// can't be told from data.
func ShellCommands(text string) ([]ShellCommand, error) {
	s, err := ParseShell(text)
	if err != nil {
		return nil, err
	}
	c := commands{Shell: s}
	syntax.Walk(s.File, c.visit)
	return c.out, c.err
}

// commands collects the commands of a text on the way through its tree.
type commands struct {
	*Shell
	out   []ShellCommand
	err   error
	path  []step
	depth int
}

// step is a node on the way, with what holds for all that is in it.
type step struct {
	syntax.Node
	input  ShellCommand // what its commands read
	quoted bool         // it is text in double quotes
}

func (c *commands) visit(n syntax.Node) bool {
	last := len(c.path) - 1
	if n == nil {
		if nests(c.path[last].Node) {
			c.depth--
		}
		c.path = c.path[:last]
		return false
	}
	at := step{Node: n}
	if last >= 0 {
		at.input, at.quoted = c.path[last].input, c.path[last].quoted
	}
	if nests(n) {
		c.depth++
	}
	switch n := n.(type) {
	case *syntax.Stmt:
		at.quoted = false
		c.read(n, &at.input)
	case *syntax.DblQuoted:
		at.quoted = true
	case *syntax.Word:
		r, ok := c.path[last].Node.(*syntax.Redirect)
		at.quoted = at.quoted || ok && r.Hdoc == n
	case *syntax.CallExpr:
		command := at.input
		for _, w := range n.Args {
			command.Words = append(command.Words, c.Word(w))
		}
		c.out = append(c.out, command)
	}
	if c.depth > MaxNesting {
		c.err = ErrDeep
	} else if err := c.misread(at); err != nil {
		c.err = err
	}
	c.path = append(c.path, at)
	return c.err == nil
}

// nests reports whether a node counts for MaxNesting.
func nests(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst, *syntax.ParamExp, *syntax.ArithmExp:
		return true
	}
	return false
}

// misread finds what the parser reads in another way than shells do, so that it
// may take a command for data: a comment that ends in a backslash goes on in its
// next line, the single quote in "${x:-it's}" quotes, and what is in @(…) is not parsed.
func (c *commands) misread(at step) error {
	switch n := at.Node.(type) {
	case *syntax.Comment:
		if line, _, more := strings.Cut(c.src[n.Hash.Offset():], "\n"); more && strings.HasSuffix(line, `\`) {
			return errors.New("a comment ends in a backslash")
		}
	case *syntax.ExtGlob:
		if strings.ContainsAny(n.Pattern.Value, "$`<>") {
			return errors.New("substitution inside an extended glob")
		}
	case *syntax.SglQuoted:
		if at.quoted {
			return errors.New("single quote inside an expansion in double quotes")
		}
	}
	return nil
}

// read adds the input that a statement has of its own to that of what it is in.
func (c *commands) read(s *syntax.Stmt, in *ShellCommand) {
	if len(c.path) > 0 {
		b, ok := c.path[len(c.path)-1].Node.(*syntax.BinaryCmd)
		in.Piped = in.Piped || ok && b.Y == s && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll)
	}
	in.Stdin = slices.Clip(in.Stdin)
	for _, r := range s.Redirs {
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			if r.Hdoc != nil { // it has a body
				in.Stdin = append(in.Stdin, cmp.Or(r.Hdoc.Lit(), c.written(r.Hdoc)))
			}
		case syntax.WordHdoc:
			w := c.Word(r.Word)
			in.Stdin, in.Piped = append(in.Stdin, w.Text), in.Piped || w.Dynamic
		case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn:
			in.Piped = true
		}
	}
}
