package exchange

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/exchange/okf"
	"github.com/loopwiki/wiki/compiler/public"
	"github.com/loopwiki/wiki/schema"
)

// Export is a wiki in another format.
type Export struct {
	Files  []okf.File // in order of path; one without a path when the format is one file
	Notes  []okf.Note // what the format can't say
	Pages  int        // that are in it
	Held   int        // pages that are left out, since they are private, drafts or unlisted
	Folder bool       // the format is a folder of files
}

// exporters are the formats of [New], by name.
var exporters = []struct {
	name   string
	folder bool
	write  func(ctx context.Context, x *exporter) error
}{
	{"graphml", false, writeGraphOf(graphML)},
	{"json", false, writeDocument},
	{"jsonl", false, writeLines},
	{"llms", true, writeLLMs},
	{"okf", true, writeOKF},
}

// ExportFormats returns the formats of [New], by name.
func ExportFormats() []string {
	var names []string
	for _, e := range exporters {
		names = append(names, e.name)
	}
	return names
}

// exporter makes one export.
type exporter struct {
	wiki    *compiler.Wiki
	public  *public.Pages
	private bool
	pages   []*schema.Page // of the export
	out     *Export
}

// New returns a wiki in a format. Drafts, private and unlisted pages are left out, and
// comments with them, unless private is set; links to them become text.
func New(ctx context.Context, w *compiler.Wiki, format string, private bool) (*Export, error) {
	for _, e := range exporters {
		if e.name != format {
			continue
		}
		x := &exporter{wiki: w, private: private, out: &Export{Folder: e.folder}}
		x.public = public.New(w, func(p *schema.Page) bool {
			level, _ := p.Visibility.Level(false)
			return private || level == schema.Public
		})
		for _, p := range w.Pages() {
			if !x.public.Hidden(p.ID) {
				x.pages = append(x.pages, p)
			}
		}
		x.out.Pages, x.out.Held = len(x.pages), len(w.Pages())-len(x.pages)
		return x.out, e.write(ctx, x)
	}
	return nil, fmt.Errorf("unknown export format %q; expected %s", format, strings.Join(ExportFormats(), ", "))
}

// add adds a file.
func (x *exporter) add(name string, data []byte) {
	x.out.Files = append(x.out.Files, okf.File{Path: name, Data: data})
}

// source is the markdown of a part of a page that is exported.
func (x *exporter) source(p *schema.Page, part schema.Span) []byte {
	if x.private {
		return part.In(p.Source)
	}
	return public.Apply(p.Source, part, append(x.public.Links(p), public.Comments(p)...))
}

func writeOKF(ctx context.Context, x *exporter) error {
	b, err := okf.New(ctx, x.wiki, okf.Options{Private: x.private})
	if err == nil {
		x.out.Files, x.out.Notes = b.Files, b.Notes
	}
	return err
}

func writeGraphOf(f Format) func(context.Context, *exporter) error {
	return func(_ context.Context, x *exporter) error {
		var b bytes.Buffer
		err := f.write(&b, collect(x.wiki, x.public))
		x.add("", b.Bytes())
		return err
	}
}
