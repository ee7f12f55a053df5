package replay

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema/schematest"
)

// TestReplay holds what is promised of pages about code, on a made-up history of
// random changes in seven languages, of which it is known what each did: no false
// alarm on more than 5 in 100 pages, 95 in 100 moves healed, every stale value right.
func TestReplay(t *testing.T) {
	t.Parallel()
	schematest.NeedGit(t)
	seeds, commits := []uint64{1, 2}, 25
	if schematest.Long() {
		seeds, commits = []uint64{1, 2, 3, 4, 5, 6}, 150
	}
	var all tally
	for _, seed := range seeds {
		dir := t.TempDir()
		did := generate(t, dir, seed, commits)
		byCommit := map[string]*truth{}
		r, err := history.NewReplay(t.Context(), dir, t.TempDir(), 0)
		if err != nil || len(r.Commits) != commits+1 {
			t.Fatalf("the history of %d commits is not whole: %v", commits, err)
		}
		for i, id := range r.Commits[1:] {
			byCommit[id] = did[i]
		}
		var score Score
		if score.Commits, err = Run(t.Context(), dir, 0, nil, func(o *Outcome) {
			score.Add(o)
			all.add(t, o, byCommit[o.Commit])
		}); err != nil {
			t.Fatal(err)
		}
		if score.FalseAlarms > 0 || score.Values != score.RightValues || score.Healed < score.Moves*95/100 {
			t.Errorf("seed %d: by its own measure %+v", seed, score)
		}
	}
	t.Logf("%+v", all)
	switch {
	case all.pairs < 200 || all.moves < 5 || all.values < 5:
		t.Errorf("the histories show too little: %+v", all)
	case all.falseAlarms*100 > all.unaffected*5:
		t.Errorf("%d false alarms on %d pages that were not affected", all.falseAlarms, all.unaffected)
	case all.healed*100 < all.moves*95:
		t.Errorf("%d of %d moves were healed", all.healed, all.moves)
	case all.right != all.values:
		t.Errorf("%d of %d stale values are right", all.right, all.values)
	case all.found*100 < all.changed*95:
		t.Errorf("%d of %d values that changed were found", all.found, all.changed)
	}
}

// tally compares outcomes with what is known of the history.
type tally struct {
	pairs, unaffected, falseAlarms int
	moves, healed                  int
	changed, found                 int // values
	values, right                  int // that were reported
	signed, told                   int // declarations
}

func (c *tally) add(t *testing.T, o *Outcome, did *truth) {
	t.Helper()
	c.pairs++
	moved, value := did.moved[o.Target], did.values[o.Target]
	whole := o.Before.Kind == source.KindType // a class has what its members have
	switch {
	case moved != "":
		c.moves++
		if o.State == source.StateMoved && o.Moved == moved {
			c.healed++
		} else {
			t.Logf("%s is %s now: %s %s", o.Target, moved, o.State, o.Moved)
		}
	case value[0] != "":
		c.changed++
		if o.State == source.StateStaleValue {
			c.found++
		} else {
			t.Logf("%s has %s instead of %s: %q", o.Target, value[1], value[0], o.State)
		}
	case did.signed[o.Target]:
		c.signed++
		if o.State == source.StateSignatureChanged {
			c.told++
		}
	case !whole:
		c.unaffected++
		if o.State != source.StateFresh && !(o.State == source.StateBodyChanged && did.bodies[o.Target]) {
			c.falseAlarms++
			t.Logf("nothing changed about %s: %s", o.Target, o.State)
		}
	}
	for _, v := range o.Values {
		c.values++
		if whole || v.Old == value[0] && v.New == value[1] && v.Text == value[1] {
			c.right++
		} else {
			t.Logf("%s: states %s, now %s; it was %v", o.Target, v.Old, v.New, value)
		}
	}
}
