package source

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
)

// RegisterName is the file that holds a [Register], in the folder of the raw
// sources that it lists.
const RegisterName = "sources.lock"

// RegisterVersion is the version of sources.lock that this program writes and
// the newest it reads.
const RegisterVersion = 1

const registerHeader = "# sources.lock v"

// RawFolder is where raw sources are registered, below the wiki's root.
const RawFolder = "raw"

// MaxRaw is how many bytes a raw source may have.
const MaxRaw = 32 << 20

// Register lists raw sources as they were when they were taken in: what has
// other bytes now was changed, whether or not there is a history of git. As a
// file it has one line for each source, sorted, so that two people's changes merge.
type Register struct {
	Sources []Raw // in order of path; one for each
}

// Raw is one raw source.
type Raw struct {
	Path   string    // below the wiki's root
	Sum    string    // see [SumOf]
	Size   int       // in bytes
	Date   time.Time // the day on which it was taken in
	Origin string    // where it is from, as an address; empty when nobody said
	Title  string
	// Of is the source that this one belongs to: the page that an image is of, or
	// that a readable text was made of. Empty for what was taken in by itself.
	Of string
}

// RegisterPath is where a wiki's register lies, below its root.
func RegisterPath() string { return path.Join(RawFolder, RegisterName) }

// SumOf is what tells the bytes of a raw source from others: SHA-256. In a text
// the line ends of Windows count as those of Unix, because git may write either.
func SumOf(src []byte) string {
	if !Binary(src) {
		src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	}
	sum := sha256.Sum256(src)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Binary reports whether a file is no text, as git tells it: a NUL stands in its
// first 8000 bytes.
func Binary(src []byte) bool { return bytes.IndexByte(src[:min(len(src), 8000)], 0) >= 0 }

// Find returns the source at a path, or nil.
func (r *Register) Find(file string) *Raw {
	i, ok := slices.BinarySearchFunc(r.Sources, file, func(s Raw, p string) int { return strings.Compare(s.Path, p) })
	if !ok {
		return nil
	}
	return &r.Sources[i]
}

// Holding returns the source that has these bytes and was taken in by itself, or nil.
func (r *Register) Holding(sum string) *Raw {
	for i := range r.Sources {
		if r.Sources[i].Sum == sum && r.Sources[i].Of == "" {
			return &r.Sources[i]
		}
	}
	return nil
}

// Whole returns a source and what belongs to it.
func (r *Register) Whole(s *Raw) []Raw {
	out := []Raw{*s}
	for _, of := range r.Sources {
		if of.Of == s.Path {
			out = append(out, of)
		}
	}
	return out
}

// With returns a register that has more sources. What is registered stays as it is.
func (r *Register) With(more ...Raw) *Register { return newRegister(slices.Concat(r.Sources, more)) }

// newRegister sorts sources. Of two for one path, which merging may leave, the
// one that was taken in first counts.
func newRegister(all []Raw) *Register {
	slices.SortStableFunc(all, func(a, b Raw) int { return cmp.Or(strings.Compare(a.Path, b.Path), a.Date.Compare(b.Date)) })
	return &Register{slices.CompactFunc(all, func(a, b Raw) bool { return a.Path == b.Path })}
}

// Format writes the register as sources.lock holds it.
func (r *Register) Format() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s%d\n", registerHeader, RegisterVersion)
	for i := range r.Sources {
		s := &r.Sources[i]
		fmt.Fprintf(&b, "%s | %s | %d | %s | %s | %s | %s\n", lockTarget(s.Path), s.Sum, s.Size, s.Date.Format(time.DateOnly),
			orNoValue(lockTarget(s.Origin)), orNoValue(lockTarget(s.Title)), orNoValue(lockTarget(s.Of)))
	}
	return b.Bytes()
}

// noValue stands for an empty part of a line.
const noValue = "-"

func orNoValue(s string) string {
	switch s {
	case "":
		return noValue
	case noValue:
		return "%2D"
	}
	return s
}

// ParseRegister reads sources.lock. The error is a [*LockError] for the first line
// that can not be read.
func ParseRegister(src []byte) (*Register, error) {
	var all []Raw
	err := readLines(src, registerHeader, RegisterVersion, func(line string) string {
		s, reason := parseRaw(line)
		all = append(all, s)
		return reason
	})
	if err != nil {
		return nil, err
	}
	return newRegister(all), nil
}

// parseRaw reads one line, or says why it can not.
func parseRaw(line string) (s Raw, reason string) {
	parts := strings.Split(line, "|")
	if len(parts) != 7 {
		return s, fmt.Sprintf("%d parts, and a raw source has 7: path | sum | bytes | day | origin | title | of", len(parts))
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		if p = strings.TrimSpace(p); p == noValue && i > 3 {
			continue
		}
		t, err := url.PathUnescape(p)
		if err != nil {
			return s, fmt.Sprintf("%q is not written as in a URL: %v", p, err)
		}
		texts[i] = t
	}
	s = Raw{Path: texts[0], Sum: texts[1], Origin: texts[4], Title: texts[5], Of: texts[6]}
	if s.Path == "" || path.IsAbs(s.Path) || path.Clean(s.Path) != s.Path || strings.HasPrefix(s.Path, "../") || s.Path == ".." || s.Path == "." {
		return s, fmt.Sprintf("%q is no path below the wiki's root", s.Path)
	}
	digits, ok := strings.CutPrefix(s.Sum, "sha256:")
	if b, err := hex.DecodeString(digits); !ok || err != nil || len(b) != sha256.Size || strings.ToLower(digits) != digits {
		return s, fmt.Sprintf("%q is no sum: sha256: and 64 hexadecimal digits", s.Sum)
	}
	var err error
	if s.Size, err = strconv.Atoi(texts[2]); err != nil || s.Size < 0 {
		return s, fmt.Sprintf("%q is no number of bytes", texts[2])
	}
	if s.Date, err = time.Parse(time.DateOnly, texts[3]); err != nil {
		return s, fmt.Sprintf("%q is no day", texts[3])
	}
	return s, ""
}

// ReadRegister reads the register of a wiki; an empty one if it has none. The
// error names the file, and for a line that can not be read is a [*LockError].
func ReadRegister(t *compiler.Tree) (*Register, error) {
	file := RegisterPath()
	if _, ok := t.Exists(file); !ok {
		return &Register{}, nil
	}
	src, ok := t.Read(file, MaxRaw)
	if !ok {
		return nil, fmt.Errorf("%s can not be read; see that it is a file of at most %d bytes, and who may read it", t.Below(file), MaxRaw)
	}
	r, err := ParseRegister(src)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", t.Below(file), err)
	}
	return r, nil
}
