package schema_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// These tests check the shape of the module on its source: every file for every
// platform, whatever its build tags.

const modulePath = "github.com/loopwiki/wiki"

// rooms says which rooms a room may import. Every room may import itself.
var rooms = map[string][]string{
	"schema":   nil,
	"compiler": {"schema"},
	"linter":   {"schema", "compiler"},
	"site":     {"schema", "compiler"},
	"loops":    {"schema", "compiler", "linter"},
	"cmd":      {"schema", "compiler", "linter", "site", "loops"},
}

// subRooms is the graph inside each room: which of its parts a part imports, by their
// names below the room. What is not listed is refused, and so are a line that nothing
// uses and a circle.
var subRooms = map[string][]string{
	"schema/yaml": {"schema"},

	"compiler":                   {"files", "history", "identity", "markdown", "resolve"},
	"compiler/card":              {"compiler"},
	"compiler/edit":              {"compiler", "files", "source"},
	"compiler/exchange":          {"compiler", "files", "exchange/llms", "exchange/okf", "public"},
	"compiler/exchange/importer": {"compiler", "edit", "files", "exchange/okf"},
	"compiler/exchange/okf":      {"compiler", "files", "public"},
	"compiler/ingest":            {"compiler", "edit", "files", "source"},
	"compiler/public":            {"compiler"},
	"compiler/scaffold":          {"compiler", "edit", "files", "resolve"},
	"compiler/source":            {"compiler", "citation", "claim", "files"},

	"linter":            {"conflict"},
	"linter/claims":     {"conflict"},
	"linter/difference": {"linter", "claims", "conflict"},
	"linter/judge":      {"linter"},
	"linter/merge":      {"linter"},
	"linter/report":     {"linter"},
	"linter/rules":      {"linter"},

	"site":       {"layout", "math", "search", "theme"},
	"site/pack":  {"search"},
	"site/serve": {"site"},

	"loops/agent":               {"loops"},
	"loops/andon":               {"loops"},
	"loops/audit":               {"loops"},
	"loops/contain":             {"loops"},
	"loops/control":             {"loops", "agent", "andon", "audit", "contain", "gate", "plan", "prompt", "run", "control/cast", "control/declared", "control/diagnose", "control/intake", "control/modes", "control/process", "control/proposal", "control/publish", "control/query", "control/ready", "control/repo", "control/survey", "control/task", "control/worklist"},
	"loops/control/cast":        {"loops", "agent", "plan"},
	"loops/control/declared":    {"loops", "prompt", "run", "spec", "control/cast"},
	"loops/control/diagnose":    {"loops", "agent", "contain", "gate", "run", "control/cast", "control/modes", "control/repo"},
	"loops/control/export":      {"loops", "run", "spec/les", "spec/record"},
	"loops/control/fleet":       {"loops", "andon", "contain", "plan", "run", "control/process", "control/repo", "control/survey"},
	"loops/control/intake":      {"loops", "control/repo"},
	"loops/control/judging":     {"loops", "agent", "contain", "control/repo"},
	"loops/control/modes":       {"loops", "contain", "mode", "run", "control/repo"},
	"loops/control/process":     {"loops", "contain", "run", "control/intake", "control/repo"},
	"loops/control/proposal":    {"loops", "audit", "gate", "plan", "run", "skill", "control/repo"},
	"loops/control/publish":     {"loops", "contain", "run", "control/modes", "control/repo"},
	"loops/control/query":       {"loops", "prompt", "run", "control/repo"},
	"loops/control/ready":       {"loops", "contain", "plan", "control/cast", "control/repo", "control/survey"},
	"loops/control/repo":        {"loops", "agent", "andon", "contain", "gate", "plan", "run"},
	"loops/control/show":        {"loops", "andon", "plan", "run", "control/export", "control/repo", "spec", "spec/bench", "spec/les"},
	"loops/control/statebranch": {"andon", "contain", "run", "control/proposal", "control/repo"},
	"loops/control/survey":      {"loops", "gate", "plan", "control/repo"},
	"loops/control/task":        {"loops", "contain", "plan", "prompt", "run", "control/cast", "control/repo"},
	"loops/control/worklist":    {"loops", "contain", "docs", "gate", "plan", "run", "control/repo"},
	"loops/gate":                {"loops"},
	"loops/mode":                {"loops"},
	"loops/plan":                {"loops", "skill"},
	"loops/prompt":              {"loops", "skill"},
	"loops/run":                 {"loops"},
	"loops/skill":               {"loops"},
	"loops/spec":                {"spec/schemas"},
	"loops/spec/bench":          {"spec", "spec/les", "spec/record", "spec/schemas"},
	"loops/spec/record":         {"spec", "spec/les", "spec/schemas"},
	"loops/spec/convert":        {"loops", "plan", "spec"},
	"loops/temporal":            {"loops", "run"},

	"loops/temporal/cmd/wiki-temporal": {"loops", "run", "temporal"},
	"loops/temporal/cmd/wiki-worker":   {"run", "temporal"},

	"loops/tracker":     {"loops", "tracker/mcp"},
	"loops/tracker/mcp": {"loops"},

	"cmd/wiki": {"wiki/internal/gendocs", "wiki/internal/lsp", "wiki/internal/mcp", "wiki/internal/plain", "wiki/internal/replay", "wiki/internal/seeding", "wiki/internal/selftest"},
}

// openRooms are the sub-rooms that other rooms import, next to the room itself and all
// of schema, and why. cmd imports what it likes.
var openRooms = map[string]string{
	"compiler/claim":         "rules and the documentation loop compare what pages state",
	"compiler/edit":          "whoever changes a page changes it there",
	"compiler/files":         "whoever reads a folder of others reads it there",
	"compiler/history":       "git is asked in one place",
	"compiler/identity":      "rules know which pages are translations and versions of one another",
	"compiler/ingest":        "a run takes raw sources in as the command does",
	"compiler/exchange/llms": "the site and exports write llms.txt alike",
	"compiler/public":        "the site and exports leave out the same pages, links and comments",
	"compiler/scaffold":      "a loop that writes a page begins it as the command does",
	"compiler/source":        "what became of the code that a page describes decides rules, gates and work lists",
	"linter/judge":           "the audit puts its doubts to the judge of rules",
}

// homes says where a library of others is imported: in the rooms listed, or
// anywhere below one that ends in /... . A library that is not listed has no
// home yet: give it one.
var homes = map[string][]string{
	"github.com/yuin/goldmark":               {"compiler/..."},
	"go.abhg.dev/goldmark/wikilink":          {"compiler/..."},
	"github.com/adrg/frontmatter":            {"compiler/..."},
	"github.com/goccy/go-yaml":               {"schema/yaml"},
	"github.com/spf13/cobra":                 {"cmd/wiki/..."},
	"github.com/spf13/pflag":                 {"cmd/wiki/..."},
	"github.com/google/jsonschema-go":        {"cmd/wiki/..."},
	"github.com/santhosh-tekuri/jsonschema":  {"loops/spec/schemas"},
	"golang.org/x/term":                      {"cmd/wiki/..."},
	"github.com/modelcontextprotocol/go-sdk": {"loops/tracker/mcp", "cmd/wiki/internal/mcp"},
	"github.com/tailscale/hujson":            {"cmd/wiki/internal/mcp"},
	"github.com/alecthomas/chroma/v2":        {"site/..."},
	"github.com/dop251/goja":                 {"site/math"},
	"github.com/fsnotify/fsnotify":           {"site/serve"},
	"github.com/google/renameio/v2":          {"compiler/...", "site/...", "loops/..."},
	"github.com/rogpeppe/go-internal":        {"compiler/edit"},
	"github.com/zeebo/xxh3":                  {"compiler/...", "linter/...", "site/...", "loops/..."},
	"github.com/bmatcuk/doublestar/v4":       {"schema/yaml", "compiler/...", "linter/...", "site/...", "loops/..."},
	"golang.org/x/net":                       {"compiler/...", "site/..."},
	"golang.org/x/sync":                      {"compiler/...", "linter/...", "site/...", "loops/..."},
	"golang.org/x/text":                      {"compiler/...", "linter/...", "site/...", "loops/..."},
	"golang.org/x/tools":                     {"linter/..."},
	"github.com/landlock-lsm/go-landlock":    {"loops/contain"},
	"github.com/odvcencio/gotreesitter":      {"compiler/source"},
	"go.lsp.dev/jsonrpc2":                    {"cmd/wiki/internal/lsp"},
	"mvdan.cc/sh/v3":                         {"loops", "loops/plan"},
	"go.temporal.io/api":                     {"loops/temporal/..."},
	"go.temporal.io/sdk":                     {"loops/temporal/..."},
	"google.golang.org/protobuf":             {"loops/temporal"},
}

// process are the parts of the standard library that only cmd/wiki may use:
// they read the process's surroundings, or end it.
var process = map[string]bool{
	"os.Args": true, "os.Exit": true, "os.Getenv": true, "os.LookupEnv": true, "os.ExpandEnv": true, "os.Environ": true,
	"os.Setenv": true, "os.Chdir": true, "log.Fatal": true, "log.Fatalf": true, "flag.Parse": true,
}

// allowedProcess are the exceptions: what git is started with is the process's
// environment without the variables that would change its answer.
var allowedProcess = map[string]string{"os.Environ": "compiler/history"}

// topLevel is everything that is at the top, beside dotfiles.
var topLevel = []string{
	"AGENTS.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "action.yml", "cmd", "compiler",
	"go.mod", "go.sum", "linter", "loops", "schema", "site", "wiki",
}

// source is one Go file of the module.
type source struct {
	path   string // below the module's root, slash-separated
	room   string // its folder
	test   bool   // is no part of the program: a test, or a package of helpers for tests
	text   []byte
	syntax *ast.File
	set    *token.FileSet
}

func (s source) imports() []string {
	var out []string
	for _, im := range s.syntax.Imports {
		p, _ := strconv.Unquote(im.Path.Value)
		out = append(out, p)
	}
	return out
}

// sources parses every Go file of the module.
func sources(t *testing.T) []source {
	t.Helper()
	root := os.DirFS("..")
	var out []source
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); name != "." && (base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
				return fs.SkipDir
			}
			if name == "loops/temporal/dev" || name == "loops/temporal/internal/stub" {
				return fs.SkipDir // a server for tests and what is run on it: nothing imports them
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		syntax, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		test := strings.HasSuffix(name, "_test.go") || forTests(path.Dir(name))
		out = append(out, source{name, path.Dir(name), test, text, syntax, set})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 20 {
		t.Fatalf("found only %d Go files; is the test run in its own folder?", len(out))
	}
	return out
}

// forTests reports whether a room holds helpers for tests, as compilertest does.
func forTests(room string) bool {
	return strings.HasSuffix(room, "test") && path.Base(room) != "selftest" // which is a command of the program
}

func top(room string) string { first, _, _ := strings.Cut(room, "/"); return first }

func TestRoomsImportOnlyWhatTheyMay(t *testing.T) {
	t.Parallel()
	inside, across := make(map[string]bool), make(map[string]bool) // what is used of the tables
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		if _, ok := rooms[top(s.room)]; !ok {
			t.Errorf("%s: %s is no room", s.path, top(s.room))
		}
		for _, im := range s.imports() {
			to, ok := strings.CutPrefix(im, modulePath+"/")
			if !ok {
				continue
			}
			if why := refused(s.room, to); why != "" {
				t.Errorf("%s: imports %s: %s", s.path, to, why)
			}
			if top(s.room) == top(to) {
				inside[s.room+" "+to] = true
			} else if top(s.room) != "cmd" {
				across[to] = true
			}
		}
	}
	for from, parts := range subRooms {
		for _, part := range parts {
			if to := partOf(from, part); !inside[from+" "+to] {
				t.Errorf("subRooms: %s does not import %s; remove the entry", from, to)
			}
		}
	}
	for to := range openRooms {
		if !across[to] {
			t.Errorf("openRooms: no other room imports %s; remove the entry", to)
		}
	}
}

// partOf is the package of a name in subRooms.
func partOf(from, name string) string {
	if room := top(from); name != room {
		return room + "/" + name
	}
	return name
}

// refused says why from may not import to, or nothing.
func refused(from, to string) string {
	switch {
	case forTests(to):
		return "it is for tests only"
	case top(from) == top(to):
		if !slices.ContainsFunc(subRooms[from], func(name string) bool { return partOf(from, name) == to }) {
			return "subRooms does not list it"
		}
	case !slices.Contains(rooms[top(from)], top(to)):
		return top(from) + " may import " + strings.Join(rooms[top(from)], ", ")
	case top(from) == "cmd", top(to) == "schema", to == top(to):
	case openRooms[to] == "":
		return "it is not open to other rooms"
	}
	return ""
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"compiler", "schema", true},
		{"compiler", "compiler/resolve", true},
		{"compiler/resolve", "schema/yaml", true},
		{"linter/rules", "linter", true},
		{"linter/rules", "compiler/source", true},
		{"loops/control", "loops/run", true},
		{"cmd/wiki", "site/serve", true},
		{"site", "site/theme", true},
		{"site/serve", "schema/text", true},
		{"schema", "schema/yaml", false},
		{"schema/yaml", "compiler", false},
		{"compiler", "linter", false},
		{"site", "linter", false},
		{"linter/rules", "compiler/resolve", false},
		{"linter/rules", "linter/report", false},
		{"site/serve", "site/search", false},
		{"loops", "site", false},
		{"loops/run", "loops/agent", false},
		{"loops/run", "loops/control", false},
		{"loops/control", "site", false},
		{"linter", "compiler/card", false},
		{"compiler", "compiler/compilertest", false},
	} {
		if why := refused(c.from, c.to); (why == "") != c.ok {
			t.Errorf("%s imports %s: allowed is not %v (%s)", c.from, c.to, c.ok, why)
		}
	}
}

func TestLibrariesHaveAHome(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		for _, im := range s.imports() {
			if !strings.Contains(top(im), ".") || im == modulePath || strings.HasPrefix(im, modulePath+"/") {
				continue
			}
			library, rooms := home(im)
			switch {
			case library == "":
				t.Errorf("%s: %s has no home; add it to homes", s.path, im)
			case !slices.ContainsFunc(rooms, func(r string) bool { return within(s.room, r) }):
				t.Errorf("%s: %s lives in %s", s.path, library, strings.Join(rooms, ", "))
			}
		}
	}
}

// home returns the library that holds the package, the longest that fits, and
// where it may be imported.
func home(im string) (library string, rooms []string) {
	for l, r := range homes {
		if (im == l || strings.HasPrefix(im, l+"/")) && len(l) > len(library) {
			library, rooms = l, r
		}
	}
	return library, rooms
}

func within(room, pattern string) bool {
	if below, ok := strings.CutSuffix(pattern, "/..."); ok {
		return room == below || strings.HasPrefix(room, below+"/")
	}
	return room == pattern
}

func TestOnlyTheCommandSeesTheProcess(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.test || within(s.room, "cmd/wiki/...") || within(s.room, "loops/temporal/cmd/...") {
			continue
		}
		ast.Inspect(s.syntax, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := sel.X.(*ast.Ident)
			if !ok {
				return true
			}
			name := pkg.Name + "." + sel.Sel.Name
			if process[name] && allowedProcess[name] != s.room {
				t.Errorf("%s: uses %s, which is for cmd/wiki", s.set.Position(n.Pos()), name)
			}
			return true
		})
	}
}

// printing are the ways around the writer that escapes what acts on a terminal;
// main hands it the streams of the process.
var printing = map[string]bool{
	"os.Stdout": true, "os.Stderr": true, "fmt.Print": true, "fmt.Printf": true, "fmt.Println": true,
	"slog.Default": true, "slog.Debug": true, "slog.Info": true, "slog.Warn": true, "slog.Error": true, "slog.Log": true,
	"print": true, "println": true,
}

func TestAllOutputIsEscaped(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.test || s.path == "cmd/wiki/main.go" || within(s.room, "loops/temporal/cmd/...") && strings.HasPrefix(path.Base(s.path), "main") {
			continue
		}
		if slices.Contains(s.imports(), "log") {
			t.Errorf("%s: imports log; take a *slog.Logger", s.path)
		}
		for _, use := range printed(s) {
			t.Errorf("%s: prints past the writer of schema/text", use)
		}
	}
}

// printed are the places of a file that print, or in the commands write values
// that may hold line ends, past the writer.
func printed(s source) (at []string) {
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		name := ""
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok {
				name = pkg.Name + "." + n.Sel.Name
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok {
				name = f.Name
			}
		}
		if printing[name] || s.room == "cmd/wiki" && strings.HasPrefix(name, "fmt.Fprint") {
			at = append(at, s.set.Position(n.Pos()).String()+": "+name)
		}
		return true
	})
	return at
}

func TestPrinted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"p.out.Printf(`a`)":                               0,
		"fmt.Println(`a`); print(`b`); slog.Info(`c`)":    3,
		"fmt.Fprintf(p.out, `a`); io.Copy(os.Stdout, in)": 2,
		"w := os.Stderr; defer fmt.Print(`a`)":            2,
	} {
		set := token.NewFileSet()
		syntax, err := parser.ParseFile(set, "a.go", "package main\nfunc f() {"+text+"}", parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if at := printed(source{room: "cmd/wiki", syntax: syntax, set: set}); len(at) != want {
			t.Errorf("%s: %q", text, at)
		}
	}
}

func TestFilesStayShort(t *testing.T) {
	t.Parallel()
	const most = 600
	for _, s := range sources(t) {
		if n := bytes.Count(s.text, []byte("\n")); n > most {
			t.Errorf("%s has %d lines; more than %d are two files", s.path, n, most)
		}
	}
}

func TestNoTodoComments(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.room == "linter/rules" { // a rule looks for these words
			continue
		}
		for _, group := range s.syntax.Comments {
			for _, c := range group.List {
				for _, word := range []string{"TO" + "DO", "FIX" + "ME", "XX" + "X"} {
					if strings.Contains(c.Text, word) {
						t.Errorf("%s: %s: do it, or leave it out", s.set.Position(c.Pos()), word)
					}
				}
			}
		}
	}
}

func TestTopLevel(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") || name == "_site" || slices.Contains(topLevel, name) {
			continue
		}
		t.Errorf("%s: at the top stand only %s and dotfiles", filepath.Join("..", name), strings.Join(topLevel, ", "))
	}
	for _, room := range []string{"cmd/wiki", "compiler", "linter", "loops", "schema", "site"} {
		if _, err := os.Stat(filepath.Join("..", filepath.FromSlash(room))); err != nil {
			t.Errorf("room %s: %v", room, err)
		}
	}
}
