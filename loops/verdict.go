package loops

import "mvdan.cc/sh/v3/syntax"

// ShellVerdict returns the commands of a text for a shell whose exit status can become
// that of the text, in their order. Left out are those that only print something for
// another one: in a substitution, before a pipe, into a file; and those that are negated,
// as they have to fail.
func ShellVerdict(text string) []ShellCommand {
	s, err := ParseShell(text)
	if err != nil {
		return nil
	}
	return s.verdict(s.Stmts)
}

// verdict returns those of a list, in which the last statement decides.
func (s *Shell) verdict(list []*syntax.Stmt) []ShellCommand {
	if len(list) == 0 {
		return nil
	}
	last := list[len(list)-1]
	if last.Negated || last.Background || s.prints(last) {
		return nil
	}
	switch c := last.Cmd.(type) {
	case *syntax.BinaryCmd:
		if c.Op == syntax.AndStmt || c.Op == syntax.OrStmt {
			return append(s.verdict([]*syntax.Stmt{c.X}), s.verdict([]*syntax.Stmt{c.Y})...)
		}
		return s.verdict([]*syntax.Stmt{c.Y})
	case *syntax.Block:
		return s.verdict(c.Stmts)
	case *syntax.Subshell:
		return s.verdict(c.Stmts)
	case *syntax.CallExpr:
		command := ShellCommand{}
		for _, w := range c.Args {
			command.Words = append(command.Words, s.Word(w))
		}
		return []ShellCommand{command}
	}
	return nil
}

// prints reports a statement whose output goes to a file, for another command to read.
func (s *Shell) prints(stmt *syntax.Stmt) bool {
	for _, r := range stmt.Redirs {
		switch r.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
			if (r.N == nil || r.N.Value == "1") && s.Word(r.Word).Text != "/dev/null" {
				return true
			}
		}
	}
	return false
}
