package history

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// logFormat prints four fields per commit, each ended by NUL: the id after the byte 1,
// which begins no status, the parents, the committer date in seconds and the author. The changed files follow with -z: a status,
// then one path, two for a rename, or one per parent and one more for a merge.
const logFormat = "%x01%H%x00%P%x00%ct%x00%an"

// longestField bounds one path or name in the log.
const longestField = 1 << 20

// change is one file that a commit touched: A added, M modified (type changes
// too), D deleted, R renamed.
type change struct {
	kind  byte
	from  string // of R
	path  string
	exact bool // of R: the contents stayed as they were
}

// parseLog reads the output of git log -z --name-status -c
// --combined-all-paths with [logFormat] and hands on commit after commit. The
// changes are only valid during the call.
func parseLog(r io.Reader, each func(c Commit, merge bool, changes []change)) error {
	p := newLogReader(r)
	var changes []change
	for p.next() {
		c, parents, err := p.header()
		if err != nil {
			return err
		}
		changes = changes[:0]
		for p.next() {
			if strings.HasPrefix(p.token, "\x01") {
				p.again = true
				break
			}
			// git ends the header with a line feed, and that of a merge with
			// an empty field.
			status := strings.TrimPrefix(p.token, "\n")
			if status == "" {
				continue
			}
			ch, err := p.change(status, parents > 1)
			if err != nil {
				return fmt.Errorf("commit %s: %w", c.ID, err)
			}
			if ch.kind != 0 {
				changes = append(changes, ch)
			}
		}
		each(c, parents > 1, changes)
	}
	return p.fields.Err()
}

// logReader reads fields that end with NUL.
type logReader struct {
	fields *bufio.Scanner
	token  string
	again  bool // token is to be read again
}

func newLogReader(r io.Reader) *logReader {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 64<<10), longestField)
	s.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, 0); i >= 0 {
			return i + 1, data[:i], nil
		}
		if atEOF && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	return &logReader{fields: s}
}

func (p *logReader) next() bool {
	if p.again {
		p.again = false
		return true
	}
	if !p.fields.Scan() {
		return false
	}
	p.token = p.fields.Text()
	return true
}

// need reads a field that must follow.
func (p *logReader) need() (string, error) {
	if !p.next() {
		if err := p.fields.Err(); err != nil {
			return "", err
		}
		return "", io.ErrUnexpectedEOF
	}
	return p.token, nil
}

// header reads the fields of a commit, the first of which is the current one.
func (p *logReader) header() (c Commit, parents int, err error) {
	id, ok := strings.CutPrefix(p.token, "\x01")
	if !ok || id == "" {
		return c, 0, fmt.Errorf("no commit begins with %.80q", p.token)
	}
	var field [3]string
	for i := range field {
		if field[i], err = p.need(); err != nil {
			return c, 0, fmt.Errorf("commit %s: %w", id, err)
		}
	}
	author := strings.ToValidUTF8(strings.TrimSuffix(field[2], "\n"), "\uFFFD")
	return Commit{ID: id, Time: commitTime(field[1]), Author: author}, len(strings.Fields(field[0])), nil
}

// commitTime converts seconds since 1970. A date that is broken, or beyond
// what RFC 3339 can write, is unknown.
func commitTime(s string) time.Time {
	const year10000 = 253402300800
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n >= year10000 {
		return time.Time{}
	}
	return time.Unix(n, 0).UTC()
}

// change reads the paths that belong to a status.
func (p *logReader) change(status string, merge bool) (change, error) {
	letters := strings.TrimRight(status, "0123456789")
	if merge && len(letters) > 1 {
		return p.combined(letters)
	}
	if len(letters) != 1 {
		return change{}, fmt.Errorf("unknown status %.80q", status)
	}
	path, err := p.need()
	if err != nil {
		return change{}, err
	}
	switch letters[0] {
	case 'A', 'M', 'D':
		return change{kind: letters[0], path: path}, nil
	case 'T':
		return change{kind: 'M', path: path}, nil
	case 'R', 'C':
		to, err := p.need()
		if letters[0] == 'C' {
			return change{kind: 'A', path: to}, err
		}
		return change{kind: 'R', from: path, path: to, exact: status == "R100"}, err
	}
	return change{}, fmt.Errorf("unknown status %.80q", status)
}

// combined reads what a merge did to a file: one letter and one path for each
// parent, then the path it has now. It was modified if any parent had it under
// this path; it was renamed if none had, and one had it under another.
func (p *logReader) combined(letters string) (change, error) {
	kinds := map[byte]string{}
	for i := range len(letters) {
		path, err := p.need()
		if err != nil {
			return change{}, err
		}
		if _, seen := kinds[letters[i]]; !seen {
			kinds[letters[i]] = path
		}
	}
	path, err := p.need()
	if err != nil {
		return change{}, err
	}
	has := func(k byte) bool { _, ok := kinds[k]; return ok }
	switch {
	case has('M') || has('T'):
		return change{kind: 'M', path: path}, nil
	case has('R'):
		return change{kind: 'R', from: kinds['R'], path: path}, nil
	case has('D'):
		return change{kind: 'D', path: path}, nil
	case has('A'), has('C'):
		return change{kind: 'A', path: path}, nil
	}
	return change{}, fmt.Errorf("unknown status %.80q", letters)
}
