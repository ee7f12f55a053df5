package schema

import (
	"testing"
	"time"
)

func TestVocabulary(t *testing.T) {
	t.Parallel()
	seen := map[string]FieldName{}
	for _, w := range Vocabulary {
		for _, s := range w.Spellings {
			if other, ok := seen[s]; ok {
				t.Errorf("%s is a spelling of both %s and %s", s, other, w.Field)
			}
			seen[s] = w.Field
			if got := FieldOf(s); got != w.Field {
				t.Errorf("FieldOf(%q) = %q, want %q", s, got, w.Field)
			}
		}
	}
	for key, want := range map[string]FieldName{"Last-Verified": FieldVerified, "GENERATED.AT": FieldUpdated, "createdat": FieldCreated, "x": "", "": ""} {
		if got := FieldOf(key); got != want {
			t.Errorf("FieldOf(%q) = %q, want %q", key, got, want)
		}
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	text := func(s string) *Node { return &Node{Kind: KindString, Text: s} }
	f := &Frontmatter{Root: &Node{Kind: KindMap, Pairs: []Pair{
		{Key: "name", Value: text("second")}, {Key: "TITLE", Value: text("other case")}, {Key: "title", Value: text("first")},
		{Key: "updated", Value: &Node{}}, {Key: "generated", Value: &Node{Kind: KindMap, Pairs: []Pair{{Key: "at", Value: text("then")}}}},
		{Key: "slug", Value: &Node{}},
	}}}
	for field, want := range map[FieldName]string{FieldTitle: "first", FieldUpdated: "then"} {
		if p := f.Lookup(field); p == nil || p.Value.Text != want {
			t.Errorf("Lookup(%s) = %+v, want %q", field, p, want)
		}
	}
	if p := f.Lookup(FieldID); p == nil || p.Key != "slug" {
		t.Errorf("an empty field was not found: %+v", p)
	}
	if p := f.Lookup(FieldTags); p != nil {
		t.Errorf("tags were found: %+v", p)
	}
	if n := len(f.LookupAll(FieldTitle)); n != 2 {
		t.Errorf("%d spellings of the title, want 2", n)
	}
	if (*Frontmatter)(nil).Lookup(FieldID) != nil {
		t.Error("something was found in nothing")
	}
}

func TestStatusWord(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]StatusClass{"Draft": StatusDraft, "WIP": StatusDraft, "in-progress": StatusDraft, "needs review": StatusStale,
		"canonical": StatusStable, "disputed": StatusContested, " retracted ": StatusDeprecated, "external": StatusNone, "": StatusNone} {
		if got := StatusWord(word); got != want {
			t.Errorf("StatusWord(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestParseTime(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"2026-01-02": "2026-01-02T00:00:00Z", "2026-01-02T03:04": "2026-01-02T03:04:00Z", "2026-01-02 03:04:05": "2026-01-02T03:04:05Z",
		"2026-01-02T03:04:05.5Z": "2026-01-02T03:04:05.5Z", "2026-01-02T03:04:05+02:00": "2026-01-02T01:04:05Z",
		"2026-01-02t03:04:05 -0130": "2026-01-02T04:34:05Z", "2026-01-02 03:04 +02": "2026-01-02T01:04:00Z", "2024-02-29": "2024-02-29T00:00:00Z",
		"2026-02-29": "", "2026-13-01": "", "2026-1-2": "", "2026-01-02T": "", "2026-01-02T25:00": "", "2026-01-02x": "", "2026-01-02T03:04:05.": "",
		"2026-01-02T03:04:05+": "", "2026-01-02T03:04:05+99:00": "", "": "", "12": "", "2026-01-02 ": "", "2026-01-02T03:04:05ZZ": "",
	} {
		got, day, ok := ParseTime(s)
		if ok != (want != "") || ok && got.Format(time.RFC3339Nano) != want || day != (ok && len(s) == 10) {
			t.Errorf("ParseTime(%q) = %v, %v, %v, want %q", s, got, day, ok, want)
		}
	}
}

func FuzzParseTime(f *testing.F) {
	for _, s := range []string{"2026-01-02T03:04:05.123456789012+02:00", "2026-01-02 ", "0000-01-01"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, _, ok := ParseTime(s); ok && got.Location() != time.UTC {
			t.Errorf("ParseTime(%q) is in %v", s, got.Location())
		}
	})
}
