package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/loopwiki/wiki/schema/schematest"
)

func exhaustMake(t *testing.T, c exhaustCase) *exhaustFolder {
	t.Helper()
	f := &exhaustFolder{t, filepath.Join(t.TempDir(), "r")}
	f.page("index.md", "# Index\n\nneedle\n")
	c.make(f)
	return f
}

func (f *exhaustFolder) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// at makes the folder of a file, below the repository.
func (f *exhaustFolder) at(name string) string {
	full := filepath.Join(f.dir, name)
	f.must(os.MkdirAll(filepath.Dir(full), 0o777))
	return full
}

func (f *exhaustFolder) file(name, text string) {
	f.must(os.WriteFile(f.at(name), []byte(text), 0o666))
}
func (f *exhaustFolder) page(name, text string) { f.file("wiki/"+name, text) }
func (f *exhaustFolder) fifo(name string)       { f.must(syscall.Mkfifo(f.at(name), 0o666)) }
func (f *exhaustFolder) link(to, name string)   { f.must(os.Symlink(to, f.at(name))) }
func (f *exhaustFolder) front(keys, text string) {
	f.page("p.md", "---\n"+keys+"---\n# P\n\n"+text+"\n")
}
func (f *exhaustFolder) text(text string) { f.page("p.md", "# P\n\n"+text+"\n") }
func (f *exhaustFolder) rules(list string) {
	f.file("wiki.yaml", "version: 1\nroot: wiki\nrules:\n"+list)
}
func (f *exhaustFolder) sparse(name string, n int64) {
	f.file(name, "")
	f.must(os.Truncate(f.at(name), n))
}

// commit makes a repository of the folder, with one commit.
func (f *exhaustFolder) commit() {
	f.t.Helper()
	schematest.NeedGit(f.t)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "first"}, {"config", "user.name", "A"}, {"config", "user.email", "a@example.org"}} {
		git := exec.Command("git", args...)
		git.Dir, git.Env = f.dir, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		if out, err := git.CombinedOutput(); err != nil {
			f.t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
}

// pages makes n pages of the same folder.
func (f *exhaustFolder) pages(n int, text func(i int) string) {
	for i := range n {
		if i%1000 == 0 {
			f.at(fmt.Sprintf("wiki/n%02d/x", i/1000))
		}
		f.must(os.WriteFile(filepath.Join(f.dir, fmt.Sprintf("wiki/n%02d/p%d.md", i/1000, i)), []byte(text(i)), 0o666))
	}
}

// exhaustLines joins n lines of a format, which may have one number in it.
func exhaustLines(n int, format string) string {
	var b strings.Builder
	numbered := strings.Contains(format, "%")
	for i := range n {
		if numbered {
			fmt.Fprintf(&b, format, i)
		} else {
			b.WriteString(format)
		}
	}
	return b.String()
}

// exhaustWords is about n bytes of prose, of a vocabulary of which few pages have the same part.
func exhaustWords(n, seed int) string {
	var b strings.Builder
	for i := seed * 7919; b.Len() < n; i += 31 {
		fmt.Fprintf(&b, "w%dx is %d of it. ", i%50021, i%97)
		if i%8 == 0 {
			b.WriteString("\n\n")
		}
	}
	return b.String()
}

// exhaustPNG is the head of a picture that says how large it is.
func exhaustPNG(width, height uint32) string {
	b := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	b = binary.BigEndian.AppendUint32(b, width)
	b = binary.BigEndian.AppendUint32(b, height)
	return string(b) + "\x08\x06\x00\x00\x00\x00\x00\x00\x00"
}

func exhaustOnText(text func() string) exhaustCase {
	return exhaustCase{make: func(f *exhaustFolder) { f.text(text()) }}
}

func exhaustOnFront(keys func() string) exhaustCase {
	return exhaustCase{make: func(f *exhaustFolder) { f.front(keys(), "text") }}
}

func exhaustOnRules(list func() string) exhaustCase {
	return exhaustCase{make: func(f *exhaustFolder) {
		f.rules(list())
		f.text(exhaustLines(20, strings.Repeat("a", 200_000)+"\n"))
	}}
}

// exhaustOnFile puts what is not a regular, bounded file where the program reads one of its own.
func exhaustOnFile(put func(f *exhaustFolder, name string), name string, also ...[]string) exhaustCase {
	return exhaustCase{make: func(f *exhaustFolder) { put(f, name) }, also: also}
}

func exhaustFIFO(f *exhaustFolder, name string)   { f.fifo(name) }
func exhaustZero(f *exhaustFolder, name string)   { f.link("/dev/zero", name) }
func exhaustSparse(f *exhaustFolder, name string) { f.sparse(name, 4<<30) }

func exhaustSearch(words ...string) []string { return append([]string{"search"}, words...) }

func exhaustRepeat(s string, n int) func() string {
	return func() string { return strings.Repeat(s, n) }
}
func exhaustMany(n int, format string) func() string {
	return func() string { return exhaustLines(n, format) }
}

// exhaustGzip is a bomb: n bytes that are nothing but zeros.
func exhaustGzip(n int) string {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	zeros := make([]byte, 1<<20)
	for range n >> 20 {
		_, _ = w.Write(zeros)
	}
	_ = w.Close()
	return b.String()
}
