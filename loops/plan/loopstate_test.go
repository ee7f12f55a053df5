package plan

import (
	"bytes"
	"strings"
	"testing"
)

// newsletterState is a state as it was published, without its indentation.
const newsletterState = `# Loop State: Repository Maintenance Triage
## Current Run
- run_id: 2026-07-04T080000Z
- mode: shadow
- selected_items: 2
- opened_pull_requests: 0
- escalations: 1
## Items
### MT-104
- status: escalated
- reason: touches authentication middleware
- attempts: 0
- next_action: human review required before agent work
### MT-117
- status: drafted
- reason: stale documentation links
- attempts: 1
- gates:
- link check: passed
- docs lint: passed
- scope check: passed
- next_action: human review
`

func TestTheNewslettersState(t *testing.T) {
	t.Parallel()
	s, faults := ParseLoopState([]byte(newsletterState))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if s.Run != "2026-07-04T080000Z" || s.Mode != "shadow" || s.Selected != 2 || s.Escalations != 1 || len(s.Items) != 2 {
		t.Fatalf("%+v", s)
	}
	if it := s.Items[1]; it.Status != ItemDrafted || it.Attempts != 1 || len(it.Gates) != 3 || it.Gates[0] != (ItemGate{"link check", "passed"}) || it.NextAction != "human review" {
		t.Errorf("%+v", it)
	}
	// What is written is read back the same, and looks as it was published.
	text := s.Text()
	again, faults := ParseLoopState(text)
	if len(faults) > 0 || !bytes.Equal(again.Text(), text) {
		t.Errorf("%v\n%s", faults, text)
	}
	fold := func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "\n\n", "\n"), "  - ", "- ") }
	if fold(string(text)) != newsletterState {
		t.Errorf("written:\n%s", text)
	}
}

func TestStateFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, new, want string }{
		{"# Loop State: Rep", "# State: Rep", `1:1: error: "State: Repository Maintenance Triage" is not a state title`},
		{"status: drafted", "status: draftet", `15:1: error: unknown status "draftet"; did you mean "drafted"?`},
		{"attempts: 0", "attempts: none", `12:1: error: attempts: invalid value "none"; write a whole number`},
		{"- next_action: human review required", "- next_step: human review required", `13:1: error: unknown key "next_step"`},
		{"- mode: shadow", "- mod: shadow", `4:1: error: unknown key "mod"; did you mean "mode"?`},
		{"## Items", "## Item", `8:1: error: unknown section "Item"; did you mean "Items"?`},
		{"### MT-104", "### ../etc", `9:1: error: "../etc" is not an item id`},
		{"- escalations: 1", "Some prose.", `7:1: error: not a key of a state file`},
	} {
		src := strings.Replace(newsletterState, c.old, c.new, 1)
		_, faults := ParseLoopState([]byte(src))
		if len(faults) == 0 || !strings.HasPrefix(faults[0].String(), c.want) {
			t.Errorf("%s: %v, want %s", c.new, faults, c.want)
		}
	}
}

// What agents and trackers say can't become a heading, a link or another key.
func TestStateIsOneLinePerValue(t *testing.T) {
	t.Parallel()
	s := LoopState{Title: "T", Run: "r", Mode: "draft", Items: []ItemState{{ID: "A", Status: ItemFailed, Reason: "x\n- status: drafted\n## Items\n[[link]] <b>", NextAction: ""}}}
	back, faults := ParseLoopState(s.Text())
	if len(faults) > 0 || len(back.Items) != 1 || back.Items[0].Status != ItemFailed || strings.Contains(back.Items[0].Reason, "[[") {
		t.Errorf("%v: %+v", faults, back)
	}
}

func FuzzParseLoopState(f *testing.F) {
	f.Add([]byte(newsletterState))
	f.Fuzz(func(t *testing.T, src []byte) {
		s, faults := ParseLoopState(src)
		if Refused(faults) || bytes.ContainsRune(src, 0xFFFD) {
			return
		}
		text := s.Text()
		again, faults := ParseLoopState(text)
		if Refused(faults) && len(s.Items) > 0 && s.Items[0].Status != "" {
			t.Fatalf("what was written is not read: %v\n%s", faults, text)
		}
		if !Refused(faults) && len(again.Items) != len(s.Items) {
			t.Fatalf("%d items, then %d", len(s.Items), len(again.Items))
		}
	})
}
