package conflict

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// entities settles who the subjects of claims are.
type entities struct {
	lexicon          *claim.Lexicon
	wiki             *compiler.Wiki
	names            map[string]*schema.Page // by the words of a name; nil for one that several pages have; see called
	buffer           []byte
	nameWords        map[string]bool // that occur in names
	pages            map[*schema.Page]entityName
	lastPage         *schema.Page // that a claim stands on, of which pageOf was asked last
	reserved         bool         // whether that has its place by its name
	last             *schema.Page // that page was asked for last
	lastEntity       entityName
	titles           map[string][]string // words of titles and headings
	lastTitle        string              // that titleWords was asked for last
	lastWords        []string
	title, titleName string  // that lastWord was asked for last, and what its last word says
	section          *string // the heading that was asked for last, how many words it has, and whom it names
	sectionWords     int
	sectionPage      *schema.Page
	sameID           map[string]bool   // ids that several pages claim
	known            map[string]bool   // keys that tables of settings describe, as they are written there, in lower case
	keyNames         map[string]string // words of the name of a key, for sentences; "" for several
	keys             map[string]string // description of a key, by its words, to the key; "" for several
	columns          map[column]*rows  // of tables; see lists
}

// entityName is what tells an entity from others, and what people call it.
type entityName struct{ key, name string }

func newEntities(w *compiler.Wiki, lexicon *claim.Lexicon) *entities {
	e := &entities{wiki: w, lexicon: lexicon, nameWords: map[string]bool{}, pages: map[*schema.Page]entityName{}, titles: map[string][]string{}, sameID: map[string]bool{}, keys: map[string]string{}, keyNames: map[string]string{}, known: map[string]bool{}, columns: map[column]*rows{}}
	ids := map[string]bool{}
	for _, p := range w.Pages() {
		if id := strings.ToLower(p.Meta.ID); id != "" && p.Layer != schema.LayerSource {
			e.sameID[id] = ids[id]
			ids[id] = true
		}
	}
	return e
}

// called returns the only page of a name, given by its words; nil when there is
// none, or several.
func (e *entities) called(words []string) *schema.Page {
	if e.names == nil {
		e.index()
	}
	e.buffer = e.buffer[:0]
	for i, w := range words {
		if i > 0 {
			e.buffer = append(e.buffer, ' ')
		}
		e.buffer = append(e.buffer, w...)
	}
	return e.names[string(e.buffer)]
}

// nameable returns how many of the words, from the first on, occur in the name of
// any page or key: no more than these can be one.
func (e *entities) nameable(terms []schema.Term, most int) int {
	if e.names == nil {
		e.index()
	}
	n := 0
	for n < len(terms) && n < most && e.nameWords[terms[n].Word] {
		n++
	}
	return n
}

// hasWords notes the words of a name.
func (e *entities) hasWords(name string) {
	for w := range strings.FieldsSeq(name) {
		e.nameWords[w] = true
	}
}

// index notes what every page is called. Most wikis never ask.
func (e *entities) index() {
	for name := range e.keyNames {
		e.hasWords(name)
	}
	e.names = make(map[string]*schema.Page, 2*len(e.wiki.Pages()))
	for _, p := range e.wiki.Pages() {
		if p.Reserved() || p.Layer == schema.LayerSource {
			continue
		}
		mine := []string{e.nameKey(p.Title), e.nameKey(string(p.ID)[strings.LastIndexByte(string(p.ID), '/')+1:])}
		for _, a := range p.Meta.Aliases {
			mine = append(mine, e.nameKey(a.Name))
		}
		slices.Sort(mine)
		for _, name := range slices.Compact(mine) {
			e.hasWords(name)
			if _, taken := e.names[name]; taken {
				e.names[name] = nil
			} else {
				e.names[name] = p
			}
		}
	}
}

// nameKey returns the words of a name, as names are compared.
func (e *entities) nameKey(name string) string { return strings.Join(e.lexicon.Words(name), " ") }

// describe notes by which words the claim's own page describes a key, so that a
// page that uses these words and not the key is understood.
func (e *entities) describe(c *schema.Claim) {
	e.row(c)
	if c.From == schema.OriginTable && c.Subject.Sure && c.Subject.Link < 0 && distinct(c.Subject) {
		e.known[strings.ToLower(c.Subject.Names[0])] = true // a row is about it
	}
	if c.Slot == claim.SlotKey && c.Subject.Sure {
		if words := e.lexicon.Words(c.Subject.Names[0]); len(words) > 1 {
			name, key := strings.Join(words, " "), keyOf(c.Subject)
			if k, taken := e.keyNames[name]; taken && k != key {
				key = ""
			}
			e.keyNames[name] = key
		}
	}
	if len(c.Subject.Names) < 2 || !distinct(c.Subject) {
		return
	}
	for _, text := range c.Subject.Names[1:] {
		if words := e.lexicon.Words(text); len(words) > 1 {
			name, key := strings.Join(words, " "), keyOf(c.Subject)
			if k, taken := e.keys[name]; taken && k != key {
				key = ""
			}
			e.keys[name] = key
		}
	}
}

// distinct reports whether the first name of a subject means one thing in all of
// a wiki: a key with a point in it, or with three words in capitals.
func distinct(s schema.Entity) bool {
	name := s.Names[0]
	if !s.Sure || strings.ContainsAny(name, " /()") {
		return false
	}
	return strings.Contains(strings.Trim(name, "."), ".") && !strings.HasSuffix(name, ".") || strings.Count(name, "_") > 1 && name == strings.ToUpper(name)
}

func keyOf(s schema.Entity) string { return "key:" + strings.ToLower(s.Names[0]) }

// of returns the entity that a claim is about, and what people call it; both
// empty when that is not certain.
func (e *entities) of(c *schema.Claim) (key, name string) {
	page := e.pageOf(c)
	if page == nil {
		return "", ""
	}
	if len(c.Subject.Names) > 0 {
		if c.Subject.Link >= 0 {
			res := e.wiki.Resolution(page, c.Subject.Link)
			if res.Kind != schema.TargetPage || res.Fragment != "" {
				return "", ""
			}
			return e.page(e.wiki.Page(res.Page))
		}
		return e.named(c)
	}
	if key, name = e.headed(c); key != "" {
		return key, name
	}
	return e.page(page) // an index is about no one thing
}

// pageOf returns the page that a claim stands on, nil when the wiki has none of that name.
func (e *entities) pageOf(c *schema.Claim) *schema.Page {
	if e.lastPage == nil || e.lastPage.ID != c.Page { // claims come page by page
		e.lastPage = e.wiki.Page(c.Page)
		e.reserved = e.lastPage != nil && e.lastPage.Reserved()
	}
	return e.lastPage
}

// headed returns the entity that the heading above a field or an item names, when the
// name is no word that any section may have.
func (e *entities) headed(c *schema.Claim) (key, name string) {
	if n := len(c.Section); n > 0 && (c.From == schema.OriginField || c.From == schema.OriginList) {
		heading := schema.Entity{Names: c.Section[n-1:], Link: -1, Sure: true}
		if words, p := e.heading(&c.Section[n-1]); words > 1 && p != nil {
			return e.page(p)
		}
		if distinct(heading) && (heading.Names[0][0]|0x20) >= 'a' && (heading.Names[0][0]|0x20) <= 'z' && claim.ParseValue(heading.Names[0], nil).Kind != schema.ValueVersion {
			return keyOf(heading), heading.Names[0]
		}
	}
	return "", ""
}

// heading returns how many words a heading has, and the page that is called by them.
func (e *entities) heading(text *string) (words int, p *schema.Page) {
	if e.section != text { // claims come section by section
		all := e.titleWords(*text)
		e.section, e.sectionWords, e.sectionPage = text, len(all), e.called(all)
	}
	return e.sectionWords, e.sectionPage
}

// titleWords are the words of a title, which many claims ask for.
func (e *entities) titleWords(title string) []string {
	if title == e.lastTitle && e.lastWords != nil {
		return e.lastWords
	}
	words, ok := e.titles[title]
	if !ok {
		words = e.lexicon.Words(title)
		e.titles[title] = words
	}
	e.lastTitle, e.lastWords = title, words
	return words
}

// page returns the entity that a page is about; of an index and of a raw source there is none.
func (e *entities) page(p *schema.Page) (key, name string) {
	if p == nil {
		return "", ""
	}
	if e.last != p { // claims come page by page
		known, ok := e.pages[p]
		if !ok && !p.Reserved() && p.Layer != schema.LayerSource {
			known = entityName{"page:" + string(p.ID), p.Title}
			if id := strings.ToLower(p.Meta.ID); e.sameID[id] {
				known = entityName{"id:" + id, p.Meta.ID}
			}
		}
		if !ok {
			e.pages[p] = known
		}
		e.last, e.lastEntity = p, known
	}
	return e.lastEntity.key, e.lastEntity.name
}

// named finds who is meant by a name alone. One word alone is anybody's, unless
// it is marked as a name.
func (e *entities) named(c *schema.Claim) (key, name string) {
	words := e.lexicon.Words(c.Subject.Names[0])
	listed := len(words) == 1 && c.From == schema.OriginTable && e.lists(c)
	if len(words) > 1 || (c.Subject.Sure || c.From == schema.OriginSentence || listed) && len(words) == 1 {
		if p := e.called(words); p != nil && (len(words) > 1 || c.Subject.Sure || e.nameKey(p.Title) == words[0]) {
			return e.page(p)
		}
	}
	if p := e.ofKind(c, words); p != nil {
		return e.page(p)
	}
	if distinct(c.Subject) {
		return keyOf(c.Subject), c.Subject.Names[0]
	}
	if len(words) > 1 {
		if k := e.keys[strings.Join(words, " ")]; k != "" {
			return k, c.Subject.Names[0]
		}
	}
	return "", ""
}

// ofKind returns the page that is called by the name of a row and the head of its column: Python,
// below SDK.
func (e *entities) ofKind(c *schema.Claim, words []string) *schema.Page {
	if len(c.Subject.Kind) == 0 || len(words) == 0 || len(words)+len(c.Subject.Kind) > longestName {
		return nil
	}
	both := slices.Concat(words, c.Subject.Kind)
	slices.Sort(both)
	if both = slices.Compact(both); len(both) == len(words) {
		return nil
	}
	return e.called(both)
}

// column is a column of the tables of a page.
type column struct {
	page schema.PageID
	head string
}

// rows are the names of the rows that a column has values for.
type rows struct {
	names  []string
	judged bool
	pages  bool // most are titles of pages
}

// row notes a row of a table.
func (e *entities) row(c *schema.Claim) {
	if c.From != schema.OriginTable || len(c.Subject.Names) != 1 || len(c.Subject.Kind) == 0 {
		return
	}
	at := column{c.Page, c.Attr.Name}
	r := e.columns[at]
	if r == nil {
		r = &rows{}
		e.columns[at] = r
	}
	r.names = append(r.names, c.Subject.Names[0])
}

// lists reports whether the rows of a table are things that have pages of their own: then one word
// is a name among them.
func (e *entities) lists(c *schema.Claim) bool {
	r := e.columns[column{c.Page, c.Attr.Name}]
	if r == nil || len(r.names) < leastListed {
		return false
	}
	if !r.judged {
		r.judged = true
		named := 0
		for _, name := range r.names {
			if words := e.titleWords(name); len(words) > 0 && e.called(words) != nil {
				named++
			}
		}
		r.pages = 3*named >= 2*len(r.names)
	}
	return r.pages
}

// leastListed is how many rows a table has at least that lists pages.
const leastListed = 3
