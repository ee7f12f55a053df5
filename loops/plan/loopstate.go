package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// ItemStatus is what became of an item.
type ItemStatus string

// The statuses.
const (
	ItemDrafted   ItemStatus = "drafted" // a branch that waits for a review
	ItemOpened    ItemStatus = "opened"  // a pull request
	ItemReported  ItemStatus = "reported"
	ItemWaiting   ItemStatus = "waiting" // a run of it, for a person
	ItemEscalated ItemStatus = "escalated"
	ItemFailed    ItemStatus = "failed"
	ItemPending   ItemStatus = "pending" // it was selected, and the run ended before it
	ItemSkipped   ItemStatus = "skipped"
)

var itemStatuses = []string{"drafted", "opened", "reported", "waiting", "escalated", "failed", "pending", "skipped"}

// ItemState is what a state file says of an item.
type ItemState struct {
	ID         string
	Status     ItemStatus
	Reason     string
	Attempts   int
	Failures   int // runs of it that failed, of all passes
	Gates      []ItemGate
	NextAction string
}

// ItemGate is a gate and what it found last.
type ItemGate struct{ Name, Result string }

// LoopState is what became of a loop's items: the file agents/state/<name>.md. It
// is written from the journals of runs, and nobody edits it.
type LoopState struct {
	Title        string // of the spec
	Run          string // the id of the pass
	Mode         string
	Selected     int
	PullRequests int
	Escalations  int
	Items        []ItemState // in order of id
}

const stateTitle = "# Loop State: "

// isLoopState reports whether a file is the state of a loop.
func isLoopState(src []byte) bool { return strings.HasPrefix(string(src), stateTitle) }

// Text writes the file.
func (s *LoopState) Text() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s\n\n## Current Run\n\n- run_id: %s\n- mode: %s\n- selected_items: %d\n- opened_pull_requests: %d\n- escalations: %d\n\n## Items\n",
		stateTitle, text.Collapse(s.Title), s.Run, s.Mode, s.Selected, s.PullRequests, s.Escalations)
	items := slices.Clone(s.Items)
	slices.SortStableFunc(items, func(a, b ItemState) int { return strings.Compare(a.ID, b.ID) })
	for _, it := range items {
		fmt.Fprintf(&b, "\n### %s\n\n- status: %s\n- reason: %s\n- attempts: %d\n", it.ID, it.Status, stateText(it.Reason), it.Attempts)
		if it.Failures > 0 {
			fmt.Fprintf(&b, "- failures: %d\n", it.Failures)
		}
		if len(it.Gates) > 0 {
			b.WriteString("- gates:\n")
			for _, g := range it.Gates {
				fmt.Fprintf(&b, "  - %s: %s\n", stateText(g.Name), stateText(g.Result))
			}
		}
		fmt.Fprintf(&b, "- next_action: %s\n", stateText(it.NextAction))
	}
	return []byte(b.String())
}

// stateText keeps what agents and trackers say on one line, and from being markup.
func stateText(s string) string {
	const most = 300
	s = strings.NewReplacer("[[", "[ [", "]]", "] ]", "](", "] (", "<", "‹", ">", "›", "`", "'").Replace(text.Collapse(s))
	if len(s) > most {
		s = strings.TrimSpace(strings.ToValidUTF8(s[:most], "")) + "…"
	}
	if s == "" {
		return "-"
	}
	return s
}

var (
	stateKeys  = []string{"run_id", "mode", "selected_items", "opened_pull_requests", "escalations"}
	statedKeys = []string{"status", "reason", "attempts", "failures", "gates", "next_action"}
	stateLine  = schema.Expression(`^[ \t]*- ([^:]+?)[ \t]*:(?:[ \t]+(.*?))?[ \t]*$`)
)

// ParseLoopState reads a state file strictly. The state is never nil and holds
// what is right; faults are in order of place.
func ParseLoopState(src []byte) (*LoopState, []Fault) {
	d := &document{collector: newCollector(src), src: src}
	s := &LoopState{}
	if len(src) > maxItemsFile {
		d.err("too-large", schema.Span{}, "delete it; the next run rewrites it", "the state has %d bytes, more than %d", len(src), maxItemsFile)
		return s, d.faults
	}
	section, gates := "", false
	for _, line := range d.textLines() {
		text := string(line.text.In(src))
		at := trimSpan(src, line.Span)
		switch {
		case line.level == 1:
			title, ok := strings.CutPrefix(text, strings.TrimPrefix(stateTitle, "# "))
			if s.Title = title; !ok || title == "" {
				d.err("missing-title", at, "begin with "+stateTitle+"and the loop's name", "%q is not a state title", text)
			}
		case line.level == 2:
			if section = text; text != "Current Run" && text != "Items" {
				d.err("unknown-section", at, nearest(text, []string{"Current Run", "Items"}), "unknown section %q", text)
			}
		case line.level == 3 && section == "Items":
			if !itemID().MatchString(text) {
				d.err("invalid-id", at, "an item id has letters, digits, dots and hyphens", "%q is not an item id", text)
			}
			s.Items, gates = append(s.Items, ItemState{ID: text}), false
		case at.Len() == 0:
		default:
			m := stateLine().FindStringSubmatch(string(line.In(src)))
			if m == nil || line.code || line.level > 0 {
				d.err("stray-text", at, "the runner writes this file, as lines of - key: value", "not a key of a state file")
				continue
			}
			gates = d.stateKey(s, section, m[1], m[2], at, gates)
		}
	}
	if s.Title == "" && len(d.faults) == 0 {
		d.err("missing-title", schema.Span{}, "begin with "+stateTitle+"and the loop's name", "the state has no title")
	}
	return s, d.sorted()
}

// stateKey reads one key, and says whether gates follow.
func (d *document) stateKey(s *LoopState, section, key, value string, at schema.Span, gates bool) bool {
	number := func(into *int) {
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			d.err("invalid-value", at, "write a whole number", "%s: invalid value %q", key, value)
			return
		}
		*into = n
	}
	if section != "Items" {
		switch key {
		case "run_id":
			s.Run = value
		case "mode":
			s.Mode = value
		case "selected_items":
			number(&s.Selected)
		case "opened_pull_requests":
			number(&s.PullRequests)
		case "escalations":
			number(&s.Escalations)
		default:
			d.err("unknown-key", at, nearest(key, stateKeys), "unknown key %q", key)
		}
		return false
	}
	if len(s.Items) == 0 {
		d.err("stray-text", at, "write ### ID above it", "the key %q is outside any item", key)
		return false
	}
	it := &s.Items[len(s.Items)-1]
	switch key {
	case "status":
		if it.Status = ItemStatus(value); !slices.Contains(itemStatuses, value) {
			d.err("invalid-value", at, nearest(value, itemStatuses), "unknown status %q", value)
		}
	case "reason":
		it.Reason = value
	case "attempts":
		number(&it.Attempts)
	case "failures":
		number(&it.Failures)
	case "next_action":
		it.NextAction = value
	case "gates":
		return true
	default:
		if !gates {
			d.err("unknown-key", at, nearest(key, statedKeys), "unknown key %q", key)
			return false
		}
		it.Gates = append(it.Gates, ItemGate{key, value})
		return true
	}
	return false
}

// stateItems returns the items of a state that somebody may go on with.
func stateItems(file string, src []byte) ([]WorkItem, []Fault) {
	s, faults := ParseLoopState(src)
	var out []WorkItem
	for _, it := range s.Items {
		switch it.Status {
		case ItemEscalated, ItemFailed, ItemPending:
			out = append(out, WorkItem{ID: it.ID, Source: InputFile, Title: it.ID + ": " + it.Reason, Text: it.NextAction, Count: -1, Path: file})
		}
	}
	return out, faults
}
