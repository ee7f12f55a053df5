package rules

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
)

// webCacheDays is how long the answer of a server is believed.
const webCacheDays = 7

// webCache keeps the answers of servers between runs, in one file of the cache
// folder. A cache that can't be read or written is an empty one: it is
// derived data and never the reason for a failure.
type webCache struct {
	dir   string // no link leads out of it
	name  string // the file below it; empty when nothing is kept
	today time.Time
	dirty bool
	Data  webCacheData
}

type webCacheData struct {
	Version int                 `json:"version"`
	Asked   map[string]webEntry `json:"asked"`
}

type webEntry struct {
	answer
	Day string `json:"day"`
}

const webCacheVersion = 1

// openWebCache reads the cache in dir, which is in the repository or where the
// caller likes. Nothing is cached without a folder or a known day, or if the file can't be read; the
// error says why.
func openWebCache(repository, dir string, today time.Time) (*webCache, error) {
	c := &webCache{today: today, Data: webCacheData{Version: webCacheVersion, Asked: map[string]webEntry{}}}
	if dir == "" || today.IsZero() {
		return c, nil
	}
	c.dir, c.name = dir, "external-links.json"
	if rel, err := filepath.Rel(repository, dir); err == nil && filepath.IsLocal(rel) {
		c.dir, c.name = repository, filepath.Join(rel, c.name)
	}
	b, err := files.Read(c.dir, c.name, files.Cache)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		c.name = ""
		return c, err
	}
	var data webCacheData
	if json.Unmarshal(b, &data) == nil && data.Version == webCacheVersion && data.Asked != nil {
		c.Data = data
	}
	return c, nil
}

func (c *webCache) get(address string) (answer, bool) {
	e, ok := c.Data.Asked[address]
	if !ok || c.name == "" {
		return answer{}, false
	}
	day, err := time.Parse(time.DateOnly, e.Day)
	if err != nil || c.today.Sub(day) >= webCacheDays*24*time.Hour || c.today.Before(day) {
		return answer{}, false
	}
	return e.answer, true
}

func (c *webCache) put(address string, a answer) {
	c.Data.Asked[address] = webEntry{answer: a, Day: c.today.Format(time.DateOnly)}
	c.dirty = true
}

// save writes the cache by renaming, so that no reader sees half of it.
func (c *webCache) save() {
	if c.name == "" || !c.dirty {
		return
	}
	b, err := json.Marshal(c.Data)
	if err != nil {
		return
	}
	if root, err := files.Make(c.dir, 0o777); err == nil {
		_ = root.Replace(c.name, b, 0o666)
		root.Close()
	}
}
