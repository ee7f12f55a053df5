package andon

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// maxPatch is how many bytes of a change are searched for forbidden terms.
const maxPatch = 4 << 20

// Commands returns the ordinary commands of a repository, with those that
// incidents left as gates.
func (s *Store) Commands(g loops.GateCommands) (loops.GateCommands, error) {
	more, err := s.Values(RuleGate)
	g.Lint = append(g.Lint[:len(g.Lint):len(g.Lint)], more...)
	return g, err
}

// Gates returns gates that also hold what a maker or writer adds to the terms
// that incidents left forbidden.
func (s *Store) Gates(others loops.Gates) loops.Gates { return &standards{s, others} }

type standards struct {
	store  *Store
	others loops.Gates
}

// Judge lets the others judge, then looks for forbidden terms in added lines.
func (g *standards) Judge(ctx context.Context, c loops.Candidate) ([]loops.GateResult, error) {
	results, err := g.others.Judge(ctx, c)
	if err != nil || c.Stage == loops.StageBaseline || c.Tree == c.Base {
		return results, err
	}
	terms, err := g.store.Values(RuleForbidden)
	if err != nil || len(terms) == 0 {
		return results, err
	}
	patch, err := c.Worktree.Patch(ctx, c.Base, c.Tree, maxPatch)
	if err != nil {
		return results, err
	}
	r := loops.GateResult{Gate: "standards"}
	if r.Reason = forbidden(patch, terms); len(r.Reason) > 0 {
		r.Effect, r.Class, r.Same = loops.Red, loops.ClassLint, loops.SameFailure(r.Reason[0].Message)
	}
	return append(results, r), nil
}

// forbidden returns the added lines of a unified diff that hold a term.
func forbidden(patch string, terms []string) []loops.Reason {
	var out []loops.Reason
	file, line, left := "", 0, 0
	for text := range strings.Lines(patch) {
		text = strings.TrimRight(text, "\r\n")
		switch {
		case left > 0 && strings.HasPrefix(text, "+"):
			for _, t := range terms {
				if strings.Contains(strings.ToLower(text[1:]), strings.ToLower(t)) {
					out = append(out, loops.Reason{Path: file, Line: line, Message: fmt.Sprintf("%q is a forbidden term", t)})
				}
			}
			line, left = line+1, left-1
		case left > 0 && strings.HasPrefix(text, " "), left > 0 && text == "":
			line, left = line+1, left-1
		case strings.HasPrefix(text, "+++ "):
			file = strings.TrimPrefix(strings.Trim(text[4:], `"`), "b/")
		case strings.HasPrefix(text, "@@ "):
			line, left = hunk(text)
		}
	}
	return out
}

// hunk reads where a hunk begins in the new file, and how many lines it has there.
func hunk(head string) (line, count int) {
	_, after, _ := strings.Cut(head, " +")
	after, _, _ = strings.Cut(after, " ")
	from, n, counted := strings.Cut(after, ",")
	line, _ = strconv.Atoi(from)
	if count = 1; counted {
		count, _ = strconv.Atoi(n)
	}
	return line, count
}
