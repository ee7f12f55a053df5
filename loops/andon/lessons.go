package andon

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema/text"
)

// Match is how a gotcha is about a text.
type Match int

// The ways, the best first.
const (
	NoMatch  Match = iota
	Exact          // its pattern is in the text
	Partial        // at least 40 % of the significant words of its pattern do
	Category       // one of its tags does
)

var matchNames = [...]string{"", "exact", "partial", "category"}

func (m Match) String() string { return matchNames[m] }

// partly is the share of a pattern's significant words that has to stand in a text.
const partly = 0.40

// stopWords are not significant.
var stopWords = words("the and for are was were but not you your with this that from have has had will would can could should into onto than then them they there their its his her our out who what when where which while because been being also any all each more most other some such only own same too very may must does did done upon about after before between over under again once here how why per via use used using")

func words(text string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		set[w] = true
	}
	return set
}

// significant returns the words of a text with at least three letters that are no
// stop-words.
func significant(text string) []string {
	var out []string
	for w := range words(text) {
		if utf8.RuneCountInString(w) >= 3 && !stopWords[w] {
			out = append(out, w)
		}
	}
	return out
}

// text is what lessons are matched with.
type subject struct {
	low   string
	words map[string]bool
}

func newSubject(text string) subject { return subject{strings.ToLower(text), words(text)} }

// match says how a pattern with tags is about the text.
func (t *subject) match(pattern string, tags []string) Match {
	pattern = strings.ToLower(text.Collapse(pattern))
	if pattern != "" && strings.Contains(t.low, pattern) {
		return Exact
	}
	if sig := significant(pattern); len(sig) > 0 {
		found := 0
		for _, w := range sig {
			if t.words[w] {
				found++
			}
		}
		if float64(found) >= partly*float64(len(sig)) {
			return Partial
		}
	}
	for _, tag := range tags {
		all := words(tag)
		if len(all) > 0 && !slices.ContainsFunc(keys(all), func(w string) bool { return !t.words[w] }) {
			return Category
		}
	}
	return NoMatch
}

func keys(set map[string]bool) []string {
	var out []string
	for k := range set {
		out = append(out, k)
	}
	return out
}

// Match says how the gotcha is about a text.
func (g *Gotcha) Match(text string) Match {
	t := newSubject(text)
	return t.match(g.Pattern, g.Tags)
}

// maxLessons is how many gotchas a prompt is given.
const maxLessons = 12

// Lessons returns the gotchas and standards that are about a text, as
// lines: gotchas whose pattern is in it, then those with many words in it,
// then those of its category; then standards. Lines of skills and forbidden
// terms hold for every text. What can't be read is left out; Gotchas says what.
func (s *Store) Lessons(about string) []string {
	t := newSubject(about)
	gotchas, _ := s.Gotchas()
	by := make([][]string, Category+1)
	for _, g := range gotchas {
		if m := t.match(g.Pattern, g.Tags); m != NoMatch {
			by[m] = append(by[m], fmt.Sprintf("- %s (%s, %s): %s", text.Collapse(g.Name), g.Severity, g.Source, text.Collapse(g.Prevention)))
		}
	}
	out := slices.Concat(by...)
	out = out[:min(len(out), maxLessons)]
	rules, _ := s.Rules()
	for _, r := range rules {
		if line := r.lesson(&t); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// lesson returns what a maker is told about a standard, "" if it has nothing to do with
// the text. Gates are not told: they judge.
func (r *Rule) lesson(t *subject) string {
	if r.Type == RuleSkillLine {
		return "- " + text.Collapse(r.Value)
	}
	if r.Type == RuleForbidden {
		return fmt.Sprintf("- do not write %q (%s)", text.Collapse(r.Value), r.SourceIncident)
	}
	say, ok := requirements[r.Type]
	if !ok {
		return ""
	}
	if strings.Contains(say, "%s") {
		if m := t.match(r.Value, nil); m != Exact {
			return ""
		}
		say = fmt.Sprintf(say, text.Collapse(r.Value))
	}
	return fmt.Sprintf("- %s (%s)", say, r.SourceIncident)
}

// requirements are the standards that incidents set by themselves, in words.
var requirements = map[string]string{
	"required_command":       "the command %s was missing once; check that it exists before you need it",
	"required_python_module": "the Python module %s was missing once; list it in the project's requirements",
	"required_node_module":   "the Node module %s was missing once; list it in package.json",
	"required_path":          "%s was missing once; create it before using it",
	"permission_guard":       "a file was not executable once; set the mode of scripts in git",
	"retry_policy":           "something timed out once; limit waits, and retry a few times at most",
}
