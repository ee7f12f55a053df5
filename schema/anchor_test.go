package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseAnchor(t *testing.T) {
	t.Parallel()
	tests := []struct {
		raw  string
		want Anchor
	}{
		{"src/a.go", Anchor{Path: "src/a.go"}},
		{"src/a.go:12", Anchor{Path: "src/a.go", FromLine: 12, ToLine: 12}},
		{"src/a.go:12-30", Anchor{Path: "src/a.go", FromLine: 12, ToLine: 30}},
		{"src/a.go:12:5", Anchor{Path: "src/a.go", FromLine: 12, ToLine: 12}},
		{"src/a.go#L12-L30", Anchor{Path: "src/a.go", FromLine: 12, ToLine: 30}},
		{"src/a.go#L12", Anchor{Path: "src/a.go", FromLine: 12, ToLine: 12}},
		{"src/a.go#L12C3-L14C1", Anchor{Path: "src/a.go", FromLine: 12, ToLine: 14}},
		{"src/a.go#Parse", Anchor{Path: "src/a.go", Symbol: "Parse"}},
		{"src/a.go#", Anchor{Path: "src/a.go"}},
		{"repo://src/a.go#L1-L2", Anchor{Path: "src/a.go", FromLine: 1, ToLine: 2}},
		{"src/a.go@abc1234", Anchor{Path: "src/a.go", Rev: "abc1234"}},
		{"src/a.go@v1.2.3#Parse", Anchor{Path: "src/a.go", Rev: "v1.2.3", Symbol: "Parse"}},
		{"src/a.go@main:7", Anchor{Path: "src/a.go", Rev: "main", FromLine: 7, ToLine: 7}},
		{"img/logo@2x.png", Anchor{Path: "img/logo@2x.png"}},
		{"packages/@scope/x", Anchor{Path: "packages/@scope/x"}},
		{"https://x.org/a#L3", Anchor{URL: "https://x.org/a#L3"}},
		{"mailto:a@b.c", Anchor{URL: "mailto:a@b.c"}},
		{" raw/a b.md ", Anchor{Path: "raw/a b.md"}},
		{"C:12", Anchor{Path: "C", FromLine: 12, ToLine: 12}},
		{"a.md:0", Anchor{Path: "a.md", FromLine: NoLine, ToLine: NoLine}},
		{"", Anchor{}},
		{":12", Anchor{Path: ":12"}},
		{"note: something", Anchor{Path: "note: something"}},
	}
	for _, tt := range tests {
		tt.want.Raw = tt.raw
		if diff := cmp.Diff(tt.want, ParseAnchor(tt.raw)); diff != "" {
			t.Errorf("ParseAnchor(%q) (-want +got):\n%s", tt.raw, diff)
		}
	}
}

func FuzzParseAnchor(f *testing.F) {
	for _, s := range []string{"a:1-2", "repo://a#L1", "a@HEAD", "x:1:2:3:4", "::::", "a:9999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a := ParseAnchor(s)
		if a.Raw != s || a.Path != "" && a.URL != "" || (a.FromLine == 0) != (a.ToLine == 0) {
			t.Errorf("ParseAnchor(%q) = %+v", s, a)
		}
	})
}

func TestHostURLWritesHostsWithTheirScheme(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"//h/a": "https://h/a", "///h/a": "https://h/a", `\\h\a`: `https://h\a`, `/\h/a`: "https://h/a", "/\t/h/a": "https://h/a", " //h/a": "https://h/a", "\x01\r\n/\n/h": "https://h",
		"//": "https://", "https:h/a": "https:h/a", "http:/h": "http:/h",
		"https://h/a?b=//c": "https://h/a?b=//c", "HTTPS://H/a b": "HTTPS://H/a b", "http://[::1]/": "http://[::1]/",
		"": "", "/": "/", "/a//b": "/a//b", "a//b": "a//b", "../a": "../a", "#//a": "#//a", "?//a": "?//a", "http.html": "http.html", "h": "h", "http": "http", "hello: a": "hello: a", "mailto:a@b": "mailto:a@b", "./http:a": "./http:a",
		"\u00a0//h": "\u00a0//h", "data:image/png;base64,AA==": "data:image/png;base64,AA==",
	} {
		got := HostURL(address)
		if got != want {
			t.Errorf("HostURL(%q) = %q, want %q", address, got, want)
		}
		if again := HostURL(got); again != got {
			t.Errorf("HostURL(%q) = %q, and that is %q", address, got, again)
		}
	}
}
