package tracker

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"

	"github.com/loopwiki/wiki/compiler/files"
)

// ApprovalsFile holds what people approved, below the repository's root.
const ApprovalsFile = ".loopwiki/approvals.jsonl"

// approvalVersion is the version of a line of it. The second one knows calls that
// change something.
const approvalVersion = 2

// maxApprovals bounds the file, in bytes.
const maxApprovals = 1 << 20

// Approval is a person's word that a tool may be called.
type Approval struct {
	Version   int    `json:"version" jsonschema:"version of this line, 2"`
	Connector string `json:"connector"`
	Tool      string `json:"tool"`
	Digest    string `json:"digest" jsonschema:"of the program with its scripts, its arguments, and the server's description of the tool"`
	By        string `json:"by"`
	Reason    string `json:"reason,omitempty"`
	Date      string `json:"date" jsonschema:"2006-01-02"`
	// What follows is of a tool that changes something.
	Arguments map[string]string `json:"arguments,omitempty" jsonschema:"that a call must have, verbatim"`
	Open      []string          `json:"open,omitempty" jsonschema:"names of arguments that may have any value"`
	Calls     int               `json:"calls,omitempty" jsonschema:"maximum number of calls; 0 for a tool that lists items"`
}

// ID tells an approval from others in the journal.
func (a *Approval) ID() string {
	text, err := json.Marshal(a)
	if err != nil {
		panic(err) // strings and numbers
	}
	return sum(text)[:16]
}

func (a *Approval) scope() Scope { return Scope{a.Arguments, a.Open, a.Calls} }

// UnapprovedError is a tool that may change something, and that nobody approved.
type UnapprovedError struct{ Connector, Tool string }

func (e *UnapprovedError) Error() string {
	return fmt.Sprintf("connector %s: tool %s needs approval, as its server does not declare it read-only", e.Connector, e.Tool)
}

// Hint returns what to do.
func (e *UnapprovedError) Hint() string {
	return "review what it does, then approve it: wiki connector approve " + e.Connector
}

// approvals are those of a repository, in the order in which they were given.
func approvals(root string) ([]Approval, error) {
	return readLines(root, ApprovalsFile, maxApprovals, func(a Approval) int { return a.Version }, approvalVersion)
}

// Approved reports whether a person approved a tool that lists items as it is now.
func Approved(root, connector, tool, digest string) (bool, error) {
	all, err := approvals(root)
	for _, a := range all {
		if a.Connector == connector && a.Tool == tool && a.Digest == digest && a.Calls == 0 && a.By != "" {
			return true, nil
		}
	}
	return false, err
}

// Approve writes an approval down.
func Approve(root string, a Approval) error {
	at, err := files.Open(root)
	if err != nil {
		return err
	}
	defer at.Close()
	if err := at.MkdirAll(path.Dir(ApprovalsFile), 0o777); err != nil {
		return err
	}
	a.Version = approvalVersion
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	f, err := at.OpenFile(ApprovalsFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	return errors.Join(err, f.Close())
}
