package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/exchange"
	"github.com/loopwiki/wiki/compiler/exchange/okf"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

type exportOptions struct {
	output               string
	private, force, json bool
}

func newExport(p *program) *cobra.Command {
	var o exportOptions
	c := &cobra.Command{
		Use:   "export FORMAT",
		Short: "Export the wiki for other programs: OKF, JSON, llms.txt, GraphML",
		Long: `Export the wiki in another format:

  okf      an Open Knowledge Format 0.2 bundle: a folder of markdown with
           relative links, a type on every page, and OKF's front matter
  json     one document with all pages and their links
  jsonl    a page a line
  llms     a folder with llms.txt, llms-full.txt and the pages; folders of a wiki
           with more than 1,000 pages have lists of their own
  graphml  pages and links, for Gephi, yEd or networkx

Folders are written to export/FORMAT in the repository, or to -o DIR; files are
printed, or written to -o FILE. Obsolete files of an earlier export are removed.
A folder with any other files is refused.

Drafts, private and unlisted pages are left out, and comments with them; links to
such pages become text. What OKF can't say is listed, and stays as text.`,
		Example: `  wiki export okf -o ../bundle
  wiki export jsonl | jq -r .title
  wiki export llms -o public/llms
  wiki export okf --private --json | jq .notes`,
		Annotations: exits("0  the export was written"),
		GroupID:     groupMake,
		SuggestFor:  []string{"convert", "dump", "bundle"},
		ValidArgs:   exchange.ExportFormats(),
		Args:        takes(1, false, "FORMAT"),
		RunE:        func(cmd *cobra.Command, args []string) error { return runExport(cmd.Context(), p, o, args[0]) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.output, "output", "o", "", "write to the folder or file `PATH`")
	f.BoolVar(&o.private, "private", false, "export drafts, private and unlisted pages and comments too")
	f.BoolVar(&o.force, "force", false, "export to a folder with other files, and keep those")
	f.BoolVar(&o.json, "json", false, "print the result of an export to a folder as JSON")
	return c
}

// exportDocument is the output of wiki export --json.
type exportDocument struct {
	Version int            `json:"version" jsonschema:"version of this document, 1"`
	Format  string         `json:"format"`
	Output  string         `json:"output" jsonschema:"the folder"`
	Pages   int            `json:"pages"`
	Held    int            `json:"held" jsonschema:"pages that are left out: drafts, private and unlisted ones"`
	Files   int            `json:"files"`
	Written int            `json:"written" jsonschema:"new or changed files"`
	Removed int            `json:"removed" jsonschema:"files of an earlier export"`
	Notes   []noteDocument `json:"notes" jsonschema:"what the format can't say"`
}

// noteDocument is something about a page that a format can't say.
type noteDocument struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
	Text string `json:"text"`
}

func runExport(ctx context.Context, p *program, o exportOptions, format string) error {
	if !contains(exchange.ExportFormats(), format) {
		return misuse(oneOf(format, exchange.ExportFormats()), "unknown export format %q", format)
	}
	w, err := p.compile(ctx, compiler.Options{History: true})
	if err != nil {
		return err
	}
	e, err := exchange.New(ctx, w, format, o.private)
	if err != nil {
		return err
	}
	if !e.Folder {
		return p.exportFile(o, format, e)
	}
	dir, within := p.path(o.output), ""
	if o.output == "" {
		within = w.Workspace().Dir
		dir = filepath.Join(within, "export", format)
	}
	done, err := e.WriteTo(w, dir, within, o.force)
	if outside := (*files.OutsideError)(nil); errors.As(err, &outside) && within != "" {
		outside.Remedy = "remove the link, or give the folder with -o if it is meant"
	}
	if errors.Is(err, exchange.ErrForeignFolder) {
		return misuse("use another folder with -o, or --force to export into it", "%s is not empty and was not made by wiki export", dir)
	}
	if err != nil {
		return err
	}
	p.sayNotes(e.Notes)
	p.say("exported %s to %s: %s, %d written, %d removed%s", text.Count(e.Pages, "page"), p.shorten(dir), text.Count(done.Files, "file"), done.Written, done.Removed, heldCount(e.Held))
	if o.json {
		doc := exportDocument{Version: 1, Format: format, Output: p.shorten(dir), Pages: e.Pages, Held: e.Held, Files: done.Files, Written: done.Written, Removed: done.Removed, Notes: []noteDocument{}}
		for _, n := range e.Notes {
			doc.Notes = append(doc.Notes, noteDocument(n))
		}
		return p.json(doc)
	}
	return nil
}

// exportFile prints or writes an export that is one file.
func (p *program) exportFile(o exportOptions, format string, e *exchange.Export) error {
	if o.json || o.force {
		return misuse("leave the option out", "--json and --force are for exports to a folder; %s is one file", format)
	}
	if o.output != "" {
		dir, err := files.Make(filepath.Dir(p.path(o.output)), 0o777)
		if err != nil {
			return err
		}
		defer dir.Close()
		if err := dir.Replace(filepath.Base(o.output), e.Files[0].Data, 0o666); err != nil {
			return err
		}
		p.say("exported %s to %s%s", text.Count(e.Pages, "page"), p.shorten(p.path(o.output)), heldCount(e.Held))
		return nil
	}
	_, err := p.out.Write(e.Files[0].Data)
	return err
}

func heldCount(n int) string {
	if n == 0 {
		return ""
	}
	return "; " + text.Count(n, "page") + " left out as draft, private or unlisted"
}

// maxNotes is how many notes people see without -v.
const maxNotes = 10

// sayNotes lists what a format can't say.
func (p *program) sayNotes(notes []okf.Note) {
	for i, n := range notes {
		if i == maxNotes && !p.verbose {
			p.say("and %d more; -v lists them", len(notes)-i)
			return
		}
		if n.Line > 0 {
			p.say("%s:%d: %s", n.Path, n.Line, n.Text)
			continue
		}
		p.say("%s: %s", n.Path, n.Text)
	}
}
