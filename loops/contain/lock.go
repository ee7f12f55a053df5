package contain

import (
	"encoding/json"
	"fmt"
	"os"
)

// Held is a lock that is held. The system gives it up with the process that
// holds it, however that one ends.
type Held struct{ file *os.File }

// Busy is the error of a lock that another process holds.
type Busy struct {
	Path  string
	Owner string // "" if the holder has not said yet
	PID   int
}

func (b *Busy) Error() string {
	if b.Owner == "" {
		return fmt.Sprintf("lock %s: another process holds it", b.Path)
	}
	return fmt.Sprintf("lock %s: %s holds it (process %d)", b.Path, b.Owner, b.PID)
}

// holder is what is in a lock's file: who has it. A number of a process is
// given again, so that it names one only together with its start and with the
// start of the machine.
type holder struct {
	Version int    `json:"version"`
	Owner   string `json:"owner"`
	PID     int    `json:"pid"`
	Start   string `json:"start"`
	Boot    string `json:"boot"`
}

// holderVersion is that of the file's format.
const holderVersion = 1

// alive reports whether the very process that wrote this lives.
func (h holder) alive() bool {
	if h.PID <= 0 || h.Boot != bootID() {
		return false
	}
	start, err := processStart(h.PID)
	return err == nil && start == h.Start
}

// parseHolder reads a lock's file. One that is empty was given back; one that
// can't be read was left by a process that died while it wrote it.
func parseHolder(text []byte) (h holder, ok bool) {
	if len(text) == 0 || json.Unmarshal(text, &h) != nil || h.Owner == "" {
		return holder{}, false
	}
	return h, true
}

// takenOver says whose lock it was.
func (h holder) takenOver() string {
	why := "it is no longer running"
	switch {
	case h.Boot != bootID():
		why = "the machine was restarted since"
	default:
		if _, err := processStart(h.PID); err == nil {
			why = "its process id now belongs to another process"
		}
	}
	return fmt.Sprintf("taken over from %s (process %d): %s", h.Owner, h.PID, why)
}
