package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"go.lsp.dev/jsonrpc2"
)

// Options are what a server needs from the program around it.
type Options struct {
	// Dir is where a wiki is looked for if the client names no folder.
	Dir string
	// Detect finds the wiki of a folder.
	Detect func(dir string) (*compiler.Workspace, error)
	// Config says how a wiki is linted: its baseline, acknowledgements and lock. What it
	// can't read it leaves out, and says so to the person.
	Config func(*compiler.Workspace) (cfg linter.Config, problems []string)
	// Today is the day that dates are judged by.
	Today func() time.Time
	// Explain returns the documentation of a rule, in markdown.
	Explain func(*linter.Rule) string
	Version string
	Log     *slog.Logger
}

// UncleanExitError is a client that ended the server, or its stream, without asking it to
// shut down first.
type UncleanExitError struct{ Cause error }

func (e *UncleanExitError) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("the language server stopped: %v", e.Cause)
	}
	return "the client exited without a shutdown request"
}

func (e *UncleanExitError) Unwrap() error { return e.Cause }

// phase is how far the conversation with a client is.
type phase int

const (
	uninitialized phase = iota
	running
	shutDown
)

// server is one conversation with one client about one wiki.
type server struct {
	opt     Options
	ctx     context.Context // ends with the server
	conn    jsonrpc2.Conn
	exited  chan struct{}
	slots   chan struct{} // bounds how many requests are answered at a time
	caps    clientCapabilities
	enc     encoding
	folders []string // absolute, in the client's order

	mu     sync.Mutex // guards what follows
	phase  phase
	docs   documents
	number int      // of changes of docs and of files on disk
	disk   []string // paths below the root that changed on disk and are not compiled yet
	told   map[string]bool
	cancel map[jsonrpc2.ID]context.CancelFunc // of requests that are being answered

	load   loading
	lint   linting
	wakeup chan struct{} // has an element when something changed
}

// Run answers a client until it asks to exit, the input ends or ctx is done. The error is
// an [*UncleanExitError] or that of ctx.
func Run(ctx context.Context, in io.Reader, out io.Writer, opt Options) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &server{opt: opt, ctx: ctx, exited: make(chan struct{}), slots: make(chan struct{}, runtime.GOMAXPROCS(0)+1), told: map[string]bool{}, wakeup: make(chan struct{}, 1), cancel: map[jsonrpc2.ID]context.CancelFunc{}}
	s.load.ready, s.load.loaded = make(chan struct{}), make(chan struct{})
	s.conn = jsonrpc2.NewConn(newStream(in, out), jsonrpc2.WithCodec(codec{}))
	s.conn.Go(ctx, s.handle)
	select {
	case <-s.exited:
	case <-s.conn.Done():
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase == shutDown {
		return nil
	}
	return &UncleanExitError{s.conn.Err()}
}

// codec is encoding/json, which replaces bytes of pages that are no UTF-8 instead of
// refusing the message that has them.
type codec struct{}

func (codec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(jsonrpc2.RawMessage); ok && raw != nil {
		return raw, nil
	}
	return json.Marshal(v)
}

func (codec) Unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }

// Error codes of the protocol that are not JSON-RPC's own.
const (
	requestFailed    jsonrpc2.Code = -32803
	requestCancelled jsonrpc2.Code = -32800
)

// notices are the notifications of a client. They are taken in order, before the next
// message is read.
var notices = map[string]func(*server, json.RawMessage) error{
	"initialized":                     (*server).initialized,
	"exit":                            (*server).exit,
	"$/cancelRequest":                 (*server).cancelRequest,
	"textDocument/didOpen":            (*server).didOpen,
	"textDocument/didChange":          (*server).didChange,
	"textDocument/didClose":           (*server).didClose,
	"textDocument/didSave":            (*server).didSave,
	"workspace/didChangeWatchedFiles": (*server).didChangeWatchedFiles,
}

// requests are answered at the same time, each for the text as it was when it came.
var requests = map[string]func(context.Context, *view, json.RawMessage) (any, error){
	"textDocument/definition":     answer((*view).definition),
	"textDocument/references":     answer((*view).references),
	"textDocument/hover":          answer((*view).hover),
	"textDocument/completion":     answer((*view).completion),
	"textDocument/documentSymbol": answer((*view).documentSymbol),
	"textDocument/documentLink":   answer((*view).documentLink),
	"textDocument/foldingRange":   answer((*view).foldingRange),
	"textDocument/codeAction":     answer((*view).codeAction),
	"textDocument/prepareRename":  answer((*view).prepareRename),
	"textDocument/rename":         answer((*view).rename),
	"textDocument/diagnostic":     answer((*view).diagnostic),
	"workspace/symbol":            answer((*view).workspaceSymbol),
	"workspace/willRenameFiles":   answer((*view).willRenameFiles),
}

// answer decodes the parameters of a request.
func answer[P, R any](f func(*view, context.Context, P) (R, error)) func(context.Context, *view, json.RawMessage) (any, error) {
	return func(ctx context.Context, v *view, raw json.RawMessage) (any, error) {
		var p P
		if err := json.Unmarshal(raw, &p); err != nil {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
		}
		return f(v, ctx, p)
	}
}

// handle takes one message. No error of a notification leaves it: that would end the
// connection.
func (s *server) handle(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
	method, params := strings.Clone(req.Method()), json.RawMessage(slices.Clone(req.Params()))
	if params == nil {
		params = json.RawMessage("{}")
	}
	defer s.guard(method, &err)
	if !req.IsCall() {
		if take := notices[method]; take != nil && s.takes(method) {
			if err := take(s, params); err != nil {
				s.opt.Log.Warn("ignoring "+method, "err", err)
			}
		}
		return nil, nil
	}
	switch method {
	case "initialize":
		return s.initialize(params)
	case "shutdown":
		return nil, s.shutdown()
	}
	if !s.takes(method) {
		return nil, s.untimely()
	}
	respond := requests[method]
	if respond == nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "the method %.100q is not supported", method)
	}
	then, id := s.moment(), req.ID()
	own, done := s.cancellable(id)
	defer done()
	jsonrpc2.Async(ctx)
	return s.respond(own, then, func(v *view) (any, error) { return respond(own, v, params) })
}

// cancellable returns the context of a request. It is no child of the one that comes with
// the request, which the library uses again for another while children still look at it.
func (s *server) cancellable(id jsonrpc2.ID) (context.Context, func()) {
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel[id] = cancel
	return ctx, func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.cancel, id)
	}
}

// respond answers a request, or says why it was given up.
func (s *server) respond(ctx context.Context, then moment, f func(*view) (any, error)) (any, error) {
	v, err := s.view(ctx, then)
	if err == nil {
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		case <-ctx.Done():
		}
		if err = ctx.Err(); err == nil {
			var result any
			if result, err = f(v); err == nil {
				return result, nil
			}
		}
	}
	var coded *jsonrpc2.Error
	switch {
	case ctx.Err() != nil:
		return nil, jsonrpc2.NewError(requestCancelled, "the request was cancelled")
	case errors.As(err, &coded):
		return nil, coded
	}
	return nil, jsonrpc2.NewError(requestFailed, err.Error())
}

// guard turns a panic into an error of one request, or for a notification into a message.
func (s *server) guard(what string, err *error) {
	v := recover()
	if v == nil {
		return
	}
	s.opt.Log.Error(what+" crashed; please report this", "panic", v, "stack", string(debug.Stack()))
	if err != nil {
		*err = jsonrpc2.Errorf(jsonrpc2.InternalError, "%s crashed: %v; please report this", what, v)
	}
}

// takes reports whether a message has come in its time.
func (s *server) takes(method string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return method == "exit" || s.phase == running
}

func (s *server) untimely() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase == uninitialized {
		return jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "the first request has to be initialize")
	}
	return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server was shut down; only exit is left")
}

func (s *server) shutdown() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase == uninitialized {
		return jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "the first request has to be initialize")
	}
	s.phase = shutDown
	return nil
}

func (s *server) exit(json.RawMessage) error {
	close(s.exited)
	return nil
}

func (s *server) cancelRequest(params json.RawMessage) error {
	var p cancelParams
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	var n int64
	var name string
	id := jsonrpc2.ID{}
	switch {
	case json.Unmarshal(p.ID, &n) == nil:
		id = jsonrpc2.NewNumberID(n)
	case json.Unmarshal(p.ID, &name) == nil:
		id = jsonrpc2.NewStringID(name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.cancel[id]; cancel != nil {
		cancel()
	}
	return nil
}

// Types of messages to the person.
const (
	messageError   = 1
	messageWarning = 2
	messageInfo    = 3
)

// tell shows the person a message, each once.
func (s *server) tell(kind int, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.mu.Lock()
	known := s.told[text]
	s.told[text] = true
	s.mu.Unlock()
	if !known {
		s.notify("window/showMessage", map[string]any{"type": kind, "message": text})
	}
}

func (s *server) notify(method string, params any) {
	if err := s.conn.Notify(s.ctx, method, params); err != nil && s.ctx.Err() == nil {
		s.opt.Log.Debug("can't send "+method, "err", err)
	}
}
