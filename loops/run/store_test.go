package run

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The last id in order is the latest run, also if several begin in one second.
func TestRunsOfOneSecondStayInOrder(t *testing.T) {
	t.Parallel()
	s := NewStore(t.TempDir())
	at := time.Date(2026, 7, 4, 8, 0, 0, 0, time.UTC)
	var made []string
	for _, plan := range []string{"audit", "documentation", "documentation", "audit", "audit-2", "audit", "zeal"} {
		id, err := s.Create(plan, at)
		if err != nil {
			t.Fatal(err)
		}
		if latest, err := s.Find("latest"); err != nil || latest != id {
			t.Errorf("latest is %q, %v, want %q", latest, err, id)
		}
		made = append(made, id)
	}
	want := []string{
		"2026-07-04T080000Z-audit", "2026-07-04T080000Z-documentation", "2026-07-04T080000Z-documentation-2", "2026-07-04T080001Z-audit",
		"2026-07-04T080001Z-audit-2", "2026-07-04T080001Z-audit-3", "2026-07-04T080001Z-zeal",
	}
	if diff := cmp.Diff(want, made); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
}
