package mode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
)

// File is where the records lie, below the repository's root.
const File = ".loopwiki/modes.yaml"

// Version is the version of the file that this program writes and the newest
// that it reads.
const Version = 1

// MaxFile is how many bytes the file may have.
const MaxFile = 1 << 20

// Modes returns the modes in the order in which they are earned.
func Modes() []loops.Mode {
	return []loops.Mode{loops.Manual, loops.Shadow, loops.Draft, loops.Autonomous}
}

// Rank returns a mode's place in their order, -1 for what is none.
func Rank(m loops.Mode) int { return slices.Index(Modes(), m) }

// Next returns the mode after another, "" after the last.
func Next(m loops.Mode) loops.Mode {
	if at := Rank(m) + 1; at > 0 && at < len(Modes()) {
		return Modes()[at]
	}
	return ""
}

// Before returns the mode before another: the first has itself.
func Before(m loops.Mode) loops.Mode { return Modes()[max(0, Rank(m)-1)] }

// Record is a step of a loop: a grant by a person, or a step back, which the
// runner takes.
type Record struct {
	Loop   string `yaml:"loop"`
	Mode   string `yaml:"mode"`
	By     string `yaml:"by"` // who granted it, "" of a step back
	Back   bool   `yaml:"back"`
	Reason string `yaml:"reason"`
	// Score is what the grant was made on, for people.
	Score string `yaml:"score"`
	At    string `yaml:"at"` // RFC 3339
}

// when returns the time of a record that was read.
func (r *Record) when() time.Time {
	t, _ := time.Parse(time.RFC3339Nano, r.At)
	return t
}

type document struct {
	Version int      `yaml:"version"`
	Records []Record `yaml:"records"`
}

// BadFileError is a file of records that can't be read: nothing above manual is
// granted until it is fixed.
type BadFileError struct{ Faults []string }

func (e *BadFileError) Error() string { return strings.Join(e.Faults, "\n") }

// Lines returns the lines of the message.
func (e *BadFileError) Lines() []string { return e.Faults }

// Hint returns what to do.
func (e *BadFileError) Hint() string {
	return "revert the changes: git checkout HEAD -- " + File
}

// Parse reads the records in the order of the file. The error is a *BadFileError.
func Parse(src []byte) ([]Record, error) {
	bad := &BadFileError{}
	say := func(at schema.Span, format string, args ...any) {
		before := string(src[:min(at.Start, len(src))])
		line := strings.Count(before, "\n") + 1
		column := len(before) - strings.LastIndexByte(before, '\n')
		bad.Faults = append(bad.Faults, fmt.Sprintf("%s:%d:%d: ", File, line, column)+fmt.Sprintf(format, args...))
	}
	if len(src) > MaxFile {
		say(schema.Span{}, "the file has more than %d bytes", MaxFile)
		return nil, bad
	}
	node, faults := yaml.Parse(src, 0)
	var d document
	faults = append(faults, yaml.Decode(node, &d)...)
	for _, f := range faults {
		say(f.Span, "%s", f.Message)
	}
	switch {
	case len(faults) > 0:
	case d.Version > Version:
		say(node.Get("version").Span, "version %d, this program reads up to %d: upgrade wiki", d.Version, Version)
	case d.Version < 1:
		say(schema.Span{}, "no version: expected version: %d", Version)
	default:
		for i := range d.Records {
			if why := d.Records[i].wrong(); why != "" {
				say(node.Get("records").Items[i].Span, "%s", why)
			}
		}
	}
	if len(bad.Faults) > 0 {
		return nil, bad
	}
	return d.Records, nil
}

// wrong returns what is wrong with a record, "" if nothing is.
func (r *Record) wrong() string {
	_, err := time.Parse(time.RFC3339Nano, r.At)
	switch {
	case strings.TrimSpace(r.Loop) == "":
		return "record without loop"
	case Rank(loops.Mode(r.Mode)) < 0:
		return fmt.Sprintf("unknown mode %q: expected manual, shadow, draft or autonomous", r.Mode)
	case err != nil:
		return fmt.Sprintf("at: %q is not a time: expected one as in 2026-07-04T08:00:00Z", r.At)
	case !r.Back && strings.TrimSpace(r.By) == "":
		return "grant without by"
	case strings.TrimSpace(r.Reason) == "":
		return "record without reason"
	}
	return ""
}

// Append returns the file with a record more. What is there stays as it is.
func Append(src []byte, r Record) ([]byte, error) {
	if why := r.wrong(); why != "" {
		return nil, fmt.Errorf("write %s: %s", File, why)
	}
	old, err := Parse(src)
	if len(src) > 0 && err != nil {
		return nil, err
	}
	text := string(src)
	switch {
	case len(src) == 0:
		text = fmt.Sprintf("# Modes granted to loops; see 'wiki loop mode'. A grant takes effect when it is committed.\nversion: %d\nrecords:\n", Version)
	case !strings.HasSuffix(text, "\n"):
		text += "\n"
	}
	var b strings.Builder
	b.WriteString(text)
	fmt.Fprintf(&b, "  - loop: %s\n    mode: %s\n", quote(r.Loop), r.Mode)
	if r.Back {
		b.WriteString("    back: true\n")
	} else {
		fmt.Fprintf(&b, "    by: %s\n", quote(r.By))
	}
	fmt.Fprintf(&b, "    reason: %s\n", quote(r.Reason))
	if r.Score != "" {
		fmt.Fprintf(&b, "    score: %s\n", quote(r.Score))
	}
	fmt.Fprintf(&b, "    at: %s\n", quote(r.At))
	out := []byte(b.String())
	now, err := Parse(out)
	if err == nil && (len(now) != len(old)+1 || now[len(now)-1] != r) {
		err = fmt.Errorf("write %s: records: must be the last key, a list indented by two spaces", File)
	}
	return out, err
}

// quote writes text for YAML in double quotes.
func quote(text string) string { return strconv.QuoteToASCII(strings.ToValidUTF8(text, "�")) }
