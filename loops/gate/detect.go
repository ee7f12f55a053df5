package gate

import (
	"encoding/json"
	"io/fs"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// Detect finds the ordinary commands of a repository by the files at its top, and
// says why, one line per finding. It reads nothing but fsys.
func Detect(fsys fs.FS) (loops.GateCommands, []string) {
	d := detector{fsys: fsys}
	for _, ecosystem := range []func(){d.golang, d.node, d.rust, d.python, d.jvm, d.cmake} {
		ecosystem()
	}
	if len(d.Test) == 0 || len(d.why) == 0 { // else the targets say the same once more
		d.make()
	}
	if len(d.Test) == 0 {
		d.script()
	}
	if len(d.why) == 0 {
		d.why = []string{"no go.mod, package.json, Cargo.toml, pyproject.toml, pom.xml, build.gradle, CMakeLists.txt, Makefile or test.sh at the top: configure gates in wiki.yaml"}
	}
	return d.GateCommands, d.why
}

type detector struct {
	loops.GateCommands
	fsys fs.FS
	why  []string
}

func (d *detector) has(names ...string) string {
	for _, n := range names {
		if info, err := fs.Stat(d.fsys, n); err == nil && !info.IsDir() {
			return n
		}
	}
	return ""
}

func (d *detector) read(name string) string {
	src, err := fs.ReadFile(d.fsys, name)
	if err != nil || len(src) > 1<<20 {
		return ""
	}
	return string(src)
}

func (d *detector) because(text string) { d.why = append(d.why, text) }

func (d *detector) golang() {
	if d.has("go.mod") == "" {
		return
	}
	d.because("go.mod: a Go module")
	if d.has("go.sum") != "" && d.has("vendor/modules.txt") == "" {
		d.Setup = append(d.Setup, "go mod download")
		d.because("go.sum: modules are downloaded in setup")
	}
	d.Build = append(d.Build, "go build ./...")
	d.Test = append(d.Test, "go test ./...")
	d.Lint = append(d.Lint, "go vet ./...")
	if f := d.has(".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"); f != "" {
		d.Lint = append(d.Lint, "golangci-lint run")
		d.because(f + ": golangci-lint")
	}
}

// nodeManagers are package managers, by the lock file that tells of them.
var nodeManagers = []struct{ lock, name, install, run string }{
	{"pnpm-lock.yaml", "pnpm", "pnpm install --frozen-lockfile", "pnpm run "},
	{"yarn.lock", "yarn", "yarn install --immutable", "yarn run "},
	{"bun.lock", "bun", "bun install --frozen-lockfile", "bun run "},
	{"bun.lockb", "bun", "bun install --frozen-lockfile", "bun run "},
	{"npm-shrinkwrap.json", "npm", "npm ci --no-audit --no-fund", "npm run --silent "},
	{"package-lock.json", "npm", "npm ci --no-audit --no-fund", "npm run --silent "},
}

func (d *detector) node() {
	src := d.read("package.json")
	if src == "" {
		return
	}
	var pkg struct {
		Scripts         map[string]string
		PackageManager  string
		Dependencies    map[string]string
		DevDependencies map[string]string
	}
	if json.Unmarshal([]byte(src), &pkg) != nil {
		d.because("package.json: invalid JSON")
		return
	}
	m := nodeManagers[len(nodeManagers)-1]
	why := "package.json without a lock file: npm"
	locked := false
	for _, candidate := range nodeManagers {
		if d.has(candidate.lock) != "" {
			m, why, locked = candidate, candidate.lock+": "+candidate.name, true
			break
		}
	}
	if name, _, ok := strings.Cut(pkg.PackageManager, "@"); ok && !locked {
		for _, candidate := range nodeManagers {
			if candidate.name == name {
				m, why = candidate, "packageManager of package.json: "+name
			}
		}
	}
	d.because(why)
	if m.name == "yarn" && !strings.Contains(d.read("yarn.lock"), "__metadata:") {
		m.install = "yarn install --frozen-lockfile" // the first yarn
	}
	if locked {
		d.Setup = append(d.Setup, m.install)
	} else if len(pkg.Dependencies)+len(pkg.DevDependencies) > 0 {
		d.Setup = append(d.Setup, strings.Fields(m.install)[0]+" install")
	}
	add := func(to *[]string, names ...string) {
		for _, name := range names {
			if body, ok := pkg.Scripts[name]; ok && !strings.Contains(body, "no test specified") {
				command := m.run + name
				if name == "test" && m.name == "npm" {
					command = "npm test --silent"
				}
				*to = append(*to, command)
				d.because("package.json: script " + name)
				return
			}
		}
	}
	add(&d.Build, "build")
	add(&d.Test, "test")
	add(&d.Lint, "lint")
	add(&d.Lint, "typecheck", "type-check", "check-types", "tsc")
}

func (d *detector) rust() {
	if d.has("Cargo.toml") == "" {
		return
	}
	d.because("Cargo.toml: a Rust crate")
	locked := ""
	if d.has("Cargo.lock") != "" {
		locked = " --locked"
		d.Setup = append(d.Setup, "cargo fetch --locked")
	}
	flags := ""
	if strings.Contains(d.read("Cargo.toml"), "[workspace]") {
		flags = " --workspace"
		d.because("Cargo.toml: a workspace")
	}
	d.Build = append(d.Build, "cargo build --all-targets"+flags+locked)
	d.Test = append(d.Test, "cargo test"+flags+locked)
	if f := d.has("clippy.toml", ".clippy.toml"); f != "" {
		d.Lint = append(d.Lint, "cargo clippy --all-targets"+flags+locked+" -- -D warnings")
		d.because(f + ": clippy")
	}
}

func (d *detector) python() {
	project := d.read("pyproject.toml")
	marker := d.has("pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "requirements.txt", "conftest.py", "tests/__init__.py", "tests/conftest.py")
	if marker == "" {
		return
	}
	run := ""
	switch {
	case d.has("uv.lock") != "":
		run = "uv run --frozen "
		d.Setup = append(d.Setup, "uv sync --frozen --all-extras --all-groups")
		d.because("uv.lock: uv")
	case d.has("poetry.lock") != "":
		run = "poetry run "
		d.Setup = append(d.Setup, "poetry install --no-interaction")
		d.because("poetry.lock: poetry")
	case d.has("requirements.txt", "requirements-dev.txt") != "":
		run = ".venv/bin/"
		install := "python3 -m venv .venv && .venv/bin/pip install -q"
		for _, f := range []string{"requirements.txt", "requirements-dev.txt", "dev-requirements.txt"} {
			if d.has(f) != "" {
				install += " -r " + f
			}
		}
		d.Setup = append(d.Setup, install)
		d.because("requirements.txt: pip in .venv")
	default:
		d.because(marker + ": Python")
	}
	all := project + d.read("setup.cfg") + d.read("tox.ini") + d.read("requirements.txt") + d.read("requirements-dev.txt") + d.read("dev-requirements.txt") + d.read("setup.py")
	python := run + "python"
	if run == "" {
		python = "python3"
	}
	if d.has("pytest.ini", "conftest.py", "tests/conftest.py") != "" || strings.Contains(all, "pytest") {
		d.Test = append(d.Test, python+" -m pytest")
		d.because("pytest is mentioned or configured")
	} else {
		d.Test = append(d.Test, python+" -m unittest")
		d.because("pytest is not mentioned: unittest")
	}
	if strings.Contains(project, "[tool.ruff") || d.has("ruff.toml", ".ruff.toml") != "" {
		d.Lint = append(d.Lint, run+"ruff check .")
		d.because("ruff is configured")
	}
	if strings.Contains(project, "[tool.mypy") || d.has("mypy.ini", ".mypy.ini") != "" {
		d.Lint = append(d.Lint, run+"mypy .")
		d.because("mypy is configured")
	}
}

func (d *detector) jvm() {
	if d.has("pom.xml") != "" {
		mvn := "mvn"
		if d.has("mvnw") != "" {
			mvn = "sh ./mvnw"
		}
		d.because("pom.xml: Maven")
		d.Build = append(d.Build, mvn+" -q -B -DskipTests package")
		d.Test = append(d.Test, mvn+" -B test")
		return
	}
	if f := d.has("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"); f != "" {
		gradle := "gradle"
		if d.has("gradlew") != "" {
			gradle = "sh ./gradlew"
		}
		d.because(f + ": Gradle")
		d.Build = append(d.Build, gradle+" --no-daemon --console=plain assemble")
		d.Test = append(d.Test, gradle+" --no-daemon --console=plain test")
	}
}

func (d *detector) cmake() {
	if d.has("CMakeLists.txt") == "" {
		return
	}
	d.because("CMakeLists.txt: CMake")
	d.Build = append(d.Build, "cmake -S . -B build && cmake --build build")
	if strings.Contains(d.read("CMakeLists.txt"), "enable_testing") || strings.Contains(d.read("CMakeLists.txt"), "CTest") {
		d.Test = append(d.Test, "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure")
	}
}

var makeTarget = schema.Expression(`(?m)^([\w-]+(?:[ \t]+[\w-]+)*)[ \t]*::?(?:[^=]|$)`)

func (d *detector) make() {
	file := d.has("GNUmakefile", "makefile", "Makefile")
	if file == "" {
		return
	}
	targets := map[string]bool{}
	for _, m := range makeTarget().FindAllStringSubmatch(d.read(file), -1) {
		for _, t := range strings.Fields(m[1]) {
			targets[t] = true
		}
	}
	for _, t := range []struct {
		to    *[]string
		names []string
	}{{&d.Build, []string{"build"}}, {&d.Test, []string{"test", "check"}}, {&d.Lint, []string{"lint"}}} {
		for _, name := range t.names {
			if targets[name] && len(*t.to) == 0 {
				*t.to = append(*t.to, "make "+name)
				d.because(file + ": target " + name)
			}
		}
	}
}

func (d *detector) script() {
	if f := d.has("test.sh", "run-tests.sh", "run_tests.sh", "scripts/test.sh", "script/test"); f != "" {
		d.Test = append(d.Test, "sh ./"+f)
		d.because(f + ": a test script")
	}
}

// Toolchains returns variables by which programs of version managers find what
// they need although their home is another, for [Options].Env. home is that of
// the person who runs the gates; only folders that are there are named.
func Toolchains(home fs.FS, path string) []string {
	var out []string
	for _, t := range []struct{ name, dir string }{
		{"RUSTUP_HOME", ".rustup"}, {"PYENV_ROOT", ".pyenv"}, {"NVM_DIR", ".nvm"}, {"VOLTA_HOME", ".volta"}, {"FNM_DIR", ".local/share/fnm"},
		{"ASDF_DATA_DIR", ".asdf"}, {"MISE_DATA_DIR", ".local/share/mise"}, {"RBENV_ROOT", ".rbenv"}, {"SDKMAN_DIR", ".sdkman"},
	} {
		if info, err := fs.Stat(home, t.dir); err == nil && info.IsDir() {
			out = append(out, t.name+"="+strings.TrimRight(path, "/")+"/"+t.dir)
		}
	}
	if info, err := fs.Stat(home, "go/pkg/mod/cache/download"); err == nil && info.IsDir() { // what is there is not downloaded again
		out = append(out, "GOPROXY=file://"+strings.TrimRight(path, "/")+"/go/pkg/mod/cache/download,https://proxy.golang.org,direct")
	}
	return out
}
