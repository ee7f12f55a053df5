package source

import (
	"encoding/json"
	"fmt"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/citation"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/zeebo/xxh3"
)

// outcome is what became of a citation, as the cache keeps it.
type outcome struct {
	Commit string           `json:"commit,omitempty"` // of the page's line; empty when nothing can be said
	File   string           `json:"file,omitempty"`
	Result citation.Outcome `json:"result,omitzero"`
	Values []StaleValue     `json:"values,omitempty"`
}

// lineCache are the outcomes of citations whose pages and files have not changed since.
type lineCache struct {
	before, now map[string]outcome
	changed     bool
}

// knownVersion changes with the format and with what [citation.Compare] finds.
const knownVersion = 1

// knownLimit bounds the file on disk.
var knownLimit = files.Limit{Name: "cited lines", Bytes: 64 << 20, What: ".loopwiki/cache/lines-*"}

func knownName(w *compiler.Wiki) string {
	return fmt.Sprintf("lines-%08x.json", uint32(xxh3.HashString(fmt.Sprint(knownVersion, w.Workspace().RootPath))))
}

// readKnown reads the cache; what can not be read is found out again.
func readKnown(w *compiler.Wiki) *lineCache {
	k := &lineCache{before: map[string]outcome{}, now: map[string]outcome{}}
	if data, err := w.Workspace().ReadCache(knownName(w), knownLimit); err == nil && json.Unmarshal(data, &k.before) != nil {
		k.before = map[string]outcome{}
	}
	return k
}

// keep notes an outcome for the next time.
func (k *lineCache) keep(key string, out outcome) {
	k.now[key], k.changed = out, true
}

// write keeps the outcomes of now, if they are others than those that were read.
func (k *lineCache) write(w *compiler.Wiki) {
	if !k.changed && len(k.now) == len(k.before) {
		return
	}
	if data, err := json.Marshal(k.now); err == nil && int64(len(data)) <= knownLimit.Bytes {
		_ = w.Workspace().WriteCache(knownName(w), data) // a folder that can not be written to has no cache
	}
}

// remembered judges a citation by what was found before, if its page, the commits of
// that and the file are the same.
func (c *citing) remembered(o *cited) bool {
	last := ""
	if h := c.wiki.History(); h != nil && h.Files[o.Page.Path] != nil {
		last = h.Files[o.Page.Path].Changed.ID
	}
	o.key = fmt.Sprintf("%s:%d %s %s %x %x", o.Page.Path, o.At.Start, last, o.file, xxh3.Hash(o.Page.Source), c.text(o.file).hash)
	out, ok := c.known.before[o.key]
	if !ok {
		return false
	}
	c.known.now[o.key] = out
	c.apply(o, &out)
	return true
}
