package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cpuguy83/go-md2man/v2/md2man"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestArchivesDependOnContentAndTimeAlone(t *testing.T) {
	t.Parallel()
	one := tree{{name: "b/c/d", data: []byte("d")}, {name: "a", mode: 0o755, data: []byte("a")}, {name: "b/e", data: []byte("e")}}
	other := slices.Clone(one)
	slices.Reverse(other)
	for name, pack := range map[string]func(tree, time.Time) ([]byte, error){"tar": tarred, "zip": zipped} {
		first, err := pack(one, noon)
		if err != nil {
			t.Fatal(err)
		}
		second, err := pack(other, noon.In(time.FixedZone("there", 3600)))
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s: the order of files or the time zone changes the archive: %v", name, err)
		}
		later, err := pack(one, noon.Add(time.Hour))
		if err != nil || bytes.Equal(first, later) {
			t.Errorf("%s: the time of files is not in the archive: %v", name, err)
		}
	}
}

func TestArchivesHoldFoldersBeforeTheirFiles(t *testing.T) {
	t.Parallel()
	content := tree{{name: "top/bin/wiki", mode: 0o755, data: []byte("program")}, {name: "top/README.md", data: []byte("text")}}
	want := "top/ 755 root 0\ntop/README.md 644 root 4\ntop/bin/ 755 root 0\ntop/bin/wiki 755 root 7\n"
	packed, err := tarred(content, noon)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || !h.ModTime.Equal(noon) || h.Uid != 0 || h.Gid != 0 {
			t.Fatalf("%v, %+v", err, h)
		}
		writef(&got, "%s %o %s %d\n", h.Name, h.Mode, h.Uname, h.Size)
	}
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", &got, want)
	}
	packed, err = zipped(content, noon)
	if err != nil {
		t.Fatal(err)
	}
	files, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	got.Reset()
	for _, f := range files.File {
		if !f.Modified.Equal(noon) {
			t.Errorf("%s is of %v", f.Name, f.Modified)
		}
		writef(&got, "%s %o root %d\n", f.Name, f.Mode().Perm(), f.UncompressedSize64)
	}
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", &got, want)
	}
}

func TestDebVersionsSortBeforeTheirRelease(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"1.2.0":                                "1.2.0",
		"1.2.0-rc.1":                           "1.2.0~rc.1",
		"0.0.0-20261127074704-63a652661be0":    "0.0.0~20261127074704.63a652661be0",
		"0.1.1-0.20261127074704-63a652661be0":  "0.1.1~0.20261127074704.63a652661be0",
		"1.2.0-rc.1.0.20261127074704-63a65266": "1.2.0~rc.1.0.20261127074704.63a65266",
	} {
		if got := (&release{version: version}).debVersion(); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

func TestManPagesOfReferencePages(t *testing.T) {
	t.Parallel()
	const page = "---\n# Generated\ntitle: wiki lint\nsummary: \"Check the \\\"wiki\\\".\"\n---\n# wiki lint\n\nCheck it; see [index](index.md) of _x and loop/<plan>.\n\n## Usage\n\n```text\nwiki lint [PATH…]\n```\n\n" +
		"## Examples\n\n```sh\nwiki lint [x](y)\n## no heading\n```\n\n## Exit status\n\n| status | meaning |\n|---|---|\n| 0 | fine |\n\nBack to all [commands](index.md).\n"
	got, err := manPage("wiki-lint", page)
	if err != nil {
		t.Fatal(err)
	}
	const want = "# NAME\nwiki-lint - Check the \"wiki\"\n\n# SYNOPSIS\n\n```text\nwiki lint [PATH…]\n```\n\n# DESCRIPTION\n\nCheck it; see index of \\_x and loop/\\<plan>.\n\n" +
		"# EXAMPLES\n\n```sh\nwiki lint [x](y)\n## no heading\n```\n\n# EXIT STATUS\n\n| status | meaning |\n|---|---|\n| 0 | fine |\n\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if roff := string(md2man.Render([]byte(got))); !strings.Contains(roff, "index of _x and loop/<plan>.") {
		t.Errorf("the manual is\n%s", roff)
	}
	if _, err := manPage("wiki-lint", "# A page\n"); err == nil {
		t.Error("a page without a summary has a manual")
	}
}

func TestUnknownPlatformsAreRefused(t *testing.T) {
	t.Parallel()
	err := run([]string{t.TempDir(), "linux/mips"})
	if err == nil || !strings.Contains(err.Error(), "unknown platform linux/mips; use one of [linux/amd64 ") {
		t.Error(err)
	}
}

func TestReleasesAreNotMixed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := tree{{name: "a", data: []byte("a")}}
	if err := write(dir, append(files, files.checksums())); err != nil {
		t.Fatal(err)
	}
	if err := write(dir, files); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Error(err)
	}
}
