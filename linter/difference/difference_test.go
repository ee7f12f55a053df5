package difference_test

import (
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter/difference"
	_ "github.com/loopwiki/wiki/linter/rules"
)

// between compares two versions of a page.
func between(t *testing.T, was, now string) *difference.Document {
	t.Helper()
	state := func(page string) difference.State {
		return difference.State{Wiki: compilertest.Compile(t, compilertest.Write(t, "-- index.md --\n# Index\n\n[[page]]\n-- page.md --\n"+page))}
	}
	d, err := difference.Between(t.Context(), state(was), state(now), nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const table = "| service | port | owner |\n| --- | --- | --- |\n| api | 80 | Ann |\n| web | 81 | Ben |\n"

func TestClaims(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ was, now, want string }{
		"value":                 {"# P\n\n" + table, "# P\n\n" + strings.ReplaceAll(table, "80", "90"), "port of api: 80 -> 90"},
		"unit alone":            {"# P\n\n| job | timeout |\n| --- | --- |\n| a | 60 s |\n| b | 2 h |\n", "# P\n\n| job | timeout |\n| --- | --- |\n| a | 1 min |\n| b | 2 h |\n", ""},
		"row moved":             {"# P\n\n" + table, "# P\n\n| service | port | owner |\n| --- | --- | --- |\n| web | 81 | Ben |\n| api | 80 | Ann |\n", ""},
		"section moved":         {"# P\n\n## A\n\nText.\n\n## B\n\n" + table, "# P\n\n## B\n\n" + table + "\n## A\n\nText.\n", ""},
		"row added":             {"# P\n\n" + table, "# P\n\n" + table + "| db | 82 | Cem |\n", "+port of db: 82 +owner of db: Cem"},
		"row removed":           {"# P\n\n" + table, "# P\n\n| service | port | owner |\n| --- | --- | --- |\n| api | 80 | Ann |\n", "-port of web: 81 -owner of web: Ben"},
		"sentence":              {"# P\n\nThe cache of the gateway holds at most 100 entries of clients.\n", "# P\n\nThe cache of the gateway holds at most 250 entries of clients.\n", "P: The cache of the gateway holds at most 100 entries of clients. -> The cache of the gateway holds at most 250 entries of clients."},
		"sentence reworded":     {"# P\n\nThe cache of the gateway holds at most 100 entries of clients.\n", "# P\n\nThe gateway's cache holds at most 100 entries of its clients.\n", ""},
		"front matter is apart": {"---\nport: 80\n---\n# P\n", "---\nport: 81\n---\n# P\n", ""},
		"superseded":            {"# P\n\n" + table, "---\nstatus: superseded\n---\n# P\n\n" + table, ""},
		"heading put above":     {"# P\n\nThe cache of the gateway holds at most 100 entries of clients.\n", "# P\n\n## A\n\nThe cache of the gateway holds at most 100 entries of clients.\n", ""},
		"row renamed":           {"# P\n\n" + table, "# P\n\n" + strings.ReplaceAll(table, "| api |", "| the API |"), ""},
		"column renamed":        {"# P\n\n" + table, "# P\n\n" + strings.Replace(table, "| port |", "| listens on |", 1), ""},
		"column with two names": {"# P\n\n" + table, "# P\n\n" + strings.Replace(strings.Replace(table, "| port |", "| tcp |", 1), "80", "90", 1), ""},
		"columns swapped":       {"# P\n\n| service | port | probe |\n| --- | --- | --- |\n| api | 80 | 81 |\n", "# P\n\n| service | port | probe |\n| --- | --- | --- |\n| api | 81 | 80 |\n", "port of api: 80 -> 81 probe of api: 81 -> 80"},
		"rows without bars":     {"# P\n\nservice | port\n--- | ---\napi | 80\nweb | 81\n", "# P\n\nservice | port\n--- | ---\napi | 80\nweb | 81\ndb | 82\n", "+port of db: 82"},
		"code at an end":        {"# P\n\n" + table, "# P\n\n" + table + "| db | by `-p` | Cem |\n", "+port of db: by `-p` +owner of db: Cem"},
		"sentence added":        {"# P\n\nOne.\n", "# P\n\nOne. The cache of the gateway holds at most 100 entries of clients.\n", ""},
		"sentence with a colon": {"# P\n\n- **Port**: 80\n", "# P\n\n- **Port**: 81\n- Why all of this was built: nobody asked\n", "Port of P: 80 -> 81"},
		"a log states nothing":  {"---\ntype: log\n---\n# P\n\n" + table, "---\ntype: log\n---\n# P\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := between(t, c.was, c.now)
			var got []string
			about := func(c difference.Claim) string {
				return strings.TrimPrefix(c.Attr+" of "+c.Subject+": ", "statement of ") + c.Text
			}
			for _, c := range d.Claims.Changed {
				got = append(got, about(c.Was)+" -> "+c.Now.Text)
			}
			for _, c := range d.Claims.Removed {
				got = append(got, "-"+about(c))
			}
			for _, c := range d.Claims.Added {
				got = append(got, "+"+about(c))
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

func TestSections(t *testing.T) {
	t.Parallel()
	type section = difference.SectionChange
	no, none := []string{}, []difference.Reworded{}
	for name, c := range map[string]struct {
		was, now string
		want     []section
	}{
		"wrapped anew":     {"# P\n\nOne two three\nfour. Five.\n", "# P\n\nOne two\nthree four.\nFive.\n", []section{}},
		"sentence added":   {"# P\n\nOne.\n", "# P\n\nOne. Two is new.\n", []section{{Heading: no, Change: "changed", Line: 1, Added: []string{"Two is new."}, Removed: no, Changed: none}}},
		"renamed":          {"# P\n\n## A\n\nOne.\n", "# P\n\n## B\n\nOne.\n", []section{{Heading: []string{"B"}, Change: "renamed", Was: "A", Line: 3, Added: no, Removed: no, Changed: none}}},
		"removed":          {"# P\n\n## A\n\nOne.\n\n## B\n\nTwo.\n", "# P\n\n## A\n\nOne.\n", []section{{Heading: []string{"B"}, Change: "removed", Line: 7, Added: no, Removed: []string{"Two."}, Changed: none}}},
		"item moved":       {"# P\n\n## A\n\n- one\n- two\n\n## B\n\n- three\n", "# P\n\n## A\n\n- one\n\n## B\n\n- three\n- two\n", []section{}},
		"item reworded":    {"# P\n\n- the quick brown fox\n", "# P\n\n* the quick brown dog\n", []section{{Heading: no, Change: "changed", Line: 1, Added: no, Removed: no, Changed: []difference.Reworded{{Was: "the quick brown fox", Now: "the quick brown dog"}}}}},
		"same name twice":  {"# P\n\n## A\n\nOne.\n\n## A\n\nTwo.\n", "# P\n\n## A\n\nOne.\n\n## A\n\nSix.\n", []section{{Heading: []string{"A"}, Change: "changed", Line: 7, Added: []string{"Six."}, Removed: []string{"Two."}, Changed: none}}},
		"line of code":     {"# P\n\n```sh\ngo test ./...\nmake\n```\n", "# P\n\n```sh\ngo test ./...\nninja\n```\n", []section{{Heading: no, Change: "changed", Line: 1, Added: []string{"ninja"}, Removed: []string{"make"}, Changed: none}}},
		"comment in code":  {"# P\n\n```sh\n# one\n```\n", "# P\n\n```sh\n# one\n\n```\n", []section{}},
		"no heading above": {"One.\n", "Two.\n", []section{{Heading: no, Change: "changed", Line: 1, Added: []string{"Two."}, Removed: []string{"One."}, Changed: none}}},
		"link retargeted":  {"# P\n\nSee [[index|it]].\n", "# P\n\nSee [[page|it]].\n", []section{{Heading: no, Change: "changed", Line: 1, Added: no, Removed: no, Changed: []difference.Reworded{{Was: "See [[index|it]].", Now: "See [[page|it]]."}}}}},
		"link respelled":   {"# P\n\nSee [[index]].\n", "# P\n\nSee [[./index.md]].\n", []section{}},
		"rows by name":     {"# P\n\n| a | b |\n| --- | --- |\n| x | one two three |\n| y | four five six |\n", "# P\n\n| a | b |\n| --- | --- |\n| x | four five seven |\n| y | one two three |\n", []section{{Heading: no, Change: "changed", Line: 1, Added: no, Removed: no, Changed: []difference.Reworded{{Was: "| x | one two three |", Now: "| x | four five seven |"}, {Was: "| y | four five six |", Now: "| y | one two three |"}}}}},
		"prose is no code": {"# P\n\nrun the tests now\n", "# P\n\n```sh\nrun the tests now\n```\n", []section{{Heading: no, Change: "changed", Line: 1, Added: []string{"run the tests now"}, Removed: []string{"run the tests now"}, Changed: none}}},
		"bold sentence":    {"# P\n\n**One.** Two.\n", "# P\n\n**One.** Six.\n", []section{{Heading: no, Change: "changed", Line: 1, Added: []string{"Six."}, Removed: []string{"Two."}, Changed: none}}},
		"name begins it":   {"# P\n\nIt waits. gofmt is run. See e.g. the log.\n", "# P\n\nIt waits. gofmt is run twice.\n\nSee e.g. the log.\n", []section{{Heading: no, Change: "changed", Line: 1, Added: no, Removed: no, Changed: []difference.Reworded{{Was: "gofmt is run.", Now: "gofmt is run twice."}}}}},
		"no end of one":    {"# P\n\nHosts (e.g. `a`) of all `x.*` names wait, etc. and so on.\n", "# P\n\nHosts (e.g. `b`) of all `x.*` names wait, etc. and so on.\n", []section{{Heading: no, Change: "changed", Line: 1, Added: no, Removed: no, Changed: []difference.Reworded{{Was: "Hosts (e.g. `a`) of all `x.*` names wait, etc. and so on.", Now: "Hosts (e.g. `b`) of all `x.*` names wait, etc. and so on."}}}}},
		"code moved":       {"# P\n\n```\na line\nanother\n```\n", "# P\n\n```\nanother\na line\n```\n", []section{}},
		"looks alone":      {"# P\n\n(One `two` three.) “Four”\n\n- **five** six\n", "# P\n\nOne two three. \"Four\"\n\n- five six.\n", []section{}},
		"not shown":        {"# P\n\nSee [it][a].\n\n[a]: index.md\n", "# P\n\nSee [it](index.md).\n\n<!-- a comment -->\n\n<script>\nlet x = 1\n</script>\n", []section{}},
		"other address":    {"# P\n\nSee [it][a].\n\n[a]: https://a.example\n", "# P\n\nSee [it][a].\n\n[a]: https://b.example\n", []section{{Heading: no, Change: "changed", Line: 1, Added: no, Removed: no, Changed: []difference.Reworded{{Was: "[a]: https://a.example", Now: "[a]: https://b.example"}}}}},
		"renamed and more": {"# P\n\n## Old\n\nThe first sentence of it stays. The second one has six words.\n", "# P\n\n## New\n\nThe first sentence of it stays. The second one has seven words.\n", []section{{Heading: []string{"New"}, Change: "renamed", Was: "Old", Line: 3, Added: no, Removed: no, Changed: []difference.Reworded{{Was: "The second one has six words.", Now: "The second one has seven words."}}}}},
		"heading above":    {"# P\n\n## Old\n\n### A\n\nOne.\n\n### B\n\nTwo.\n", "# P\n\n## New\n\n### A\n\nOne.\n\n### B\n\nSix.\n", []section{{Heading: []string{"New"}, Change: "renamed", Was: "Old", Line: 3, Added: no, Removed: no, Changed: none}, {Heading: []string{"New", "B"}, Change: "added", Line: 9, Added: []string{"Six."}, Removed: no, Changed: none}, {Heading: []string{"Old", "B"}, Change: "removed", Line: 9, Added: no, Removed: []string{"Two."}, Changed: none}}},
		"another section":  {"# P\n\n## Old\n\nA dog barks.\n", "# P\n\n## New\n\nNine cats sleep here.\n", []section{{Heading: []string{"New"}, Change: "added", Line: 3, Added: []string{"Nine cats sleep here."}, Removed: no, Changed: none}, {Heading: []string{"Old"}, Change: "removed", Line: 3, Added: no, Removed: []string{"A dog barks."}, Changed: none}}},
		"code in order":    {"# P\n\n```\nname = \"ab-c118\"\nurl = \"x/c118\"\nname = \"ab-c124\"\nurl = \"x/c124\"\n```\n", "# P\n\n```\nname = \"ab-cpu\"\nurl = \"x/cpu\"\nname = \"ab-c130\"\nurl = \"x/c130\"\n```\n", []section{{Heading: no, Change: "changed", Line: 1, Added: no, Removed: no, Changed: []difference.Reworded{{Was: `name = "ab-c118"`, Now: `name = "ab-cpu"`}, {Was: `url = "x/c118"`, Now: `url = "x/cpu"`}, {Was: `name = "ab-c124"`, Now: `name = "ab-c130"`}, {Was: `url = "x/c124"`, Now: `url = "x/c130"`}}}}},
		"indented code":    {"# P\n\n    make one\n    make two\n", "# P\n\n    ninja\n    make two\n", []section{{Heading: no, Change: "changed", Line: 1, Added: []string{"ninja"}, Removed: []string{"make one"}, Changed: none}}},
		"row relabelled":   {"# P\n\n| a | b |\n| --- | --- |\n| x | one two three |\n", "# P\n\n| a | b |\n| --- | --- |\n| quite another | one two three |\n", []section{{Heading: no, Change: "changed", Line: 1, Added: no, Removed: no, Changed: []difference.Reworded{{Was: "| x | one two three |", Now: "| quite another | one two three |"}}}}},
		"Chinese":          {"# P\n\n网关在前面。它结束连接。\n", "# P\n\n网关在前面。\n", []section{{Heading: no, Change: "changed", Line: 1, Added: no, Removed: []string{"它结束连接。"}, Changed: none}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := between(t, c.was, c.now)
			got := []section{}
			for _, p := range d.Pages.Changed {
				got = append(got, p.Sections...)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got\n%+v, want\n%+v", got, c.want)
			}
		})
	}
}

// A page that was moved keeps its findings: none opens at its new path, none closes, even if
// another rule reports the same link there.
func TestMovedPagesKeepTheirFindings(t *testing.T) {
	t.Parallel()
	state := func(name string) difference.State {
		return difference.State{Wiki: compilertest.Compile(t, compilertest.Write(t, "-- index.md --\n# Index\n-- "+name+" --\n# Page\n\n[[nowhere]] and [it](../../x.md)\n"))}
	}
	d, err := difference.Between(t.Context(), state("a/b/was.md"), state("now.md"), map[string]string{"a/b/was.md": "now.md"})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Links.Broken)+len(d.Links.Mended) > 0 || len(d.Pages.Changed) != 1 || d.Pages.Changed[0].Was != "a/b/was.md" {
		t.Errorf("%+v", d)
	}
}

// git runs git in a folder, on a day of March 2026.
func git(t *testing.T, dir string, day int, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	at := fmt.Sprintf("2026-03-%02dT12:00:00Z", day)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.org",
		"GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.org", "GIT_AUTHOR_DATE=" + at, "GIT_COMMITTER_DATE=" + at,
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// A citation that stays wrong is not resolved: neither if lint takes its line as new since
// something else in it was edited, nor if the lines that moved have changed now too.
func TestUncorrectedCitationsAreNotResolved(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	code := "package p\n\nfunc first() int { return 1 }\n\nfunc second() int { return 2 }\n"
	moved := strings.Replace(code, "p\n", "p\n\n// Many\n// more\n// lines.\n", 1)
	state := func(versions ...[2]string) difference.State {
		dir := t.TempDir()
		git(t, dir, 1, "init", "-q")
		for i, v := range versions {
			compilertest.WriteTo(t, dir, "-- wiki/index.md --\n# Index\n\n"+v[0]+"\n-- p.go --\n"+v[1])
			git(t, dir, i+1, "add", "-A")
			git(t, dir, i+1, "commit", "-qm", "x")
		}
		return difference.State{Wiki: compilertest.CompileWith(t, dir, compiler.Options{History: true})}
	}
	cited := "The second is at `p.go:5`."
	before := state([2]string{cited, code}, [2]string{cited, moved})
	after := state([2]string{cited, code}, [2]string{cited, moved}, [2]string{cited + " It counts.", moved})
	d, err := difference.Between(t.Context(), before, after, nil)
	if err != nil || len(d.Freshness.Resolved) > 0 {
		t.Errorf("%v: %+v", err, d.Freshness)
	}
	corrected := state([2]string{cited, code}, [2]string{cited, moved}, [2]string{"The second is at `p.go:9`.", moved})
	d, err = difference.Between(t.Context(), before, corrected, nil)
	if err != nil || len(d.Freshness.Resolved) != 1 {
		t.Errorf("%v: %+v", err, d.Freshness)
	}
}

// Each broken link is reported by itself, however many have one cause.
func TestLinksAreNotGrouped(t *testing.T) {
	t.Parallel()
	var links strings.Builder
	for i := range 30 {
		fmt.Fprintf(&links, "- [it](gone/%d.md)\n", i)
	}
	d := between(t, "# P\n\n- [it](gone/0.md)\n", "# P\n\n"+links.String())
	if len(d.Links.Broken) != 29 || len(d.Links.Mended) != 0 {
		t.Errorf("%d broken, %d mended, want 29 and 0", len(d.Links.Broken), len(d.Links.Mended))
	}
}

// FuzzBetween: no page breaks the comparison, a page does not differ from itself, and
// what one direction adds, the other removes.
func FuzzBetween(f *testing.F) {
	f.Add("# P\n\n"+table, "# P\n\n```\ncode\n")
	f.Add("One. Two.\n\n## A\n## A\n", "> quote\n\n1. item\n---\n| a |\n")
	f.Fuzz(func(t *testing.T, was, now string) {
		if strings.Contains(was+now, "\n-- ") || strings.HasPrefix(was, "-- ") || strings.HasPrefix(now, "-- ") {
			t.Skip("ends a file of the archive")
		}
		if d := between(t, was, was); !d.Empty() {
			t.Errorf("differs from itself: %+v", d)
		}
		there, back := between(t, was, now), between(t, now, was)
		if len(there.Claims.Added) != len(back.Claims.Removed) || len(there.Pages.Changed) != len(back.Pages.Changed) {
			t.Errorf("there %+v, back %+v", there, back)
		}
	})
}
