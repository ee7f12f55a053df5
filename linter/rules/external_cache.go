package rules

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"
)

// webCacheDays is how long the answer of a server is believed.
const webCacheDays = 7

// webCache keeps the answers of servers between runs, in one file of the cache
// folder. A cache that can not be read or written is an empty one: it is
// derived data and never the reason for a failure.
type webCache struct {
	file  string
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

// openWebCache reads the cache in dir. Without a folder, or when the day is
// not known, nothing is kept.
func openWebCache(dir string, today time.Time) *webCache {
	c := &webCache{today: today, Data: webCacheData{Version: webCacheVersion, Asked: map[string]webEntry{}}}
	if dir == "" || today.IsZero() {
		return c
	}
	c.file = filepath.Join(dir, "external-links.json")
	b, err := os.ReadFile(c.file)
	if err != nil {
		return c
	}
	var data webCacheData
	if json.Unmarshal(b, &data) == nil && data.Version == webCacheVersion && data.Asked != nil {
		c.Data = data
	}
	return c
}

func (c *webCache) get(address string) (answer, bool) {
	e, ok := c.Data.Asked[address]
	if !ok || c.file == "" {
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
	if c.file == "" || !c.dirty {
		return
	}
	b, err := json.Marshal(c.Data)
	if err != nil || os.MkdirAll(filepath.Dir(c.file), 0o777) != nil {
		return
	}
	tmp, err := os.CreateTemp(filepath.Dir(c.file), "external-links-*")
	if err != nil {
		return
	}
	_, werr := tmp.Write(b)
	if cerr := tmp.Close(); werr != nil || cerr != nil || os.Rename(tmp.Name(), c.file) != nil {
		os.Remove(tmp.Name())
	}
}
