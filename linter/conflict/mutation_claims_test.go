package conflict

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// mutationRoots are wikis of which claims are taken: below the shared data, or beside
// this package.
var mutationRoots = []string{"corpora/codebase-wikis/dwarfstar-4", "corpora/codebase-wikis/openclaw", "corpora/codebase-wikis/hermes-agent",
	"corpora/codebase-wikis/opencode", "corpora/codebase-wikis/vllm", "corpora/codebase-wikis/nanoclaw", "corpora/codebase-wikis/llama-cpp",
	"corpora/codebase-wikis/pi", "corpora/codebase-wikis/sglang", "corpora/olas-wiki/.wiki", "corpora/tasks-demo-vault/vault", "corpora/tasks-demo-vault/docs",
	"corpora/nvk-lint-fixtures/golden-wiki", "eval/contradictions/wiki", "testdata/skerry-line/wiki", "../../wiki"}

// taken is a claim of a real page that can be said again in other words.
type taken struct {
	*schema.Claim
	root  int
	kind  string // what it is counted as
	page  *schema.Page
	title string // of the entity: of its page, or a key as code
	owner *schema.Page
	attr  string // noun phrase, empty when only the sentence is known
	text  string // the value
	// head and tail are the sentence around the value; of a statement that is denied head
	// is all of it.
	head, tail string
	heading    string // that the value stands under
}

func (c *taken) order() uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %s %s", c.root, c.Path, c.attr, c.head+c.text)
	return h.Sum64()
}

// kindName is how the table of results calls a kind of value.
func kindName(k schema.ValueKind) string {
	return [...]string{"", "quantity", "version", "date", "polarity", "name", "set", "polarity"}[k]
}

// mostOfKind is how many claims of each kind are taken.
var mostOfKind = map[string]int{"quantity": 100, "version": 20, "date": 25, "name": 50, "set": 15, "polarity": 30}

// mostOfColumn is how many values of one attribute, such as a column, are taken from a wiki.
const mostOfColumn = 6

// mutationWikis compiles the wikis.
func mutationWikis(t *testing.T) []*compiler.Wiki {
	out := make([]*compiler.Wiki, len(mutationRoots))
	for i, root := range mutationRoots {
		if strings.HasPrefix(root, "corpora/") || strings.HasPrefix(root, "eval/") {
			root = schematest.Shared(t, root)
		}
		out[i] = compilertest.Compile(t, root)
	}
	return out
}

// takeClaims chooses claims of all wikis: in turn from each wiki and construct, those
// whose hash is least first, so that the choice does not depend on what somebody likes.
func takeClaims(wikis []*compiler.Wiki) []*taken {
	strata := map[string][]*taken{}
	for i, w := range wikis {
		f := newFinder(w)
		f.locate(claim.Of)
		disputed := Search(w, claim.Of)
		seen, columns := map[string]bool{}, map[string]int{}
		for k := range f.claims {
			c := f.take(f.claims[k])
			if c != nil && !slices.ContainsFunc(disputed, func(d schema.Conflict) bool { return stands(&d, c) }) {
				c.root = i
				column := c.attr
				if len(strings.Fields(c.title)) == 2 { // limit 100, limit 200
					column += strings.Fields(c.title)[0]
				}
				if key := c.title + "\x00" + c.attr + c.head; !seen[key] && (c.head != "" || columns[column] < mostOfColumn) {
					seen[key] = true
					columns[column]++
					stratum := fmt.Sprintf("%s %s %02d", c.kind, c.From, i)
					strata[stratum] = append(strata[stratum], c)
				}
			}
		}
	}
	var names []string
	for name, list := range strata {
		names = append(names, name)
		slices.SortFunc(list, func(a, b *taken) int { return cmp.Compare(a.order(), b.order()) })
	}
	slices.Sort(names)
	var out []*taken
	n := map[string]int{}
	for round := 0; ; round++ {
		more := false
		for _, name := range names {
			list := strata[name]
			if round >= len(list) || n[list[0].kind] >= mostOfKind[list[0].kind] {
				continue
			}
			more = true
			n[list[0].kind]++
			out = append(out, list[round])
		}
		if !more {
			return out
		}
	}
}

var (
	attrName  = regexp.MustCompile(`^[A-Za-z][A-Za-z_ -]{2,40}$`)
	plainName = regexp.MustCompile("^[^|\\[\\]<>\\n\"]{3,70}$")
	oneValue  = wordsOf("type status severity owner maintainer default language license protocol category storage access kind format runtime database group layer method unit")
)

func wordsOf(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// take returns a claim with what is needed to say it again; nil for one that is no
// statement about one thing, or that holds under a condition.
func (f *finder) take(c *schema.Claim) *taken {
	page := f.wiki.Page(c.Page)
	if page == nil || page.Reserved() || claim.Mute(page) || c.Value.Quantity.Approx {
		return nil
	}
	for _, s := range c.Scope {
		if !strings.HasPrefix(s, "in ") {
			return nil
		}
	}
	t := &taken{Claim: c, kind: kindName(c.Value.Kind), page: page, text: c.Text}
	if n := len(c.Section); n > 0 {
		t.heading = c.Section[n-1]
	}
	ok := false
	if c.From == schema.OriginSentence {
		ok = f.takeSentence(t)
	} else {
		ok = f.takeField(t)
	}
	if ok && t.owner != nil && f.entities.called(f.lexicon.Words(t.title)) != t.owner {
		return nil // several are called so
	}
	if !ok || !plainName.MatchString(t.title) || !plainName.MatchString(t.text) {
		return nil
	}
	return t
}

// takeField takes a field, a cell or the like.
func (f *finder) takeField(t *taken) bool {
	entity, name := f.entities.of(t.Claim)
	if entity == "" || t.Value.Kind == schema.ValueSet && !t.Value.Closed || len(t.Attr.Context) > 0 {
		return false
	}
	if id, ok := strings.CutPrefix(entity, "page:"); ok {
		t.owner = f.wiki.Page(schema.PageID(id))
		t.title = name
	} else if strings.HasPrefix(entity, "key:") {
		t.title = "`" + name + "`"
	} else {
		return false
	}
	t.attr = strings.ToLower(strings.ReplaceAll(t.Attr.Name, "_", " "))
	if t.From == schema.OriginTable && t.Attr.Name == "value" {
		t.attr = "default"
	}
	last := t.attr[strings.LastIndexByte(t.attr, ' ')+1:]
	if t.Value.Kind == schema.ValueName && !oneValue[last] {
		return false // a remark
	}
	t.text = strings.Trim(t.text, "*_`")
	return attrName.MatchString(t.attr) && t.Value.Kind != schema.ValueSet
}

var (
	counts = regexp.MustCompile(`^(?:The |A |An |It |Each |Every )?[\w .` + "`" + `-]{0,50}?\b(?:has|have|contains|holds|defines|ships|provides|supports|uses|keeps) (?:exactly )?$`)
	opener = regexp.MustCompile("^(?:The|A|An|It|Each|Every|`[^`]+`) ")
)

// takeSentence takes a sentence that stands on one line, with its value once in it.
func (f *finder) takeSentence(t *taken) bool {
	s := f.describe(t.Claim)
	if s == nil || len(s.explicit) > 1 || len(s.entitiesOf()) == 0 || t.Value.Kind == schema.ValueSet && !t.Value.Closed {
		return false
	}
	entity := s.entitiesOf()[0]
	id, ok := strings.CutPrefix(entity, "page:")
	if t.owner = f.wiki.Page(schema.PageID(id)); !ok || t.owner == nil {
		return false
	}
	t.title = t.owner.Title
	src := t.page.Source
	from, to := t.Span.Start, t.Span.End
	start := max(bytes.LastIndexByte(src[:from], '\n'), bytes.LastIndex(src[:from], []byte(". "))+1) + 1
	end := to + bytes.IndexAny(src[to:], ".\n;?!")
	if t.Value.Kind == schema.ValueFact {
		end = to
	}
	if end < to || end >= len(src) || src[end] != '.' || end+1 < len(src) && src[end+1] != '\n' && src[end+1] != ' ' || end-start > 160 {
		return false
	}
	sentence := string(src[start:end])
	value := string(src[from:to])
	if from == start || !opener.MatchString(sentence) && !strings.HasPrefix(sentence, t.title+" ") || digitsOf[strings.ToLower(value)] != "" || strings.ContainsAny(sentence, "()|:;=#→\"<>{}…") || strings.Count(sentence, value) != 1 || len(strings.Fields(sentence)) > 22 || strings.Contains(value, "\n") {
		return false
	}
	t.text, t.head, t.tail = value, string(src[start:from]), string(src[to:end])
	if t.Value.Kind == schema.ValueFact {
		t.head, t.tail = sentence, ""
		return negated(sentence) != ""
	}
	if strings.HasPrefix(string(t.Value.Quantity.Dimension), "count:") || t.Value.Kind == schema.ValueQuantity && t.Value.Quantity.Dimension == "" {
		_, noun, _ := strings.Cut(value, " ")
		if counts.MatchString(t.head) && t.tail == "" && attrName.MatchString(noun) {
			t.attr = noun
		}
	}
	return true
}
