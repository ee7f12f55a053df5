package source

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// LockName is the file that holds a [Lock], beside wiki.yaml.
const LockName = "wiki.lock"

// LockVersion is the version of wiki.lock that this program writes and the
// newest it reads.
const LockVersion = 1

// lockHeader begins the first line of wiki.lock.
const lockHeader = "# wiki.lock v"

// Lock is what the sources of pages looked like when each page was last known
// to be true. As a file it has one line for each binding, sorted, so that two
// people's changes merge.
type Lock struct {
	Bindings []Binding // in order of page, heading and target; one for each
}

// Binding is one source of one page, or of one section of it.
type Binding struct {
	Page     string // path below the wiki's root
	Heading  string // id of the section's heading; empty for the whole page
	Target   string // path below the repository, with #Symbol or :12-30 behind it
	Facets   Facets
	Reviewed Facet     // hash of the section's text when it was last known true
	Date     time.Time // the day of that
}

func (b *Binding) compare(c *Binding) int {
	return cmp.Or(strings.Compare(b.Page, c.Page), strings.Compare(b.Heading, c.Heading), strings.Compare(b.Target, c.Target))
}

// Find returns the binding of a target to a page or section, or nil.
func (l *Lock) Find(page, heading, target string) *Binding {
	want := &Binding{Page: page, Heading: heading, Target: target}
	i, ok := slices.BinarySearchFunc(l.Bindings, want, func(b Binding, w *Binding) int { return b.compare(w) })
	if !ok {
		return nil
	}
	return &l.Bindings[i]
}

// With returns a lock that has bindings in the place of those of the same
// page, section and target, and nothing of what drop reports true for.
func (l *Lock) With(bindings []Binding, drop func(*Binding) bool) *Lock {
	all := slices.Clone(bindings)
	for i := range l.Bindings {
		if drop == nil || !drop(&l.Bindings[i]) {
			all = append(all, l.Bindings[i])
		}
	}
	return newLock(all)
}

// newLock sorts bindings and keeps the first of equal ones.
func newLock(all []Binding) *Lock {
	slices.SortStableFunc(all, func(a, b Binding) int { return a.compare(&b) })
	return &Lock{slices.CompactFunc(all, func(a, b Binding) bool { return a.compare(&b) == 0 })}
}

// Format writes the lock as wiki.lock holds it.
func (l *Lock) Format() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s%d\n", lockHeader, LockVersion)
	for i := range l.Bindings {
		v := &l.Bindings[i]
		page := lockName(v.Page)
		if v.Heading != "" {
			page += "#" + lockName(v.Heading)
		}
		fmt.Fprintf(&b, "%s | %s |", page, lockTarget(v.Target))
		for _, f := range v.Facets.named() {
			fmt.Fprintf(&b, " %s=%s", f.name, f.at)
		}
		fmt.Fprintf(&b, " | reviewed=%s | %s\n", v.Reviewed, v.Date.Format(time.DateOnly))
	}
	return b.Bytes()
}

// What separates the parts of a line is written with a percent sign, as in a
// URL, where it is part of a name.
var (
	lockNames   = strings.NewReplacer("%", "%25", "|", "%7C", "#", "%23", "\n", "%0A", "\r", "%0D")
	lockTargets = strings.NewReplacer("%", "%25", "|", "%7C", "\n", "%0A", "\r", "%0D")
)

func lockName(s string) string   { return guardEnds(lockNames.Replace(s)) }
func lockTarget(s string) string { return guardEnds(lockTargets.Replace(s)) }

// guardEnds writes white space at the ends of a name so that it is not taken
// for what separates names.
func guardEnds(s string) string {
	if t := strings.TrimSpace(s); t != s {
		at := strings.Index(s, t)
		return url.PathEscape(s[:at]) + t + url.PathEscape(s[at+len(t):])
	}
	return s
}

// LockError is a line of wiki.lock that can not be read.
type LockError struct {
	Line   int // from 1
	Reason string
}

func (e *LockError) Error() string { return fmt.Sprintf("%d:1: %s", e.Line, e.Reason) }

// ParseLock reads wiki.lock. Of lines for the same binding, which merging may
// leave, the one with the latest date counts. The error is a [LockError] for
// the first line that can not be read.
func ParseLock(src []byte) (*Lock, error) {
	var all []Binding
	err := readLines(src, lockHeader, LockVersion, func(line string) string {
		b, reason := parseBinding(line)
		all = append(all, b)
		return reason
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b Binding) int { return b.Date.Compare(a.Date) })
	return newLock(all), nil
}

// readLines calls read with the lines of wiki.lock or sources.lock that say something,
// until one can not be read. The first line may give a version, which is not above the
// newest. The error is a [*LockError].
func readLines(src []byte, header string, newest int, read func(line string) (reason string)) error {
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(string(src), "\ufeff")) {
		n++
		line = strings.TrimSpace(line)
		if version, ok := strings.CutPrefix(line, header); ok && n == 1 {
			if err := checkVersion(version, header, newest); err != nil {
				return err
			}
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		for _, m := range []string{"<<<<<<<", "=======", ">>>>>>>"} {
			if strings.HasPrefix(line, m) {
				return &LockError{n, "a merge was not finished here; keep the lines of both sides and take the markers out"}
			}
		}
		if reason := read(line); reason != "" {
			return &LockError{n, reason}
		}
	}
	return nil
}

func checkVersion(text, header string, newest int) error {
	var v int
	if _, err := fmt.Sscanf(text, "%d", &v); err != nil || v < 1 {
		return &LockError{1, fmt.Sprintf("%q is no version; expected %s%d", text, header, newest)}
	}
	if v > newest {
		return &LockError{1, fmt.Sprintf("it has version %d, and this program reads %d; install a newer wiki", v, newest)}
	}
	return nil
}

// parseBinding reads one line, or says why it can not.
func parseBinding(line string) (b Binding, reason string) {
	parts := strings.Split(line, "|")
	if len(parts) != 5 {
		return b, fmt.Sprintf("it has %d of 5 parts; expected page | target | tok= sig= lit= | reviewed= | date", len(parts))
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	page, heading, _ := strings.Cut(parts[0], "#")
	for _, f := range []struct {
		into *string
		text string
	}{{&b.Page, page}, {&b.Heading, heading}, {&b.Target, parts[1]}} {
		text, err := url.PathUnescape(f.text)
		if err != nil {
			return b, fmt.Sprintf("%q has a percent sign that is none of its own; write %%25", f.text)
		}
		*f.into = text
	}
	if b.Page == "" || b.Target == "" {
		return b, "it names no page or no target"
	}
	hashes, facets := strings.Fields(parts[2]), b.Facets.named()
	if len(hashes) != len(facets) {
		return b, fmt.Sprintf("%q; expected tok= sig= lit=", parts[2])
	}
	for i, f := range append(facets, namedFacet{"reviewed", &b.Reviewed}) {
		text := append(hashes, parts[3])[i]
		facet, ok := ParseFacet(strings.TrimPrefix(text, f.name+"="))
		if *f.at = facet; !ok || !strings.HasPrefix(text, f.name+"=") {
			return b, fmt.Sprintf("%q is not a hash of 16 digits after %s=", text, f.name)
		}
	}
	var err error
	if b.Date, err = time.Parse(time.DateOnly, parts[4]); err != nil {
		return b, fmt.Sprintf("%q is no date such as 2006-01-02", parts[4])
	}
	return b, ""
}
