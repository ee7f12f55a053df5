package history

import (
	"fmt"
	"testing"
)

func TestCommits(t *testing.T) {
	t.Parallel()
	records := olas(t)
	r := newRepo(t)
	r.fastImport(records)
	for _, limit := range []int{0, 7} {
		got, err := Commits(t.Context(), r.dir, limit)
		if err != nil {
			t.Fatal(err)
		}
		want := records
		if limit > 0 {
			want = records[len(records)-limit:]
		}
		if len(got) != len(want) {
			t.Fatalf("%d commits, want %d", len(got), len(want))
		}
		for i, c := range got {
			status := map[string]byte{}
			for _, f := range c.Files {
				status[f.Path] = f.Status
			}
			if len(status) != len(want[i].Changes) || !c.Time.Equal(want[i].Date) {
				t.Errorf("commit %d: %d files at %s, want %d at %s", i, len(status), c.Time, len(want[i].Changes), want[i].Date)
			}
			for _, ch := range want[i].Changes {
				if fmt.Sprintf("%c", status[ch[1]]) != ch[0] {
					t.Errorf("commit %d, %s: %c, want %s", i, ch[1], status[ch[1]], ch[0])
				}
			}
		}
	}
}

func TestCommitsOfAnEmptyRepository(t *testing.T) {
	t.Parallel()
	if got, err := Commits(t.Context(), newRepo(t).dir, 0); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
}
