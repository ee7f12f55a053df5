package ingest

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
)

// Intake is the plan for adding sources. Nothing is written before Changes are.
type Intake struct {
	Changes *edit.Changes
	// Added are the sources that are new in the register; Known those that are
	// registered already with the same content, under any name.
	Added, Known []source.Raw
	// Index and Log are the pages that get an entry, empty for those that the wiki
	// does not have.
	Index, Log string
}

// Documents are the sources of a list that were taken in by themselves, in the form
// in which people read them: the text that was made of a page takes its place.
func Documents(all []source.Raw) []source.Raw {
	text := make(map[string]source.Raw)
	for _, s := range all {
		if s.Of != "" && s.Path == textOfPage(s.Of) {
			text[s.Of] = s
		}
	}
	var out []source.Raw
	for _, s := range all {
		if s.Of != "" {
			continue
		}
		if t, ok := text[s.Path]; ok {
			s = t
		}
		out = append(out, s)
	}
	return out
}

// textOfPage is where the readable text of a page of HTML lies.
func textOfPage(page string) string { return strings.TrimSuffix(page, path.Ext(page)) + ".md" }

// ChangedError is a name that is taken by a source with different content.
type ChangedError struct {
	Path string
	Date time.Time // of registration; zero for an unregistered file
}

func (e *ChangedError) Error() string {
	if e.Date.IsZero() {
		return fmt.Sprintf("%s already exists with different content", e.Path)
	}
	return fmt.Sprintf("%s was registered on %s with different content", e.Path, e.Date.Format(time.DateOnly))
}

// Hint says what to do.
func (e *ChangedError) Hint() string {
	ext := path.Ext(e.Path)
	return fmt.Sprintf("raw sources don't change: ingest the new version under another name, such as %s-2%s", strings.TrimSuffix(path.Base(e.Path), ext), ext)
}

// Take plans how the files of a batch become raw sources of a wiki on a day. The
// error is a [*ChangedError], or that of reading the register.
func Take(w *compiler.Wiki, b *Batch, day time.Time) (*Intake, error) {
	register, err := source.ReadRegister(compiler.NewTree(w))
	if err != nil {
		return nil, err
	}
	in := &Intake{Changes: edit.New(w)}
	stems := pageStems(w)
	known := make(map[string]bool) // names of files whose bytes are registered
	renamed := make(map[string]string)
	for i := range b.Files {
		f := &b.Files[i]
		if f.Of != "" {
			continue
		}
		if have := register.Holding(source.SumOf(f.Src)); have != nil {
			in.Known = append(in.Known, register.Whole(have)...)
			known[f.Name] = true
		}
		renamed[f.Name] = distinct(stems, f.Name)
	}
	for i := range b.Files {
		f := &b.Files[i]
		if known[f.Name] || known[f.Of] {
			continue
		}
		if err := in.add(w, register, f, renamed, day); err != nil {
			return nil, err
		}
	}
	if len(in.Added) == 0 {
		return in, nil
	}
	text := string(register.With(in.Added...).Format())
	if err := put(in.Changes, source.RegisterPath(), text); err != nil {
		return nil, err
	}
	return in, in.enter(w, b, day)
}

// add plans one file.
func (in *Intake) add(w *compiler.Wiki, register *source.Register, f *File, renamed map[string]string, day time.Time) error {
	name, of := f.Name, ""
	if f.Of != "" {
		of = path.Join(source.RawFolder, renamed[f.Of])
		if stem := strings.TrimSuffix(f.Of, path.Ext(f.Of)); name == stem+".md" {
			name = textOfPage(renamed[f.Of])
		}
	} else {
		name = renamed[f.Name]
	}
	s := source.Raw{
		Path: path.Join(source.RawFolder, name), Sum: source.SumOf(f.Src), Size: len(f.Src), Date: day, Origin: f.Origin, Title: f.Title, Of: of,
	}
	if have := register.Find(s.Path); have != nil && have.Sum != s.Sum {
		return &ChangedError{s.Path, have.Date}
	} else if have != nil {
		return nil // an image that another page has, too
	}
	err := in.Changes.Create(s.Path, f.Src)
	if errors.Is(err, fs.ErrExist) {
		there, ok := content(w, in.Changes, s.Path)
		if !ok || source.SumOf(there) != s.Sum {
			return &ChangedError{Path: s.Path}
		}
		err = nil // it was put there by hand, and is registered now
	}
	if err == nil {
		in.Added = append(in.Added, s)
	}
	return err
}

// content returns the content of a file of the wiki.
func content(w *compiler.Wiki, c *edit.Changes, file string) ([]byte, bool) {
	if src, ok := c.Content(file); ok {
		return src, true
	}
	return compiler.NewTree(w).Read(file, source.MaxRaw)
}

// put makes a file hold a text.
func put(c *edit.Changes, file, text string) error {
	err := c.Create(file, []byte(text))
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := c.Check(file); err != nil {
		return err
	}
	have, ok := c.Content(file)
	if !ok { // it is not a page: an edit of nothing has it read
		if err := c.Edit(schema.Edit{Path: file}); err != nil {
			return err
		}
		have, _ = c.Content(file)
	}
	return c.Edit(schema.Edit{Path: file, Span: schema.Span{End: len(have)}, Text: text})
}

// pageStems are the names by which links find the pages of the wiki.
func pageStems(w *compiler.Wiki) map[string]bool {
	out := make(map[string]bool)
	for _, p := range w.Pages() {
		if p.Layer == schema.LayerSource {
			continue
		}
		out[strings.ToLower(strings.TrimSuffix(path.Base(p.Path), path.Ext(p.Path)))] = true
	}
	return out
}

// distinct is a name that takes no link away from a page: among files of one name
// the shortest path wins.
func distinct(stems map[string]bool, name string) string {
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	if stems[strings.ToLower(path.Base(stem))] {
		return stem + "-source" + ext
	}
	return name
}

// unreserved is a name that has no meaning as that of a page.
func unreserved(name, folder string) string {
	if !schema.ReservedName(name) {
		return name
	}
	if folder = strings.Trim(folder, "./"); folder == "" || schema.ReservedName(folder) {
		folder = "source"
	}
	return Name(folder, "") + "-" + name
}
