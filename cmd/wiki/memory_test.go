package main

import "testing"

func TestHeapPercent(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{0: maxPercent, 1 << 20: maxPercent, heapGoal / 2: 100, heapGoal * 2 / 3: minPercent, heapGoal: minPercent, 10 * heapGoal: minPercent} {
		if got := heapPercent(live); got != want && got != want-1 {
			t.Errorf("a live heap of %d MB may grow by %d %%, want %d", live>>20, got, want)
		}
	}
}
