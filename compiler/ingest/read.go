package ingest

import (
	"errors"
	"fmt"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/loopwiki/wiki/compiler/source"
)

// What one intake may hold at most.
const (
	maxFiles  = 2000
	maxBytes  = 256 << 20
	maxOrigin = 2000 // bytes of an address
	maxTitle  = 300
	maxImages = 200 // of one page
)

// File is a file that becomes a raw source.
type File struct {
	// Name is its path below the folder of raw sources, slash-separated.
	Name  string `json:"name"`
	Src   []byte `json:"src"`
	Title string `json:"title"`
	// Origin is the address of the source, empty if unknown.
	Origin string `json:"origin,omitempty"`
	// Of is the file that this one belongs to, for an image of a page or the text of an
	// HTML page. Empty for other files.
	Of string `json:"of,omitempty"`
}

// Batch is a set of files that are ingested together.
type Batch struct {
	// Title is that of the file, or of the folder.
	Title string
	Files []File // in order of name
	// Skipped are files of a folder that are left out, with the reason.
	Skipped []string
}

// Call sets the title and origin of a batch, unless they are empty. For a folder, the
// origin applies to every file without one.
func (b *Batch) Call(title, origin string) {
	if title = clip(title); title != "" {
		b.Title = title
	}
	own := 0
	for i := range b.Files {
		if b.Files[i].Of == "" {
			own++
		}
	}
	for i := range b.Files {
		f := &b.Files[i]
		isText := strings.EqualFold(path.Ext(f.Name), ".md") && f.Of != ""
		if own == 1 && title != "" && (f.Of == "" || isText) {
			f.Title = title
		}
		if origin != "" && (own == 1 || f.Origin == "") {
			f.Origin = origin
		}
	}
}

// CheckOrigin returns an error for an invalid origin of a source.
func CheckOrigin(s string) *RefusedError {
	u, err := url.Parse(s)
	switch {
	case len(s) > maxOrigin || strings.ContainsFunc(s, unicode.IsControl) || !utf8Text(s):
		return &RefusedError{fmt.Sprintf("the origin is not a single line of at most %d bytes", maxOrigin), "use only the address"}
	case err == nil && u.User != nil:
		return &RefusedError{"the origin contains a user name or password", "remove them from the address"}
	}
	return nil
}

// RefusedError is a file that can't become a raw source.
type RefusedError struct{ What, Remedy string }

func (e *RefusedError) Error() string { return e.What }

// Hint says what to do.
func (e *RefusedError) Hint() string { return e.Remedy }

// Read reads a file or a folder. raw is the folder of the wiki's raw sources: files in
// it keep their names. Symbolic links are not followed.
func Read(name, raw string) (*Batch, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	info, err := os.Lstat(abs)
	if err != nil {
		return nil, err
	}
	b := &Batch{}
	below := inRaw(abs, raw)
	switch {
	case info.IsDir():
		err = b.folder(abs, below)
	case !info.Mode().IsRegular():
		return nil, &RefusedError{name + " is not a regular file", "if it is a symbolic link, use its target"}
	default:
		err = b.single(filepath.Dir(abs), filepath.Base(abs), below)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(b.Files, func(x, y File) int { return strings.Compare(x.Name, y.Name) })
	return b, nil
}

// inRaw is the path of a file below the folder of raw sources, "" for one that
// lies elsewhere.
func inRaw(abs, raw string) string {
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	if real, err := filepath.EvalSymlinks(raw); err == nil {
		raw = real
	}
	rel, err := filepath.Rel(raw, abs)
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel)
}

// single reads one file of a folder, with its images.
func (b *Batch) single(dir, base, below string) error {
	root, err := files.Open(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	name := below
	if name == "" {
		name = Name(base, filepath.Base(dir))
	}
	if err := b.add(root, filepath.ToSlash(base), name, true); err != nil {
		return err
	}
	b.Title = b.Files[0].Title
	return nil
}

// folder reads all files of a folder. Hidden ones, and symbolic links, are left out.
func (b *Batch) folder(dir, below string) error {
	root, err := files.Open(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	b.Title = oneLine(filepath.Base(dir))
	prefix := below
	if prefix == "" {
		prefix = Name(filepath.Base(dir), "")
	}
	err = fs.WalkDir(root.FS(rawLimit), ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case p != "." && strings.HasPrefix(d.Name(), "."):
			b.Skipped = append(b.Skipped, p+": hidden")
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() || d.Name() == source.RegisterName:
			return nil
		case !d.Type().IsRegular():
			b.Skipped = append(b.Skipped, p+": not a regular file")
			return nil
		}
		var parts []string
		for part := range strings.SplitSeq(p, "/") {
			parts = append(parts, Name(part, path.Base(path.Dir(path.Join(filepath.Base(dir), p)))))
		}
		name := path.Join(prefix, path.Join(parts...))
		if below != "" {
			name = path.Join(below, p)
		}
		return b.add(root, p, name, false)
	})
	if err == nil && len(b.Files) == 0 {
		return &RefusedError{dir + " contains no files that can be sources", "use a file, or a folder with files"}
	}
	return err
}

// add reads a file; alone means that its folder is not read too.
func (b *Batch) add(root *files.Root, p, name string, alone bool) error {
	src, err := b.read(root, p)
	if err != nil {
		return err
	}
	f := File{Name: name, Src: src, Title: titleOf(src, p)}
	switch strings.ToLower(path.Ext(p)) {
	case ".html", ".htm", ".xhtml":
		return b.addPage(root, p, f)
	case ".md", ".markdown":
		b.Files = append(b.Files, f)
		if alone {
			return b.addShown(root, p, f)
		}
		return nil
	}
	b.Files = append(b.Files, f)
	return nil
}

// rawLimit bounds a raw source.
var rawLimit = files.Limit{Name: "raw source", Bytes: source.MaxRaw, What: "files for ingest"}

// read reads a file, within the limits of a batch.
func (b *Batch) read(root *files.Root, p string) ([]byte, error) {
	if len(b.Files) >= maxFiles {
		return nil, &RefusedError{fmt.Sprintf("more than %d files", maxFiles), "ingest its subfolders one by one"}
	}
	info, err := root.Lstat(filepath.FromSlash(p))
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file: %w", p, fs.ErrInvalid)
	}
	src, err := root.ReadFile(p, rawLimit)
	var large *files.TooLargeError
	if errors.As(err, &large) {
		return nil, &RefusedError{fmt.Sprintf("%s is larger than %d MiB", p, source.MaxRaw>>20), "keep it where it is, and cite its address on a page"}
	}
	if err != nil {
		return nil, err
	}
	total := len(src)
	for i := range b.Files {
		total += len(b.Files[i].Src)
	}
	if total > maxBytes {
		return nil, &RefusedError{fmt.Sprintf("the files are larger than %d MiB in total", maxBytes>>20), "ingest its subfolders one by one"}
	}
	return src, nil
}

// addPage adds an HTML page as it is, its text as markdown, and its saved images.
func (b *Batch) addPage(root *files.Root, p string, f File) error {
	stem := strings.TrimSuffix(f.Name, path.Ext(f.Name))
	names := make(map[string]string)
	var images []File
	rename := func(image string) string {
		if to, ok := names[image]; ok {
			return to
		}
		names[image] = ""
		at := path.Join(path.Dir(p), image)
		if len(images) >= maxImages || !filepath.IsLocal(filepath.FromSlash(at)) {
			return ""
		}
		src, err := b.read(root, at)
		if err != nil {
			b.Skipped = append(b.Skipped, at+": image not found or unreadable")
			return ""
		}
		name := path.Join(path.Dir(f.Name), "assets", path.Base(stem), Name(path.Base(at), ""))
		images = append(images, File{Name: name, Src: src, Title: path.Base(at), Of: f.Name})
		names[image] = strings.TrimPrefix(name, path.Dir(f.Name)+"/")
		return names[image]
	}
	page, err := ReadHTML(f.Src, rename)
	if err != nil {
		b.Skipped = append(b.Skipped, p+": can't be converted to text: "+err.Error())
		b.Files = append(b.Files, f)
		return nil
	}
	if page.Title != "" {
		f.Title = page.Title
	}
	f.Origin = page.Origin
	text := File{Name: stem + ".md", Src: page.Text, Title: f.Title, Origin: f.Origin, Of: f.Name}
	b.Files = append(append(b.Files, f, text), images...)
	return nil
}

var shown = schema.Expression(`!\[[^\]\n]*\]\(<?([^)<>\s]+)>?`)

// addShown adds the images that a markdown page shows, at the paths it expects.
func (b *Batch) addShown(root *files.Root, p string, f File) error {
	seen := make(map[string]bool)
	for _, m := range shown().FindAllSubmatch(f.Src, maxImages) {
		image, err := url.PathUnescape(string(m[1]))
		if err != nil || strings.Contains(image, ":") || seen[image] || !filepath.IsLocal(filepath.FromSlash(image)) {
			continue
		}
		seen[image] = true
		src, err := b.read(root, path.Join(path.Dir(p), image))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
			b.Skipped = append(b.Skipped, image+": image not found or unreadable")
			continue
		}
		if err != nil {
			return err
		}
		b.Files = append(b.Files, File{Name: path.Join(path.Dir(f.Name), path.Clean(image)), Src: src, Title: path.Base(image), Of: f.Name})
	}
	return nil
}

// titleOf returns the title of a file, or else its name as words.
func titleOf(src []byte, name string) string {
	if ext := strings.ToLower(path.Ext(name)); ext == ".md" || ext == ".markdown" {
		front := false
		number := 0
		for line := range strings.Lines(string(src[:min(len(src), 64<<10)])) {
			line = strings.TrimRight(strings.TrimPrefix(line, "\ufeff"), "\r\n")
			number++
			if line == "---" && (number == 1 || front) {
				front = number == 1
				continue
			}
			text, heading := strings.CutPrefix(line, "# ")
			if !heading && front {
				text, heading = strings.CutPrefix(line, "title:")
				text = strings.Trim(strings.TrimSpace(text), `"'`)
			}
			if text = clip(text); heading && text != "" && utf8Text(text) {
				return text
			}
		}
	}
	stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
	return clip(strings.NewReplacer("-", " ", "_", " ").Replace(stem))
}

func utf8Text(s string) bool { return strings.ToValidUTF8(s, "") == s }

// clip makes a title of a text.
func clip(s string) string {
	s = oneLine(strings.ToValidUTF8(s, ""))
	if len(s) > maxTitle {
		s = strings.ToValidUTF8(s[:maxTitle], "")
	}
	return s
}

// Name is the name of a file or folder as a raw source has it: without what links
// and file systems do not take, and never that of a page which has its place by its
// name: such a one gets the name of its folder.
func Name(base, folder string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("._+-", r) {
			return r
		}
		return '-'
	}, strings.ToValidUTF8(base, ""))
	for strings.Contains(name, "--") {
		name = strings.ReplaceAll(name, "--", "-")
	}
	name = strings.Trim(name, ".-")
	ext := path.Ext(name)
	if len(name) > 120 {
		name = strings.ToValidUTF8(name[:120-len(ext)], "") + ext
	}
	if name == "" || name == source.RegisterName {
		name = "source"
	}
	return unreserved(name, folder)
}
