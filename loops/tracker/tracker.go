// Package tracker reads work items from issue trackers: from GitHub with gh, from others with
// servers of the Model Context Protocol. Every change of a tracker needs a person's approval
// of that call, and is recorded in a journal.
package tracker

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// wall is how long a tracker may take to answer.
const wall = time.Minute

// maxAnswer is how many bytes of an answer are taken.
const maxAnswer = 8 << 20

// Place is a repository and what its trackers are started with.
type Place struct {
	Root    string // absolute
	Getenv  func(string) string
	Version string // of this program
	// Now is the clock of the journal; nil is the machine's.
	Now func() time.Time
}

func (p Place) now() time.Time {
	if p.Now == nil {
		return time.Now()
	}
	return p.Now()
}

// kind is how the connectors of one kind of [schema.ConnectorKinds] are spoken to. Each
// registers from its file.
type kind struct {
	name string
	open func(p Place, name string, c schema.LoopConnector) loops.Tracker
	// write connects to what carries calls out that change something.
	write func(ctx context.Context, p Place, name string, c schema.LoopConnector) (writer, error)
}

var kinds = map[string]kind{}

func register(k kind) kind {
	kinds[k.name] = k
	return k
}

// Open returns the tracker of a name of wiki.yaml.
func Open(p Place, name string, c schema.LoopConnector) (loops.Tracker, error) {
	k, ok := kinds[c.Kind]
	if !ok {
		return nil, fmt.Errorf("connector %s: unknown kind %q (want %s)", name, c.Kind, strings.Join(slices.Sorted(maps.Keys(kinds)), " or "))
	}
	return k.open(p, name, c), nil
}

// environment returns what a tracker's program is given: a minimum, and what is named.
func (p Place) environment(names ...string) []string {
	var env []string
	for _, name := range append([]string{"PATH", "HOME", "LANG", "USER", "TMPDIR", "XDG_CONFIG_HOME", "SSL_CERT_FILE", "SSL_CERT_DIR", "HTTPS_PROXY", "NO_PROXY"}, names...) {
		if v := p.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// secrets returns the values of the variables that are named: they may be keys.
func (p Place) secrets(names []string) []string {
	var values []string
	for _, name := range names {
		if v := p.Getenv(name); len(v) >= loops.MinSecret {
			values = append(values, v)
		}
	}
	return values
}
