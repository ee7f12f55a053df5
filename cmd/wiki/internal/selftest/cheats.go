package selftest

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// cheats are ways in which code of one language makes its own tests pass although it
// is wrong.
type cheats struct {
	language string // as people write it
	prefix   string // of the scenarios' names
	needs    []string
	gates    string // wiki.yaml: loops: gates
	// files are an archive of the repository: "-- name --" lines, then contents.
	files string
	all   []cheat
}

type cheat struct {
	name, tried string
	// files and gates take the place of those of the language.
	files, gates string
	// leaves is an archive of what the agent writes, after what it does then.
	leaves, after string
	want          Want
	// notHeld says why nothing finds it.
	notHeld string
}

var (
	// byRunner is a cheat that what the runners report gives away.
	byRunner = stopped(loops.ClassTampering)
	// byMutation is one that only tests that must fail give away: the chunk is
	// committed by then.
	byMutation = Want{Status: loops.Stopped, Class: loops.ClassTampering, Tree: Committed}
	// byTests is one that leaves the tests red: its agent has no other.
	byTests = Want{Status: loops.Stopped, Class: loops.ClassNoChange, Charged: 3, Tree: Kept, Meta: true}
	// byNewTests is one that tries again each time.
	byNewTests = Want{Status: loops.Stopped, Class: loops.ClassAssertion, Charged: 3, Tree: Kept, Meta: true}
	// byPerson is one that a person is asked about.
	byPerson = Want{Status: loops.Waiting, Waiting: loops.ForPerson, Tree: Kept}
)

// cheatScenarios are agents whose code decides its own tests.
func cheatScenarios() []Scenario {
	var out []Scenario
	for _, c := range []cheats{goCheats(), pythonCheats(), javascriptCheats(), javaCheats(), rustCheats()} {
		for _, one := range c.all {
			want := one.want
			if one.notHeld != "" {
				want = honest(0)
			}
			out = append(out, Scenario{
				Name: c.prefix + "-" + one.name, Row: c.language + " code decides its own tests", Tried: one.tried,
				Maker: "work\n" + writing(one.leaves) + one.after + "\ndone_", Scope: cheatScope,
				Files: archive(cmp.Or(one.files, c.files)), Config: "gates: " + cmp.Or(one.gates, c.gates), Needs: c.needs, NotHeld: one.notHeld, Want: want,
			})
		}
	}
	return out
}

// cheatScope is that of their plans: what keeps the code of an agent from these files is
// not its scope.
var cheatScope = []string{"*.go", "*.py", "*.js", "*.java", "*.properties", "src/**", "check/**", "vendor/**", "node_modules/**", "target/**", "out/**", "org/**", "META-INF/**", "__pycache__/**"}

// archive returns the files of an archive.
func archive(text string) map[string]string {
	out := map[string]string{}
	for _, part := range strings.Split("\n"+text, "\n-- ")[1:] {
		name, body, _ := strings.Cut(part, " --\n")
		out[name] = strings.TrimSuffix(body, "\n") + "\n"
	}
	return out
}

// writing returns the script that writes an archive.
func writing(text string) string {
	files := archive(text)
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		b.WriteString("mkdir -p " + path.Dir(name) + "\ncat > " + name + " <<'END_OF_FILE'\n" + files[name] + "END_OF_FILE\n")
	}
	return b.String()
}
