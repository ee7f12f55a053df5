package fleet

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/contain"
)

// BusyError is a fleet file that another process runs.
type BusyError struct {
	File string
	PID  int
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("%s is already being run by process %d", e.File, e.PID)
}

// Hint returns what to do.
func (e *BusyError) Hint() string {
	return "see how it stands with 'wiki loop fleet --status'; Ctrl-C in its terminal stops it"
}

// Lock takes a fleet file for this process. The lock lies in a cache folder, since the file may
// lie where nothing else belongs.
func Lock(file, cache string) (release func(), err error) {
	full, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, "wiki", "fleets")
	root, err := files.Make(dir, 0o700)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	sum := sha256.Sum256([]byte(real))
	held, _, err := contain.Lock(filepath.Join(dir, hex.EncodeToString(sum[:8])+".lock"), "wiki loop fleet "+real)
	var busy *contain.Busy
	if errors.As(err, &busy) {
		return nil, &BusyError{file, busy.PID}
	}
	if err != nil {
		return nil, err
	}
	return func() { _ = held.Release() }, nil
}
