package main

import (
	"path"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/ingest"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
)

// ingestDocument is the JSON of ingest.
type ingestDocument struct {
	Version int            `json:"version"`
	Added   []ingestSource `json:"added"`
	Known   []ingestSource `json:"known"`
	Index   string         `json:"index,omitempty"`
	Log     string         `json:"log,omitempty"`
	// Run is that of the writer, if there was one.
	Run *schema.RunSummary `json:"run,omitempty"`
}

// ingestSource is a registered source.
type ingestSource struct {
	Path   string `json:"path"`
	Sum    string `json:"sum"`
	Bytes  int    `json:"bytes"`
	Date   string `json:"date"`
	Origin string `json:"origin,omitempty"`
	Title  string `json:"title,omitempty"`
	Of     string `json:"of,omitempty"`
}

func intakeDocument(in *ingest.Intake, ws *compiler.Workspace) ingestDocument {
	list := func(all []source.Raw) []ingestSource {
		out := []ingestSource{}
		for _, s := range all {
			out = append(out, ingestSource{path.Join(ws.RootPath, s.Path), s.Sum, s.Size, s.Date.Format(time.DateOnly), s.Origin, s.Title, s.Of})
		}
		return out
	}
	return ingestDocument{Version: 1, Added: list(in.Added), Known: list(in.Known), Index: in.Index, Log: in.Log}
}

// sayIntake prints what is registered.
func (p *program) sayIntake(in *ingest.Intake, ws *compiler.Workspace, o ingestOptions) error {
	if o.json {
		return p.json(intakeDocument(in, ws))
	}
	for _, s := range in.Known {
		if s.Of == "" {
			p.say("%s is already registered (%s, same checksum)", path.Join(relativeRoot(ws), s.Path), s.Date.Format(time.DateOnly))
		}
	}
	for _, s := range in.Added {
		p.out.Println(path.Join(relativeRoot(ws), s.Path))
	}
	entered := strings.Join(strings.Fields(in.Index+" "+in.Log), " and ")
	switch {
	case len(in.Added) == 0:
	case entered == "":
		p.say("no entry added: the wiki has no index and no log")
	default:
		p.say("added an entry to %s", entered)
	}
	return nil
}

// previewIntake prints what would be written.
func (p *program) previewIntake(in *ingest.Intake, ws *compiler.Workspace, o ingestOptions) error {
	if o.json {
		return p.json(intakeDocument(in, ws))
	}
	for _, s := range in.Added {
		p.out.Printf("%s  %d bytes  %s\n", path.Join(relativeRoot(ws), s.Path), s.Size, s.Sum)
	}
	for _, c := range in.Changes.List() {
		if c.From != "" { // pages that are there already: the sources themselves are as they are
			p.printDiff(diffOf(ws, c))
		}
	}
	return nil
}
