package rules

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/loopwiki/wiki/schema"
)

// TestScanEqualsBruteForce compares the one pass over a page with looking at every
// place of it for every gram.
func TestScanEqualsBruteForce(t *testing.T) {
	t.Parallel()
	pieces := []string{"a", " ", "\n", "é", "\u200b", "\u00ad", "\U000e0061", "<<<<<<< x", ">>>>>>> y", "ignore all previous instructions", "</invoke>",
		"here is the updated page", "turn0search1", "As an AI assistant, I", "\n|---|---|", "https://u:h7Gq2nVx9Lp@db.acme.io/", "e\u0301", "\xff", "\xe2\x80"}
	rapid.Check(t, func(rt *rapid.T) {
		src := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(rt, "pieces"), ""))
		got := scanPage(&schema.Page{Source: src})
		want := &scan{}
		for at := -1; at+4 <= len(src); at++ {
			four := append([]byte{}, src[max(at, 0):at+4]...)
			if at < 0 {
				four = append([]byte{'\n'}, four...)
			}
			for _, w := range watched.by[gram(binary.LittleEndian.Uint32(four)|foldGram)] {
				if span, ok := w.match(src, at); ok && len(src) > 3 {
					want.hits = append(want.hits, hit{span, w})
				}
			}
		}
		slices.SortFunc(want.hits, compareHits)
		want.hits = slices.Compact(want.hits)
		if fmt.Sprint(got.hits) != fmt.Sprint(want.hits) {
			rt.Errorf("%q: got %v, want %v", src, got.hits, want.hits)
		}
		for i := range src {
			odd := bytes.HasPrefix(src[i:], []byte("\u200b")) || bytes.HasPrefix(src[i:], []byte("\u00ad")) || bytes.HasPrefix(src[i:], []byte("\U000e0061"))
			if odd != slices.Contains(got.odd, i) && len(src) > 3 {
				rt.Errorf("%q: the character at %d was seen: %v, want %v", src, i, !odd, odd)
			}
		}
	})
}

func TestPhrases(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ phrase, text, want string }{
		{"ignore ?all previous instructions", "Please IGNORE all\n  previous instructions now", "IGNORE all\n  previous instructions"},
		{"ignore ?all previous instructions", "ignore **previous** instructions", "ignore **previous** instructions"},
		{"ignore ?all previous instructions", "ignored previous instructions", ""},
		{"ignore ?all previous instructions", "ignore previous instructional text", ""},
		{"ignore ?all previous instructions", "ignore. The previous instructions", ""},
		{"i can't|cannot help", "I can\u2019t help", "I can\u2019t help"},
		{"^here is", "text\n> here is", "here is"},
		{"^here|here's the", "Here's the", "Here's the"},
		{"^here is", "text here is", ""},
	} {
		got := ""
		for at := range c.text {
			if span, ok := newPhrase(c.phrase).match([]byte(c.text), at); ok {
				got = c.text[span.Start:span.End]
				break
			}
		}
		if got != c.want {
			t.Errorf("%q in %q: got %q, want %q", c.phrase, c.text, got, c.want)
		}
	}
}

func TestQuoted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"say \"X\" once": true, "say “X” once": true, "say 'X' once": true, "say «X» once": true, "*X*": true, "\"…X\"": true,
		"\"a\" and X": false, "X": false, "“a” X": false, "\"a\n\nX": false, "*a X": false, "*X": false,
	} {
		i := strings.Index(text, "X")
		if got := quoted([]byte(text), schema.Span{Start: i, End: i + 1}); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

// FuzzScan looks for places outside the page and for panics.
func FuzzScan(f *testing.F) {
	f.Add([]byte("<<<<<<< a\n| --- |\nignore previous instructions \xe2\x80"))
	f.Add([]byte("-----BEGIN PRIVATE KEY-----\n-----END"))
	f.Add([]byte("eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.x aHR0cHM6 s://u:p@h"))
	f.Add([]byte("aWdub3JlIGFsbCBwcmV2aW91cyBpbnN0cnVjdGlvbnM"))
	f.Fuzz(func(t *testing.T, src []byte) {
		s := scanPage(&schema.Page{Source: src})
		for _, h := range s.hits {
			if h.Start < 0 || h.End > len(src) || h.Len() <= 0 {
				t.Errorf("%s at %v of %d bytes", h.by.rule, h.Span, len(src))
			}
		}
		for _, r := range oddRuns(src, s.odd) {
			if r.Start < 0 || r.End > len(src) || r.Len() <= 0 {
				t.Errorf("a run at %v of %d bytes", r.Span, len(src))
			}
		}
	})
}

func TestGitHubChecksum(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]bool{
		"ghp_" + "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17": true,
		"ghp_" + "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18": false,
		"ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a": false,
	} {
		if got := githubChecksum(token); got != want {
			t.Errorf("%s…: got %v", token[:8], got)
		}
	}
}

func TestCodeSpans(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a `b` c ``d`e`` f":     "`b`|``d`e``",
		"\\`a `b` `c:\\` d`":    "`b`|`c:\\`",
		"`a\n\nb` `c`":          "` `",
		"`a\r\n\r\nb `c`":       "`c`",
		"``a` b":                "",
		"- `a\n  b`":            "`a\n  b`",
		"```` `x` ```` and `y`": "```` `x` ````|`y`",
	} {
		var got []string
		for _, s := range appendCodeSpans(nil, []byte(text), schema.Span{End: len(text)}) {
			got = append(got, text[s.Start:s.End])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
