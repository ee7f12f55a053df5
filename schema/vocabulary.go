package schema

import "strings"

// FieldName is the canonical name of a front matter field.
type FieldName string

// The canonical names; their spellings are in [Vocabulary].
const (
	FieldID           FieldName = "id"
	FieldTitle        FieldName = "title"
	FieldTypeName     FieldName = "type"
	FieldSubtype      FieldName = "subtype"
	FieldSummary      FieldName = "summary"
	FieldCreated      FieldName = "created"
	FieldUpdated      FieldName = "updated"
	FieldVerified     FieldName = "verified"
	FieldExpires      FieldName = "expires"
	FieldVolatility   FieldName = "volatility"
	FieldSources      FieldName = "sources"
	FieldStatus       FieldName = "status"
	FieldConfidence   FieldName = "confidence"
	FieldContradicts  FieldName = "contradicts"
	FieldSupersedes   FieldName = "supersedes"
	FieldSupersededBy FieldName = "superseded_by"
	FieldTags         FieldName = "tags"
	FieldAliases      FieldName = "aliases"
	FieldDraft        FieldName = "draft"
	FieldRedirects    FieldName = "redirect_from"
)

// Words are the spellings of one field, the one that counts most first. A dot
// leads into a map.
type Words struct {
	Field     FieldName
	Spellings []string
}

// Vocabulary is the alias table: what the front matter of the wikis that people
// have calls the things this program knows. Letter case does not matter, and -
// and _ are the same. It must not be changed.
var Vocabulary = []Words{
	{FieldID, []string{"id", "slug", "permalink"}},
	{FieldTitle, []string{"title", "name"}},
	{FieldTypeName, []string{"type", "kind", "category", "genre", "pageType", "page_type"}},
	{FieldSubtype, []string{"subtype", "sub_type"}},
	{FieldSummary, []string{"description", "summary", "desc", "abstract", "synopsis"}},
	{FieldCreated, []string{"created", "createdAt", "created_at", "added", "date", "ingested", "generated_at"}},
	{FieldUpdated, []string{"updated", "last_updated", "updated_at", "updatedAt", "modified", "generated.at", "timestamp", "lifecycle_changed"}},
	{FieldVerified, []string{"verified", "last_verified", "verified_on", "reviewed", "verified_against"}},
	{FieldExpires, []string{"stale_after", "stale_ttl", "expires", "valid_until", "review_by"}},
	{FieldVolatility, []string{"volatility"}},
	{FieldSources, []string{"sources", "source", "source_file", "source_files", "source_path", "source_paths", "source_url", "source_urls",
		"covers", "resource", "resources", "related_sources", "praxisAnchors", "code_anchors"}},
	{FieldStatus, []string{"status", "lifecycle", "state"}},
	{FieldConfidence, []string{"confidence", "base_confidence", "evidence", "trust_tier"}},
	{FieldContradicts, []string{"contradictedBy", "contradicted_by", "contradictions", "contradicts", "contested_by"}},
	{FieldSupersedes, []string{"supersedes", "replaces"}},
	{FieldSupersededBy, []string{"superseded_by", "supersededBy", "redirects_to", "replaced_by"}},
	{FieldTags, []string{"tags", "tag", "topics"}},
	{FieldAliases, []string{"aliases", "alias"}},
	{FieldDraft, []string{"draft"}},
	{FieldRedirects, []string{"redirect_from"}},
}

var (
	spellings = func() map[FieldName][]string {
		m := make(map[FieldName][]string, len(Vocabulary))
		for _, w := range Vocabulary {
			m[w.Field] = w.Spellings
		}
		return m
	}()
	fieldNames = func() map[string]FieldName {
		m := make(map[string]FieldName, 4*len(Vocabulary))
		for _, w := range Vocabulary {
			for _, s := range w.Spellings {
				m[fieldKey(s)] = w.Field
			}
		}
		return m
	}()
)

// Spellings returns the accepted spellings of a field, the one that counts
// most first.
func Spellings(f FieldName) []string { return spellings[f] }

// FieldOf returns the canonical name of a front matter key, "" if it is unknown. A key
// in a map is written with a dot, generated.at.
func FieldOf(key string) FieldName { return fieldNames[fieldKey(key)] }

// SameKey reports whether two keys are spellings of each other by letter case,
// hyphens and underscores.
func SameKey(a, b string) bool { return a == b || fieldKey(a) == fieldKey(b) }

// fieldKey returns a key in lower case with _ for -.
func fieldKey(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= 'A' && c <= 'Z' || c == '-' || c >= 0x80 {
			return strings.ReplaceAll(strings.ToLower(s), "-", "_")
		}
	}
	return s
}

// Lookup returns the pair that gives a field: of several spellings that are
// there with a value the one that counts most, else one without a value, else
// nil.
func (f *Frontmatter) Lookup(field FieldName) *Pair {
	var empty *Pair
	for _, p := range f.LookupAll(field) {
		if p.Value.Kind != KindNull {
			return p
		}
		if empty == nil {
			empty = p
		}
	}
	return empty
}

// LookupAll returns every pair that gives a field, the spelling that counts
// most first. Of duplicate keys the first counts.
func (f *Frontmatter) LookupAll(field FieldName) []*Pair {
	if f == nil || f.Root == nil {
		return nil
	}
	var out []*Pair
	for _, s := range spellings[field] {
		node := f.Root
		for {
			name, rest, more := strings.Cut(s, ".")
			p := node.pairLike(name)
			if p != nil && !more {
				out = append(out, p)
			}
			if p == nil || !more {
				break
			}
			node, s = p.Value, rest
		}
	}
	return out
}

// pairLike returns the first pair whose key is a spelling of key by case,
// hyphens and underscores; one that is spelled so exactly comes first.
func (n *Node) pairLike(key string) *Pair {
	var like *Pair
	want := fieldKey(key)
	for i := range n.Pairs {
		p := &n.Pairs[i]
		if p.Key == key {
			return p
		}
		if like == nil && len(p.Key) == len(key) && fieldKey(p.Key) == want {
			like = p
		}
	}
	return like
}

// statusWords sort the words for a page's state.
var statusWords = map[string]StatusClass{
	"draft": StatusDraft, "candidate": StatusDraft, "preliminary": StatusDraft, "wip": StatusDraft, "in_progress": StatusDraft,
	"proposed": StatusDraft, "stub": StatusDraft, "seed": StatusDraft,
	"stable": StatusStable, "active": StatusStable, "reviewed": StatusStable, "verified": StatusStable, "canonical": StatusStable,
	"published": StatusStable, "current": StatusStable, "final": StatusStable, "accepted": StatusStable, "evergreen": StatusStable,
	"stale": StatusStale, "outdated": StatusStale, "needs_review": StatusStale,
	"contested": StatusContested, "contradicted": StatusContested, "disputed": StatusContested,
	"deprecated": StatusDeprecated, "superseded": StatusDeprecated, "archived": StatusDeprecated, "withdrawn": StatusDeprecated,
	"retracted": StatusDeprecated, "obsolete": StatusDeprecated,
}

// StatusWord returns the class of a status, ignoring letter case, or [StatusNone].
func StatusWord(word string) StatusClass {
	return statusWords[strings.ReplaceAll(fieldKey(strings.TrimSpace(word)), " ", "_")]
}
