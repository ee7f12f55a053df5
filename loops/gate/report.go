package gate

import (
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema"
)

//go:embed reporter
var reporterFiles embed.FS

// reporter makes a test runner write what every test came to into a file of the runner
// of the loop, where the output of the code under test is not.
type reporter struct {
	runs func(j *judge, t *tree, command string) bool
	// ask returns the command that reports: file is the reporter's own, outside of
	// the tree, and report what it writes. nil for what reports without being asked.
	ask func(command, file, report string) string
	// file is the reporter in reporterFiles.
	file string
	// xml says that the runner writes JUnit's files, below the tree or into report.
	xml bool
}

var reporters = []reporter{
	{file: "unittest.py", runs: matches(unittestCommand), ask: func(command, file, report string) string {
		return exported("WIKI_REPORT", report) + strings.Replace(command, "-m unittest", shellQuote(file), 1) + " -v"
	}},
	{file: "jest.cjs", runs: runsTool(jestCommand), ask: func(command, file, report string) string {
		return exported("WIKI_REPORT", report) + withFlags(command, "--reporters=default --reporters="+shellQuote(file))
	}},
	{file: "vitest.mjs", runs: runsTool(vitestCommand), ask: func(command, file, report string) string {
		return exported("WIKI_REPORT", report) + withFlags(command, "--reporter=default --reporter="+shellQuote(file))
	}},
	{file: "node.mjs", runs: runsTool(nodeCommand), ask: func(command, file, report string) string {
		// An old node does not let the environment name a reporter.
		options := "--test-reporter=spec --test-reporter-destination=stdout --test-reporter=" + file + " --test-reporter-destination=stderr"
		return fmt.Sprintf("if NODE_OPTIONS=%[1]s node -e 0 2>/dev/null; then %[2]s export NODE_OPTIONS=%[1]s; fi\n%[3]s", shellQuote(options), exported("WIKI_REPORT", report), command)
	}},
	{xml: true, runs: matches(launcherCommand), ask: func(command, _, report string) string {
		return command + " --reports-dir=" + shellQuote(report)
	}},
	{xml: true, runs: matches(jvmCommand)},
	// The last one is for all that may run pytest in the end.
	{file: "pytest.py", runs: func(*judge, *tree, string) bool { return true }, ask: func(command, file, report string) string {
		module := strings.TrimSuffix(filepath.Base(file), ".py")
		out := exported("WIKI_REPORT", report) + fmt.Sprintf("export PYTHONPATH=%s${PYTHONPATH:+:$PYTHONPATH} PYTEST_ADDOPTS=\"-p %s${PYTEST_ADDOPTS:+ $PYTEST_ADDOPTS}\"\n", shellQuote(filepath.Dir(file)), module)
		if pytestCommand().MatchString(command) {
			command += " -rA"
		}
		return out + command
	}},
}

var (
	jestCommand     = schema.Expression(`^(?:\w+=\S+\s+)*(?:cross-env\s+(?:\w+=\S+\s+)+)?(?:npx\s+)?jest(?:\s[^|;&<>]*)?$`)
	vitestCommand   = schema.Expression(`^(?:\w+=\S+\s+)*(?:cross-env\s+(?:\w+=\S+\s+)+)?(?:npx\s+)?vitest(?:\s[^|;&<>]*)?$`)
	nodeCommand     = schema.Expression(`\bnode\s(?:.*\s)?--test\b`)
	scriptCommand   = schema.Expression(`^(?:npm\s+(?:(?:--silent|-s)\s+)?(?:run\s+)?(?:(?:--silent|-s)\s+)?|yarn\s+(?:run\s+)?|pnpm\s+(?:run\s+)?)([\w:.-]+)(?:\s+(?:--silent|-s))?$`)
	launcherCommand = schema.Expression(`\borg\.junit\.platform\.console\.ConsoleLauncher\b[^|;&<>]*$`)
	jvmCommand      = schema.Expression(`\b(?:mvnw?|gradlew?)\b`)
)

func matches(pattern func() *regexp.Regexp) func(*judge, *tree, string) bool {
	return func(_ *judge, _ *tree, command string) bool { return pattern().MatchString(command) }
}

// runsTool reports a command, or the script of package.json that it runs, that is a
// call of a tool which does not choose its reporters itself.
func runsTool(pattern func() *regexp.Regexp) func(*judge, *tree, string) bool {
	return func(j *judge, t *tree, command string) bool {
		if m := scriptCommand().FindStringSubmatch(command); m != nil {
			var pkg struct{ Scripts map[string]string }
			if json.Unmarshal(t.read("package.json"), &pkg) != nil {
				return false
			}
			command = strings.TrimSpace(pkg.Scripts[m[1]])
		}
		return pattern().MatchString(command) && !strings.Contains(command, "-reporter") && !strings.Contains(command, "--watch")
	}
}

// withFlags adds flags to a call, through the package manager if it runs a script.
func withFlags(command, flags string) string {
	if scriptCommand().MatchString(command) && strings.HasPrefix(command, "npm") {
		return command + " -- " + flags
	}
	return command + " " + flags
}

func exported(name, value string) string { return "export " + name + "=" + shellQuote(value) + "\n" }

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// report is what a reporter left.
type report struct {
	*reporter
	command string // that reports
	path    string
	tree    *tree
}

// reported returns how a test command is asked to report.
func (j *judge) reported(command string, t *tree) (*report, error) {
	h, err := j.homeOf(t.dir)
	if err != nil {
		return nil, err
	}
	command = strings.TrimSpace(command)
	r := &report{command: command, tree: t}
	for i := range reporters {
		if r.reporter = &reporters[i]; r.runs(j, t, command) {
			break
		}
	}
	// A name that no file of the tree can have: nothing is found in the tree instead.
	nonce := strings.ToLower(rand.Text()[:16])
	r.path = filepath.Join(h.dir, "report-"+nonce)
	file := ""
	if r.file != "" {
		src, err := reporterFiles.ReadFile(path.Join("reporter", r.file))
		if err != nil {
			return nil, err
		}
		dir, err := j.folder("reporter")
		if err != nil {
			return nil, err
		}
		file = filepath.Join(dir, "report_"+nonce+filepath.Ext(r.file))
		if err := os.WriteFile(file, src, 0o444); err != nil {
			return nil, err
		}
	}
	if r.xml {
		for _, name := range r.xmlFiles() {
			if err := os.Remove(name); err != nil {
				return nil, err
			}
		}
	}
	if r.ask != nil {
		r.command = r.ask(command, file, r.path)
	}
	return r, nil
}

// xmlFiles returns the files of JUnit's format that are there.
func (r *report) xmlFiles() []string {
	var out []string
	for _, top := range []string{r.tree.dir, r.path} {
		_ = filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
			switch rel := filepath.ToSlash(p); {
			case err != nil || d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
				return fs.SkipDir
			case d.Type().IsRegular() && strings.HasPrefix(d.Name(), "TEST-") && strings.HasSuffix(rel, ".xml") && (top == r.path || strings.Contains(rel, "/target/") || strings.Contains(rel, "/build/")):
				out = append(out, p)
			}
			return nil
		})
	}
	return out
}

// read adds what was reported to a run, and reports whether anything was.
func (r *report) read(to *testRun) (bool, error) {
	if r.xml {
		return r.readXML(to)
	}
	src, err := files.ReadPath(r.path, files.Run)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	open := 0
	for line := range strings.Lines(string(src)) {
		var record struct{ Begin, End, Name, Outcome string }
		if json.Unmarshal([]byte(line), &record) != nil {
			continue
		}
		switch {
		case record.Begin != "":
			open++
		case record.End != "":
			open--
		}
		to.note(record.Name, record.Outcome)
	}
	if open > 0 {
		to.doubt = "the process ended before the tests did"
	}
	return true, nil
}

func (r *report) readXML(to *testRun) (bool, error) {
	type testCase struct {
		Class   string    `xml:"classname,attr"`
		Name    string    `xml:"name,attr"`
		Failure *struct{} `xml:"failure"`
		Error   *struct{} `xml:"error"`
		Skipped *struct{} `xml:"skipped"`
	}
	list := r.xmlFiles()
	for _, name := range list {
		src, err := files.ReadPath(name, files.Run)
		if err != nil {
			return false, err
		}
		var suite struct {
			Cases []testCase `xml:"testcase"`
		}
		if xml.Unmarshal(src, &suite) != nil {
			continue // cut off, or not what JUnit writes: its tests did not run
		}
		for _, c := range suite.Cases {
			outcome := "pass"
			switch {
			case c.Failure != nil || c.Error != nil:
				outcome = "fail"
			case c.Skipped != nil:
				outcome = "skip"
			}
			to.note(c.Class+"."+strings.TrimSuffix(c.Name, "()"), outcome)
		}
	}
	return len(list) > 0, nil
}

// runTests runs a test command so that it names the tests that it ran, where it
// is known how to ask for that.
func (j *judge) runTests(ctx context.Context, name, command string, t *tree) (*testRun, error) {
	if asked, ok := askGo(command); ok {
		o, err := j.run(ctx, name, asked, t.dir)
		if err != nil {
			return nil, err
		}
		r := &testRun{outcome: o}
		o.command = command
		r.readGo()
		return r, nil
	}
	asked, err := j.reported(command, t)
	if err != nil {
		return nil, err
	}
	o, err := j.run(ctx, name, asked.command, t.dir)
	if err != nil {
		return nil, err
	}
	r := &testRun{outcome: o}
	o.command = command
	found, err := asked.read(r)
	if err == nil && !found {
		r.readLines()
	}
	if failed := keysOf(r.failed, nil); o.green() && len(failed) > 0 {
		r.doubt = "the command succeeded, but failed " + list(failed)
	}
	return r, err
}
