package declared

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
)

// ApprovedFile holds the approved specifications, one a line, below the repository's root.
const ApprovedFile = ".loopwiki/approved-specs.jsonl"

// approval is a line of it. A file with other bytes has another hash.
type approval struct {
	Version int    `json:"version"`
	Hash    string `json:"hash"`
	Path    string `json:"path"`
	By      string `json:"by"`
	At      string `json:"at"` // RFC 3339
}

// approvalVersion is the version that this program writes and the newest that it reads.
const approvalVersion = 1

// Approved reports whether a person approved a file with this hash in the repository.
func Approved(root, hash string) (bool, error) {
	src, err := readApproved(root)
	if err != nil {
		return false, err
	}
	for i, line := range bytes.Split(src, []byte("\n")) {
		var a approval
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &a); err != nil {
			return false, fmt.Errorf("%s:%d: %w; remove the line, and approve the file again", ApprovedFile, i+1, err)
		}
		if a.Version > approvalVersion {
			return false, fmt.Errorf("%s:%d: version %d, this program reads up to %d: upgrade wiki", ApprovedFile, i+1, a.Version, approvalVersion)
		}
		if a.Hash == hash {
			return true, nil
		}
	}
	return false, nil
}

// Approve records that a person approved a file. Once is enough.
func Approve(root, hash, path, by string, when time.Time) error {
	if done, err := Approved(root, hash); err != nil || done {
		return err
	}
	src, err := readApproved(root)
	if err != nil {
		return err
	}
	line, err := json.Marshal(approval{approvalVersion, hash, path, by, when.UTC().Format(time.RFC3339)})
	if err != nil {
		return err
	}
	return files.ReplacePath(filepath.Join(root, filepath.FromSlash(ApprovedFile)), append(src, append(line, '\n')...), 0o644)
}

func readApproved(root string) ([]byte, error) {
	src, err := files.ReadPath(filepath.Join(root, filepath.FromSlash(ApprovedFile)), files.Run)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return src, err
}
