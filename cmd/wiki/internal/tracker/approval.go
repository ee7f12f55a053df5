package tracker

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// ApprovalsFile holds what people approved, below the repository's root.
const ApprovalsFile = ".loopwiki/approvals.jsonl"

// approvalVersion is the version of a line of it.
const approvalVersion = 1

// maxApprovals bounds the file, in bytes.
const maxApprovals = 1 << 20

// Approval is a person's word that a tool may be called.
type Approval struct {
	Version   int    `json:"version" jsonschema:"version of this line, 1"`
	Connector string `json:"connector"`
	Tool      string `json:"tool"`
	Digest    string `json:"digest" jsonschema:"of the program, its arguments, and the tool as the server described it"`
	By        string `json:"by"`
	Reason    string `json:"reason,omitempty"`
	Date      string `json:"date" jsonschema:"2006-01-02"`
}

// UnapprovedError is a tool that may change something, and that nobody approved.
type UnapprovedError struct{ Connector, Tool string }

func (e *UnapprovedError) Error() string {
	return fmt.Sprintf("the connector %s may not call %s yet: its server does not say that it only reads", e.Connector, e.Tool)
}

// Hint says what to do.
func (e *UnapprovedError) Hint() string {
	return "a person reads what it does and approves it: wiki connector approve " + e.Connector
}

// Approved reports whether a person approved a tool as it is now.
func Approved(root, connector, tool, digest string) (bool, error) {
	at, err := os.OpenRoot(root)
	if err != nil {
		return false, err
	}
	defer at.Close()
	info, err := at.Stat(ApprovalsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if info.Size() > maxApprovals {
		return false, fmt.Errorf("%s has more than %d bytes", ApprovalsFile, maxApprovals)
	}
	text, err := at.ReadFile(ApprovalsFile)
	if err != nil {
		return false, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxApprovals)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var a Approval
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			return false, fmt.Errorf("%s:%d:1: no approval: %w", ApprovalsFile, n, err)
		}
		if a.Version > approvalVersion {
			return false, fmt.Errorf("%s:%d:1: the version is %d; upgrade wiki to read it", ApprovalsFile, n, a.Version)
		}
		if a.Connector == connector && a.Tool == tool && a.Digest == digest && a.By != "" {
			return true, nil
		}
	}
	return false, lines.Err()
}

// Approve writes an approval down.
func Approve(root string, a Approval) error {
	at, err := os.OpenRoot(root)
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
