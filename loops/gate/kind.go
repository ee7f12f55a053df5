package gate

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/loopwiki/wiki/schema"
)

// kind is what a file is to the gates.
type kind int

const (
	ordinary kind = iota
	testFile      // holds tests
	testData      // what tests read: fixtures, snapshots, helpers
	config        // decides what is run and how it is judged
	contract      // the plan, the goals, what the wiki is judged by
	listed        // protected by the repository's own configuration
	decider       // its exit status is a verdict on the plan
)

func (k kind) String() string {
	return [...]string{"ordinary", "a test", "test data", "a gate's configuration", "read-only in a run", "protected by wiki.yaml", "what a verify command or the goal runs to decide"}[k]
}

// testDirs are folders that hold tests; what is code there is one.
var testDirs = map[string]bool{"test": true, "tests": true, "__tests__": true, "spec": true, "e2e": true, "cypress": true}

// dataDirs are folders that hold what tests read and use.
var dataDirs = map[string]bool{
	"testdata": true, "test-data": true, "test_data": true, "fixtures": true, "__fixtures__": true, "__mocks__": true,
	"__snapshots__": true, "snapshots": true, "golden": true, "goldens": true, "testutil": true, "testutils": true,
	"testhelper": true, "testhelpers": true, "test_helpers": true, "test-helpers": true,
}

var testName = schema.Expression(`(?i)^(?:.+_test\.(?:go|py|rb|exs|dart|c|cc|cpp|lua|clj|ml)|test_.+\.(?:py|c|cc|cpp|lua|sh)|.+[._-](?:test|spec|cy)\.(?:[cm]?[jt]sx?|vue|svelte)|.+_spec\.(?:rb|lua|cr)|.+(?:Test|Tests|IT|Spec)\.(?:java|kt|kts|scala|groovy|cs|swift|php)|.+\.(?:bats|t)|(?:run[-_]?)?tests?\.(?:sh|bash|py|[cm]?[jt]sx?|rs)|.+[-_]tests?\.(?:sh|bash))$`)

// codeExt are the extensions of code; other files below a folder of tests are data.
var codeExt = map[string]bool{
	".go": true, ".py": true, ".rs": true, ".js": true, ".jsx": true, ".mjs": true, ".cjs": true, ".ts": true, ".tsx": true, ".mts": true, ".cts": true,
	".java": true, ".kt": true, ".kts": true, ".scala": true, ".groovy": true, ".rb": true, ".c": true, ".cc": true, ".cpp": true, ".h": true, ".hpp": true,
	".cs": true, ".swift": true, ".php": true, ".sh": true, ".bash": true, ".ex": true, ".exs": true, ".lua": true, ".dart": true, ".clj": true, ".ml": true,
	".vue": true, ".svelte": true, ".pl": true, ".zig": true, ".hs": true, ".sql": true,
}

// configNames are files that decide what is run, by their lower-case name.
var configNames = map[string]bool{
	"makefile": true, "gnumakefile": true, "justfile": true, ".justfile": true, "taskfile.yml": true, "taskfile.yaml": true, "rakefile": true, "cmakelists.txt": true, "ctesttestfile.cmake": true,
	"package.json": true, "go.mod": true, "go.work": true, "cargo.toml": true, "pyproject.toml": true, "setup.cfg": true, "setup.py": true, "tox.ini": true, "noxfile.py": true,
	"conftest.py": true, "pytest.ini": true, ".pytest.ini": true, "pytest.toml": true, ".pytest.toml": true, "pytest.py": true, "unittest.py": true, "sitecustomize.py": true, "usercustomize.py": true, ".coveragerc": true, "mypy.ini": true, ".mypy.ini": true, "ruff.toml": true, ".ruff.toml": true, ".flake8": true, ".pylintrc": true, "pyrightconfig.json": true,
	"pom.xml": true, "build.gradle": true, "build.gradle.kts": true, "settings.gradle": true, "settings.gradle.kts": true, "gradle.properties": true, "gradlew": true, "mvnw": true, "build.sbt": true,
	"build.rs": true, "clippy.toml": true, ".clippy.toml": true, "rustfmt.toml": true, "rust-toolchain": true, "rust-toolchain.toml": true, "deny.toml": true,
	".npmrc": true, ".yarnrc": true, ".yarnrc.yml": true, "pnpm-workspace.yaml": true, ".pnpmfile.cjs": true, ".pnp.cjs": true, "bunfig.toml": true, ".babelrc": true, ".swcrc": true, "nx.json": true, "turbo.json": true, "lerna.json": true, "deno.json": true, "deno.jsonc": true, "biome.json": true, "biome.jsonc": true, ".oxlintrc.json": true,
	".nycrc": true, ".nycrc.json": true, ".c8rc.json": true, "codecov.yml": true, ".codecov.yml": true, "coverage.toml": true, "sonar-project.properties": true, ".testcoverage.yml": true,
	".gitattributes": true, ".gitignore": true, ".gitmodules": true, ".pre-commit-config.yaml": true, "lefthook.yml": true, ".editorconfig": true, ".envrc": true, ".tool-versions": true, "mise.toml": true, ".mise.toml": true,
	"jenkinsfile": true, ".gitlab-ci.yml": true, ".travis.yml": true, "azure-pipelines.yml": true, "bitbucket-pipelines.yml": true, ".drone.yml": true, "appveyor.yml": true, "cloudbuild.yaml": true, "codeowners": true,
}

var configPattern = schema.Expression(`(?i)^(?:tsconfig(?:\..+)?\.json|jsconfig\.json|\.?(?:jest|vitest|vite|mocharc|mocha|ava|karma|playwright|cypress|babel|babelrc|webpack|rollup|eslint|eslintrc|prettier|prettierrc|stylelint|stylelintrc|wallaby|stryker|nyc|tap|wdio|metro)(?:\.\w+)?(?:\.(?:config|setup|workspace|conf))?(?:\.[a-z]+)?|(?:jest|vitest|test)[.-]?setup\.[cm]?[jt]sx?|setup[.-]?tests?\.[cm]?[jt]sx?|\.golangci\.(?:ya?ml|toml|json)|requirements.*\.in|.+\.mk)$`)

// configDirs are folders whose files all decide what is run.
var configDirs = []string{".github", ".gitlab", ".gitea", ".forgejo", ".circleci", ".buildkite", ".husky", ".cargo", ".config", ".mvn", ".githooks", ".woodpecker", ".vscode", ".agents", ".claude", ".codex", ".opencode", ".gemini", ".cursor", ".yarn", "gradle/wrapper", "ci", ".ci"}

// IsTest reports whether the file at a path, below the repository, holds tests.
func IsTest(p string) bool { return kindOf(p) == testFile }

// kindOf returns what the file at a path is.
func kindOf(p string) kind {
	lower := strings.ToLower(p)
	base := path.Base(lower)
	dirs := strings.Split(path.Dir(lower), "/")
	switch {
	case isContract(lower):
		return contract
	case configNames[base] || configPattern().MatchString(base) || strings.HasSuffix(base, ".d.ts") || strings.HasSuffix(base, ".d.mts"):
		return config
	case strings.HasSuffix(base, ".snap") || strings.HasSuffix(base, ".golden") || strings.HasSuffix(base, ".approved.txt"):
		return testData
	}
	for _, d := range configDirs {
		if strings.HasPrefix(lower, d+"/") {
			return config
		}
	}
	if lower == "vendor/modules.txt" || strings.HasSuffix(lower, "/vendor/modules.txt") || shadowsTests(lower) || builtFile().MatchString(lower) || isLock(lower) {
		return config // other code would be run in a tool's place
	}
	inTests := false
	for _, d := range dirs {
		if d == "node_modules" || d == ".venv" || d == "venv" {
			return config
		}
		if dataDirs[d] {
			return testData
		}
		if testDirs[d] && (d != "spec" || codeExt[path.Ext(base)]) { // a folder spec may hold texts
			inTests = true
		}
	}
	switch {
	case testName().MatchString(path.Base(p)):
		return testFile
	case inTests && codeExt[path.Ext(base)]:
		return testFile
	case inTests:
		return testData
	}
	return ordinary
}

// isContract reports whether a file says what must be done, or how the wiki is judged.
func isContract(lower string) bool {
	switch path.Base(lower) {
	case "00_schema.md", "wiki.yaml", "wiki.yml", "wiki.lock":
		return true
	}
	switch {
	case lower == "agents/goals.md", strings.HasPrefix(lower, "agents/loops/"), path.Base(lower) == "loop_spec.md":
		return true
	}
	return lower == ".loopwiki" || strings.HasPrefix(lower, ".loopwiki/") || strings.Contains(lower, "/.loopwiki/")
}

// protectedKind returns what the file at a path is, the plan and the repository's
// own globs included.
func (j *judge) protectedKind(p string) kind {
	k := kindOf(p)
	switch {
	case p == j.c.Start.Plan.Path && p != "", j.declares(p):
		return contract
	case k == ordinary && strings.HasPrefix(strings.ToLower(p), "plans/") && !matchAny(append(slices.Clone(j.c.Start.Plan.ScopeOf(&j.chunk)), j.unlocked...), p):
		return contract // what the wiki stage adds to the scope is for pages
	case k == ordinary && j.gateScripts[p]:
		return config
	case k == ordinary && matchAny(j.Protect, p):
		return listed
	case k == ordinary && j.decides(p):
		return decider
	}
	return k
}

// matchAny reports whether a path fits one of the globs. A glob that names a
// folder stands for all of it; one without a slash is for the top alone, as in
// doublestar.
func matchAny(globs []string, p string) bool {
	for _, g := range globs {
		if g = strings.TrimSpace(g); g == "" {
			continue
		}
		g = path.Clean(g)
		if g == "." || doublestar.MatchUnvalidated(g, p) || strings.HasPrefix(p, g+"/") {
			return true
		}
	}
	return false
}
