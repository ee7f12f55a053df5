package claim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// written writes the sayings of a page: the words of each, and its values by what they can be
// compared with.
func written(t *testing.T, page string) string {
	t.Helper()
	var b strings.Builder
	for _, s := range claim.English().Sayings(compilertest.Compile(t, compilertest.Write(t, "-- pump.md --\n"+page)).Pages()[0]) {
		var words []string
		for _, w := range s.Words {
			mark := ""
			for _, m := range []struct {
				is bool
				as string
			}{{w.Label, "|"}, {w.Subject, "^"}, {w.When, "?"}} {
				if m.is {
					mark += m.as
				}
			}
			words = append(words, mark+w.Concept)
		}
		for _, w := range s.Keyed {
			words = append(words, "~"+w)
		}
		b.WriteString(strings.Join(words, " "))
		for _, v := range s.Values {
			doubt := ""
			if v.Doubted {
				doubt = "?"
			}
			fmt.Fprintf(&b, "; %s%s=%s", doubt, v.Class, strings.ReplaceAll(v.Text, "\n", " "))
		}
		for _, v := range s.Lists {
			fmt.Fprintf(&b, "; [%s]", strings.Join(v.Value.Items, ", "))
		}
		for _, f := range s.Facts {
			if f.Denied {
				fmt.Fprintf(&b, "; not %s", strings.Join(append([]string{f.Concept}, f.Words...), " "))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestSayings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, page, want string }{
		{"a sentence", "# Pump\n\nThe pump is kept at 4 °C.\n", "^pump keep; temperature=4 °C\n"},
		{"a value that begins it", "# Pump\n\nAfter 84 months a reading is deleted.\n", "^after ^read keep; time=84 months\n"},
		{"a condition", "# Pump\n\nIn winter the pump rests for 8 hours.\n", "^pump rest; season-of-year=winter; time=8 hours\n"},
		{"another time", "# Pump\n\nUntil last year the pump had 3 valves, and it has 5 valves.\n", "?last ?year ?pump ?have ?valv valv; ?=3 valves; =5 valves\n"},
		{"a price of a time is an amount too", "# Pump\n\nIt costs €45 per hour.\n", "pric; rate:money:eur=€45 per hour; money:eur=€45 per hour\n"},
		{"a row", "# Pump\n\n| Part | Port |\n|---|---|\n| fare-engine | 8461 |\n", "|port |fare |engin; =8461\n"},
		{"a line of cron is an interval, a time and a day", "# Pump\n\n| Key | Value |\n|---|---|\n| `a.b` | `0 2 * * 1` |\n", "|b |a.b ~valu; time=0 2 * * 1; clock=0 2 * * 1; weekday=0 2 * * 1\n"},
		{"lines of keys are sayings of their own", "# Pump\n\n**Slot size:** at most 26 pallets.\n**Shortest:** 30 minutes.\n", "slot size pallet; =at most 26 pallets\n^min; time=30 minutes\n"},
		{"names of one kind, and opposites", "# Pump\n\nReadings are stored encrypted in PostgreSQL.\n", "^read keep encrypt postgresql; pole:encrypt=encrypted; class:database=postgresql\n"},
		{"a variable", "# Pump\n\nThe address is read from `PUMP_URL`.\n", "^address read pump_url pump url; code=pump_url\n"},
		{"a number that nothing says the meaning of", "# Pump\n\nSee page 7 and 12.\n", "see page\n"},
		{"a section that tells of the past keeps its dates", "# Pump\n\n## History\n\nVersion 1 was switched off on 2026-09-30 after 8 hours.\n", "1 ^vers end after; day=2026-09-30\n"},
		{"a denial", "# Pump\n\nThe pump does not support grey water.\n", "^pump support grey water; not support grey water\n"},
		{"a list", "# Pump\n\nThe pump takes water, brine and juice.\n", "^pump take water brin juic; [brin, juic, water]\n"},
		{"a page that is no longer true keeps its status", "---\nstatus: deprecated\n---\n# Pump\n\nThe pump is kept at 4 °C.\n", "|status; name=deprecated; pole:activ=deprecated\n"},
		{"a copy in a place", "# Pump\n\nThere is water, with a duplicate of each tank in Oslo.\n", "^ther water ?copy ?tank oslo\n^ther water ?copy ?tank; class:place=Oslo\n"},
		{"a register", "---\ntype: log\n---\n# Decision log\n\n| Record | Status | Date |\n|---|---|---|\n| adr-pump | Proposed | 2025-03-18 |\n", "|status |adr |pump propos; name=Proposed\n|date |adr |pump; day=2025-03-18\n"},
		{"a log that nobody keeps up to date", "---\ntype: log\n---\n# Work log\n\n| Record | Status | Date |\n|---|---|---|\n| adr-pump | Proposed | 2025-03-18 |\n", ""},
		{"a page is no protocol", "# Pump\n\n| Part | Protocol |\n|---|---|\n| fare-engine | [[mqtt-console]] |\n", "|protocol |fare |engin mqtt consol; name=mqtt-console\n"},
		{"a protocol that has a page", "# Pump\n\n| Part | Protocol |\n|---|---|\n| fare-engine | [[mqtt]] |\n", "|protocol |fare |engin; class:protocol=mqtt\n"},
		{"what is tried again is a retry", "# Pump\n\nA delivery is tried again up to 8 times.\n", "^deliver retr again; =up to 8 times\n"},
		{"a page that is another's log", "---\ntype: log\n---\n# Pump\n\nThe pump is kept at 4 °C.\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, written(t, c.page)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A program is written in a language, and its page is in another.
func TestLanguageOfAProgram(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]bool{"Rust": true, "Go": true, "C++": true, "en-GB": true, "English": true, "de": false, "French": false, "pt_BR": false} {
		p := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n---\nlanguage: "+language+"\n---\n# Pump\n\nThe pump holds 40 litres.\n")).Pages()[0]
		said := false
		for _, c := range claim.Of(p) {
			said = said || c.From == schema.OriginSentence
		}
		if said != want {
			t.Errorf("language: %s: a sentence is read: %v, want %v", language, said, want)
		}
	}
}
