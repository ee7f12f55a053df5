package serve

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
)

// DefaultPort is the port tried first when none is asked for.
const DefaultPort = 4321

// Options say how a wiki is served. What other rooms of the program do comes
// in as functions; each may be nil.
type Options struct {
	Host string // name or address to listen on; 127.0.0.1 when empty
	Port int    // the next free one is taken when it is busy; 0 is any
	Poll bool   // look at the files instead of having the system report changes

	// Load detects and compiles the wiki from scratch, after its configuration
	// changed or its folder came back.
	Load func(context.Context) (*compiler.Wiki, error)
	// Lint returns the findings on a wiki.
	Lint func(context.Context, *compiler.Wiki) Known
	// Search answers queries.
	Search Searcher
	// Loops tell of the runs that are shown below /loops/.
	Loops Loops

	Version string // of the program, said by /_wiki/status
	Log     *slog.Logger
}

// Known is what is known about a wiki's problems.
type Known struct {
	Findings       []schema.Diagnostic
	Contradictions []schema.Contradiction // open and acknowledged
	Mentions       []schema.Mention
	// Watched says, by path of the page, what of the code pages were verified
	// against, and the result of it.
	Watched map[string]schema.Watched
	// Problem says why not all of that could be found out; empty when it could.
	Problem string
	// Files are the absolute paths of files outside the wiki that this rests
	// on: when one changes, it is found out anew.
	Files []string

	runs bool // there are runs of loops, which the menu leads to
	// fleet is set where plans of many repositories are shown.
	fleet bool
}

// Server serves one wiki. It is created by New, bound by Listen, and runs in Serve.
type Server struct {
	opt    Options
	log    *slog.Logger
	boot   string // tells generations of one run from those of another
	layOut func(*compiler.Wiki, Known) (pages, error)
	ran    atomic.Bool // there are runs of loops

	listener net.Listener
	names    []string // host names that are answered to, next to the loopback's

	publishing sync.Mutex // one change of now at a time
	now        atomic.Pointer[generation]
	hub        *hub
	after      chan struct{} // something is to be linted and indexed; holds at most one
	indexed    chan struct{} // closed when the search index is there
	changed    changes
	config     stamp // of wiki.yaml when it was read
	// restsOn are the files outside the wiki that findings rest on, as they
	// were when that was found out.
	restsOn atomic.Pointer[map[string]stamp]
}

// New prepares to serve w. It fails when the site can't be laid out, as
// when its theme can't be read.
func New(w *compiler.Wiki, opt Options) (*Server, error) { return newServer(w, opt, layOut) }

func newServer(w *compiler.Wiki, opt Options, layOut func(*compiler.Wiki, Known) (pages, error)) (*Server, error) {
	if opt.Host == "" {
		opt.Host = "127.0.0.1"
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	var boot [4]byte
	rand.Read(boot[:]) // never fails
	s := &Server{
		opt: opt, log: opt.Log, boot: hex.EncodeToString(boot[:]),
		hub: newHub(), after: make(chan struct{}, 1), indexed: make(chan struct{}),
	}
	s.layOut = func(w *compiler.Wiki, known Known) (pages, error) {
		known.runs, known.fleet = s.ran.Load(), s.opt.Loops.Fleet != nil
		return layOut(w, known)
	}
	s.ran.Store(s.hasRuns())
	p, err := s.layOut(w, Known{})
	if err != nil {
		return nil, err
	}
	s.config = stampOf(watchedPaths(w.Workspace()).config)
	s.now.Store(&generation{number: 1, wiki: w, pages: p, cache: newCache()})
	return s, nil
}

// portsTried bounds the search for a free port.
const portsTried = 100

// Listen takes a port and returns the address people open. Call it once,
// before Serve.
func (s *Server) Listen() (url string, err error) {
	for port := s.opt.Port; ; port++ {
		s.listener, err = net.Listen("tcp", net.JoinHostPort(s.opt.Host, strconv.Itoa(port)))
		if err == nil {
			break
		}
		if !errors.Is(err, errAddrInUse) || port == 0 || port+1-s.opt.Port >= portsTried || port >= 65535 {
			return "", fmt.Errorf("listen on %s: %w", net.JoinHostPort(s.opt.Host, strconv.Itoa(s.opt.Port)), err)
		}
	}
	addr := s.listener.Addr().(*net.TCPAddr)
	if s.opt.Port != 0 && addr.Port != s.opt.Port {
		s.log.Info("port in use, using the next free one", "busy", s.opt.Port, "port", addr.Port)
	}
	if !addr.IP.IsLoopback() {
		s.log.Warn("anyone who can reach this machine can read the wiki, including drafts", "host", s.opt.Host)
	}
	s.names = hostNames(s.opt.Host, addr.IP)
	host := s.opt.Host
	switch {
	case addr.IP.IsUnspecified():
		host = "localhost"
	case addr.IP.IsLoopback() && net.ParseIP(host) != nil && addr.IP.To4() != nil:
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(addr.Port)) + "/", nil
}

// Serve answers requests and follows the files until ctx ends, which closes
// every connection within a second. It listens first if Listen was not called.
func (s *Server) Serve(ctx context.Context) error {
	if s.listener == nil {
		if _, err := s.Listen(); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	srv := &http.Server{
		Handler:           s.Handler(),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      60 * time.Second, // streams lift it
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	var rooms sync.WaitGroup
	rooms.Go(func() { s.follow(ctx) })
	rooms.Go(func() { s.followUp(ctx) })
	rooms.Go(func() { s.awaitRuns(ctx) })
	s.askFollowUp()

	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(s.listener) }()
	var err error
	select {
	case err = <-failed:
		cancel()
	case <-ctx.Done():
		s.hub.close()
		end, done := context.WithTimeout(context.WithoutCancel(ctx), 500*time.Millisecond)
		if srv.Shutdown(end) != nil {
			srv.Close()
		}
		done()
	}
	rooms.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}

// hostNames returns the accepted host names of a server that listens on host, besides
// loopback names and IP addresses. A name that another web site points at this machine
// is not accepted.
func hostNames(host string, ip net.IP) []string {
	if net.ParseIP(host) == nil {
		return []string{strings.ToLower(host)}
	}
	if ip.IsLoopback() {
		return nil
	}
	return machineNames()
}

// watchedPaths says what of a workspace is followed on disk.
func watchedPaths(ws *compiler.Workspace) watched {
	w := watched{root: ws.Root, config: ws.ConfigPath}
	if w.config == "" {
		w.config = filepath.Join(ws.Dir, "wiki.yaml")
	}
	accepted := func(name string) string { return filepath.Join(filepath.Dir(w.config), filepath.FromSlash(name)) }
	w.known = [...]string{accepted(schema.AcknowledgedFile), accepted(schema.BaselineFile), filepath.Join(source.LockFolder(ws), source.LockName)}
	beside := func(dir string) string {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(w.config), filepath.FromSlash(dir))
		}
		return filepath.Clean(dir)
	}
	output := "_site"
	if ws.Config != nil {
		if ws.Config.Site.Theme != "" {
			w.theme = beside(ws.Config.Site.Theme)
		}
		if ws.Config.Site.Output != "" {
			output = ws.Config.Site.Output
		}
	}
	w.output = beside(output)
	return w
}
