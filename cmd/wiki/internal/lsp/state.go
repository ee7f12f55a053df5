package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/serve"
)

// moment is the state of all text at one time.
type moment struct {
	number int
	docs   documents
}

// view is a wiki as it was at a moment. Requests are methods of it.
type view struct {
	*server
	then moment
	wiki *compiler.Wiki
	open map[string]*document // the pages that the client has open, by their path below the root
}

// loading is the wiki of a server.
type loading struct {
	ready  chan struct{} // closed once a wiki was read, or can't be
	loaded chan struct{} // closed once one was read

	reading sync.Mutex // held while it is read from scratch
	faulty  string     // path of a wiki.yaml with findings, or nothing

	compiling sync.Mutex // guards what follows
	last      *view      // nil when there is no wiki
	err       error
	config    linter.Config
}

func (s *server) moment() moment {
	s.mu.Lock()
	defer s.mu.Unlock()
	return moment{s.number, s.docs}
}

// changed notes that the text is another, and wakes up who checks it. change is made while
// nobody reads.
func (s *server) changed(change func()) {
	s.mu.Lock()
	change()
	s.number++
	s.mu.Unlock()
	s.wake()
}

func (s *server) wake() {
	select {
	case s.wakeup <- struct{}{}:
	default:
	}
}

// start reads the wiki, and then follows it until the server ends.
func (s *server) start() {
	defer s.guard("reading the wiki", nil)
	dir := s.choose()
	s.read(dir)
	close(s.load.ready)
	s.wake()
	go s.diagnose()
	s.follow(dir)
}

// choose returns the folder whose wiki is served: the first that surely is one, else the
// first with pages. Several may be open, and a server has one wiki.
func (s *server) choose() string {
	folders := s.folders
	if len(folders) == 0 {
		folders = []string{s.opt.Dir}
	}
	best, rank := folders[0], 0
	for _, dir := range folders {
		ws, err := s.opt.Detect(dir)
		var faulty *compiler.ConfigError
		switch {
		case err == nil && !ws.Guessed || errors.As(err, &faulty):
			return dir
		case err == nil && rank == 0:
			best, rank = dir, 1
		}
	}
	return best
}

// read compiles the wiki of a folder from scratch. Without one, the last stays.
func (s *server) read(dir string) {
	s.load.reading.Lock()
	defer s.load.reading.Unlock()
	step, end := s.progress("Reading pages")
	defer end()
	ws, err := s.opt.Detect(dir)
	s.reportConfig(err)
	if err != nil {
		s.failed(err)
		return
	}
	then := s.moment()
	open := then.docs.pages(ws)
	w, err := compiler.Compile(s.ctx, ws, compiler.Options{History: true, Today: s.opt.Today(), Overlay: overlay(open), Progress: step})
	if err != nil {
		s.failed(err)
		return
	}
	cfg, problems := s.opt.Config(ws)
	for _, p := range problems {
		s.tell(messageWarning, "%s", p)
	}
	s.load.compiling.Lock()
	defer s.load.compiling.Unlock()
	if s.load.last == nil {
		close(s.load.loaded)
	}
	s.load.last, s.load.err, s.load.config = &view{s, then, w, open}, nil, cfg
	s.opt.Log.Info("serving", "root", ws.Root, "pages", len(w.Pages()))
}

func (s *server) failed(err error) {
	s.load.compiling.Lock()
	defer s.load.compiling.Unlock()
	s.load.err = err
	s.tell(messageError, "%v", err)
}

// reportConfig publishes the faults of wiki.yaml, or that there are none any more.
func (s *server) reportConfig(err error) {
	var faulty *compiler.ConfigError
	if !errors.As(err, &faulty) {
		if s.load.faulty != "" {
			s.notify("textDocument/publishDiagnostics", publishParams{URI: s.uri(s.load.faulty), Diagnostics: []diagnostic{}})
			s.load.faulty = ""
		}
		return
	}
	t := text{faulty.Source, schema.NewLineIndex(faulty.Source), s.enc}
	out := []diagnostic{}
	for _, f := range faulty.Faults {
		out = append(out, diagnostic{Range: t.span(f.Span), Severity: severityError, Code: "config", Source: "wiki", Message: f.Message})
	}
	s.load.faulty = faulty.Path
	s.notify("textDocument/publishDiagnostics", publishParams{URI: s.uri(faulty.Path), Diagnostics: out})
}

// uri returns the URI of a path; of an open file as its client spells it.
func (s *server) uri(path string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.docs[path]; d != nil {
		return d.uri
	}
	return uriOf(path)
}

// view returns the wiki as it was at a moment. It waits for the first reading.
func (s *server) view(ctx context.Context, then moment) (*view, error) {
	select {
	case <-s.load.ready:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s.load.compiling.Lock()
	defer s.load.compiling.Unlock()
	last := s.load.last
	if last == nil {
		return nil, cmp.Or(s.load.err, errors.New("no wiki was found"))
	}
	if err := s.takeDisk(); err != nil {
		s.tell(messageWarning, "showing the wiki as it was: %v", err)
	}
	last = s.load.last
	if then.number == last.then.number {
		return last, nil
	}
	open := then.docs.pages(last.wiki.Workspace())
	w, err := last.wiki.WithOverlay(s.ctx, overlay(open))
	if err != nil {
		return nil, fmt.Errorf("can't read the wiki: %w", err)
	}
	v := &view{s, then, w, open}
	if then.number > last.then.number {
		s.load.last = v
	}
	return v, nil
}

// takeDisk reads what changed on disk. compiling is held.
func (s *server) takeDisk() error {
	s.mu.Lock()
	paths := s.disk
	s.disk = nil
	s.mu.Unlock()
	if len(paths) == 0 {
		return nil
	}
	last := s.load.last
	slices.Sort(paths)
	w, err := last.wiki.Recompile(s.ctx, slices.Compact(paths))
	if err != nil {
		return err
	}
	s.load.last = &view{s, last.then, w, last.open}
	return nil
}

// follow reports changes on disk until the server ends: those that the client tells of,
// or, if it can't, those that are seen here.
func (s *server) follow(dir string) {
	select {
	case <-s.load.loaded:
	case <-s.ctx.Done():
		return
	}
	ws := s.latest().wiki.Workspace()
	if s.registerWatchers(s.ctx, ws.Dir) {
		return
	}
	serve.Watch(s.ctx, ws, s.opt.Log, func(c serve.Change) {
		if c.Reload || c.Judgement {
			s.reload(dir, c.Reload)
		}
		s.onDisk(c.Paths)
	})
}

// latest is the last view of the wiki, nil if none was read yet.
func (s *server) latest() *view {
	s.load.compiling.Lock()
	defer s.load.compiling.Unlock()
	return s.load.last
}

// onDisk notes that files below the root are others.
func (s *server) onDisk(paths []string) {
	if len(paths) > 0 {
		s.changed(func() { s.disk = append(s.disk, paths...) })
	}
}

// reload reads the configuration again, and with it all pages if it is another one.
func (s *server) reload(dir string, pages bool) {
	defer s.guard("reading the configuration", nil)
	if pages {
		s.read(dir)
	} else {
		cfg, problems := s.opt.Config(s.latest().wiki.Workspace())
		s.load.compiling.Lock()
		s.load.config = cfg
		s.load.compiling.Unlock()
		for _, p := range problems {
			s.tell(messageWarning, "%s", p)
		}
	}
	s.lint.forget()
	s.changed(func() {})
}

func (s *server) didOpen(params json.RawMessage) error {
	var p openParams
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	path, err := pathOf(p.Document.URI)
	if err != nil {
		return err
	}
	if len(p.Document.Text) > schema.MaxPageFile {
		s.tell(messageWarning, "%s is larger than %d bytes and is not checked: split it", filepath.Base(path), schema.MaxPageFile)
	}
	d := newDocument(p.Document.URI, path, p.Document.Version, []byte(p.Document.Text), s.enc)
	s.changed(func() { s.docs = s.docs.set(path, d) })
	go s.tellOutside(path)
	return nil
}

// tellOutside tells the person, once, that a page is not one of the wiki.
func (s *server) tellOutside(path string) {
	if !isPage(path) {
		return
	}
	v, err := s.view(s.ctx, s.moment())
	if err != nil {
		return
	}
	if root := v.wiki.Workspace().Root; v.page(uriOf(path)) == nil {
		if _, ok := below(root, path); !ok {
			s.tell(messageInfo, "files outside the wiki in %s are not checked", root)
		}
	}
}

func (s *server) didChange(params json.RawMessage) error {
	var p changeParams
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	path, err := pathOf(p.Document.URI)
	if err != nil {
		return err
	}
	s.mu.Lock()
	d := s.docs[path]
	s.mu.Unlock()
	if d == nil {
		return fmt.Errorf("%s is not open", path)
	}
	next := d.with(p.Document.Version, p.Changes)
	s.changed(func() { s.docs = s.docs.set(path, next) })
	return nil
}

func (s *server) didClose(params json.RawMessage) error {
	var p documentParams
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	path, err := pathOf(p.Document.URI)
	if err == nil {
		s.changed(func() { s.docs = s.docs.set(path, nil) })
	}
	return err
}

// didSave reads the file on disk, for clients that report no changes there.
func (s *server) didSave(params json.RawMessage) error {
	var p documentParams
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	go s.touched([]string{p.Document.URI})
	return nil
}

func (s *server) didChangeWatchedFiles(params json.RawMessage) error {
	var p watchedFilesParams
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	uris := []string{}
	for _, c := range p.Changes {
		uris = append(uris, c.URI)
	}
	go s.touched(uris)
	return nil
}

// touched sorts what changed on disk: pages and other files, or what says how they are
// read and checked.
func (s *server) touched(uris []string) {
	defer s.guard("reading changed files", nil)
	select {
	case <-s.load.ready:
	case <-s.ctx.Done():
		return
	}
	last := s.latest()
	if last == nil {
		s.reload(s.choose(), true)
		return
	}
	ws := last.wiki.Workspace()
	var paths []string
	config, judgement := false, false
	for _, uri := range uris {
		path, err := pathOf(uri)
		if err != nil {
			continue
		}
		name := filepath.Base(path)
		switch p, inside := below(ws.Root, path); {
		case name == compiler.ConfigName:
			config = true
		case serve.Judges(ws, path):
			judgement = true
		case inside && !strings.HasPrefix(p, ".git/"):
			paths = append(paths, p)
		}
	}
	if config || judgement {
		s.reload(s.choose(), config)
	}
	s.onDisk(paths)
}
