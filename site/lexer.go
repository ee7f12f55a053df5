package site

import (
	"regexp/syntax"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// lexer is a language of chroma's. Its rules are tried in order at every
// character, and most begin with another one: for a language of which a wiki
// has many blocks, those that can match are looked up by the character. The
// tokens are the same.
type lexer struct {
	chroma.Lexer
	blocks atomic.Int32
	sieve  func() *sieve
}

// siftAfter is how many blocks of a language make the look-up worth its cost,
// which is that of compiling the rules again.
const siftAfter = 16

func newLexer(l chroma.Lexer) *lexer {
	return &lexer{Lexer: l, sieve: sync.OnceValue(func() *sieve {
		if r, ok := l.(*chroma.RegexLexer); ok {
			return newSieve(r)
		}
		return nil
	})}
}

// colour writes the tokens of code. ok is false when the lexer gave up, slow
// when a match may have been dropped.
func (l *lexer) colour(to *painter, code string) (ok, slow bool) {
	if l.blocks.Add(1) > siftAfter {
		if s := l.sieve(); s != nil {
			return s.colour(to, code)
		}
	}
	next, err := l.Tokenise(nil, code)
	if err != nil {
		return false, false
	}
	return to.all(next)
}

// sieve has the compiled rules of a lexer by the character they can begin with.
type sieve struct {
	lexer    *chroma.RegexLexer
	compiled chroma.CompiledRules
	states   map[string]*rules
}

// newSieve compiles the rules of a lexer again, because chroma exposes them to rules
// only. It returns nil for a lexer whose rules change while it runs.
func newSieve(l *chroma.RegexLexer) *sieve {
	raw, err := l.Rules()
	if err != nil {
		return nil
	}
	const catch = "wiki-sieve"
	s := &sieve{}
	raw = raw.Clone()
	for _, list := range raw {
		for _, r := range list {
			if _, ok := r.Mutator.(chroma.MutatorFunc); ok {
				return nil
			}
		}
	}
	raw[catch] = []chroma.Rule{{Pattern: `.`, Type: chroma.Other, Mutator: chroma.MutatorFunc(func(state *chroma.LexerState) error {
		s.lexer, s.compiled = state.Lexer, state.Rules
		return nil
	})}}
	again, err := chroma.NewLexer(l.Config(), func() chroma.Rules { return raw })
	if err != nil {
		return nil
	}
	again.SetRegistry(lexers.GlobalLexerRegistry)
	next, err := again.Tokenise(&chroma.TokeniseOptions{State: catch}, "x")
	if err != nil || next() == chroma.EOF || s.compiled == nil {
		return nil
	}
	s.states = map[string]*rules{}
	for state, list := range s.compiled {
		s.states[state] = newRules(list, l.Config())
	}
	return s
}

// colour does as [chroma.LexerState.Iterator] does. A state that is not known,
// or whose end can't be reached, is where the lexer gives up.
func (s *sieve) colour(to *painter, code string) (ok, slow bool) {
	code = strings.ReplaceAll(code, "\r", "\n") // of a line's two ends one is left
	added := s.lexer.Config().EnsureNL && !strings.HasSuffix(code, "\n")
	if added {
		code += "\n"
	}
	state := &chroma.LexerState{
		Registry: lexers.GlobalLexerRegistry, Lexer: s.lexer, Text: []rune(code), Stack: []string{rootState}, Rules: s.compiled,
		MutatorContext: map[any]any{},
	}
	end := len(state.Text)
	if added {
		end--
	}
	idle, last := 0, 0 // rules that matched nothing since the state was at last
	for state.Pos < end && len(state.Stack) > 0 {
		state.State = state.Stack[len(state.Stack)-1]
		list, known := s.states[state.State]
		if !known {
			return false, false
		}
		r, length, slow := list.match(state)
		switch {
		case slow:
			return false, true
		case r == nil && state.Text[state.Pos] == '\n' && state.State != rootState:
			state.Stack = []string{rootState}
		case r == nil:
			to.runes(chroma.Error, state.Text[state.Pos:state.Pos+1])
			state.Pos++
		default:
			if ok, slow := r.apply(to, state, length); !ok {
				return false, slow
			}
			if idle++; state.Pos != last {
				idle, last = 0, state.Pos
			}
			if idle > maxIdle {
				return false, false // it would go on forever
			}
		}
	}
	if len(state.Stack) == 0 {
		to.runes(chroma.Error, state.Text[min(state.Pos, len(state.Text)):])
	}
	return true, false
}

// maxIdle is how many rules in turn may match nothing, or how many tokens be
// empty. Some lexers go on forever on code that is not theirs.
const maxIdle = 1000

// rootState is where lexers begin.
const rootState = "root"

// rule is a rule of a lexer.
type rule struct {
	*chroma.CompiledRule
	index int // in its state
	// plain rules make one token, and do not inspect the match to choose the next state.
	plain bool
	quick quick // nil when the pattern is not that simple
}

// rules are those of a state.
type rules struct {
	all []*rule
	by  [128][]*rule // those that can match where a character of ASCII stands
}

func newRules(list []*chroma.CompiledRule, c *chroma.Config) *rules {
	rs := &rules{}
	for i, compiled := range list {
		r := &rule{compiled, i, isPlain(compiled), newQuick(compiled.Pattern, c)}
		rs.all = append(rs.all, r)
		can, known := beginnings(r.Pattern, c)
		for c := range rs.by {
			// What counts as white space differs between engines.
			if control := c < ' ' && c != '\n' && c != '\t' && c != '\r'; !known || control || can[c] {
				rs.by[c] = append(rs.by[c], r)
			}
		}
	}
	return rs
}

func isPlain(r *chroma.CompiledRule) bool {
	if _, ok := r.Type.(chroma.TokenType); !ok && r.Type != nil {
		return false
	}
	m, ok := r.Mutator.(chroma.SerialisableMutator)
	return r.Mutator == nil || ok && (m.MutatorKind() == "push" || m.MutatorKind() == "pop")
}

// match returns the first rule that matches in the current state, or nil, and the length
// of the match in characters.
func (rs *rules) match(state *chroma.LexerState) (r *rule, length int, slow bool) {
	list := rs.all
	if c := state.Text[state.Pos]; c < 128 {
		list = rs.by[c]
	}
	for _, r := range list {
		if r.quick != nil {
			switch end := r.quick(state.Text, state.Pos); {
			case end == noMatch:
				continue
			case end >= 0 && r.plain:
				return r, end - state.Pos, false
			}
		}
		m, err := r.Regexp.FindRunesMatchStartingAt(state.Text, state.Pos)
		if err != nil {
			return nil, 0, true // it took too long
		}
		if m == nil || m.RuneIndex != state.Pos {
			continue
		}
		if !r.plain {
			state.Groups, state.NamedGroups = nil, map[string]string{}
			for _, g := range m.Groups() {
				state.Groups = append(state.Groups, g.String())
				state.NamedGroups[g.Name] = g.String()
			}
		}
		return r, m.RuneLength, false
	}
	return nil, 0, false
}

// apply does what a rule says about its match.
func (r *rule) apply(to *painter, state *chroma.LexerState, length int) (ok, slow bool) {
	match := state.Text[state.Pos : state.Pos+length]
	state.Rule = r.index
	state.Pos += length
	if r.Mutator != nil {
		if err := r.Mutator.Mutate(state); err != nil {
			return false, false
		}
	}
	switch kind := r.Type.(type) {
	case nil:
	case chroma.TokenType:
		if r.plain {
			to.runes(kind, match)
		} else {
			to.token(kind, state.Groups[0]) // which the mutator may have changed
		}
	default:
		return to.all(kind.Emit(state.Groups, state))
	}
	return true, false
}

// otherMeaning are constructs that Go's expressions interpret differently from chroma's.
var otherMeaning = []string{"[:", `\Q`, "(?U", `\W`, `\D`, `\S`, `\P`}

// beginnings returns the characters of ASCII that a match of a pattern can
// begin with. They are not known when a match can be empty, or when the
// pattern has what Go's expressions do not, such as looking ahead.
func beginnings(pattern string, c *chroma.Config) (can [128]bool, known bool) {
	re, ok := parse(pattern, c)
	return can, ok && !first(re, &can)
}

// parse reads a pattern that means the same to Go as to chroma.
func parse(pattern string, c *chroma.Config) (*syntax.Regexp, bool) {
	flags := syntax.Perl
	if !c.NotMultiline {
		flags &^= syntax.OneLine
	}
	if c.CaseInsensitive {
		flags |= syntax.FoldCase
	}
	if c.DotAll {
		flags |= syntax.DotNL
	}
	for _, other := range otherMeaning {
		if strings.Contains(pattern, other) {
			return nil, false
		}
	}
	re, err := syntax.Parse(pattern, flags)
	return re, err == nil
}

// first adds what a match of re can begin with, and reports whether it can be
// empty.
func first(re *syntax.Regexp, can *[128]bool) (empty bool) {
	switch re.Op {
	case syntax.OpNoMatch:
		return false
	case syntax.OpLiteral:
		r := re.Rune[0]
		add(can, r, r)
		if re.Flags&syntax.FoldCase != 0 {
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				add(can, f, f)
			}
		}
		return false
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			add(can, re.Rune[i], re.Rune[i+1])
		}
		return false
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		add(can, 0, 127)
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return first(re.Sub[0], can)
	case syntax.OpStar, syntax.OpQuest:
		first(re.Sub[0], can)
		return true
	case syntax.OpRepeat:
		return first(re.Sub[0], can) || re.Min == 0
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !first(sub, can) {
				return false
			}
		}
		return true
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			if first(sub, can) {
				empty = true
			}
		}
		return empty
	}
	return true // a place, such as the beginning of a line
}

func add(can *[128]bool, from, to rune) {
	for r := max(0, from); r <= min(to, 127); r++ {
		can[r] = true
	}
}
