package source

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/zeebo/xxh3"
)

// outcomes keep on disk what git was asked for, by a key that holds all it rests on.
type outcomes[T any] struct {
	name        string
	before, now map[string]T
	changed     bool
	some        bool // now is about some pages; what is known of the others stays
}

// outcomesVersion changes with the format and with what the checks find.
const outcomesVersion = 7

// outcomesLimit bounds the files on disk.
var outcomesLimit = files.Limit{Name: "citations", Bytes: 64 << 20, What: ".loopwiki/cache/lines-*, quotes-*"}

// readCache reads what was kept; what can not be read is found out again.
func readCache[T any](w *compiler.Wiki, kind string) *outcomes[T] {
	root := fmt.Sprint(outcomesVersion, w.Workspace().RootPath)
	o := &outcomes[T]{name: fmt.Sprintf("%s-%08x.json", kind, uint32(xxh3.HashString(root))), now: map[string]T{}}
	data, err := w.Workspace().ReadCache(o.name, outcomesLimit)
	if err == nil && json.Unmarshal(data, &o.before) != nil {
		o.before = nil
	}
	return o
}

// get returns what was kept under a key.
func (o *outcomes[T]) get(key string) (out T, ok bool) {
	if out, ok = o.before[key]; ok {
		o.now[key] = out
	}
	return out, ok
}

// keep notes an outcome for the next time.
func (o *outcomes[T]) keep(key string, out T) {
	o.now[key], o.changed = out, true
}

// write keeps the outcomes of now, if they are others than those that were read.
func (o *outcomes[T]) write(w *compiler.Wiki) {
	if !o.changed && (o.some || len(o.now) == len(o.before)) {
		return
	}
	if o.some {
		all := maps.Clone(o.now)
		maps.Copy(all, o.before)
		o.now = all
	}
	if data, err := json.Marshal(o.now); err == nil && int64(len(data)) <= outcomesLimit.Bytes {
		_ = w.Workspace().WriteCache(o.name, data) // a folder that can not be written to has no cache
	}
}

// outcomeKey is a hash of all that an outcome rests on.
type outcomeKey struct{ facetHash }

func newKey(parts ...string) *outcomeKey {
	k := &outcomeKey{}
	k.add(parts...)
	return k
}

func (k *outcomeKey) add(parts ...string) {
	for _, p := range parts {
		k.facetHash.add(fmt.Sprint(len(p), ":", p))
	}
}

func (k *outcomeKey) String() string {
	sum := k.Sum128()
	return fmt.Sprintf("%016x%016x", sum.Hi, sum.Lo)
}
