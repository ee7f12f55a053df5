package tracker

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
)

// CallsFile is the journal of what was changed at trackers, below the repository's
// root. A call is written down before it is made: one without an end may have been
// made.
const CallsFile = ".loopwiki/calls.jsonl"

const (
	callVersion  = 1
	maxCalls     = 16 << 20 // bytes of the journal
	maxJournaled = 300      // bytes of a value in it
)

// The events of a call.
const (
	callBegun  = "begun"
	callDone   = "done"
	callFailed = "failed"
	// callRefused ends a call that was not made: others had begun in the same moment.
	callRefused = "refused"
)

// CallEntry is a line of the journal.
type CallEntry struct {
	Version   int               `json:"version" jsonschema:"version of this line, 1"`
	ID        string            `json:"id" jsonschema:"of the call, shared by its lines"`
	At        string            `json:"at" jsonschema:"RFC 3339, in UTC"`
	Event     string            `json:"event" jsonschema:"begun, done, failed or refused"`
	Approval  string            `json:"approval" jsonschema:"id of the approval: the digest of its line"`
	Connector string            `json:"connector"`
	Tool      string            `json:"tool"`
	Arguments map[string]string `json:"arguments,omitempty" jsonschema:"of a call that begins, truncated, without apparent secrets"`
	Digest    string            `json:"digest,omitempty" jsonschema:"of all arguments, not truncated"`
	By        string            `json:"by,omitempty" jsonschema:"who requested it"`
	Said      string            `json:"said,omitempty" jsonschema:"the answer, or why it failed, truncated"`
}

// begin writes down that a call begins, within what the approval leaves: where others
// call at the same moment, the lines before this one count.
func (p Place) begin(call Call, a *Approval, most int, by string) (CallEntry, error) {
	var id [8]byte
	if _, err := rand.Read(id[:]); err != nil {
		return CallEntry{}, err
	}
	whole, err := json.Marshal(call.Arguments)
	if err != nil {
		return CallEntry{}, err
	}
	e := CallEntry{ID: hex.EncodeToString(id[:]), Event: callBegun, Approval: a.ID(), Connector: call.Connector, Tool: call.Tool, Arguments: make(map[string]string), Digest: sum(whole), By: by}
	for name, value := range call.Arguments {
		safe, _ := loops.NewRedactor(nil).Text(clean(value))
		e.Arguments[name] = cut(safe, maxJournaled)
	}
	if err := p.journal(e); err != nil {
		return e, err
	}
	all, err := readJournal(p.Root)
	if err != nil {
		return e, err
	}
	for i := range all {
		if all[i].ID == e.ID && begun(all[:i], all, e.Approval) >= most {
			return e, p.end(e, "", &SpentError{*a, most})
		}
	}
	return e, nil
}

// end writes down how a call ended, and returns why it failed.
func (p Place) end(e CallEntry, said string, failed error) error {
	e.Event, e.Arguments, e.Digest, e.By, e.Said = callDone, nil, "", "", cut(said, maxJournaled)
	if spent := (*SpentError)(nil); errors.As(failed, &spent) {
		e.Event = callRefused
	} else if failed != nil {
		e.Event, e.Said = callFailed, cut(clean(failed.Error()), maxJournaled)
	}
	return errors.Join(failed, p.journal(e))
}

// journal appends a line, and has it on the disk before it returns.
func (p Place) journal(e CallEntry) error {
	e.Version, e.At = callVersion, p.now().UTC().Format(time.RFC3339)
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	at, err := files.Open(p.Root)
	if err != nil {
		return err
	}
	defer at.Close()
	if err := at.MkdirAll(path.Dir(CallsFile), 0o777); err != nil {
		return err
	}
	f, err := at.OpenFile(CallsFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	return errors.Join(err, f.Sync(), f.Close())
}

// begun counts the calls of some lines that began on an approval, without those that
// the whole journal says were refused.
func begun(lines, journal []CallEntry, approval string) int {
	refused := make(map[string]bool)
	for _, e := range journal {
		refused[e.ID] = refused[e.ID] || e.Event == callRefused
	}
	n := 0
	for _, e := range lines {
		if e.Event == callBegun && e.Approval == approval && !refused[e.ID] {
			n++
		}
	}
	return n
}

// readJournal reads the journal. A line that can't be read is an error: what is not
// known to be spent is not spent again.
func readJournal(root string) ([]CallEntry, error) {
	return readLines(root, CallsFile, maxCalls, func(e CallEntry) int { return e.Version }, callVersion)
}

// readLines reads a file of JSON, a document on each line.
func readLines[T any](root, name string, most int64, version func(T) int, known int) ([]T, error) {
	at, err := files.Open(root)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	limit := files.State
	limit.Bytes = most
	text, err := at.ReadFile(name, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseLines(name, text, version, known)
}

// parseLines reads what is in such a file.
func parseLines[T any](name string, text []byte, version func(T) int, known int) ([]T, error) {
	var out []T
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			return nil, fmt.Errorf("%s:%d:1: invalid line: %w", name, n, err)
		}
		if version(v) > known {
			return nil, fmt.Errorf("%s:%d:1: version %d is newer than this program supports; upgrade wiki", name, n, version(v))
		}
		out = append(out, v)
	}
	return out, nil
}
