package site

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// BenchmarkBuild compiles a thousand pages and writes their site to an empty
// folder; next to it goldmark renders and writes the same pages, which is the
// least that any such program must do.
func BenchmarkBuild(b *testing.B) {
	dir := b.TempDir()
	compilertest.Generate(b, dir, 1000)
	b.Run("goldmark", func(b *testing.B) {
		for b.Loop() {
			compilertest.Goldmark(b, dir, b.TempDir())
		}
	})
	b.Run("wiki", func(b *testing.B) {
		for b.Loop() {
			buildTo(b, layOut(b, compilertest.Compile(b, dir), Options{}), b.TempDir())
		}
	})
}

// BenchmarkRebuild finds that nothing changed.
func BenchmarkRebuild(b *testing.B) {
	dir, out := b.TempDir(), b.TempDir()
	compilertest.Generate(b, dir, 1000)
	w := compilertest.Compile(b, dir)
	buildTo(b, layOut(b, w, Options{}), out)
	for b.Loop() {
		buildTo(b, layOut(b, w, Options{}), out)
	}
}

func BenchmarkRenderPage(b *testing.B) {
	dir := b.TempDir()
	compilertest.Generate(b, dir, 200)
	s := layOut(b, compilertest.Compile(b, dir), Options{})
	for b.Loop() {
		if _, err := s.Render("area-03/topic-00003.html"); err != nil {
			b.Fatal(err)
		}
	}
}
