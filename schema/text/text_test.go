package text

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// spelled are texts and their output, on separate lines and as a value.
var spelled = []struct{ in, clean, line string }{
	{"", "", ""},
	{"plain ASCII ~", "plain ASCII ~", "plain ASCII ~"},
	{"a\nb\tc", "a\nb\tc", "a b c"},
	{"a\r\nb", "a\nb", "a  b"},
	{"a\rb", `a\rb`, "a b"},
	{"end\r", `end\r`, "end "},
	{"\r\r\n", "\\r\n", "   "},
	{"\x00\x07\x08\x1b[31m\x7f", `\x00\x07\x08\x1b[31m\x7f`, `\x00\x07\x08\x1b[31m\x7f`},
	{"\u0085\u009b31m\u009d", `\x85\x9b31m\x9d`, `\x85\x9b31m\x9d`},
	{"a\x9b31m\xff\xc2", "a�31m��", "a�31m��"},
	{"\xed\xa0\x80\xc0\x9b\xe2\x80", "�������", "�������"}, // a surrogate, an overlong C1, half a character
	{"\u061c\u200e\u200f\u202e\u2066\u2069", `\u061c\u200e\u200f\u202e\u2066\u2069`, `\u061c\u200e\u200f\u202e\u2066\u2069`},
	{"a\u2028b\u2029c", `a\u2028b\u2029c`, `a\u2028b\u2029c`},
	{"\ufeffa\u180e\u2060\u2064\ufff9\ufffe\ufdd0", `\ufeffa\u180e\u2060\u2064\ufff9\ufffe\ufdd0`, `\ufeffa\u180e\u2060\u2064\ufff9\ufffe\ufdd0`},
	{"\U000e0041\U000e007f\U0001ffff", `\U000e0041\U000e007f\U0001ffff`, `\U000e0041\U000e007f\U0001ffff`},
	{"é 漢字 👩\u200d💻 می\u200cخواهم ❤\ufe0f ไทย\u200bไทย", "é 漢字 👩\u200d💻 می\u200cخواهم ❤\ufe0f ไทย\u200bไทย", "é 漢字 👩\u200d💻 می\u200cخواهم ❤\ufe0f ไทย\u200bไทย"},
	{"�", "�", "�"},
}

func TestCleanAndLine(t *testing.T) {
	t.Parallel()
	for _, c := range spelled {
		if got := Clean(c.in); got != c.clean {
			t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.clean)
		}
		if got := Line(c.in); got != c.line {
			t.Errorf("Line(%q) = %q, want %q", c.in, got, c.line)
		}
	}
}

func TestHiddenCoversWhatUnicodeHides(t *testing.T) {
	t.Parallel()
	const kept = "\n\t\u00ad\u200b\u200c\u200d"
	for r := rune(0); r <= unicode.MaxRune; r++ {
		acts := unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control, unicode.Noncharacter_Code_Point)
		switch {
		case strings.ContainsRune(kept, r):
			if Hidden(r) {
				t.Errorf("%U is hidden", r)
			}
		case acts && !Hidden(r):
			t.Errorf("%U is not hidden", r)
		case Hidden(r) && unicode.IsGraphic(r):
			t.Errorf("%U is hidden and can be seen", r)
		}
	}
}

// written is the output of a Writer for parts that are written one after the other.
func written(t testing.TB, open func(io.Writer) *Writer, parts ...[]byte) string {
	t.Helper()
	var b bytes.Buffer
	w := open(&b)
	for _, p := range parts {
		if n, err := w.Write(p); n != len(p) || err != nil {
			t.Fatalf("Write = %d, %v", n, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriterJoinsWhatWasWrittenInParts(t *testing.T) {
	t.Parallel()
	for _, c := range spelled {
		in := []byte(c.in)
		for i := range len(in) + 1 {
			for _, open := range []func(io.Writer) *Writer{New, NewBuffered} {
				if got := written(t, open, in[:i], nil, in[i:]); got != c.clean {
					t.Errorf("%q split at %d: %q, want %q", c.in, i, got, c.clean)
				}
			}
		}
	}
	long := bytes.Repeat([]byte("漢\x1b"), bufferSize)
	if got, want := written(t, New, long), strings.Repeat(`漢\x1b`, bufferSize); got != want {
		t.Error("a long text is damaged where it was cut")
	}
}

func TestFlushKeepsHalfACharacter(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w := NewBuffered(&b)
	w.Write([]byte("a\xe2\x80"))
	w.Flush()
	if b.String() != "a" {
		t.Errorf("flushed %q", b.String())
	}
	w.Write([]byte("\xae"))
	w.Close()
	if b.String() != `a\u202e` {
		t.Errorf("closed with %q", b.String())
	}
}

type several []string

func (s *several) Error() string   { return strings.Join(*s, "\n") }
func (s *several) Lines() []string { return *s }

type stringer string

func (s stringer) String() string { return string(s) }

func TestPrintfKeepsValuesOnTheirLine(t *testing.T) {
	t.Parallel()
	const fake = "x\npage.md:1:1: error"
	joined := errors.Join(errors.New("one"), fmt.Errorf("two: %w", &fs.PathError{Op: "open", Path: "a\nb", Err: fs.ErrNotExist}))
	for _, c := range []struct {
		format string
		args   []any
		want   string
	}{
		{"%s\n", []any{fake}, "x page.md:1:1: error\n"},
		{"%v|%v|%v\n", []any{stringer(fake), []string{"a\nb"}, struct{ S string }{"\x1b"}}, "x page.md:1:1: error|[a b]|{\\x1b}\n"},
		{"%q\n", []any{"a\n\u202e\x1b"}, `"a\n\u202e\x1b"` + "\n"},
		{"%-6s|%6s|%.2s|\n", []any{"a\x1b", "\nb", "\x1bc"}, "a\\x1b |     b|\\x|\n"},
		{"%d %5.1f %v %x\n", []any{3, 1.25, true, "\x1b"}, "3   1.2 true 1b\n"},
		{"%s\n", []any{Block("a\n\x1bb\r\nc")}, "a\n\\x1bb\nc\n"},
		{"%v\n", []any{errors.New(fake)}, "x page.md:1:1: error\n"},
		{"%v\n", []any{fmt.Errorf("load: %w", joined)}, "load: one\ntwo: open a b: file does not exist\n"},
		{"%s\n", []any{fmt.Errorf("x: %w", &several{"a\nb", "  c"})}, "x: a b\n  c\n"},
		{"%v %v\n", []any{nil, error(nil)}, "<nil> <nil>\n"},
		{"%s %s\n", []any{NewStyle("1").Text("a\x1b[2J\nb"), Style{}.Text("\x07")}, "\x1b[1ma\\x1b[2J b\x1b[0m \\x07\n"},
		{"%s%s", []any{NewSequence("\r\x1b[K"), "\r\x1b[K"}, "\r\x1b[K \\x1b[K"},
	} {
		var b, plain bytes.Buffer
		w := NewBuffered(&b)
		w.Printf(c.format, append([]any(nil), c.args...)...)
		w.Close()
		if b.String() != c.want {
			t.Errorf("Printf(%q, %q) = %q, want %q", c.format, c.args, b.String(), c.want)
		}
		Fprintf(&plain, c.format, append([]any(nil), c.args...)...)
		if s := Sprintf(c.format, append([]any(nil), c.args...)...); plain.String() != c.want || s != c.want {
			t.Errorf("Fprintf(%q) = %q and Sprintf = %q, want %q", c.format, plain.String(), s, c.want)
		}
	}
}

func TestPrintfEndsWhatWasWrittenBefore(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w := New(&b)
	w.Write([]byte("\xe2\x80"))
	w.Printf("%s", "\xae")
	w.Write([]byte("\r"))
	w.Println("a", "b\nc")
	if got, want := b.String(), "���\\ra b c\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestWriterKeepsTheFirstError(t *testing.T) {
	t.Parallel()
	want := errors.New("closed")
	w := NewBuffered(failing{want})
	w.Printf("a")
	if err := w.Flush(); err != want {
		t.Errorf("Flush: %v", err)
	}
	if _, err := w.Write([]byte("b")); err != want {
		t.Errorf("Write: %v", err)
	}
	if err := w.Close(); err != want {
		t.Errorf("Close: %v", err)
	}
}

func TestJSONDecodesToTheSameValue(t *testing.T) {
	t.Parallel()
	for _, c := range spelled {
		var b, out bytes.Buffer
		e := json.NewEncoder(JSON(New(&b)))
		e.SetEscapeHTML(false)
		if err := e.Encode(map[string]string{c.in: c.in}); err != nil {
			t.Fatal(err)
		}
		json.NewEncoder(&out).Encode(map[string]string{c.in: c.in})
		var got, want map[string]string
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Errorf("%q: %v in %s", c.in, err, b.Bytes())
		}
		json.Unmarshal(out.Bytes(), &want)
		if fmt.Sprint(got) != fmt.Sprint(want) || !isClean(b.String()) {
			t.Errorf("%q is written as %s", c.in, b.Bytes())
		}
	}
}

func TestXMLHasReferences(t *testing.T) {
	t.Parallel()
	type doc struct {
		A string `xml:"a,attr"`
		T string `xml:",chardata"`
	}
	for _, c := range spelled {
		var b bytes.Buffer
		if err := xml.NewEncoder(XML(New(&b))).Encode(doc{c.in, c.in}); err != nil {
			t.Fatal(err)
		}
		var got, want doc
		if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
			t.Errorf("%q: %v in %s", c.in, err, b.Bytes())
		}
		plain, _ := xml.Marshal(doc{c.in, c.in})
		xml.Unmarshal(plain, &want)
		if got != want || !isClean(b.String()) {
			t.Errorf("%q is written as %s", c.in, b.Bytes())
		}
	}
}

func TestGuardCommands(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"::error::x\na ::b\n":                     "\\x3a:error::x\na ::b\n",
		"a\n \u00a0\t::add-mask::x":               "a\n \u00a0\t\\x3a:add-mask::x",
		"a\r\n\r\n::x":                            "a\n\n\\x3a:x",
		"see ##[error]x ###[y] #[z] ## [k]":       "see ##\\x5berror]x ###\\x5by] #[z] ## [k]",
		"##vso[a] ##teamcity[b] ##a-b[c] ## x[d]": "##vso\\x5ba] ##teamcity\\x5bb] ##a-b[c] ## x[d]",
		"\x1b::x": "\\x1b::x",
		"# Heading\n## [Unreleased]\nkey: value\n": "# Heading\n## [Unreleased]\nkey: value\n",
	} {
		guarded := func(to io.Writer) *Writer {
			w := NewBuffered(to)
			w.GuardCommands()
			return w
		}
		for i := range len(in) + 1 {
			if got := written(t, guarded, []byte(in[:i]), []byte(in[i:])); got != want {
				t.Errorf("%q split at %d is %q, want %q", in, i, got, want)
			}
		}
		var b bytes.Buffer
		w := guarded(&b)
		w.Command("::error::x\n")
		w.Printf("%s", Block(in))
		w.Flush()
		if got := strings.TrimPrefix(b.String(), "::error::x\n"); got != want {
			t.Errorf("Printf(%q) = %q, want %q", in, got, want)
		}
		b.Reset()
		json.NewEncoder(JSON(w)).Encode(in)
		w.Close()
		var back string
		if err := json.Unmarshal(b.Bytes(), &back); err != nil || back != in || bytes.Contains(b.Bytes(), []byte("##[")) {
			t.Errorf("%q is written as %s: %v", in, b.Bytes(), err)
		}
	}
}

func FuzzWriter(f *testing.F) {
	for _, c := range spelled {
		f.Add([]byte(c.in), 1)
		f.Add([]byte("ü"+c.in+"\x1b[0m\r\n"), 3)
	}
	f.Fuzz(func(t *testing.T, in []byte, at int) {
		at = max(0, min(at, len(in)))
		whole := written(t, New, in)
		if !utf8.ValidString(whole) || strings.ContainsFunc(whole, Hidden) {
			t.Errorf("%q is written as %q", in, whole)
		}
		if parts := written(t, NewBuffered, in[:at], in[at:]); parts != whole {
			t.Errorf("%q split at %d is written as %q, in one part as %q", in, at, parts, whole)
		}
		if again := written(t, New, []byte(whole)); again != whole {
			t.Errorf("%q changes to %q when written again", whole, again)
		}
		for l := range strings.SplitSeq(written(t, func(to io.Writer) *Writer { w := New(to); w.GuardCommands(); return w }, in), "\n") {
			if strings.HasPrefix(strings.TrimSpace(l), "::") || strings.Contains(l, "##[") || strings.Contains(l, "##vso[") {
				t.Errorf("%q commands CI: %q", in, l)
			}
		}
		if line := Line(string(in)); strings.ContainsAny(line, "\n\r\t") || !isClean(line) || Sprintf("%s", string(in)) != line || Sprintf("%v", []string{string(in)}) != "["+line+"]" {
			t.Errorf("%q is the line %q", in, line)
		}
	})
}

func TestPhrases(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{Collapse(" a\t b\r\n\u00a0c "), "a b c"}, {Collapse("\n"), ""},
		{Count(0, "link"), "0 links"}, {Count(1, "entry"), "1 entry"}, {Count(2, "entry"), "2 entries"},
		{Count(3, "day"), "3 days"}, {Count(2, "process"), "2 processes"}, {Count(2, "index"), "2 indexes"},
		{Thousands(999), "999"}, {Thousands(-999), "-999"}, {Thousands(1234567), "1,234,567"},
		{List(nil, "or"), ""}, {List([]string{"a"}, "or"), "a"}, {List([]string{"a", "b"}, "or"), "a or b"}, {List([]string{"a", "b", "c"}, "and"), "a, b and c"},
	} {
		if c[0] != c[1] {
			t.Errorf("got %q, want %q", c[0], c[1])
		}
	}
}
