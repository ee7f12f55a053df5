package history

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const hash = "e718735e58981b989bdab6516613953925db313b"

func parseAll(s string) (out []string, err error) {
	err = parseLog(strings.NewReader(s), func(c Commit, merge bool, changes []change) {
		line := fmt.Sprintf("%.7s %d %q", c.ID, c.Time.Unix(), c.Author)
		if merge {
			line += " merge"
		}
		for _, ch := range changes {
			line += fmt.Sprintf(" %c %q", ch.kind, ch.path)
			if ch.from != "" {
				line += fmt.Sprintf("<%q", ch.from)
			}
		}
		out = append(out, line)
	})
	return out, err
}

func TestParseLog(t *testing.T) {
	t.Parallel()
	header := func(parents, author string) string {
		return "\x01" + hash + "\x00" + parents + "\x001700000000\x00" + author + "\x00"
	}
	tests := []struct {
		name, log string
		want      []string
		fails     bool
	}{
		{name: "nothing"},
		{name: "first commit", log: header("", "A") + "\nA\x00a.md\x00T\x00b.md\x00",
			want: []string{`e718735 1700000000 "A" A "a.md" M "b.md"`}},
		{name: "rename, copy, deletion", log: header("p", "A") + "\nR087\x00a\x00b\x00C100\x00b\x00c\x00D\x00R100\x00",
			want: []string{`e718735 1700000000 "A" R "b"<"a" A "c" D "R100"`}},
		{name: "no files, then another", log: header("p", "A") + header("p", "B") + "\nM\x00\x01x\x00",
			want: []string{`e718735 1700000000 "A"`, `e718735 1700000000 "B" M "\x01x"`}},
		{name: "merge", log: header("p q", "") + "\x00MM\x00a\x00a\x00a\x00RR\x00x\x00y\x00z\x00AR\x00n\x00x\x00n\x00DD\x00d\x00d\x00d\x00AA\x00e\x00e\x00e\x00",
			want: []string{`e718735 1700000000 "" merge M "a" R "z"<"x" R "n"<"x" D "d" A "e"`}},
		{name: "octopus", log: header("p q r", "A") + "\x00MAM\x00a\x00a\x00a\x00a\x00",
			want: []string{`e718735 1700000000 "A" merge M "a"`}},
		{name: "author that is not UTF-8, dates out of range", log: "\x01" + hash + "\x00p\x0099999999999999\x00J\xf6rg\x00\x01" + hash + "\x00p\x00\x00\x00",
			want: []string{`e718735 -62135596800 "J�rg"`, `e718735 -62135596800 ""`}},
		{name: "garbage", log: "fatal: what", fails: true},
		{name: "cut off in the header", log: "\x01" + hash + "\x00p", fails: true},
		{name: "cut off in a rename", log: header("p", "A") + "\nR100\x00a", fails: true},
		{name: "unknown status", log: header("p", "A") + "\nXX\x00a\x00", fails: true},
		{name: "a path beyond all bounds", log: header("p", "A") + "\nA\x00" + strings.Repeat("x", longestField+1) + "\x00", fails: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseAll(tt.log)
			if (err != nil) != tt.fails {
				t.Fatalf("error %v", err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" && !tt.fails {
				t.Error(diff)
			}
		})
	}
}

// Whatever comes in, the parser ends, and what it hands on stays within what
// came in; following it neither panics nor invents files.
func FuzzParseLog(f *testing.F) {
	f.Add("\x01" + hash + "\x00p q\x001700000000\x00A\x00\x00RM\x00a\x00b\x00b\x00\x01" + hash + "\x00\x001\x00B\x00\nA\x00a\x00R100\x00a\x00b\x00")
	f.Add("\x01a\x00p\x001\x00A\x00\nR100\x00a\x00b\x00\x01b\x00p\x001\x00A\x00\nR100\x00b\x00a\x00D\x00a\x00M\x00a\x00A\x00b\x00")
	f.Fuzz(func(t *testing.T, log string) {
		follow := newFollower(func(path string) bool { return len(path)%2 == 0 })
		paths, commits := map[string]bool{}, 0
		err := parseLog(strings.NewReader(log), func(c Commit, merge bool, changes []change) {
			commits++
			for _, ch := range changes {
				paths[ch.path] = true
			}
			follow.commit(c, merge, changes)
		})
		if err != nil {
			return
		}
		follow.existing(func(path string, file *File) {
			if !paths[path] {
				t.Errorf("%q was never in the log", path)
			}
			if file.Commits < 1 || file.Created.ID == "" || file.Changed.ID == "" {
				t.Errorf("%q has no commits: %+v", path, file)
			}
		})
		if commits > strings.Count(log, "\x01") {
			t.Errorf("%d commits", commits)
		}
	})
}

func TestRelative(t *testing.T) {
	t.Parallel()
	tests := []struct{ prefix, path, want string }{
		{"", "a/b.md", "a/b.md"},
		{"w/", "w/b.md", "b.md"},
		{"w/", "wiki/b.md", "../wiki/b.md"},
		{"a/b/", "a/c/x.md", "../c/x.md"},
		{"a/b/", "x.md", "../../x.md"},
	}
	for _, tt := range tests {
		if got := relative(tt.prefix, tt.path); got != tt.want {
			t.Errorf("relative(%q, %q) = %q, want %q", tt.prefix, tt.path, got, tt.want)
		}
	}
}
