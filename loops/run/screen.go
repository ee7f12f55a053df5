package run

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/loopwiki/wiki/compiler/files"
)

// Printable returns a text as one line that a terminal shows as it is: control
// characters, and those that turn or hide what stands around them, are left out.
func Printable(s string) string {
	return strings.TrimRight(strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s), " ")
}

// Fit cuts a printable line to a number of columns, with an ellipsis where
// something is missing. Wide characters take two (Unicode Standard Annex #11).
func Fit(s string, columns int) string {
	used, end := 0, 0 // end: where the ellipsis would stand
	for i, r := range s {
		w := columnsOf(r)
		if used+w > columns {
			if columns < 1 {
				return ""
			}
			return s[:end] + "…"
		}
		if used += w; used <= columns-1 {
			end = i + len(string(r))
		}
	}
	return s
}

func columnsOf(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// maxTail is how much of the end of an output is looked at for its last line, in
// bytes.
const maxTail = 16 << 10

// LastOutput returns the last line that an agent printed so far, of what is written to
// the folder of its call; "" if there is none.
func LastOutput(folder string) string {
	newest := ""
	var at int64
	for _, name := range []string{"stdout", "stderr"} {
		path := filepath.Join(folder, name)
		if info, err := os.Stat(path); err == nil && info.Size() > 0 && info.ModTime().UnixNano() >= at {
			newest, at = path, info.ModTime().UnixNano()
		}
	}
	if newest == "" {
		return ""
	}
	f, _, err := files.OpenPath(newest)
	if err != nil {
		return ""
	}
	defer f.Close()
	whole := true
	if info, err := f.Stat(); err == nil && info.Size() > maxTail {
		_, err = f.Seek(-maxTail, io.SeekEnd)
		whole = err != nil
	}
	tail, _ := io.ReadAll(io.LimitReader(f, maxTail))
	lines := bytes.Split(tail, []byte("\n"))
	if !whole {
		lines = lines[1:] // its beginning is missing
	}
	for i := len(lines) - 1; i >= 0; i-- {
		if text := said(lines[i]); text != "" {
			return text
		}
	}
	return ""
}

// said returns what a line of output says. Agents that print events as JSON say it
// somewhere in them.
func said(line []byte) string {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return ""
	}
	if line[0] == '{' {
		var event any
		if json.Unmarshal(line, &event) == nil {
			return strings.TrimSpace(Printable(wordsOf(event)))
		}
		return ""
	}
	return strings.TrimSpace(Printable(string(line)))
}

// telling are the fields of events in which agents say something to people, the
// most telling first.
var telling = []string{"text", "result", "message", "content", "command", "input", "delta", "item", "part"}

// wordsOf finds the words of an event.
func wordsOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		for i := len(v) - 1; i >= 0; i-- {
			if s := wordsOf(v[i]); s != "" {
				return s
			}
		}
	case map[string]any:
		for _, key := range telling {
			if s := wordsOf(v[key]); s != "" {
				return s
			}
		}
	}
	return ""
}
