package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPrintable(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":                      "plain",
		"a\tb\r\nc  ":                "a b  c",
		"\x1b[31mred\x1b[0m\a":       "[31mred[0m",
		"\x1b]0;title\x07x\u009b2Jy": "]0;titlex2Jy",
		"safe\u202eetar\u200b":       "safeetar",
		"caf\u00e9 \U0001F600":       "café 😀",
		"bad\xff":                    "bad",
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in      string
		columns int
		want    string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"abcd", 1, "…"}, {"abcd", 0, ""}, {"", 0, ""},
		{"日本語", 6, "日本語"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"}, {"e\u0301a", 2, "e\u0301a"}, {"e\u0301ab", 2, "e\u0301…"},
	} {
		if got := Fit(tt.in, tt.columns); got != tt.want {
			t.Errorf("%q in %d: %q, want %q", tt.in, tt.columns, got, tt.want)
		}
	}
}

func TestLastOutput(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxTail)
	for name, tt := range map[string]struct{ stdout, want string }{
		"nothing":    {"", ""},
		"lines":      {"first\nsecond \x1b[1m\n\n", "second [1m"},
		"being told": {"first\nsec", "sec"},
		"claude":     {`{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"I add\nthe check."}]}}` + "\n", "I add the check."},
		"a tool":     {`{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"go test ./..."}}]}}` + "\n", "go test ./..."},
		"codex":      {`{"type":"item.completed","item":{"type":"agent_message","text":"Done."}}` + "\n" + `{"type":"turn.completed","usage":{"input_tokens":1}}` + "\n", "Done."},
		"half JSON":  {"before\n{\"type\":", "before"},
		"very long":  {long + long + "\nlast\n", "last"},
		"one line":   {long + long, ""},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "stdout"), []byte(tt.stdout), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := LastOutput(dir); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	if got := LastOutput(t.TempDir()); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}

func FuzzFit(f *testing.F) {
	f.Add("日本 \x1b[0m e\u0301", 3)
	f.Fuzz(func(t *testing.T, s string, columns int) {
		line := Printable(s)
		if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f }) || !utf8.ValidString(line) {
			t.Fatalf("%q is not printable", line)
		}
		used := 0
		for _, r := range Fit(line, columns%200) {
			used += columnsOf(r)
		}
		if used > max(0, columns%200) {
			t.Fatalf("%q takes %d columns", Fit(line, columns%200), used)
		}
	})
}
