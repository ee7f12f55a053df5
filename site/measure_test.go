//go:build unix

package site

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

var (
	measured      = flag.String("measure", "", "numbers of pages to measure whole builds with: 1000,10000")
	measureIn     = flag.String("measure-in", "", "an empty folder on a disk, with room for 400 MB a round for 10,000 pages")
	measureRounds = flag.Int("measure-rounds", 3, "how often each program runs")
	measureHugo   = flag.String("hugo", "", "the program hugo, to be measured beside")
	measureFind   = flag.String("pagefind", "", "the program pagefind, to index what hugo writes")
)

// TestMeasure runs whole builds of generated wikis, alternating with the least that any
// such program must do, and with Hugo and Pagefind where they are given, and prints the
// medians. Only a person starts it:
//
//	go test ./site -run 'TestMeasure$' -v -timeout 2h -measure 1000,10000 -measure-in DIR -hugo PATH -pagefind PATH
func TestMeasure(t *testing.T) {
	if *measured == "" {
		t.Skip("a person starts it, with -measure")
	}
	if *measureIn == "" {
		t.Fatal("-measure-in is missing: it needs a folder on a disk")
	}
	program := filepath.Join(*measureIn, "wiki")
	if out, err := exec.Command("go", "build", "-o", program, "../cmd/wiki").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for size := range strings.SplitSeq(*measured, ",") {
		n, err := strconv.Atoi(size)
		if err != nil {
			t.Fatal(err)
		}
		m := &measurement{t: t, program: program, dir: filepath.Join(*measureIn, size), rows: map[string][]usage{}}
		m.generate(n)
		for round := range *measureRounds {
			m.round(round)
		}
		m.report(n)
	}
}

// TestMeasureGoldmark is the limit as a process: it is started by TestMeasure.
func TestMeasureGoldmark(t *testing.T) {
	from, out := os.Getenv("MEASURE_FROM"), os.Getenv("MEASURE_OUT")
	if from == "" {
		t.Skip("TestMeasure starts it")
	}
	pages := compilertest.Goldmark(t, from, out)
	if out == "" {
		return
	}
	files, _ := strconv.Atoi(os.Getenv("MEASURE_FILES"))
	left, _ := strconv.Atoi(os.Getenv("MEASURE_BYTES"))
	left -= int(measureTree(t, out, "").bytes)
	fill := bytes.Repeat([]byte("x"), max(0, left/max(1, files-pages)))
	for i := range max(0, files-pages) { // the files that a site has beside its pages
		dir := filepath.Join(out, "area-"+strconv.Itoa(i%25))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), fill, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// usage is what a process took.
type usage struct {
	wall, user, system time.Duration
	memory             int64 // bytes
}

type measurement struct {
	t            *testing.T
	program, dir string
	rows         map[string][]usage
	order        []string
	site         string // the last one
}

func (m *measurement) path(names ...string) string {
	return filepath.Join(append([]string{m.dir}, names...)...)
}

// generate writes the pages, and again as Hugo links them.
func (m *measurement) generate(n int) {
	compilertest.Generate(m.t, m.path("pages"), n)
	m.write("pages/wiki.yaml", "root: .\nsite: {url: \"https://wiki.example\"}\n")
	if *measureHugo == "" {
		return
	}
	link := regexp.MustCompile(`\[\[topic-(\d+)(?:\|([^\]]*))?\]\]`)
	err := filepath.WalkDir(m.path("pages"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".md") {
			return err
		}
		rel, _ := filepath.Rel(m.path("pages"), name)
		up := strings.Repeat("../", strings.Count(filepath.ToSlash(rel), "/"))
		b, err := os.ReadFile(name)
		b = link.ReplaceAllFunc(b, func(l []byte) []byte {
			s := link.FindSubmatch(l)
			i, _ := strconv.Atoi(string(s[1]))
			return fmt.Appendf(nil, "[%s](%sarea-%02d/topic-%s.md)", cmp.Or(string(s[2]), "Topic "+string(s[1])), up, i%25, s[1])
		})
		m.write(filepath.Join("hugo", "content", strings.Replace(rel, "index.md", "_index.md", 1)), string(b))
		return err
	})
	if err != nil {
		m.t.Fatal(err)
	}
	m.write("hugo/hugo.toml", "baseURL = \"https://wiki.example/\"\ntitle = \"Measured\"\n[markup.goldmark.renderHooks.link]\nuseEmbedded = \"always\"\n[taxonomies]\ntag = \"tags\"\n")
	m.write("hugo/layouts/_default/baseof.html", "<!doctype html><html lang=en><head><meta charset=utf-8><title>{{ .Title }}</title></head><body><nav>{{ range .Ancestors }}<a href=\"{{ .RelPermalink }}\">{{ .LinkTitle }}</a> {{ end }}</nav><main>{{ block \"main\" . }}{{ end }}</main></body></html>\n")
	m.write("hugo/layouts/_default/single.html", "{{ define \"main\" }}<h1>{{ .Title }}</h1>{{ .TableOfContents }}{{ .Content }}{{ end }}\n")
	m.write("hugo/layouts/_default/list.html", "{{ define \"main\" }}<h1>{{ .Title }}</h1>{{ .Content }}<ul>{{ range .Pages }}<li><a href=\"{{ .RelPermalink }}\">{{ .Title }}</a></li>{{ end }}</ul>{{ end }}\n")
}

func (m *measurement) write(name, content string) {
	m.t.Helper()
	full := m.path(name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

// round runs every program once. Each writes to a folder of its own: removing files makes
// the next build slower on some file systems.
func (m *measurement) round(i int) {
	r := strconv.Itoa(i)
	m.site = m.path("site-" + r)
	build := func() *exec.Cmd { return exec.Command(m.program, "-C", m.path("pages"), "build", "-q", "-o", m.site) }
	goldmark := func(out string, tree measuredTree) *exec.Cmd {
		c := exec.Command(os.Args[0], "-test.run", "TestMeasureGoldmark$")
		c.Env = append(os.Environ(), "MEASURE_FROM="+m.path("pages"), "MEASURE_OUT="+out, fmt.Sprintf("MEASURE_FILES=%d", tree.files), fmt.Sprintf("MEASURE_BYTES=%d", tree.bytes))
		return c
	}
	m.run("wiki build, new folder", build())
	tree := measureTree(m.t, m.site, "")
	m.run("goldmark, new folder", goldmark(m.path("goldmark-"+r), tree))
	m.run("wiki build, nothing changed", build())
	m.run("goldmark, over it", goldmark(m.path("goldmark-"+r), tree))
	m.edit(r)
	m.run("wiki build, one page edited", build())
	m.run("goldmark, reading and parsing", goldmark("", tree))
	if *measureHugo != "" {
		out := m.path("hugo-" + r)
		m.run("hugo, new folder", exec.Command(*measureHugo, "-s", m.path("hugo"), "-d", out, "--logLevel", "error"))
		if *measureFind != "" {
			m.run("pagefind over hugo's", exec.Command(*measureFind, "--site", out, "--quiet"))
		}
	}
	m.serve("wiki serve, edit to served", "pages/area-01/topic-00001.md", "area-01/topic-00001.html", func(port string) *exec.Cmd {
		return exec.Command(m.program, "-C", m.path("pages"), "serve", "-q", "--port", port)
	})
	if *measureHugo != "" {
		m.serve("hugo server, edit to served", "hugo/content/area-01/topic-00001.md", "area-01/topic-00001/", func(port string) *exec.Cmd {
			return exec.Command(*measureHugo, "server", "-s", m.path("hugo"), "--port", port, "--logLevel", "error", "--renderToMemory")
		})
	}
}

// edit changes the text of one page.
func (m *measurement) edit(word string) {
	name := m.path("pages", "area-00", "topic-00000.md")
	b, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, append(b, ("\nEdited "+word+".\n")...), 0o644)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *measurement) run(name string, c *exec.Cmd) {
	m.t.Helper()
	begin := time.Now()
	if out, err := c.CombinedOutput(); err != nil {
		m.t.Fatalf("%s: %v\n%s", name, err, out)
	}
	memory := int64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS != "darwin" {
		memory *= 1024 // it is in kilobytes elsewhere
	}
	m.add(name, usage{time.Since(begin), c.ProcessState.UserTime(), c.ProcessState.SystemTime(), memory})
}

func (m *measurement) add(name string, u usage) {
	if m.rows[name] == nil {
		m.order = append(m.order, name)
	}
	m.rows[name] = append(m.rows[name], u)
	fmt.Printf("%s: %.3f s wall, %.2f s user, %.2f s system, %d MB\n", name, u.wall.Seconds(), u.user.Seconds(), u.system.Seconds(), u.memory>>20)
}

// serve starts a server, edits a page five times and waits for each edit in what is
// served, for ten minutes in all.
func (m *measurement) serve(name, page, address string, server func(port string) *exec.Cmd) {
	const port = "18734"
	ctx, stop := context.WithTimeout(m.t.Context(), 10*time.Minute)
	defer stop()
	c := server(port)
	if err := c.Start(); err != nil {
		m.t.Fatal(err)
	}
	defer func() {
		_ = c.Process.Kill()
		_ = c.Wait() // it was killed
	}()
	url := "http://localhost:" + port + "/" + address
	if !m.await(ctx, url, "Topic") {
		return
	}
	before, err := os.ReadFile(m.path(page))
	if err != nil {
		m.t.Fatal(err)
	}
	for i := range 5 {
		word := fmt.Sprintf("edited%dof%d", i, time.Now().UnixNano())
		begin := time.Now()
		if err := os.WriteFile(m.path(page), append(slices.Clip(before), ("\n"+word+"\n")...), 0o644); err != nil {
			m.t.Fatal(err)
		}
		if !m.await(ctx, url, word) {
			return
		}
		m.add(name, usage{wall: time.Since(begin)})
	}
}

// await reports whether a word is served before the context ends.
func (m *measurement) await(ctx context.Context, url, word string) bool {
	for ctx.Err() == nil {
		r, err := http.Get(url)
		if err == nil {
			var b bytes.Buffer
			_, err = b.ReadFrom(r.Body)
			r.Body.Close()
			if err == nil && bytes.Contains(b.Bytes(), []byte(word)) {
				return true
			}
		}
		time.Sleep(2 * time.Millisecond)
	}
	m.t.Logf("%s does not have %s after ten minutes", url, word)
	return false
}

// measuredTree are the files of a folder with some ending.
type measuredTree struct {
	files int
	bytes int64
}

func measureTree(t *testing.T, dir, ending string) (out measuredTree) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ending) {
			return err
		}
		info, err := d.Info()
		out.files++
		out.bytes += info.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// report prints the medians as a table, with the load of the machine.
func (m *measurement) report(n int) {
	load, _ := os.ReadFile("/proc/loadavg") // Linux has it
	var b strings.Builder
	fmt.Fprintf(&b, "%d pages, %d rounds, load %s\n\n| program | wall | least | user | system | memory |\n|---|---|---|---|---|---|\n", n, *measureRounds, strings.TrimSpace(string(load)))
	for _, name := range m.order {
		rows := m.rows[name]
		median := func(of func(usage) time.Duration) float64 {
			var all []time.Duration
			for _, r := range rows {
				all = append(all, of(r))
			}
			slices.Sort(all)
			return all[len(all)/2].Seconds()
		}
		least := slices.MinFunc(rows, func(a, b usage) int { return cmp.Compare(a.wall, b.wall) })
		most := slices.MaxFunc(rows, func(a, b usage) int { return cmp.Compare(a.memory, b.memory) })
		fmt.Fprintf(&b, "| %s | %.3f s | %.3f s | %.2f s | %.2f s | %d MB |\n", name, median(func(u usage) time.Duration { return u.wall }), least.wall.Seconds(),
			median(func(u usage) time.Duration { return u.user }), median(func(u usage) time.Duration { return u.system }), most.memory>>20)
	}
	b.WriteString("\n| published | files | MB |\n|---|---|---|\n")
	row := func(name string, tree measuredTree) {
		fmt.Fprintf(&b, "| %s | %d | %.1f |\n", name, tree.files, float64(tree.bytes)/1e6)
	}
	for _, ending := range []string{".html", ".md", ".json", ".txt"} {
		row(ending, measureTree(m.t, m.site, ending))
	}
	row("search and assets", measureTree(m.t, filepath.Join(m.site, filepath.FromSlash(own)), ""))
	row("all", measureTree(m.t, m.site, ""))
	fmt.Println(b.String())
}
