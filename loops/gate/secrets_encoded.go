package gate

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/secret"
)

var (
	base64Run  = schema.Expression(`[A-Za-z0-9+/_-]{24,}`)
	hexRun     = schema.Expression(`(?:[0-9a-fA-F]{2}){16,}`)
	percentRun = schema.Expression(`(?:[\w.~-]|%[0-9a-fA-F]{2}){16,}`)
)

// decoded returns what the words of a line say in base64, hex or percent signs, where
// that is text.
func decoded(line string) []string {
	var out []string
	add := func(text []byte, err error) {
		if err == nil && utf8.Valid(text) {
			out = append(out, string(text))
		}
	}
	for _, word := range base64Run().FindAllString(line, -1) {
		word = strings.NewReplacer("-", "+", "_", "/").Replace(word)
		if len(word)%4 == 1 { // no text is as long
			word = word[:len(word)-1]
		}
		add(base64.RawStdEncoding.DecodeString(word))
	}
	for _, word := range hexRun().FindAllString(line, -1) {
		add(hex.DecodeString(word))
	}
	if strings.Contains(line, "%") {
		for _, word := range percentRun().FindAllString(line, -1) {
			if strings.Contains(word, "%") {
				text, err := url.PathUnescape(word)
				add([]byte(text), err)
			}
		}
	}
	return out
}

// hiddenTokens finds tokens of vendors that a change writes in another encoding, or in a
// file that is no text.
func hiddenTokens(c *change) []loops.Reason {
	if binary(c.now) {
		// UTF-16 of ASCII is ASCII between zeros.
		if what := wholeToken(bytes.ReplaceAll(c.now, []byte{0}, nil)); what != "" && wholeToken(bytes.ReplaceAll(c.old, []byte{0}, nil)) == "" {
			return []loops.Reason{{Path: c.path, Message: "is not text, and contains what looks like " + what + "; remove it, and revoke it if it is real"}}
		}
		return nil
	}
	var out []loops.Reason
	addedLines(c.old, c.now, func(n int, text string) {
		for _, d := range decoded(text) {
			if what := wholeToken([]byte(d)); what != "" {
				out = append(out, loops.Reason{Path: c.path, Line: n, Message: "contains, in another encoding, what looks like " + what + "; remove it, and revoke it if it is real"})
				return
			}
		}
	})
	return out
}

// wholeToken returns what the first token of a vendor in a text is, "" if there is none.
func wholeToken(text []byte) string {
	for at := 0; ; {
		s, from, to := secret.Find(text, at)
		if s == nil {
			return ""
		}
		if to-from-len(s.Prefix) >= s.Least && mixed(string(text[from:to])) {
			return s.What
		}
		at = to
	}
}
