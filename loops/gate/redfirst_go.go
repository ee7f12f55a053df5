package gate

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// goTests proves the new tests of every package.
func (p *proof) goTests(ctx context.Context, files []newFile) error {
	if len(files) == 0 {
		return nil
	}
	tool, err := lookPath("go", p.Path)
	if err != nil {
		p.note("", "%v: can't tell whether new tests fail without the code", err)
		return nil
	}
	byDir := map[string][]newFile{}
	for _, f := range files {
		byDir[path.Dir(f.path)] = append(byDir[path.Dir(f.path)], f)
	}
	t, err := p.probe(ctx, func(string) bool { return true })
	if err != nil {
		return err
	}
	empty := map[emptying]*tree{}
	for _, dir := range keysOf(byDir, nil) {
		g := &goProof{proof: p, tool: tool, dir: dir, files: byDir[dir]}
		again, err := g.onBase(ctx, t)
		if err != nil {
			return err
		}
		if !again {
			continue
		}
		for mode := keepOld; mode <= emptyAll; mode++ {
			if empty[mode] == nil {
				if empty[mode], err = p.emptied(ctx, mode); err != nil {
					return err
				}
			}
			done, err := g.onEmpty(ctx, empty[mode], mode)
			if err != nil {
				return err
			}
			if done {
				break
			}
		}
	}
	return nil
}

// goProof is that of one package.
type goProof struct {
	*proof
	tool  string // the path of go
	dir   string
	files []newFile
}

// tests returns the names of the new tests.
func (g *goProof) tests() []string {
	var out []string
	for _, f := range g.files {
		for _, u := range f.units {
			if !strings.HasPrefix(u.name, "Benchmark") && !(strings.HasPrefix(u.name, "Example") && u.asserts == 0) {
				out = append(out, u.name)
			}
		}
	}
	slices.Sort(out)
	return out
}

func (g *goProof) where(test string) (string, int) {
	for _, f := range g.files {
		for _, u := range f.units {
			if u.name == test {
				return f.path, u.line
			}
		}
	}
	return g.files[0].path, 0
}

// onBase runs the new tests on the base. again is true if they do not compile
// there for nothing but what the chunk adds.
func (g *goProof) onBase(ctx context.Context, t *tree) (again bool, err error) {
	if !hasGo(t, g.dir) { // the package itself is new
		return true, nil
	}
	binary, o, err := g.compile(ctx, t)
	if err != nil {
		return false, err
	}
	if binary == "" {
		g.output += o.output
		if o.exit.Why != loops.Exited {
			g.note(g.files[0].path, "compiling the new tests on the base was killed: %s", o.exit.Why)
			return false, nil
		}
		foreign := foreignErrors(o.output, g.added())
		if len(foreign) > 0 {
			g.blame(g.files[0].path, 0, "does not compile on the base, for another reason than missing code of the chunk: %s", foreign[0])
			return false, nil
		}
		return true, nil
	}
	passed, err := g.pass(ctx, t, binary)
	for _, test := range passed {
		file, line := g.where(test)
		g.blame(file, line, "the test %s passes on the base; it must fail without the chunk's code", test)
	}
	return false, err
}

// onEmpty runs the new tests where what the chunk adds has no bodies.
func (g *goProof) onEmpty(ctx context.Context, t *tree, mode emptying) (done bool, err error) {
	binary, o, err := g.compile(ctx, t)
	if err != nil {
		return false, err
	}
	if binary == "" {
		if mode == emptyAll {
			g.output += o.output
			g.note(g.files[0].path, "does not compile with empty function bodies; can't tell whether the new tests fail without the code")
		}
		return false, nil
	}
	passed, err := g.pass(ctx, t, binary)
	for _, test := range passed {
		file, line := g.where(test)
		g.blame(file, line, "the test %s passes although the added functions have empty bodies; assert what they do", test)
	}
	return true, err
}

// compile makes the test binary of the package; "" if it does not compile.
func (g *goProof) compile(ctx context.Context, t *tree) (string, *outcome, error) {
	h, err := g.homeOf(t.dir)
	if err != nil {
		return "", nil, err
	}
	binary := filepath.Join(h.dir, "tmp", fmt.Sprintf("probe-%d.test", g.serial.Add(1)))
	args := []string{g.tool, "test", "-c", "-vet=off", "-gcflags=-e", "-o", binary}
	if tags := g.tags(); tags != "" {
		args = append(args, "-tags="+tags)
	}
	o, err := g.exec(ctx, "red-first", "go test -c", filepath.Join(t.dir, filepath.FromSlash(g.dir)), append(args, "."), running)
	if err != nil {
		return "", nil, err
	}
	if info, err := os.Stat(binary); err != nil || info.Size() == 0 || !o.green() {
		return "", o, nil
	}
	return binary, o, nil
}

var tagsFlag = schema.Expression(`-tags[= ]['"]?([\w,]+)`)

func (g *goProof) tags() string {
	for _, c := range g.commands.Test {
		if m := tagsFlag().FindStringSubmatch(c); m != nil {
			return m[1]
		}
	}
	return ""
}

// pass returns the new tests that pass: all are run together, and again one by
// one where that does not tell, as after a panic.
func (g *goProof) pass(ctx context.Context, t *tree, binary string) ([]string, error) {
	var out []string
	together, err := g.verdicts(ctx, t, binary, g.tests())
	if err != nil {
		return nil, err
	}
	for _, test := range g.tests() {
		verdict := together[test]
		if verdict == "" && len(g.tests()) > 1 {
			alone, err := g.verdicts(ctx, t, binary, []string{test})
			if err != nil {
				return nil, err
			}
			verdict = alone[test]
		}
		switch verdict {
		case "PASS":
			out = append(out, test)
		case "SKIP":
			file, line := g.where(test)
			g.blame(file, line, "the test %s is skipped without the chunk's code; it must fail", test)
		}
	}
	return out, nil
}

var verdictLine = schema.Expression(`(?m)^--- (PASS|FAIL|SKIP): (\S+) `)

func (g *goProof) verdicts(ctx context.Context, t *tree, binary string, tests []string) (map[string]string, error) {
	quoted := make([]string, len(tests))
	for i, test := range tests {
		quoted[i] = regexp.QuoteMeta(test)
	}
	dir := filepath.Join(t.dir, filepath.FromSlash(g.dir))
	o, err := g.exec(ctx, "red-first", "go test -run "+strings.Join(tests, "|"), dir, []string{binary, "-test.v", "-test.count=1", "-test.run=^(?:" + strings.Join(quoted, "|") + ")$"}, running)
	if err != nil {
		return nil, err
	}
	g.output += o.output
	out := map[string]string{}
	for _, m := range verdictLine().FindAllStringSubmatch(o.output, -1) {
		out[m[2]] = m[1]
	}
	return out, nil
}

// hasGo reports whether a folder holds Go code that is not a test.
func hasGo(t *tree, dir string) bool {
	for p := range t.files {
		if path.Dir(p) == dir && strings.HasSuffix(p, ".go") && !strings.HasSuffix(p, "_test.go") {
			return true
		}
	}
	return false
}

// symbolErrors are messages of the compiler that name what is missing, or is not
// as it will be.
var symbolErrors = []func() *regexp.Regexp{
	schema.Expression(`^undefined: (?:\w+\.)?(\w+)`),
	schema.Expression(`^\S+ undefined \(type .* has no field or method (\w+)`),
	schema.Expression(`^unknown field (\w+) in struct literal`),
	schema.Expression(`^(?:too many|not enough) arguments in call to (?:[\w().]+\.)?(\w+)`),
	schema.Expression(`^assignment mismatch: .* but (?:[\w().]+\.)?(\w+)(?:\(.*\))? returns`),
	schema.Expression(`^cannot use .* in argument to (?:[\w().]+\.)?(\w+)`),
	schema.Expression(`\(missing method (\w+)\)`),
	schema.Expression(`^(?:too many|not enough) (?:values|variables) .*in .*\b(\w+)\(`),
	schema.Expression(`^(\w+)(?:\(.*\))? \(no value\) used as value`),
	schema.Expression(`^(?:package|no required module provides package) \S*?([\w.-]+)(?: is not in std|;|$)`),
}

var compilerLine = schema.Expression(`^(?:vet: )?\S+\.go:\d+(?::\d+)?: (.+)$`)

// foreignErrors returns the messages of a compiler that have another cause than
// symbols that the chunk adds.
func foreignErrors(output string, added map[string]bool) []string {
	var out []string
	seen := false
	for line := range strings.Lines(output) {
		m := compilerLine().FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		seen = true
		known := false
		for _, e := range symbolErrors {
			if s := e().FindStringSubmatch(m[1]); s != nil && added[s[1]] {
				known = true
				break
			}
		}
		if !known {
			out = append(out, clip(strings.TrimSpace(line), 200))
		}
	}
	if !seen {
		return []string{clip(strings.TrimSpace(output), 200)}
	}
	return out
}

// added returns the names that the chunk's code declares and the base does not, or
// not so.
func (j *judge) added() map[string]bool {
	was, is := map[string]string{}, map[string]string{}
	out := map[string]bool{}
	for i := range j.changes {
		c := &j.changes[i]
		if !strings.HasSuffix(c.path, ".go") || strings.HasSuffix(c.path, "_test.go") || c.ignored {
			continue
		}
		declaredIn(path.Dir(c.path), c.old, was)
		declaredIn(path.Dir(c.path), c.now, is)
		if c.added && !hasGo(j.was, path.Dir(c.path)) { // a package
			out[path.Base(path.Dir(c.path))] = true
		}
	}
	for key, signature := range is {
		if old, ok := was[key]; !ok || old != signature {
			out[key[strings.LastIndexByte(key, '\x00')+1:]] = true
		}
	}
	return out
}
