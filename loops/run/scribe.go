package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// logFolders are where wikis keep one page per piece of work, the best first.
var logFolders = []string{"90_LOG", "90_log", "logs", "journal"}

// Entry returns what a run leaves in the wiki of its repository: files by their path
// in the repository, as they become. A repository without a wiki gets none, and
// neither does one whose wiki keeps no log. written are the markdown files that the run
// changed, which the entry names.
func Entry(worktree string, s *loops.State, written []string) (map[string][]byte, error) {
	ws, err := compiler.Detect(worktree, "")
	if err != nil {
		return nil, nil // there is no wiki here
	}
	root, err := files.Open(worktree)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	below, err := filepath.Rel(worktree, ws.Root)
	if err != nil || !filepath.IsLocal(below) {
		return nil, nil
	}
	w := scribe{fsys: root.FS(files.Text), root: filepath.ToSlash(below), s: s, out: make(map[string][]byte), written: written}
	return w.out, w.write()
}

// scribe writes one run's entry.
type scribe struct {
	fsys fs.FS
	root string // the wiki's, in the repository
	s    *loops.State
	out  map[string][]byte
	// written are the markdown files that the run changed, by their path in the repository.
	written []string
}

func (w *scribe) path(name string) string { return path.Join(w.root, name) }

// read returns a page of the wiki, with what was written to it already.
func (w *scribe) read(name string) (string, bool) {
	src, err := fs.ReadFile(w.fsys, w.path(name))
	return string(src), err == nil
}

func (w *scribe) write() error {
	folder := ""
	for _, f := range logFolders {
		if info, err := fs.Stat(w.fsys, w.path(f)); err == nil && info.IsDir() {
			folder = f
			break
		}
	}
	log, hasLog := w.read("log.md")
	if folder == "" && !hasLog {
		return nil
	}
	day := w.s.Last.UTC().Format("2006-01-02")
	title := w.title()
	see := " Run `" + w.s.Start.Run + "`."
	if folder != "" {
		name, err := w.name(folder, day)
		if err != nil {
			return err
		}
		w.out[w.path(path.Join(folder, name+".md"))] = []byte(w.page(day, title))
		link := w.link(folder, name)
		w.index(link, title)
		see = " See " + link + "."
	}
	if hasLog && strings.Contains(log, see+"\n") { // written already
		w.out[w.path("log.md")] = []byte(log)
	} else if hasLog {
		w.out[w.path("log.md")] = []byte(end(log) + fmt.Sprintf("\n## [%s] loop | %s\n\n%s%s\n", day, title, w.sum()+w.pagesWritten(), see))
	}
	return nil
}

func (w *scribe) status() loops.Status {
	if w.s.End.Status != "" {
		return w.s.End.Status
	}
	return w.s.Status
}

func (w *scribe) title() string {
	title := w.s.Start.Plan.Title
	if title == "" {
		title = w.s.Start.Plan.Name
	}
	return fmt.Sprintf("%s: %s", plain(title), w.status())
}

// plain keeps a title from being markup, or YAML.
func plain(s string) string {
	return text.Collapse(strings.Map(func(r rune) rune {
		switch r {
		case '[', ']', '`', '<', '>', '"', '\'', '|', '{', '}', '#', '*', '_', '\\':
			return ' '
		case ':':
			return ','
		}
		return r
	}, s))
}

// name is that of the run's page: the one that it has if its runner died after
// writing it, or a new one.
func (w *scribe) name(folder, day string) (string, error) {
	pages, err := fs.ReadDir(w.fsys, w.path(folder))
	if err != nil {
		return "", err
	}
	own := w.s.Start.Plan.Name
	if w.s.Documenting() || w.s.Auditing() {
		own = w.s.Start.Loop // the day is in the page's name already
	}
	for _, p := range pages {
		name, isPage := strings.CutSuffix(p.Name(), ".md")
		if !isPage || !strings.Contains(name, own) {
			continue
		}
		if text, ok := w.read(path.Join(folder, p.Name())); ok && strings.Contains(text, w.run()) {
			return name, nil
		}
	}
	return w.free(folder, day+"-"+own)
}

// run returns the line of a page that says of which run it is.
func (w *scribe) run() string { return fmt.Sprintf("\n- run: `%s`\n", w.s.Start.Run) }

// free returns the first name of a page that is not taken.
func (w *scribe) free(folder, name string) (string, error) {
	for n := 1; n < 1000; n++ {
		try := name
		if n > 1 {
			try = fmt.Sprintf("%s-%d", name, n)
		}
		if _, err := fs.Stat(w.fsys, w.path(path.Join(folder, try+".md"))); errors.Is(err, fs.ErrNotExist) {
			return try, nil
		}
	}
	return "", fmt.Errorf("%s already has a thousand pages named %s", folder, name)
}

// sum says in one sentence what became of the run.
func (w *scribe) sum() string {
	if d := w.s.Start.Documentation; d != nil {
		return w.reviewed(d)
	}
	if w.s.Auditing() {
		return audited(w.s)
	}
	done := 0
	for _, c := range w.s.Chunks {
		if c.Status == loops.ChunkDone {
			done++
		}
	}
	if w.s.Ingesting() {
		text := fmt.Sprintf("Pages for %s were requested, in %s.", text.Count(len(w.s.Start.Ingest.Sources), "source"), calls(w.s.Spend))
		if w.s.End.Why != "" {
			text += " " + sentence(quiet(w.s.End.Why))
		}
		return text
	}
	text := fmt.Sprintf("%d of %s %s done, in %s.", done, text.Count(len(w.s.Chunks), "chunk"), isAre(done), calls(w.s.Spend))
	if w.s.End.Why != "" {
		text += " " + sentence(quiet(w.s.End.Why))
	}
	return text
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// calls says how often agents were called.
func calls(s loops.Spend) string { return text.Count(s.Calls, "call") + " of agents" }

// reviewed says in one sentence what became of a run that documents.
func (w *scribe) reviewed(d *loops.DocumentationRequest) string {
	were := "were"
	if len(d.Pages) == 1 {
		were = "was"
	}
	text := fmt.Sprintf("%s %s checked against changes since %s, in %s.", text.Count(len(d.Pages), "page"), were, d.From, calls(w.s.Spend))
	if n := len(w.s.Proposed); n > 0 {
		text += fmt.Sprintf(" %d of them %s proposed only, as people changed them.", n, isAre(n))
	}
	if w.s.End.Why != "" {
		text += " " + sentence(quiet(w.s.End.Why))
	}
	return text
}

// quiet keeps what a gate or an agent said from being markup of the page.
func quiet(s string) string {
	return strings.NewReplacer("[[", "[ [", "]]", "] ]", "](", "] (", "<", "‹", ">", "›", "`", "'", "\n", " ").Replace(s)
}

// page returns the entry itself: cause and evidence, whether it went well or not.
func (w *scribe) page(day, title string) string {
	s := w.s
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntitle: %q\ntype: log\nsummary: %q\ncreated: %s\nupdated: %s\n---\n# %s\n\n%s\n", title, title, day, day, title, w.sum())
	fmt.Fprintf(&b, "\n## Run\n\n- loop: %s, mode %s\n- %s%s- branch: `%s`\n- spent: %s\n", s.Start.Loop, s.Start.Mode, w.subject(), w.run(), s.Place.Branch, Money(s.Spend))
	for _, p := range s.Start.Players() {
		fmt.Fprintf(&b, "- %s: %s\n", p.Name, strings.TrimSpace(p.Agent+" "+p.Model))
	}
	b.WriteString("\n## Result\n\n")
	b.WriteString(w.pages())
	if s.Documenting() {
		for _, p := range s.Proposed {
			fmt.Fprintf(&b, "- `%s` is only proposed: a person changed it since the last run\n", p)
		}
	}
	if s.Auditing() {
		b.WriteString(auditList(s))
	}
	for i, c := range s.Chunks {
		fmt.Fprintf(&b, "- %s %s: %s after %s", quiet(c.ID), quiet(s.Start.Plan.Chunks[i].Title), c.Status, text.Count(c.Attempts, "attempt"))
		if c.Commit != "" {
			fmt.Fprintf(&b, ", commit `%.12s`", c.Commit)
		}
		b.WriteString("\n")
	}
	if len(s.Incidents) > 0 {
		b.WriteString("\n## Problems\n\n")
		for _, i := range s.Incidents {
			fmt.Fprintf(&b, "- `%s`, %s: %s\n", i.ID, strings.ReplaceAll(i.Class, "_", " "), quiet(i.Why))
		}
	}
	if len(s.Warnings) > 0 {
		b.WriteString("\n## Notes\n\n")
		for _, t := range s.Warnings {
			fmt.Fprintf(&b, "- %s\n", quiet(t))
		}
	}
	fmt.Fprintf(&b, "\nOlder runs are listed in %s.\n", w.link("..", "index"))
	return b.String()
}

// pages lists the pages of a work list, each with its reason and whether it was written,
// and what else the run wrote.
func (w *scribe) pages() string {
	var b strings.Builder
	listed := map[string]bool{}
	if d := w.s.Start.Documentation; d != nil {
		for _, p := range d.Pages {
			listed[p.Path] = true
			became := "left as it is"
			if slices.Contains(w.written, p.Path) {
				became = "written"
			}
			fmt.Fprintf(&b, "- `%s`: %s; %s\n", quiet(p.Path), quiet(p.Reason), became)
		}
	}
	for _, p := range w.written {
		if !listed[p] {
			fmt.Fprintf(&b, "- `%s`: written\n", quiet(p))
		}
	}
	return b.String()
}

// mostNamed is how many pages the log names; the entry has all of them.
const mostNamed = 8

// pagesWritten names the pages that the run wrote.
func (w *scribe) pagesWritten() string {
	if len(w.written) == 0 {
		return ""
	}
	var names []string
	for _, p := range w.written[:min(len(w.written), mostNamed)] {
		names = append(names, "`"+quiet(p)+"`")
	}
	if more := len(w.written) - mostNamed; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return " Pages written: " + strings.Join(names, ", ") + "."
}

// subject returns what the run was about.
func (w *scribe) subject() string {
	if d := w.s.Start.Documentation; d != nil {
		return fmt.Sprintf("since: `%.12s`, %s", d.Since, quiet(d.From))
	}
	if w.s.Auditing() {
		return fmt.Sprintf("audited: `%.12s`", w.s.Start.Base)
	}
	return "plan: `" + w.s.Start.Plan.Path + "`"
}

// link returns a link to a page in the form that the index uses.
func (w *scribe) link(folder, name string) string {
	index, _ := w.read("index.md")
	if strings.Contains(index, "[[") || index == "" {
		return "[[" + name + "]]"
	}
	return fmt.Sprintf("[%s](%s/%s.md)", name, folder, name)
}

var logHeading = schema.Expression(`(?im)^#{2,3}[ \t]+[^\n]*\b(logs?|timeline|journal|runs)\b[^\n]*$`)

// index adds the entry to the index, below its heading for logs, or at the end.
func (w *scribe) index(link, title string) {
	index, ok := w.read("index.md")
	if !ok {
		return
	}
	line := "- " + link + " — " + title + "\n"
	if strings.Contains(index, "- "+link+" — ") {
		w.out[w.path("index.md")] = []byte(index)
		return
	}
	if at := logHeading().FindStringIndex(index); at != nil {
		rest := index[at[1]:]
		stop := len(rest)
		if next := regexp.MustCompile(`(?m)^#{1,3} `).FindStringIndex(rest); next != nil {
			stop = next[0]
		}
		section := strings.TrimRight(rest[:stop], "\n")
		gap := "\n"
		if strings.TrimSpace(section) == "" {
			gap = "\n\n"
		}
		index = index[:at[1]] + section + gap + line
		if stop < len(rest) {
			index += "\n" + rest[stop:]
		}
	} else {
		index = end(index) + "\n## Log\n\n" + line
	}
	w.out[w.path("index.md")] = []byte(index)
}

// end makes text end with one line end.
func end(s string) string { return strings.TrimRight(s, "\n") + "\n" }

// Written returns the markdown files that a run changed, in the order of git.
func Written(ctx context.Context, s *loops.State, w loops.Worktree) ([]string, error) {
	changes, err := w.Diff(ctx, s.Start.Base, s.Tree)
	var out []string
	for i := range changes {
		if c := &changes[i]; strings.EqualFold(path.Ext(c.Path), ".md") && c.Status != "D" {
			out = append(out, c.Path)
		}
	}
	return out, err
}

// WriteEntry puts a run's entry into its worktree, and returns the tree with it.
func WriteEntry(ctx context.Context, s *loops.State, w loops.Worktree) (string, error) {
	written, err := Written(ctx, s, w)
	if err != nil {
		return "", err
	}
	files, err := Entry(w.Path(), s, written)
	if err != nil || len(files) == 0 {
		return "", err
	}
	return w.Add(ctx, s.Tree, files)
}
