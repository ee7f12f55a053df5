package spec

import (
	"regexp"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Intent is what a sentence asks for.
type Intent struct {
	Name string // of the loop: its first four words
	// Pattern is one of the builder patterns, or the type of a composition.
	Pattern string
	// Source is the loop of the library that is forked, "" if the pattern is built.
	Source string
	// Children are the loops of a composition, in their order.
	Children []ChildSpec
}

// How an [Intent] becomes a spec.
const (
	Forked     = "fork"
	Scaffolded = "scaffold"
	Composed   = "compose"
)

// Method is how the intent becomes a spec.
func (i Intent) Method() string {
	switch {
	case len(i.Children) > 0:
		return Composed
	case i.Source != "":
		return Forked
	}
	return Scaffolded
}

// compositions are what asks for a composition; the first that matches wins.
var compositions = []struct {
	form     func() *regexp.Regexp
	kind     string
	children []string
}{
	{schema.Expression(`\b(parallel|concurr(?:ent|ently)?|simultaneous(?:ly)?|(?:run|fan).{0,16}(?:branch(?:es)?|swarm)|(?:branch(?:es)?|swarm).{0,16}(?:parallel|concurr|merge))\b`),
		Parallel, []string{"research-agent", "coding-agent"}},
	{schema.Expression(`\b(nested|sub.?loop|(?:inner|outer).{0,12}(?:loop|debug|agent)|wrap(?:ped)?\s+(?:inside|within))\b`),
		Nested, []string{"coding-agent", "autonomous-debugger"}},
	{schema.Expression(`\b(sequential\s+pipeline|pipeline\s+of\s+stages?|(?:stage|step)s?\s+(?:in\s+)?(?:sequence|series)|chain\s+(?:from|through|of)|followed\s+by\s+(?:a\s+)?(?:writing|research|polish|draft))\b`),
		Sequential, []string{"research-agent", "writing-assistant"}},
}

// intents are the words that ask for one loop; the first list that has a word of the
// sentence wins.
var intents = []struct {
	words   func() *regexp.Regexp
	pattern string
	source  string
}{
	{schema.Expression(`\b(research|literature|sources?|cite|citation|brief|synthesize|hypothesis|papers?)\b`), "research", "research-agent"},
	{schema.Expression(`\b(test|verify|debug|fix|failing|ci|lint|suite|patch|regression|flaky|validate)\b`), "verification", "autonomous-debugger"},
	{schema.Expression(`\b(reflect|critique|review|feedback|revise|draft|peer|iterate|clarity)\b`), "reflection", ""},
	{schema.Expression(`\b(code|implement|feature|diff|caching|security)\b`), "verification", "coding-agent"},
	{schema.Expression(`\b(summarize|summary|themes?|simple|single|one-shot|meeting|changelog|extract|interview)\b`), "simple", ""},
}

var nameWords = schema.Expression(`[a-z0-9]+`)

// ReadIntent reads what a sentence asks for, by its words alone.
func ReadIntent(text string) Intent {
	lower := strings.ToLower(text)
	words := nameWords().FindAllString(lower, 4)
	i := Intent{Name: strings.Join(words, "-"), Pattern: "reflection"}
	if i.Name == "" {
		i.Name = "intent-loop"
	}
	for _, c := range compositions {
		if c.form().MatchString(lower) {
			i.Pattern = c.kind
			for _, name := range c.children {
				i.Children = append(i.Children, ChildSpec{ID: name, Ref: LibraryFolder + name + ".yaml"})
			}
			return i
		}
	}
	for _, one := range intents {
		if one.words().MatchString(lower) {
			i.Pattern, i.Source = one.pattern, one.source
			return i
		}
	}
	return i
}

// IntentOptions change how an intent becomes a spec.
type IntentOptions struct {
	Name         string // instead of the first words
	ScaffoldOnly bool   // build the pattern, and fork nothing
}

// Make makes the spec of an intent; text is the sentence.
func (i Intent) Make(text string, o IntentOptions) (*Document, error) {
	name := loopName(i.Name)
	if o.Name != "" {
		name = o.Name
	}
	if i.Method() == Composed && !o.ScaffoldOnly {
		return Compose(ComposeOptions{Type: i.Pattern, Name: name, Objective: objective(text), Children: i.Children})
	}
	if i.Method() == Forked && !o.ScaffoldOnly {
		source, err := FromLibrary(i.Source)
		if err != nil {
			return nil, err
		}
		return source.Fork(name, objective(text))
	}
	pattern := i.Pattern
	if i.Method() == Composed { // no builder pattern
		pattern = "crew"
	}
	return Build(New{Pattern: pattern, Name: name, Objective: objective(text)})
}

// objective is what a loop made from a sentence is to reach.
func objective(text string) string {
	return strings.TrimSpace(text) + "\nAchieve primary_quality >= 0.80 within cost limits with zero safety violations."
}

// loopName turns words into a name that a spec may have.
func loopName(words string) string {
	if words[0] >= '0' && words[0] <= '9' || len(words) < 3 {
		words = "loop-" + words
	}
	return strings.TrimRight(words[:min(len(words), 64)], "-")
}

// Fork is a copy of the document under another name, which notes what it is a copy
// of. An empty objective leaves the one that is there.
func (d *Document) Fork(name, objective string) (*Document, error) {
	root := with(d.Root, "loop_name", textNode(name))
	if objective != "" {
		root = with(root, "objective", textNode(objective))
	}
	root = with(root, "metadata", with(root.Get("metadata"), "forked_from", textNode(d.Name())))
	return made(d.Path, root)
}
