package loops

import (
	"slices"
	"strings"
	"testing"
)

// TestModes holds what each mode does with a run that is met, and with one that
// is not: who publishes, and who leaves nothing.
func TestModes(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		mode   Mode
		opened int
		most   int
		red    bool
		last   CommandKind
		warns  string
	}{
		{name: "manual", mode: Manual, most: 2, last: WriteReport},
		{name: "shadow", mode: Shadow, most: 2, last: Discard},
		{name: "shadow that fails", mode: Shadow, most: 2, red: true, last: Discard},
		{name: "draft", mode: Draft, most: 2, last: WriteReport},
		{name: "autonomous", mode: Autonomous, most: 2, last: Publish},
		{name: "autonomous that fails", mode: Autonomous, most: 2, red: true, last: WriteReport},
		{name: "autonomous, the last of its budget", mode: Autonomous, opened: 1, most: 2, last: Publish},
		{name: "autonomous, its budget is spent", mode: Autonomous, opened: 2, most: 2, last: WriteReport, warns: "not published: 2 of 2"},
		{name: "autonomous without a limit", mode: Autonomous, opened: 9, last: Publish},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			b, start := newBench(t), oneChunk()
			start.Mode, start.Opened, start.Limits.Budget.PullRequests = row.mode, row.opened, row.most
			if row.red {
				b.gates = map[Stage][][]GateResult{StageChunk: {red("test"), red("test"), red("test")}}
			}
			b.run(start)
			if got := b.kinds[len(b.kinds)-1]; got != row.last || !b.s.Status.Over() {
				t.Errorf("it ends with %s as %s, want %s", got, b.s.Status, row.last)
			}
			if at := slices.Index(b.kinds, WriteReport); at < 0 || row.last != WriteReport && at != len(b.kinds)-2 {
				t.Errorf("the report is not written before the end: %v", b.kinds)
			}
			if got := strings.Join(b.s.Warnings, "\n"); !strings.HasPrefix(got, row.warns) || row.warns == "" && got != "" {
				t.Errorf("it warns %q, want %q", got, row.warns)
			}
		})
	}
}

// TestMetRunWarnsIfNotPublished ends as met, and says why nothing was opened.
func TestMetRunWarnsIfNotPublished(t *testing.T) {
	t.Parallel()
	b, start := newBench(t), oneChunk()
	start.Mode, start.Notes = Autonomous, []string{"it goes less far"}
	queue := b.feed(Event{Kind: Started, Start: &start})
	for len(queue) > 0 && queue[0].Kind != Publish {
		queue = b.feed(b.answer(queue[0]))
	}
	if len(queue) != 1 {
		t.Fatal("nothing is published")
	}
	b.play(b.feed(Event{Kind: Broken, Key: queue[0].Key, Fault: &Fault{Message: "the line is stopped"}}))
	if want := []string{"it goes less far", "not published: the line is stopped"}; b.s.Status != GoalMet || !slices.Equal(b.s.Warnings, want) {
		t.Errorf("%s, %q", b.s.Status, b.s.Warnings)
	}
}
