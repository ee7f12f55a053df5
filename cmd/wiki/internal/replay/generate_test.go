package replay

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// language says how a made-up file of a language is written.
type language struct {
	extension string
	head      string
	constant  string // %s name, %d value
	function  string // %s name, %s parameter, %d value, %s what else it does
	comment   string // %s
	nested    bool   // functions are members of a class
}

var languages = map[string]language{
	"go":   {".go", "package p\n\n", "const %s = %d\n", "func %s(%s int) int {\n\ttotal := %s + %d\n\tfor i := range %s {\n\t\ttotal += i * %s\n\t}\n\treturn total\n}\n", "// %s\n", false},
	"ts":   {".ts", "", "export const %s = %d;\n", "export function %s(%s: number): number {\n  let total = %s + %d;\n  for (let i = 0; i < %s; i++) {\n    total += i * %s;\n  }\n  return total;\n}\n", "// %s\n", false},
	"py":   {".py", "", "%s = %d\n", "def %s(%s):\n    total = %s + %d\n    for i in range(%s):\n        total += i * %s\n    return total\n", "# %s\n", false},
	"java": {".java", "class Numbers {\n", "  static final int %s = %d;\n", "  int %s(int %s) {\n    int total = %s + %d;\n    for (int i = 0; i < %s; i++) {\n      total += i * %s;\n    }\n    return total;\n  }\n", "  // %s\n", true},
	"rust": {".rs", "", "pub const %s: i64 = %d;\n", "pub fn %s(%s: i64) -> i64 {\n    let mut total = %s + %d;\n    for i in 0..%s {\n        total += i * %s;\n    }\n    total\n}\n", "// %s\n", false},
	"c":    {".c", "", "#define %s %d\n", "int %s(int %s) {\n  int total = %s + %d;\n  for (int i = 0; i < %s; i++) {\n    total += i * %s;\n  }\n  return total;\n}\n", "/* %s */\n", false},
	"yaml": {".yaml", "", "%s: %d\n", "", "# %s\n", false},
}

// thing is a constant or a function of a made-up file.
type thing struct {
	name, parameter string
	value           int
	constant        bool
	extra           int // what its body does beside, which is no literal that a page states
}

// codeFile is a made-up file.
type codeFile struct {
	name, folder string
	language     language
	things       []*thing
	comments     int // how often comments were written
	loose        bool
}

func (f *codeFile) path() string { return f.folder + "/" + f.name + f.language.extension }

// target is how an anchor names a thing of the file.
func (f *codeFile) target(t *thing) string {
	if f.language.nested {
		return f.path() + "#Numbers." + t.name
	}
	return f.path() + "#" + t.name
}

func (f *codeFile) text() string {
	var b strings.Builder
	b.WriteString(f.language.head)
	for _, t := range f.things {
		for i := range f.comments {
			fmt.Fprintf(&b, f.language.comment, fmt.Sprintf("Note %d on %s, which was 77 once.", i, t.name))
		}
		code := ""
		if t.constant {
			code = fmt.Sprintf(f.language.constant, t.name, t.value)
		} else {
			other := t.parameter
			for range t.extra {
				other += " * " + t.parameter
			}
			code = fmt.Sprintf(f.language.function, t.name, t.parameter, t.parameter, t.value, t.parameter, other)
		}
		if f.loose { // as another formatter writes it
			code = strings.NewReplacer(" + ", "  +  ", " = ", "  =  ").Replace(code)
			if f.language.extension == ".c" && t.constant {
				code = strings.ReplaceAll(code, "  =  ", " = ")
			}
		}
		b.WriteString(code + "\n")
	}
	if f.language.nested {
		b.WriteString("}\n")
	}
	return b.String()
}

// truth is what one commit of a made-up history did.
type truth struct {
	moved  map[string]string    // target to what it is called now
	values map[string][2]string // target to the value that was and the one that is
	signed map[string]bool      // targets that are declared otherwise
	bodies map[string]bool      // targets of which only the body changed
	gone   map[string]bool
}

func newTruth() *truth {
	return &truth{map[string]string{}, map[string][2]string{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
}

// madeUp is a history of random changes in seven languages.
type madeUp struct {
	t     *testing.T
	dir   string
	rand  *rand.Rand
	files []*codeFile
	next  int
	day   int
}

// generate makes a repository of n commits and returns what each did, the first,
// which adds all files, left out.
func generate(t *testing.T, dir string, seed uint64, n int) []*truth {
	t.Helper()
	m := &madeUp{t: t, dir: dir, rand: rand.New(rand.NewPCG(seed, 1))}
	for _, name := range slices.Sorted(maps.Keys(languages)) {
		for range 2 {
			f := &codeFile{name: fmt.Sprintf("file%d", m.number()), folder: "src", language: languages[name]}
			for range 4 {
				f.things = append(f.things, m.thing(languages[name].function == "" || m.rand.IntN(2) == 0))
			}
			m.files = append(m.files, f)
		}
	}
	m.git("init", "-q")
	m.commit()
	var out []*truth
	for range n {
		out = append(out, m.change())
		m.commit()
	}
	return out
}

func (m *madeUp) number() int { m.next++; return m.next }

// value is one that nothing else in the history has.
func (m *madeUp) value() int { return 1000 + 7*m.number() }

func (m *madeUp) thing(constant bool) *thing {
	n := m.number()
	t := &thing{name: fmt.Sprintf("Thing%dPart", n), parameter: fmt.Sprintf("p%d", n), value: m.value(), constant: constant, extra: m.rand.IntN(3)}
	return t
}

// change makes one random change, one of the kinds that commits are made of.
func (m *madeUp) change() *truth {
	out := newTruth()
	f := m.files[m.rand.IntN(len(m.files))]
	t := f.things[m.rand.IntN(len(f.things))]
	was := f.target(t)
	switch kind := m.rand.IntN(9); {
	case kind == 0:
		f.comments = 1 + (f.comments+1)%3
	case kind == 1:
		f.loose = !f.loose
	case kind == 2: // something unrelated
		f.things = slices.Insert(f.things, m.rand.IntN(len(f.things)+1), m.thing(f.language.function == ""))
	case kind == 3 || t.constant && kind < 7:
		old := t.value
		t.value = m.value()
		out.values[was] = [2]string{fmt.Sprint(old), fmt.Sprint(t.value)}
	case kind == 4: // a new name: what a page can tell it by is its code
		t.name = fmt.Sprintf("Renamed%dPart", m.number())
		out.moved[was] = f.target(t)
	case kind == 5: // to another file of the language
		to := m.files[slices.IndexFunc(m.files, func(g *codeFile) bool { return g != f && g.language == f.language })]
		f.things = slices.DeleteFunc(f.things, func(o *thing) bool { return o == t })
		to.things = append(to.things, t)
		if len(f.things) == 0 {
			f.things = append(f.things, m.thing(f.language.function == ""))
		}
		out.moved[was] = to.target(t)
	case kind == 6:
		t.extra++
		out.bodies[was] = true
	case kind == 7: // the file gets another folder
		old := map[*thing]string{}
		for _, t := range f.things {
			old[t] = f.target(t)
		}
		if err := os.Remove(filepath.Join(m.dir, filepath.FromSlash(f.path()))); err != nil {
			m.t.Fatal(err)
		}
		f.folder = fmt.Sprintf("src/part%d", m.number())
		for t, was := range old {
			out.moved[was] = f.target(t)
		}
	case t.constant || len(f.things) < 2:
		f.comments++
	default: // another parameter
		t.parameter = fmt.Sprintf("q%d", m.number())
		out.signed[was] = true
	}
	return out
}

func (m *madeUp) commit() {
	m.t.Helper()
	for _, f := range m.files {
		full := filepath.Join(m.dir, filepath.FromSlash(f.path()))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			m.t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(f.text()), 0o666); err != nil {
			m.t.Fatal(err)
		}
	}
	m.day++
	m.git("add", "-A")
	m.git("commit", "-q", "--allow-empty", "-m", fmt.Sprintf("day %d", m.day))
}

func (m *madeUp) git(args ...string) {
	m.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = m.dir
	when := time.Date(2026, 1, 1, 12, m.day, 0, 0, time.UTC).Format(time.RFC3339)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.org",
		"GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.org", "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when)
	if out, err := cmd.CombinedOutput(); err != nil {
		m.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
