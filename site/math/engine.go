package math

import (
	_ "embed"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"

	"github.com/loopwiki/wiki/schema/text"
)

// Temml is the converter, as published by its authors.
//
//go:embed temml.min.js
var temml string

// entry is the function that is called with a formula. Trust is off by default: links,
// images, classes, ids, styles and data attributes are mistakes then.
var entry = fmt.Sprintf(`(tex, display) => temml.renderToString(tex, {
	displayMode: display, throwOnError: true, trust: false, maxExpand: %d, maxSize: [%d, %d],
})`, maxExpand, maxLength, 10*maxLength)

// programs are the converter and its entry, compiled once.
var programs = sync.OnceValues(func() ([2]*goja.Program, error) {
	var out [2]*goja.Program
	for i, src := range []string{temml, entry} {
		p, err := goja.Compile("temml", src, true)
		if err != nil {
			return out, fmt.Errorf("compile the converter of formulas: %w", err)
		}
		out[i] = p
	}
	return out, nil
})

// engine is a converter for one goroutine at a time.
type engine struct {
	vm      *goja.Runtime
	convert goja.Callable
}

// engines wait to be used again: one takes some milliseconds to make.
var engines sync.Pool

func newEngine() (*engine, error) {
	compiled, err := programs()
	if err != nil {
		return nil, err
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(maxCalls)
	if _, err := vm.RunProgram(compiled[0]); err != nil {
		return nil, fmt.Errorf("start the converter of formulas: %w", err)
	}
	f, err := vm.RunProgram(compiled[1])
	if err != nil {
		return nil, fmt.Errorf("start the converter of formulas: %w", err)
	}
	convert, ok := goja.AssertFunction(f)
	if !ok {
		return nil, errors.New("start the converter of formulas: its entry is no function")
	}
	return &engine{vm: vm, convert: convert}, nil
}

// maxCalls bounds the calls in one another.
const maxCalls = 4000

// run converts a formula within a time. An engine that did not come to a normal end is
// not used again.
func run(f formula, limit time.Duration) (string, error) {
	e, _ := engines.Get().(*engine)
	if e == nil {
		made, err := newEngine()
		if err != nil {
			return "", err
		}
		e = made
	}
	done := e.interruptAfter(limit)
	made, err := e.convert(goja.Undefined(), e.vm.ToValue(f.tex), e.vm.ToValue(f.display))
	done()
	var (
		thrown      *goja.Exception
		interrupted *goja.InterruptedError
	)
	switch {
	case err == nil:
		e.release()
		return made.String(), nil
	case errors.As(err, &interrupted):
		return "", ErrTooSlow
	case errors.As(err, &thrown):
		e.release()
		return "", mistake(thrown)
	}
	return "", ErrTooDeep // the calls overflow
}

// release lets the engine be used again. An interrupt that came too late counts for
// nothing.
func (e *engine) release() {
	e.vm.ClearInterrupt()
	engines.Put(e)
}

// running counts the formulas that are being converted.
var running atomic.Int64

// interruptAfter ends what the engine does when it had so much time of a processor: when
// the process had that on each processor, or for each formula if there are more. done
// ends the watch.
func (e *engine) interruptAfter(limit time.Duration) (done func()) {
	var (
		mu    sync.Mutex
		ended bool
		watch *time.Timer
		from  = cpuTime()
	)
	running.Add(1)
	check := func() {
		mu.Lock()
		defer mu.Unlock()
		shares := max(int64(runtime.GOMAXPROCS(0)), running.Load())
		switch {
		case ended:
		case cpuTime()-from >= limit*time.Duration(shares):
			e.vm.Interrupt(ErrTooSlow)
		default:
			watch.Reset(limit / 4)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	watch = time.AfterFunc(limit, check)
	return func() {
		mu.Lock()
		defer mu.Unlock()
		ended = true
		watch.Stop()
		running.Add(-1)
	}
}

// mistake says what is wrong with a formula. Temml shows the place in the formula after
// that.
func mistake(thrown *goja.Exception) error {
	message := thrown.Value().String()
	for _, prefix := range []string{"ParseError:", "Error:"} {
		message = strings.TrimPrefix(message, prefix)
	}
	message = text.Collapse(message)
	for _, before := range []string{" at position ", " at end of input", ": infinite loop"} {
		message, _, _ = strings.Cut(message, before)
	}
	if message == "" {
		message = "not understood"
	}
	return errors.New(strings.ToLower(message[:1]) + message[1:])
}
