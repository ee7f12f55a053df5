package loops

import (
	"slices"
	"strings"
	"testing"
)

// A host is lost at every command of a run once: another goes on from the last commit, and
// no chunk is committed twice.
func TestMoved(t *testing.T) {
	t.Parallel()
	for lost := 1; ; lost++ {
		b := newBench(t)
		start := oneChunk()
		start.Plan.Chunks = []Chunk{{ID: "1"}, {ID: "2"}}
		n, moved := 0, ""
		for queue := b.feed(Event{Kind: Started, Start: &start}); len(queue) > 0; {
			c := queue[0]
			b.kinds, b.issued = append(b.kinds, c.Kind), append(b.issued, c)
			b.feed(Event{Kind: Began, Key: c.Key, Command: &c})
			if n++; n == lost && c.Kind != EnsureWorktree {
				moved, b.tree = c.Key, b.s.Tree
				queue = b.feed(Event{Kind: Moved, Worktree: &PlaceResult{Path: "/b", Branch: "loop/p", Head: b.s.Head, Tree: b.s.Tree}, Why: "a is gone"})
				continue
			}
			queue = append(queue[1:], b.feed(b.answer(c))...)
		}
		if b.s.Status != GoalMet || b.commit != 2 {
			t.Errorf("lost at %s: %s (%s) with %d commits", moved, b.s.Status, b.s.End.Why, b.commit)
		}
		if b.s.Charged > 0 || b.s.Place.Path != "/b" && moved != "" {
			t.Errorf("lost at %s: %d attempts charged, works in %s", moved, b.s.Charged, b.s.Place.Path)
		}
		var keys []string
		for _, c := range b.issued {
			if slices.Contains(keys, c.Key) && c.Kind == RunRole {
				t.Errorf("lost at %s: %s is called twice", moved, c.Key)
			}
			keys = append(keys, c.Key)
		}
		if lost > n {
			break
		}
	}
}

// A commit whose result was lost with its host is the run's.
func TestMovedBehindACommit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	start := oneChunk()
	queue := b.feed(Event{Kind: Started, Start: &start})
	for queue[0].Kind != Commit {
		queue = append(queue[1:], b.feed(b.answer(queue[0]))...)
	}
	queue = b.feed(Event{Kind: Moved, Worktree: &PlaceResult{Path: "/b", Head: "c1", Tree: queue[0].Tree}, Why: "a is gone"})
	if b.s.Chunks[0].Commit != "c1" || b.s.Head != "c1" || queue[0].Stage != StageGoal {
		t.Errorf("%+v, then %+v", b.s.Chunks[0], queue)
	}
	if !strings.Contains(strings.Join(b.s.Warnings, "\n"), "another host") {
		t.Errorf("%q", b.s.Warnings)
	}
}

// A host is lost while the gates judge the base again, for a failure that may not be the
// change's: the next one judges it, and the run ends for that failure.
func TestMovedWhileTheBaseIsJudgedAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.gates = map[Stage][][]GateResult{StageChunk: {{{Gate: "test", Effect: Environment, Reason: []Reason{{Message: "no space left"}}}}}}
	start := oneChunk()
	queue := b.feed(Event{Kind: Started, Start: &start})
	for b.s.Suspect == nil {
		queue = append(queue[1:], b.feed(b.answer(queue[0]))...)
	}
	key := queue[0].Key
	queue = b.feed(Event{Kind: Moved, Worktree: &PlaceResult{Path: "/b", Branch: "loop/p", Head: b.s.Head, Tree: b.s.Tree}, Why: "a is gone"})
	if len(queue) != 1 || queue[0].Key != key {
		t.Fatalf("then %+v, not %s", queue, key)
	}
	b.play(queue)
	if b.s.Status != NoGround || !strings.Contains(b.s.End.Why, "no space left") || b.count(RunRole) > 0 {
		t.Errorf("%s (%s) after %v", b.s.Status, b.s.End.Why, b.kinds)
	}
}

// What the first worktree of a run in shadow leaves is removed, also if another host made it.
func TestMovedInShadow(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	start := oneChunk()
	start.Mode = Shadow
	queue := b.feed(Event{Kind: Started, Start: &start})
	b.feed(Event{Kind: Broken, Key: queue[0].Key, Fault: &Fault{Message: "disk full"}})
	b.play(b.feed(Event{Kind: Moved, Worktree: &PlaceResult{Path: "/b", Branch: "loop/p", Head: "c0", Tree: "t0"}, Why: "a is gone"}))
	if b.s.Status != NoGround || b.count(Discard) != 1 || b.s.Place.Branch != "" {
		t.Errorf("%s on %q after %v", b.s.Status, b.s.Place.Branch, b.kinds)
	}
}
