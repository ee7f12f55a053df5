package history

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/schema/schematest"
)

// record is one line of history.jsonl.
type record struct {
	Commit  string
	Date    time.Time
	Parents []string
	Changes [][2]string
}

// olas reads the history of a real repository from the shared corpora.
func olas(t testing.TB) []record {
	t.Helper()
	f, err := os.Open(schematest.Shared(t, "corpora/olas-wiki/history.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var records []record
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return records
}

// fastImport replays the records. Every version of a file has contents that
// share nothing with any other, so that no rename is seen.
func (r *repo) fastImport(records []record) {
	r.Helper()
	var in bytes.Buffer
	mark := map[string]int{}
	for i, rec := range records {
		mark[rec.Commit] = i + 1
		fmt.Fprintf(&in, "commit refs/heads/main\nmark :%d\ncommitter Bo <bo@example.org> %d +0000\ndata 0\n", i+1, rec.Date.Unix())
		for j, p := range rec.Parents {
			fmt.Fprintf(&in, "%s :%d\n", [...]string{"from", "merge"}[min(j, 1)], mark[p])
		}
		for _, ch := range rec.Changes {
			if ch[0] == "D" {
				fmt.Fprintf(&in, "D %s\n", ch[1])
				continue
			}
			content := fmt.Sprintf("%x", sha256.Sum256([]byte(rec.Commit+ch[1])))
			fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", ch[1], len(content), content)
		}
	}
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, environment(), &in
	if out, err := cmd.CombinedOutput(); err != nil {
		r.Fatalf("git fast-import: %v\n%s", err, out)
	}
	r.git("reset", "-q", "--hard", "main")
}

func TestOlasHistory(t *testing.T) {
	t.Parallel()
	records := olas(t)
	if len(records) != 160 {
		t.Fatalf("%d commits in history.jsonl, want 160", len(records))
	}
	r := newRepo(t)
	r.fastImport(records)
	if n := r.git("rev-list", "--count", "HEAD"); n != "160" {
		t.Fatalf("%s commits replayed", n)
	}

	type dates struct {
		created, changed time.Time
		commits          int
	}
	want := map[string]*dates{}
	for _, rec := range records {
		for _, ch := range rec.Changes {
			switch d := want[ch[1]]; {
			case ch[0] == "D":
				delete(want, ch[1])
			case d == nil:
				want[ch[1]] = &dates{rec.Date, rec.Date, 1}
			default:
				d.changed = rec.Date
				d.commits++
			}
		}
	}
	check := func(h *History, prefix string) {
		t.Helper()
		n := 0
		for path, d := range want {
			below, ok := strings.CutPrefix(path, prefix)
			if !ok {
				continue
			}
			n++
			f := h.Files[below]
			if f == nil {
				t.Errorf("%s: no history", path)
				continue
			}
			if !f.Created.Time.Equal(d.created) || !f.Changed.Time.Equal(d.changed) || f.Commits != d.commits || f.Renamed != nil {
				t.Errorf("%s: %+v, want %+v", path, f, d)
			}
		}
		if n == 0 || len(h.Files) != n {
			t.Errorf("%d files below %q, want %d", len(h.Files), prefix, n)
		}
	}
	check(r.load("."), "")
	check(r.load(".wiki"), ".wiki/")
}

// generated is a history of n commits with 300 pages in ten folders, each
// commit changing three of them.
func generated(n int) []record {
	records := make([]record, n)
	for i := range records {
		rec := &records[i]
		rec.Commit = fmt.Sprint("c", i)
		rec.Date = date(1).Add(time.Duration(i) * time.Hour)
		if i > 0 {
			rec.Parents = []string{fmt.Sprint("c", i-1)}
		}
		for j := range 3 {
			page := (i*7 + j*101) % 300
			rec.Changes = append(rec.Changes, [2]string{"M", fmt.Sprintf("wiki/topic-%d/page-%d.md", page%10, page)})
		}
	}
	return records
}

// The cost over git's own: compare with BenchmarkGitLog.
func BenchmarkLoad(b *testing.B) {
	r := newRepo(b)
	r.fastImport(generated(2000))
	for b.Loop() {
		if h := r.load("wiki"); len(h.Files) != 300 {
			b.Fatalf("%d files", len(h.Files))
		}
	}
}

func BenchmarkGitLog(b *testing.B) {
	r := newRepo(b)
	r.fastImport(generated(2000))
	for b.Loop() {
		r.git("log", "--name-status", "--", "wiki")
	}
}
