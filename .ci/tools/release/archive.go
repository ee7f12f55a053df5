package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// file is a file of an archive, or of the release itself. Its name has slashes.
type file struct {
	name string
	mode fs.FileMode // 0o644 if it is zero
	data []byte
}

// tree is files; archives have them in the order of their names.
type tree []file

func (t tree) sorted() tree {
	return slices.SortedFunc(slices.Values(t), func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// below returns the tree in a folder.
func (t tree) below(dir string) tree {
	out := slices.Clone(t)
	for i := range out {
		out[i].name = path.Join(dir, out[i].name)
	}
	return out
}

// entries returns the sorted files with the folders that they need before them.
func (t tree) entries() tree {
	seen := map[string]bool{".": true}
	out := slices.Clone(t)
	for _, f := range t {
		for dir := path.Dir(f.name); !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			out = append(out, file{name: dir + "/", mode: fs.ModeDir | 0o755})
		}
	}
	for i := range out {
		if out[i].mode == 0 {
			out[i].mode = 0o644
		}
	}
	return out.sorted()
}

// archive packs what a user unpacks: a folder of the archive's name.
func (r *release) archive(p program, content tree) (file, error) {
	name := r.name(p.target)
	content = content.below(name)
	if p.OS == "windows" {
		data, err := zipped(content, r.time)
		return file{name: name + ".zip", data: data}, err
	}
	data, err := tarred(content, r.time)
	return file{name: name + ".tar.gz", data: data}, err
}

// name is what files of a platform begin with. Installers find an archive by its end.
func (r *release) name(t target) string {
	return fmt.Sprintf("wiki_%s_%s_%s", r.version, t.OS, t.Arch)
}

// tarred packs a tree as a tar.gz whose bytes depend on names, contents and time alone.
func tarred(t tree, at time.Time) ([]byte, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	for _, f := range t.entries() {
		h := &tar.Header{Name: f.name, Mode: int64(f.mode.Perm()), Size: int64(len(f.data)), ModTime: at, Uname: "root", Gname: "root", Typeflag: tar.TypeReg}
		if f.mode.IsDir() {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err = errors.Join(w.Close(), z.Close())
	return packed.Bytes(), err
}

func zipped(t tree, at time.Time) ([]byte, error) {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestCompression) })
	for _, f := range t.entries() {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at.UTC()}
		h.SetMode(f.mode)
		entry, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return packed.Bytes(), err
}

func gzipped(data []byte) ([]byte, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = z.Write(data)
	err = errors.Join(err, z.Close())
	return packed.Bytes(), err
}
