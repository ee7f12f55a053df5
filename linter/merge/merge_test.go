package merge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/linter/merge"
	"github.com/loopwiki/wiki/schema/schematest"
	"pgregory.net/rapid"
)

const (
	hash     = "0000000000000001"
	lockHead = "# wiki.lock v1\n"
)

func binding(page, tok, day string) string {
	return fmt.Sprintf("%s | src/a.go#X | tok=%s sig=%s lit=%s | reviewed=%s | %s\n", page, tok, hash, hash, hash, day)
}

func TestFiles(t *testing.T) {
	schematest.NeedGit(t)
	t.Parallel()
	other := "0000000000000002"
	accepted := func(entries ...string) string {
		return "{\n  \"version\": 1,\n  \"findings\": [\n" + strings.Join(entries, ",\n") + "\n  ]\n}\n"
	}
	finding := func(path string, count int, since string) string {
		return fmt.Sprintf(`    {"rule":"orphan","path":%q,"text":%q,"count":%d,"since":%q}`, path, hash, count, since)
	}
	known := func(reason, since string) string {
		return "version: 1\nacknowledged:\n  - rule: numeric-conflict\n    sides:\n      - page: a.md\n        hash: \"" + hash + "\"\n    reason: " + reason + "\n    since: " + since + "\n"
	}
	for name, c := range map[string]struct{ file, base, ours, theirs, want string }{
		"lock: newer review": {"wiki.lock", lockHead + binding("a.md", hash, "2026-01-01"), lockHead + binding("a.md", hash, "2026-01-02"), lockHead + binding("a.md", other, "2026-01-03"), lockHead + binding("a.md", other, "2026-01-03")},
		"lock: both added":   {"wiki.lock", lockHead, lockHead + binding("b.md", hash, "2026-01-02"), lockHead + binding("a.md", hash, "2026-01-01"), lockHead + binding("a.md", hash, "2026-01-01") + binding("b.md", hash, "2026-01-02")},
		"lock: removed on one branch": {"wiki.lock", lockHead + binding("a.md", hash, "2026-01-01"), lockHead + binding("b.md", hash, "2026-01-02"), lockHead + binding("a.md", hash, "2026-01-01") + binding("c.md", hash, "2026-01-01"),
			lockHead + binding("b.md", hash, "2026-01-02") + binding("c.md", hash, "2026-01-01")},
		"lock: removed and verified anew": {"wiki.lock", lockHead + binding("a.md", hash, "2026-01-01"), lockHead, lockHead + binding("a.md", hash, "2026-01-05"), lockHead + binding("a.md", hash, "2026-01-05")},
		"baseline: counts and days":       {".loopwiki/baseline.json", accepted(finding("a.md", 1, "2026-01-03")), accepted(finding("a.md", 2, "2026-01-03")), accepted(finding("a.md", 3, "2026-01-01")), accepted(finding("a.md", 3, "2026-01-01"))},
		"baseline: one branch mended":     {".loopwiki/baseline.json", accepted(finding("a.md", 2, "2026-01-03")), accepted(), accepted(finding("a.md", 2, "2026-01-03"), finding("b.md", 2, "2026-01-03")), accepted(finding("b.md", 2, "2026-01-03"))},
		"acknowledged: newer":             {".loopwiki/acknowledged.yaml", "", known("first", "2026-01-01"), known("second", "2026-01-02"), "# Acknowledged contradictions. wiki lint --ack adds entries and removes resolved ones.\n" + strings.ReplaceAll(strings.ReplaceAll(known("second", "2026-01-02"), "a.md", `"a.md"`), "reason: second", `reason: "second"`)},
		"verdicts: lines of both":         {".loopwiki/verdicts.jsonl", "{\"version\":2}\nb\n", "{\"version\":2}\nb\nd\n", "{\"version\":2}\na\nb\n", "{\"version\":2}\na\nb\nd\n"},
		"index: once":                     {"wiki/index.md", "# I\n\n- [[b]]\n", "# I\n\n- [[b]]\n- [[c]]\n", "# I\n\n- [[b]]\n- [[c]]\n- [[d]]\n", "# I\n\n- [[b]]\n- [[c]]\n- [[d]]\n"},
		"index: sorted":                   {"index.md", "- [[b]]\n- [[d]]\n- [[f]]\n", "- [[b]]\n- [[d]]\n- [[f]]\n- [[x]]\n", "- [[b]]\n- [[d]]\n- [[f]]\n- [[h]]\n", "- [[b]]\n- [[d]]\n- [[f]]\n- [[h]]\n- [[x]]\n"},
		"index: not sorted":               {"index.md", "- [[b]]\n- [[a]]\n- [[f]]\n", "- [[b]]\n- [[a]]\n- [[f]]\n- [[x]]\n", "- [[b]]\n- [[a]]\n- [[f]]\n- [[h]]\n", "- [[b]]\n- [[a]]\n- [[f]]\n- [[x]]\n- [[h]]\n"},
		"index: once, apart":              {"index.md", "- [[b]]\n", "- [[b]]\n- [[c]]\n- [[x]]\n", "- [[b]]\n- [[d]]\n- [[c]]\n", "- [[b]]\n- [[c]]\n- [[x]]\n- [[d]]\n"},
		"log: same day, newest first":     {"log.md", "# L\n\n## 2026-01-02\n- a\n\n## 2026-01-01\n- b\n", "# L\n\n## 2026-01-02\n- a\n\n## 2026-01-01\n- b\n- c\n", "# L\n\n## [2026-01-02] new\n- t\n\n## 2026-01-02\n- a\n\n## 2026-01-01\n- b\n", "# L\n\n## [2026-01-02] new\n- t\n\n## 2026-01-02\n- a\n\n## 2026-01-01\n- b\n- c\n"},
		"log: whole entries":              {"log.md", "# L\n\n## [2026-01-01] a | A\n\n- x\n", "# L\n\n## [2026-01-01] a | A\n\n- x\n\n## [2026-01-03] b | B\n\n- y\n- z\n", "# L\n\n## [2026-01-01] a | A\n\n- x\n\n## [2026-01-02] c | C\n\n- y\n- w\n", "# L\n\n## [2026-01-01] a | A\n\n- x\n\n## [2026-01-02] c | C\n\n- y\n- w\n\n## [2026-01-03] b | B\n\n- y\n- z\n"},
		"log: newest first":               {"log.md", "# L\n\n## 2026-01-02\n- a\n\n## 2026-01-01\n- b\n", "# L\n\n## 2026-01-05\n- o\n\n## 2026-01-02\n- a\n\n## 2026-01-01\n- b\n", "# L\n\n## 2026-01-04\n- t\n\n## 2026-01-02\n- a\n\n## 2026-01-01\n- b\n", "# L\n\n## 2026-01-05\n- o\n\n## 2026-01-04\n- t\n\n## 2026-01-02\n- a\n\n## 2026-01-01\n- b\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, conflicts, err := merge.Files(t.Context(), c.file, merge.Versions{Base: []byte(c.base), Ours: []byte(c.ours), Theirs: []byte(c.theirs)})
			if err != nil || conflicts > 0 {
				t.Fatalf("%d conflicts, %v", conflicts, err)
			}
			if strings.HasSuffix(c.file, ".json") { // compared by its entries
				got, c.want = []byte(strings.Join(strings.Fields(string(got)), "")), strings.Join(strings.Fields(c.want), "")
			}
			if string(got) != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if strings.HasSuffix(c.file, ".md") { // lines of index and log are in the order of the branches
				return
			}
			back, _, err := merge.Files(t.Context(), c.file, merge.Versions{Base: []byte(c.base), Ours: []byte(c.theirs), Theirs: []byte(c.ours)})
			if strings.HasSuffix(c.file, ".json") {
				back = []byte(strings.Join(strings.Fields(string(back)), ""))
			}
			if err != nil || string(back) != c.want {
				t.Errorf("the other way round: %v\n%s\nwant\n%s", err, back, c.want)
			}
		})
	}
}

// A version that can't be read is left to a person, with the lines of both.
func TestUnreadableVersionsConflict(t *testing.T) {
	schematest.NeedGit(t)
	t.Parallel()
	for _, v := range []merge.Versions{
		{[]byte(lockHead), []byte("# wiki.lock v99\nx\n"), []byte(lockHead + binding("a.md", hash, "2026-01-01"))},
		{[]byte(lockHead), []byte(lockHead + "no binding\n"), []byte(lockHead + binding("a.md", hash, "2026-01-01"))},
	} {
		got, conflicts, err := merge.Files(t.Context(), "wiki.lock", v)
		if err != nil || conflicts == 0 || !strings.Contains(string(got), "<<<<<<<") {
			t.Errorf("%d conflicts, %v: %s", conflicts, err, got)
		}
	}
}

// Nothing that either branch added is lost, nothing that both have is removed, and what
// one removed and the other left alone is gone, in any order of the branches.
func TestMergedLogsLoseNothing(t *testing.T) {
	schematest.NeedGit(t)
	t.Parallel()
	entry := rapid.Custom(func(t *rapid.T) string {
		return fmt.Sprintf("## [2026-01-%02d] k | T%d\n\nText %d.\n", rapid.IntRange(1, 9).Draw(t, "day"), rapid.IntRange(0, 999).Draw(t, "title"), rapid.IntRange(0, 9).Draw(t, "text"))
	})
	rapid.Check(t, func(rt *rapid.T) {
		base := rapid.SliceOfNDistinct(entry, 1, 4, rapid.ID).Draw(rt, "base")
		fresh := slices.DeleteFunc(rapid.SliceOfNDistinct(entry, 0, 6, rapid.ID).Draw(rt, "added"), func(s string) bool { return slices.Contains(base, s) })
		cut := rapid.IntRange(0, len(fresh)).Draw(rt, "cut")
		removed := rapid.IntRange(-1, len(base)-1).Draw(rt, "removed")
		file := func(entries ...string) []byte {
			slices.Sort(entries)
			return []byte("# Log\n\n" + strings.Join(entries, "\n"))
		}
		ours := slices.Concat(base, fresh[:cut])
		theirs := slices.Concat(base, fresh[cut:])
		if removed >= 0 && len(theirs) > 1 {
			theirs = slices.Delete(slices.Clone(theirs), removed, removed+1)
		}
		for _, v := range []merge.Versions{{file(slices.Clone(base)...), file(slices.Clone(ours)...), file(slices.Clone(theirs)...)}, {file(slices.Clone(base)...), file(slices.Clone(theirs)...), file(slices.Clone(ours)...)}} {
			got, conflicts, err := merge.Files(t.Context(), "log.md", v)
			if err != nil || conflicts > 0 {
				rt.Fatalf("%d conflicts, %v", conflicts, err)
			}
			for _, e := range slices.Concat(base, fresh) {
				want := 1
				if !slices.Contains(theirs, e) && slices.Contains(base, e) {
					want = 0
				}
				if n := strings.Count(string(got), strings.TrimSpace(e)+"\n"); n != want {
					rt.Fatalf("%q is there %d times, not %d:\n%s", e, n, want, got)
				}
			}
		}
	})
}

func FuzzFiles(f *testing.F) {
	schematest.NeedGit(f)
	f.Add("log.md", "# L\n", "# L\n\n## [2026-01-01] a | b\n", "# L\n```\n## 2026-01-01\n")
	f.Add("wiki.lock", lockHead, lockHead+binding("a", hash, "2026-01-01"), "x")
	f.Add("index.md", "- a\n- b\n- c", "- a\r\n- b", "")
	f.Add(".loopwiki/verdicts.jsonl", "", "{}\n", "\n")
	f.Fuzz(func(t *testing.T, name, base, ours, theirs string) {
		v := merge.Versions{Base: []byte(base), Ours: []byte(ours), Theirs: []byte(theirs)}
		if _, _, err := merge.Files(t.Context(), name, v); err != nil && !strings.Contains(err.Error(), "binary") {
			t.Fatal(err)
		}
	})
}
