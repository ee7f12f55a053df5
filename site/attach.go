package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

// harmlessTypes are the extensions of files that no browser runs anything of.
// Every other file is shown as source, or not at all, unless site.raw_files
// names it.
var harmlessTypes = wordSet(`png apng jpg jpeg jfif gif webp avif bmp ico tif tiff heic heif jxl
	mp3 m4a aac wav ogg oga opus flac weba aif aiff mid midi 3gp mp4 m4v webm ogv mov mkv avi mpg mpeg vtt srt
	woff woff2 ttf otf
	pdf txt text md markdown csv tsv json jsonl ndjson geojson bib
	zip tar tgz 7z rar epub doc docx xls xlsx ppt pptx odt ods odp odg rtf parquet sqlite npy npz`)

// packed are the extensions of compression that servers may remove: a.html.gz is a page
// to a browser.
var packed = wordSet("gz bz2 xz zst")

// harmless reports whether a file of this name may be published unchanged.
func harmless(name string) bool {
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	if packed()[ext] {
		return harmless(name[:len(name)-len(ext)-1])
	}
	return harmlessTypes()[ext]
}

// sniffed is how many bytes browsers read to guess the type of a file.
const sniffed = 4 << 10

// looksLikeMarkup reports whether a browser would guess that a file is a page, if no
// server tells it the type.
func looksLikeMarkup(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n\f\v\x00")
	kind := http.DetectContentType(head)
	return strings.HasPrefix(kind, "text/html") || strings.HasPrefix(kind, "text/xml")
}

// asText marks markdown that a browser could take for HTML, from a disk or from a
// server that doesn't know its type, as text: by the byte order mark of UTF-8.
func asText(source []byte) []byte {
	if !looksLikeMarkup(source[:min(len(source), sniffed)]) || bytes.HasPrefix(source, []byte("\ufeff")) {
		return source
	}
	return append([]byte("\ufeff"), source...)
}

// attach publishes the files that published pages show or link to.
func (s *Site) attach(n *names) {
	wanted := map[string]bool{}
	for _, p := range s.built {
		for l, res := range s.wiki.Links(p) {
			if res.Kind == schema.TargetFile && shown(p, l) && visible(res.Path) {
				wanted[res.Path] = true
			}
		}
	}
	root, err := s.wiki.Workspace().OpenPages()
	if err != nil {
		return // links to the files become text
	}
	defer root.Close()
	for _, f := range s.wiki.Files() {
		if !wanted[f] {
			continue
		}
		want := s.notOwn(safePath(f))
		switch out := s.attachment(root, f, want).(type) {
		case nil: // links to the file become text
		case sourceOutput:
			s.attached[f] = s.put(n, want+".html", out)
			s.asSource = append(s.asSource, f)
		default:
			s.attached[f] = s.put(n, want, out)
		}
	}
}

// attachment returns how a file is published under name; nil if it is not.
func (s *Site) attachment(root *files.Root, f, name string) output {
	info, err := root.Stat(f)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if !s.attachable(root, f, info) {
		return nil
	}
	if info.Size() > s.fileLimit() {
		s.tooLarge = append(s.tooLarge, fmt.Sprintf("%s (%s) is not published: its size is %d bytes, above limits.file (%d); raise limits.file in wiki.yaml to publish it",
			f, theme.Size(info.Size()), info.Size(), s.fileLimit()))
		return nil
	}
	if slices.ContainsFunc(s.cfg.Site.RawFiles, func(glob string) bool { return doublestar.MatchUnvalidated(glob, f) }) {
		return fileOutput{f}
	}
	key := inspection{root.Path(f), info.Size(), info.ModTime().UnixNano()}
	how, ok := inspections.Load(key)
	if !ok {
		if how, err = inspect(root, f, name); err != nil {
			return nil
		}
		inspections.Store(key, how)
	}
	return how.(output)
}

// inspections cache the inspection of unchanged files, since a preview lays its site out
// after every edit.
var inspections sync.Map // output by inspection

// inspection is one state of a file.
type inspection struct {
	path          string
	size, changed int64
}

// inspect reads a file to decide how to publish it.
func inspect(root *files.Root, f, name string) (output, error) {
	in, _, err := root.Open(f)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if strings.EqualFold(path.Ext(name), ".svg") {
		b, err := readDrawing(in)
		if err != nil {
			return nil, err
		}
		if _, err := cleanSVG(b); err != nil {
			return sourceOutput{f}, nil
		}
		return drawingOutput{f}, nil
	}
	head, err := io.ReadAll(io.LimitReader(in, sniffed))
	if err != nil {
		return nil, err
	}
	if !harmless(name) || looksLikeMarkup(head) {
		return sourceOutput{f}, nil
	}
	return fileOutput{f}, nil
}

func (s *Site) fileLimit() int64 { return int64(s.cfg.Limits.OrDefault().File) }

// openAttached opens a regular file of the wiki.
func (s *Site) openAttached(name string) (*os.File, fs.FileInfo, error) {
	root, err := s.wiki.Workspace().OpenPages()
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	return root.Open(name)
}

// Open opens a file that is published unchanged; the error is fs.ErrNotExist for every
// other file of the site.
func (s *Site) Open(name string) (*os.File, error) {
	out, ok := s.outputs[name].(fileOutput)
	if !ok {
		return nil, fmt.Errorf("open %s: %w", name, fs.ErrNotExist)
	}
	f, info, err := s.openAttached(out.path)
	if err == nil && info.Size() > s.fileLimit() {
		err = errors.Join(s.grown(out.path), f.Close())
	}
	return f, err
}

func (s *Site) grown(name string) error {
	return fmt.Errorf("read %s: it has grown beyond limits.file (%s); raise limits.file in wiki.yaml or build again", name, theme.Size(s.fileLimit()))
}

// How files of the wiki that are not pages are published.
type (
	fileOutput    struct{ path string } // as it is
	drawingOutput struct{ path string } // SVG, without what a browser could run
	sourceOutput  struct{ path string } // a page that shows its text
)

func (o fileOutput) render(s *Site, _ string) ([]byte, error) {
	f, _, err := s.openAttached(o.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, s.fileLimit()+1))
	if err == nil && int64(len(b)) > s.fileLimit() {
		err = s.grown(o.path)
	}
	return b, err
}

func readDrawing(f io.Reader) ([]byte, error) { return io.ReadAll(io.LimitReader(f, maxDrawing+1)) }

func (o drawingOutput) render(s *Site, _ string) ([]byte, error) {
	f, _, err := s.openAttached(o.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := readDrawing(f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", o.path, err)
	}
	if b, err = cleanSVG(b); err != nil {
		return nil, fmt.Errorf("read %s, which was changed during the build: %w", o.path, err)
	}
	return b, nil
}

// maxSource bounds the files whose text is shown.
const maxSource = 1 << 20

func (o sourceOutput) render(s *Site, name string) ([]byte, error) {
	in, info, err := s.openAttached(o.path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	v := theme.File{Frame: s.frame(name, path.Base(o.path), s.folders[path.Dir(o.path)], nil), Size: info.Size()}
	v.Crumbs = s.crumbs(name, s.folders[path.Dir(o.path)])
	b, err := io.ReadAll(io.LimitReader(in, maxSource+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", o.path, err)
	case len(b) > maxSource:
		v.Note = s.words.FileTooLarge
	case bytes.IndexByte(b, 0) >= 0:
		v.Note = s.words.FileBinary
	default:
		v.Note, v.Text = s.words.FileSource, string(b)
	}
	return s.execute("file", v)
}

// copyFile copies a file of the wiki into the output, in chunks, unless the same content
// is there already.
func (b *build) copyFile(ctx context.Context, in *files.Root, name, from string) error {
	src, info, err := b.site.openAttached(from)
	if err != nil {
		return err
	}
	defer src.Close()
	limit := b.site.fileLimit()
	reader := func() io.Reader { return &io.LimitedReader{R: stoppable{ctx, src}, N: limit + 1} }
	file := path.Base(name)
	if same, err := sameFile(in, file, reader(), info.Size()); err != nil {
		return fmt.Errorf("compare %s: %w", name, err)
	} else if same {
		b.count(false, info.Size())
		return nil
	}
	if _, err := src.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read %s: %w", from, err)
	}
	temporary := ".wiki-build-" + file
	n, err := copyTo(in, temporary, reader())
	if err == nil && n > limit {
		err = b.site.grown(from)
	}
	if err == nil {
		err = in.Rename(temporary, file)
	}
	if err != nil {
		_ = in.Remove(temporary) // it may not have been made
		return fmt.Errorf("write %s: %w", name, err)
	}
	b.count(true, n)
	return nil
}

func copyTo(in *files.Root, file string, src io.Reader) (int64, error) {
	if err := in.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a build that was killed, or somebody's link
		return 0, err
	}
	out, err := in.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return 0, err
	}
	n, err := io.CopyBuffer(struct{ io.Writer }{out}, src, make([]byte, copyChunk))
	return n, errors.Join(err, out.Close())
}

// copyChunk is the size of these chunks.
const copyChunk = 256 << 10

// sameFile reports whether a regular file of that size is there with the bytes
// of src.
func sameFile(in *files.Root, file string, src io.Reader, size int64) (bool, error) {
	info, err := in.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() != size {
		return false, nil
	}
	old, _, err := in.Open(file)
	if err != nil {
		return false, nil
	}
	defer old.Close()
	a, b := make([]byte, copyChunk), make([]byte, copyChunk)
	for {
		n, errSrc := io.ReadFull(src, a)
		m, errOld := io.ReadFull(old, b)
		ended := errors.Is(errSrc, io.EOF) || errors.Is(errSrc, io.ErrUnexpectedEOF)
		switch {
		case errSrc != nil && !ended:
			return false, errSrc
		case !bytes.Equal(a[:n], b[:m]):
			return false, nil
		case ended || errOld != nil:
			return ended, nil
		}
	}
}

// stoppable is a reader that ends with its context.
type stoppable struct {
	ctx context.Context
	io.Reader
}

func (s stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.Reader.Read(p)
}

// attachedNotes list the files that are not published unchanged, and why.
func (s *Site) attachedNotes() []string {
	const most = 10
	notes := slices.Clone(s.tooLarge[:min(len(s.tooLarge), most)])
	if more := len(s.tooLarge) - len(notes); more > 0 {
		notes = append(notes, fmt.Sprintf("%d more files are larger than limits.file in wiki.yaml and not published", more))
	}
	if n := len(s.asSource); n > 0 {
		names := strings.Join(s.asSource[:min(n, most)], ", ")
		if n > most {
			names += fmt.Sprintf(" and %d more", n-most)
		}
		notes = append(notes, "shown as source, since a browser may run them: "+names+"; list those that you trust in site.raw_files in wiki.yaml")
	}
	return notes
}
