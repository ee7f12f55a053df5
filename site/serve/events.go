package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// event notifies open tabs. It is sent as a server-sent event named "change"; a stream
// begins with the current state.
type event struct {
	// Generation identifies what is served now: a tab with another one is outdated.
	Generation string `json:"generation"`
	// Before is set if only findings changed since that generation: a tab that shows it,
	// and none of Files, is still current.
	Before string   `json:"before,omitempty"`
	Files  []string `json:"files,omitempty"`
	// Problem says why the files on disk can't be shown, or not with all that
	// is known of them.
	Problem string `json:"problem,omitempty"`
}

// heartbeat is the time between two signs of life on a stream, so that
// neither side waits on a connection that is dead.
const heartbeat = 15 * time.Second

// hub sends events to every open stream.
type hub struct {
	mu      sync.Mutex
	streams map[chan event]bool
	done    chan struct{}
	closed  bool
}

func newHub() *hub { return &hub{streams: make(map[chan event]bool), done: make(chan struct{})} }

// join opens a stream; leave closes it.
func (h *hub) join() (stream chan event, leave func()) {
	stream = make(chan event, 16)
	h.mu.Lock()
	h.streams[stream] = true
	h.mu.Unlock()
	return stream, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.streams[stream] {
			delete(h.streams, stream)
			close(stream)
		}
	}
}

// send never waits. A stream whose reader does not keep up is ended: the tab
// connects again and sees by the generation what it missed.
func (h *hub) send(e event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for stream := range h.streams {
		select {
		case stream <- e:
		default:
			delete(h.streams, stream)
			close(stream)
		}
	}
}

// close ends every stream.
func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.closed = true
		close(h.done)
	}
}

// name returns how tabs know a generation.
func (s *Server) name(g *generation) string { return fmt.Sprintf("%s.%d", s.boot, g.number) }

// serveEvents is a stream of server-sent events (HTML Standard, section 9.2).
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return
	}
	rc := http.NewResponseController(w)
	stream, leave := s.hub.join()
	defer leave()
	write := func(format string, args ...any) bool {
		// A reader that takes nothing for two heartbeats is gone.
		_ = rc.SetWriteDeadline(time.Now().Add(2 * heartbeat))
		if _, err := fmt.Fprintf(w, format, args...); err != nil {
			return false
		}
		return rc.Flush() == nil
	}
	say := func(e event) bool {
		data, err := json.Marshal(e)
		return err == nil && write("event: change\ndata: %s\n\n", data)
	}
	_ = rc.SetReadDeadline(time.Time{})
	g := s.now.Load()
	if !write("retry: 300\n\n") || !say(event{Generation: s.name(g), Problem: g.said()}) {
		return
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	runs, leaveRuns := s.followRuns(r)
	defer leaveRuns()
	for {
		select {
		case stamp, ok := <-runs:
			if !ok || !write("event: runs\ndata: %s\n\n", stamp) {
				return
			}
		case <-r.Context().Done():
			return
		case <-s.hub.done:
			return
		case e, ok := <-stream:
			if !ok || !say(e) {
				return
			}
		case <-beat.C:
			if !write(": still here\n\n") {
				return
			}
		}
	}
}
