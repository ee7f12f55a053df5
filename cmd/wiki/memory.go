package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Memory is traded for time: the heap may grow to heapGoal before it is
// collected, which spares small wikis most collections. What lives beyond that
// is the wiki itself, and twice its size at the peak is more than a shared
// runner may have to spare: it grows by a half. When the collector can not
// keep up, memoryGoal or two thirds more than what lives makes it hurry.
const (
	heapGoal   = 192 << 20 // bytes
	memoryGoal = 300 << 20 // bytes
	minPercent = 50
	maxPercent = 800
)

// tuneMemory sets the collector's targets anew after every collection.
func tuneMemory() {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	live := sample[0].Value.Uint64()
	debug.SetGCPercent(heapPercent(live))
	debug.SetMemoryLimit(int64(max(memoryGoal, live/3*5)))
	marker := new([16]byte)
	runtime.AddCleanup(marker, func(struct{}) { tuneMemory() }, struct{}{})
}

// heapPercent is how much the heap may grow by when so many bytes live.
func heapPercent(live uint64) int {
	if live >= heapGoal {
		return minPercent
	}
	return int(min(maxPercent, max(minPercent, (heapGoal-live)*100/max(1, live))))
}
