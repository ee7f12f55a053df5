package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// These tests install what .ci/release wrote, as users do:
//
//	go -C .ci/tools test ./release -args -release DIR
var releaseDir = flag.String("release", "", "try the release in `DIR`")

// maxArchive is what an archive may have at most, in bytes.
const maxArchive = 35e6

func writef(w io.Writer, format string, args ...any) { fmt.Fprintf(w, format, args...) }

// published is a release as others get it.
type published struct {
	t       *testing.T
	dir     string
	version string
}

func openRelease(t *testing.T) published {
	t.Helper()
	if *releaseDir == "" {
		t.Skip("no release is given; run .ci/release DIR and add -args -release DIR")
	}
	dir, err := filepath.Abs(*releaseDir)
	if err != nil {
		t.Fatal(err)
	}
	formula, err := os.ReadFile(filepath.Join(dir, "wiki.rb"))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`version "(.+)"`).FindSubmatch(formula)
	if m == nil {
		t.Fatalf("the formula has no version:\n%s", formula)
	}
	return published{t, dir, string(m[1])}
}

// need skips a test that needs a program which is not here, and fails it if WIKI_REQUIRE
// names the program.
func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			if slices.Contains(strings.Split(os.Getenv("WIKI_REQUIRE"), ","), p) {
				t.Fatalf("%s is not installed", p)
			}
			t.Skipf("%s is not installed", p)
		}
	}
}

// file returns the path of the only file of the release that fits a pattern.
func (r published) file(pattern string) string {
	r.t.Helper()
	found, err := filepath.Glob(filepath.Join(r.dir, pattern))
	if err != nil || len(found) != 1 {
		r.t.Fatalf("%s is %v, %v; want one file", pattern, found, err)
	}
	return found[0]
}

// sh runs a script in a folder that is also its HOME, with nothing in the environment
// but the PATH and what is given, and returns its output.
func (r published) sh(dir, script string, env ...string) string {
	r.t.Helper()
	c := exec.CommandContext(r.t.Context(), "bash", "-euo", "pipefail", "-c", script)
	c.Dir, c.Env = dir, append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C.UTF-8", "RELEASE=" + r.dir}, env...)
	out, err := c.CombinedOutput()
	if err != nil {
		r.t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return string(out)
}

// unpack unpacks the archive of this platform and returns its folder.
func (r published) unpack() string {
	r.t.Helper()
	if runtime.GOOS == "windows" {
		r.t.Skip("unpacks by tar")
	}
	dir := r.t.TempDir()
	r.sh(dir, "tar -xzf "+quoted(r.native(".tar.gz")))
	return filepath.Join(dir, fmt.Sprintf("wiki_%s_%s_%s", r.version, runtime.GOOS, runtime.GOARCH))
}

// native returns a file of this platform.
func (r published) native(end string) string {
	r.t.Helper()
	return r.file("wiki_*_" + runtime.GOOS + "_" + runtime.GOARCH + end)
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func TestChecksumsCoverTheRelease(t *testing.T) {
	r := openRelease(t)
	need(t, "sha256sum")
	r.sh(r.dir, "sha256sum --check --strict --quiet SHA256SUMS")
	sums, err := os.ReadFile(filepath.Join(r.dir, checksumsFile))
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != checksumsFile && !bytes.Contains(sums, []byte("  "+e.Name()+"\n")) {
			t.Errorf("%s has no checksum", e.Name())
		}
		info, err := e.Info()
		if err != nil || info.Size() > maxArchive {
			t.Errorf("%s has %d bytes, want at most %.0f: %v", e.Name(), info.Size(), maxArchive, err)
		}
	}
}

func TestArchiveRunsInAnEmptyHome(t *testing.T) {
	r := openRelease(t)
	dir := r.unpack()
	var v struct {
		Version              int
		Wiki, Revision, Date string
		Modified             bool
	}
	if err := json.Unmarshal([]byte(r.sh(dir, "bin/wiki version --json")), &v); err != nil {
		t.Fatal(err)
	}
	if v.Version != 1 || v.Wiki != "v"+r.version || len(v.Revision) != 40 || v.Modified || !regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`).MatchString(v.Date) {
		t.Errorf("%+v", v)
	}
	r.sh(dir, "bash -n share/bash-completion/completions/wiki")
	if out := r.sh(dir, `PATH=$PWD/bin:$PATH; . share/bash-completion/completions/wiki; complete -p wiki`); !strings.Contains(out, "__start_wiki wiki") {
		t.Errorf("bash completes wiki by %s", out)
	}
	for _, shell := range []string{"zsh -n share/zsh/site-functions/_wiki", "fish -n share/fish/vendor_completions.d/wiki.fish"} {
		if _, err := exec.LookPath(strings.Fields(shell)[0]); err == nil {
			r.sh(dir, shell)
		}
	}
}

func TestManPagesAreComplete(t *testing.T) {
	r := openRelease(t)
	need(t, "man", "groff")
	dir := r.unpack()
	pages, err := filepath.Glob(filepath.Join(dir, "share", "man", "man1", "*.1"))
	if err != nil || len(pages) < 50 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	if out := r.sh(dir, "groff -k -t -man -Tutf8 -ww -z share/man/man1/*.1 2>&1"); out != "" {
		t.Errorf("groff warns:\n%s", out)
	}
	if run := r.sh(dir, "MANWIDTH=200 man -l share/man/man1/wiki-loop-run.1"); !strings.Contains(run, "loop/<plan>") {
		t.Errorf("the manual of wiki loop run has lost what is in angle brackets:\n%s", run)
	}
	lint := r.sh(dir, "MANWIDTH=200 man -l share/man/man1/wiki-lint.1")
	for _, want := range []string{"wiki-lint - Check the wiki", "wiki lint [PATH…] [flags]", "--fix-unsafe", "EXIT STATUS", "wiki " + r.version} {
		if !strings.Contains(lint, want) {
			t.Errorf("the manual of wiki lint lacks %q:\n%s", want, lint)
		}
	}
}

// TestSBOMListsWhatIsLinked compares the SBOM with what go version reads.
func TestSBOMListsWhatIsLinked(t *testing.T) {
	r := openRelease(t)
	data, err := os.ReadFile(r.native(".cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var b bom
	if err := json.Unmarshal(data, &b); err != nil {
		t.Fatal(err)
	}
	dir := r.unpack()
	var want, got []string
	for line := range strings.Lines(r.sh(dir, "go version -m bin/wiki", "GOCACHE="+t.TempDir())) {
		if f := strings.Fields(line); f[0] == "dep" {
			want = append(want, f[1]+"@"+f[2])
		}
	}
	for _, c := range b.Components {
		if strings.HasPrefix(c.PURL, "pkg:golang/") && c.Name != "std" {
			got = append(got, c.Name+"@"+c.Version)
		}
	}
	if len(want) < 20 || !slices.Equal(want, got) {
		t.Errorf("linked are %v, listed are %v", want, got)
	}
	if sum := r.sh(dir, "sha256sum <bin/wiki"); !strings.HasPrefix(sum, b.Metadata.Component.Hashes[0].Content) {
		t.Errorf("the program has the checksum %s, and the SBOM %+v", sum, b.Metadata.Component.Hashes)
	}
}

func TestDebInstallsAndIsRemoved(t *testing.T) {
	r := openRelease(t)
	need(t, "dpkg")
	if os.Getuid() != 0 {
		t.Skip("dpkg installs as root only")
	}
	root := t.TempDir()
	r.sh(root, "mkdir -p var/lib/dpkg/info var/lib/dpkg/updates var/log && touch var/lib/dpkg/status")
	r.sh(root, "dpkg --root="+quoted(root)+" --install "+quoted(r.native(".deb")))
	if out := r.sh(root, "usr/bin/wiki version"); !strings.HasPrefix(out, "wiki v"+r.version+" ") {
		t.Errorf("it is %s", out)
	}
	r.sh(root, "dpkg --root="+quoted(root)+" --verify wiki && cmp usr/bin/wiki "+quoted(filepath.Join(r.unpack(), "bin", "wiki")))
	r.sh(root, "dpkg --root="+quoted(root)+" --remove wiki")
	if out := r.sh(root, "find . -name '*wiki*' -not -path './var/*'"); out != "" {
		t.Errorf("removing it leaves\n%s", out)
	}
}

func TestFormulaNamesArchives(t *testing.T) {
	r := openRelease(t)
	formula, err := os.ReadFile(filepath.Join(r.dir, "wiki.rb"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(r.dir, checksumsFile))
	if err != nil {
		t.Fatal(err)
	}
	archives := regexp.MustCompile(`url ".*/v`+regexp.QuoteMeta(r.version)+`/(.*)"\n\s+sha256 "(.*)"`).FindAllSubmatch(formula, -1)
	if want := strings.Count(string(sums), ".tar.gz\n"); len(archives) != want {
		t.Errorf("it has %d archives, and the release %d:\n%s", len(archives), want, formula)
	}
	for _, m := range archives {
		if line := fmt.Sprintf("%s  %s\n", m[2], m[1]); !bytes.Contains(sums, []byte(line)) {
			t.Errorf("no file of the release is %s", line)
		}
	}
	dir := r.unpack()
	for _, m := range regexp.MustCompile(`install "(\w+/[^"]+)"`).FindAllSubmatch(formula, -1) {
		if _, err := os.Stat(filepath.Join(dir, string(m[1]))); err != nil {
			t.Error(err)
		}
	}
	need(t, "ruby")
	r.sh(r.dir, "ruby -c wiki.rb")
}

// TestNPMInstallsOffline packs the packages with npm, and installs both tarballs where
// no registry can be reached.
func TestNPMInstallsOffline(t *testing.T) {
	r := openRelease(t)
	need(t, "npm", "node")
	dir := t.TempDir()
	node := map[string]string{"amd64": "x64", "windows": "win32"}
	system, cpu := runtime.GOOS, runtime.GOARCH
	if n, ok := node[system]; ok {
		system = n
	}
	if n, ok := node[cpu]; ok {
		cpu = n
	}
	platform := r.file("loopwiki-wiki-" + system + "-" + cpu + "-*.tgz")
	main := r.file("loopwiki-wiki-" + r.version + ".tgz")
	const offline = "npm_config_registry=http://127.0.0.1:9"
	for _, pack := range []string{main, platform} {
		// npm would pack the same files from them.
		at := filepath.Join(dir, "packed-"+filepath.Base(pack))
		r.sh(dir, "mkdir "+quoted(at)+" && tar -xzf "+quoted(pack)+" -C "+quoted(at))
		r.sh(filepath.Join(at, "package"), `npm pack --silent >/dev/null && diff <(tar -tzf *.tgz | sort) <(tar -tzf `+quoted(pack)+` | grep -v '/$' | sort)`, offline)
	}
	app := filepath.Join(dir, "app")
	if err := os.Mkdir(app, 0o755); err != nil {
		t.Fatal(err)
	}
	r.sh(app, "echo '{}' >package.json && npm install --offline --no-audit --no-fund "+quoted(main)+" "+quoted(platform), offline)
	if out := r.sh(app, "npx --offline wiki version", offline); !strings.HasPrefix(out, "wiki v"+r.version+" ") {
		t.Errorf("npx says %s", out)
	}
	if out := r.sh(app, "node_modules/.bin/wiki lint --no-such-flag || echo $?"); !strings.HasSuffix(out, "\n2\n") {
		t.Errorf("the exit code is lost: %s", out)
	}
	if out := r.sh(app, "rm -r node_modules/@loopwiki/wiki-*; node_modules/.bin/wiki version || echo $?"); !strings.Contains(out, "is not installed") || !strings.HasSuffix(out, "\n3\n") {
		t.Errorf("without the program: %s", out)
	}
}

// TestDockerfileNeedsTheArchiveAlone does by hand what the Dockerfile says, and runs the
// program with nothing else on the disk.
func TestDockerfileNeedsTheArchiveAlone(t *testing.T) {
	r := openRelease(t)
	text, err := os.ReadFile(filepath.Join(r.dir, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	dockerfile := strings.ReplaceAll(string(text), "${TARGETARCH}", runtime.GOARCH)
	added := regexp.MustCompile(`(?m)^ADD (\S+) /$`).FindStringSubmatch(dockerfile)
	copied := regexp.MustCompile(`(?m)^COPY --from=archive /(\S+)/ /usr/$`).FindStringSubmatch(dockerfile)
	entry := regexp.MustCompile(`(?m)^ENTRYPOINT \["(.*)"\]$`).FindStringSubmatch(dockerfile)
	if added == nil || copied == nil || entry == nil {
		t.Fatalf("unexpected steps:\n%s", text)
	}
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("changing the root takes Linux and root")
	}
	root := t.TempDir()
	r.sh(root, "tar -xzf "+quoted(filepath.Join(r.dir, added[1]))+" && mv "+quoted(copied[1])+" usr && mkdir work")
	if err := os.WriteFile(filepath.Join(root, "work", "index.md"), []byte("# Home\n\n[[gone]]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := r.sh(root, "chroot --userspec=65534:65534 . "+entry[1]+" -C /work lint --no-color || echo $?"); !strings.Contains(out, `"gone" does not exist`) || !strings.HasSuffix(out, "\n1\n") {
		t.Errorf("in the image lint says\n%s", out)
	}
}

// TestWorkflowsInstallTheRelease runs the script that generated workflows and the action
// install by.
func TestWorkflowsInstallTheRelease(t *testing.T) {
	r := openRelease(t)
	script, err := filepath.Abs(filepath.Join("..", "..", "..", "compiler", "scaffold", "workflows", "install.sh"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	install := "sh -euc '. " + script + "; bin=$HOME/bin; install_release'"
	pin := strings.Fields(r.sh(dir, `sha256sum "$RELEASE/SHA256SUMS"`))[0]
	r.sh(dir, install, "WIKI_RELEASE="+r.dir, "WIKI_RELEASE_SHA256="+pin)
	if out := r.sh(dir, "bin/wiki version"); !strings.HasPrefix(out, "wiki v"+r.version+" ") {
		t.Errorf("it is %s", out)
	}
	if info, err := os.Stat(filepath.Join(dir, "bin", "wiki")); err != nil || info.Mode()&fs.ModePerm != 0o755 {
		t.Errorf("%v, %v", info, err)
	}
}
