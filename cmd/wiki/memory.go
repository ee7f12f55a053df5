package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Memory is traded for time: the heap may grow to heapGoal before the first collection,
// which spares small wikis most of them, and then to twice the live data, which is the
// wiki itself. Large wikis are limited by memoryGoal, or two thirds above the live data:
// shared CI machines may have no more. The process stays below 500 MB with ten thousand
// pages.
const (
	heapGoal   = 192 << 20 // bytes
	memoryGoal = 420 << 20 // bytes
	minPercent = 100
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
