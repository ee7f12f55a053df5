package gate

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// testLibrary are the names of libraries that tests assert with and run by.
var testLibrary = schema.Expression(`(?i)(?:^|[/@"' =:,-])(?:testify|go-cmp|gomega|ginkgo|quicktest|gotest\.tools|check\.v1|chai|jest|mocha|vitest|sinon|expect|expect-type|jasmine|ava|uvu|tape?|@vitest|@jest|playwright|pytest|_pytest|pluggy|unittest2?|hypothesis|assertpy|nose2?|proptest|rstest|pretty_assertions|mockall|assert_cmd|insta|junit|testng|assertj|mockito|hamcrest|opentest4j|kotest|surefire)(?:$|[/@"' =:,.>-])`)

// shadow are files that Python or Java finds in place of a library of tests, and those
// by which a library finds what it runs.
var shadow = schema.Expression(`^(?:src/|lib/|python/)?(?:pytest|_pytest|unittest|pluggy|doctest|hypothesis)(?:/|\.py$)|(?:^|/)(?:org/(?:junit|testng|assertj|hamcrest|mockito|opentest4j)|junit/framework)/|(?:^|/)meta-inf/services/org\.(?:junit|testng|mockito|assertj)|(?:^|/)(?:junit-platform|testng|mockito-extensions)[\w./-]*$`)

// shadowsTests reports a file that is found in place of a library of tests, or is
// part of one that is kept in the tree.
func shadowsTests(lower string) bool {
	dir, base := path.Split(lower)
	switch {
	case shadow().MatchString(lower):
		return true
	case strings.HasSuffix(dir, "__mocks__/"): // jest takes it for the package of that name
		return testLibrary().MatchString(strings.TrimSuffix(base, path.Ext(base)))
	}
	for _, vendor := range []string{"vendor/", "third_party/", "_vendor/"} {
		if i := strings.Index("/"+lower, "/"+vendor); i >= 0 && testLibrary().MatchString(lower[i:]) {
			return true
		}
	}
	return false
}

// builtFile are files that compilers and runners leave, and would use instead of the
// sources.
var builtFile = schema.Expression(`\.(?:pyc|pyo|class|rlib|rmeta|tsbuildinfo)$|(?:^|/)(?:__pycache__|\.pytest_cache|\.gradle|\.vite|target/(?:debug|release|classes|test-classes|surefire-reports)|build/(?:classes|test-results))/`)

// lockNames are the files that say which package is installed for a name, lower-case.
var lockNames = map[string]bool{
	"package-lock.json": true, "npm-shrinkwrap.json": true, "pnpm-lock.yaml": true, "yarn.lock": true, "bun.lock": true, "bun.lockb": true,
	"cargo.lock": true, "uv.lock": true, "poetry.lock": true, "pdm.lock": true, "pipfile.lock": true, "go.sum": true,
}

func isLock(lower string) bool { return lockNames[path.Base(lower)] }

// refusedLock judges a lock file: what it says of libraries of tests stays.
func refusedLock(c *change) []loops.Reason {
	now := lockEntries(c.path, c.now)
	for _, entry := range keysOf(lockEntries(c.path, c.old), nil) {
		if name, _, _ := strings.Cut(entry, "\n"); testLibrary().MatchString(name) && !now[entry] {
			return []loops.Reason{{Line: lineOf(c.now, name), Message: "is " + config.String() + ", and another library of tests takes the place of " + clip(strings.TrimSpace(name), 80)}}
		}
	}
	return nil
}

// lockEntries returns what a lock file says of each package, its name in the first line.
func lockEntries(p string, src []byte) map[string]bool {
	out := map[string]bool{}
	var npm struct{ Packages map[string]json.RawMessage }
	if strings.HasSuffix(p, ".json") && json.Unmarshal(src, &npm) == nil {
		for name, body := range npm.Packages {
			if name != "" { // the project itself
				out[name+"\n"+string(body)] = true
			}
		}
		return out
	}
	separator := "\n\n"
	if strings.EqualFold(path.Base(p), "go.sum") {
		separator = "\n"
	}
	for entry := range strings.SplitSeq(string(src), separator) {
		entry = strings.TrimPrefix(strings.TrimSpace(entry), "[[package]]\n")
		out[strings.TrimSpace(entry)] = true
	}
	return out
}

var (
	runnerConfig = schema.Expression(`(?i)^(?:package\.json|pyproject\.toml|pytest\.ini|setup\.cfg|\.?(?:jest|vitest|vite|mocharc|mocha|ava|karma|jasmine)(?:\.\w+)*\.(?:json|jsonc|ya?ml|[cm]?[jt]s))$`)
	relativePath = schema.Expression(`["'](?:<rootDir>/|\./)([\w./-]+)["']`)
)

// addSetupFiles adds the files that the configuration of a test runner names: what is
// loaded before tests is as much a part of the gate as they are.
func (j *judge) addSetupFiles() {
	for _, p := range j.was.paths() {
		if !runnerConfig().MatchString(path.Base(p)) || kindOf(p) != config {
			continue
		}
		src := string(j.was.read(p))
		if path.Base(p) == "package.json" {
			src = toolKeys(src)
		}
		for _, m := range relativePath().FindAllStringSubmatch(src, -1) {
			if file := path.Join(path.Dir(p), m[1]); j.has(file) {
				j.gateScripts[file] = true
			}
		}
	}
}

func (j *judge) has(file string) bool {
	_, ok := j.was.files[file]
	return ok
}

// toolKeys returns the configuration of test runners in a package.json.
func toolKeys(src string) string {
	var pkg struct{ Jest, Vitest, Mocha, Ava json.RawMessage }
	if json.Unmarshal([]byte(src), &pkg) != nil {
		return ""
	}
	return string(pkg.Jest) + string(pkg.Vitest) + string(pkg.Mocha) + string(pkg.Ava)
}

// supports reports a file beside the tests that the tests stand on: before the chunk it
// used a test framework, and the plan does not name it.
func (j *judge) supports(c *change) *loops.Reason {
	i := slices.IndexFunc(signs[languageOf(c.path)], func(s sign) bool { return s.what == signFramework })
	if i < 0 || c.added || benchmark().MatchString(c.path) || slices.Contains(j.c.Start.Plan.ScopeOf(&j.chunk), c.path) {
		return nil
	}
	s := signs[languageOf(c.path)][i]
	for line := range strings.Lines(string(c.old)) {
		for _, pattern := range []func() *regexp.Regexp{s.code, s.text} {
			if pattern != nil && pattern().MatchString(strings.TrimRight(line, "\r\n")) {
				return &loops.Reason{Path: c.path, Message: "is what tests stand on, as it uses a test framework; is its change what the chunk is for?"}
			}
		}
	}
	return nil
}
