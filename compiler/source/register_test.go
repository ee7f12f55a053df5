package source

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestRegister(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	r := (&Register{}).With(
		Raw{Path: "raw/b|c.md", Sum: SumOf([]byte("b")), Size: 1, Date: day, Origin: "https://example.org/a?b=1|2", Title: "-"},
		Raw{Path: "raw/a.png", Sum: SumOf([]byte{0}), Size: 1, Date: day, Title: " A\nB ", Of: "raw/a.html"},
	)
	text := r.Format()
	again, err := ParseRegister(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !reflect.DeepEqual(again, r) {
		t.Errorf("read %+v\nof %+v\n%s", again, r, text)
	}
	if r.Find("raw/a.png") == nil || r.Find("raw/none") != nil || r.Holding(SumOf([]byte{0})) != nil || r.Holding(SumOf([]byte("b"))) == nil {
		t.Error("the sources are not found")
	}
	first := Raw{Path: "raw/a.png", Sum: SumOf([]byte("other")), Date: day.AddDate(0, 0, 1)}
	if got := r.With(first).Find("raw/a.png").Sum; got != SumOf([]byte{0}) {
		t.Errorf("what was registered first does not count: %s", got)
	}
}

func TestRegisterRefuses(t *testing.T) {
	t.Parallel()
	sum := SumOf(nil)
	for line, says := range map[string]string{
		"raw/a.md": "1 parts",
		"/a | " + sum + " | 0 | 2026-03-01|-|-|-":      "no path below",
		"../a | " + sum + " | 0 | 2026-03-01|-|-|-":    "no path below",
		"raw/a | md5:1 | 0 | 2026-03-01|-|-|-":         "no sum",
		"raw/a | " + sum + " | -1 | 2026-03-01|-|-|-":  "no number of bytes",
		"raw/a | " + sum + " | 0 | 1 March|-|-|-":      "no day",
		"raw/%zz | " + sum + " | 0 | 2026-03-01|-|-|-": "not written as in a URL",
		"<<<<<<< HEAD": "a merge was not finished",
	} {
		_, err := ParseRegister([]byte(registerHeader + "1\n" + line + "\n"))
		if err == nil || !strings.HasPrefix(err.Error(), "2:1: ") || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, and not %q", line, err, says)
		}
	}
	if _, err := ParseRegister([]byte(registerHeader + "2\n")); err == nil || !strings.Contains(err.Error(), "newer wiki") {
		t.Errorf("a newer version is read: %v", err)
	}
}

func TestSumOf(t *testing.T) {
	t.Parallel()
	if SumOf([]byte("a\r\nb")) != SumOf([]byte("a\nb")) {
		t.Error("the ends of lines tell a text from itself")
	}
	if SumOf([]byte("\x00a\r\nb")) == SumOf([]byte("\x00a\nb")) {
		t.Error("bytes of a file that is no text do not count")
	}
}

func FuzzRegister(f *testing.F) {
	f.Add([]byte(registerHeader + "1\nraw/a%7Cb.md | " + SumOf(nil) + " | 0 | 2026-03-01 | https://x | %2D | -\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		r, err := ParseRegister(src)
		if err != nil {
			return
		}
		text := r.Format()
		again, err := ParseRegister(text)
		if err != nil || !bytes.Equal(again.Format(), text) {
			t.Errorf("%v\n%q\n%q", err, text, src)
		}
	})
}
