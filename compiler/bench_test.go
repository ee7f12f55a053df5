package compiler_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

const benchPages = 2_000

// BenchmarkGoldmark is the limit the compiler is measured against: the same
// pages read and parsed by goldmark with GitHub's extensions, on all
// processors, and nothing else.
func BenchmarkGoldmark(b *testing.B) {
	dir := b.TempDir()
	compilertest.Generate(b, dir, benchPages)
	for b.Loop() {
		compilertest.Goldmark(b, dir, "")
	}
}

// BenchmarkCompile compiles the same pages.
func BenchmarkCompile(b *testing.B) {
	dir := b.TempDir()
	compilertest.Generate(b, dir, benchPages)
	for b.Loop() {
		compilertest.Compile(b, dir)
	}
}

// BenchmarkRecompile compiles them again after one edit.
func BenchmarkRecompile(b *testing.B) {
	dir := b.TempDir()
	compilertest.Generate(b, dir, benchPages)
	w := compilertest.Compile(b, dir)
	page := w.Pages()[7]
	full := filepath.Join(dir, filepath.FromSlash(page.Path))
	for _, edit := range []struct {
		name string
		body []byte
	}{
		{"body", append(bytes.Clone(page.Source), "\nOne more sentence.\n"...)},
		{"title", bytes.Replace(page.Source, []byte("title: "), []byte("title: New "), 1)},
	} {
		b.Run(edit.name, func(b *testing.B) {
			for b.Loop() {
				if err := os.WriteFile(full, edit.body, 0o644); err != nil {
					b.Fatal(err)
				}
				if _, err := w.Recompile(b.Context(), []string{page.Path}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRender renders every page once.
func BenchmarkRender(b *testing.B) {
	dir := b.TempDir()
	compilertest.Generate(b, dir, benchPages)
	w := compilertest.Compile(b, dir)
	for b.Loop() {
		for _, p := range w.Pages() {
			w.Render(p, compiler.RenderOptions{})
		}
	}
}
