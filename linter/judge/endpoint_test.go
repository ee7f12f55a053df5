package judge

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const secretKey = "sk-test-4711"

// serve returns a server that hands every request to f.
func serve(t *testing.T, f http.HandlerFunc) (address string) {
	t.Helper()
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

func endpoint(t *testing.T, address string) *Endpoint {
	t.Helper()
	e, err := NewEndpoint(address, "example-1", secretKey, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// chat answers as such servers do.
func chat(w http.ResponseWriter, content string) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"id": "1", "object": "chat.completion",
		"choices": []any{map[string]any{"index": 0, "message": map[string]any{"role": "assistant", "content": content}}}})
}

// promptOf returns what a request asks.
func promptOf(r *http.Request) string {
	var req chatRequest
	if json.NewDecoder(r.Body).Decode(&req) != nil || len(req.Messages) != 1 {
		return ""
	}
	return req.Messages[0].Content
}

func TestEndpoint(t *testing.T) {
	t.Parallel()
	e := endpoint(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		want := `{"model":"example-1","messages":[{"role":"user","content":"who?"}]}`
		if r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer "+secretKey || string(body) != want {
			t.Errorf("%s %s %v %s", r.Method, r.URL, r.Header, body)
		}
		chat(w, "me")
	}))
	if got, err := e.Ask(t.Context(), "who?"); string(got) != "me" || err != nil || e.Name() != "example-1" {
		t.Errorf("%s: %q, %v", e.Name(), got, err)
	}
	bare, err := NewEndpoint(serve(t, func(w http.ResponseWriter, r *http.Request) {
		if _, has := r.Header["Authorization"]; has || r.URL.Path != "/v1/chat/completions" {
			t.Errorf("asked for %s, with a key: %v", r.URL, has)
		}
		chat(w, "me")
	})+"/chat/completions/", "m", "", time.Minute)
	if err == nil {
		_, err = bare.Ask(t.Context(), "who?")
	}
	if err != nil {
		t.Error(err)
	}
}

// No message holds the key, nor anything that was sent.
func TestEndpointsThatFail(t *testing.T) {
	t.Parallel()
	var elsewhere atomic.Int32
	other := serve(t, func(w http.ResponseWriter, r *http.Request) { elsewhere.Add(1); chat(w, "me") })
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(code)
			fmt.Fprintf(w, "wrong key %s for %s", secretKey, r.URL)
		}
	}
	for _, c := range []struct {
		name, want string
		f          http.HandlerFunc
	}{
		{"refuses", "status 401", status(401)},
		{"is down", "status 503", status(503)},
		{"limits", "status 429", status(429)},
		{"is no such server", "not a chat completion", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }},
		{"has no choices", "not a chat completion", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"choices": []}`) }},
		{"sends the key back", "contains the key", func(w http.ResponseWriter, _ *http.Request) { chat(w, "ok "+secretKey) }},
		{"sends without end", "longer than 1048576 bytes", func(w http.ResponseWriter, _ *http.Request) { chat(w, strings.Repeat("x", 50<<20)) }},
		{"breaks off", "closed the connection", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, "{")
		}},
		{"hangs up", "no response", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
		{"sends elsewhere", "redirect to another server", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other+"/chat/completions", http.StatusTemporaryRedirect)
		}},
		{"sends around", "redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := endpoint(t, serve(t, c.f)).Ask(t.Context(), "the prompt")
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secretKey) || strings.Contains(err.Error(), "the prompt") {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	t.Cleanup(func() {
		if elsewhere.Load() > 0 {
			t.Error("another server was asked")
		}
	})
}

// A busy server is asked once again, and no more.
func TestEndpointIsAskedAgain(t *testing.T) {
	t.Parallel()
	for _, code := range []int{http.StatusTooManyRequests, http.StatusBadGateway} {
		var asked atomic.Int32
		e := endpoint(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) == 1 {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(code)
				return
			}
			chat(w, promptOf(r))
		}))
		if got, err := e.Ask(t.Context(), "who?"); string(got) != "who?" || err != nil || asked.Load() != 2 {
			t.Errorf("after status %d: %q, %v, asked %d times", code, got, err, asked.Load())
		}
	}
	for header, want := range map[string]time.Duration{"": time.Second, "2": 2 * time.Second, "-1": time.Second, "86400": longestPause, "Fri, 31 Dec 1999 23:59:59 GMT": time.Second} {
		if got := pause(header); got != want {
			t.Errorf("Retry-After %q: %s, want %s", header, got, want)
		}
	}
}

func TestEndpointTimeout(t *testing.T) {
	t.Parallel()
	done := make(chan struct{})
	e := endpoint(t, serve(t, func(http.ResponseWriter, *http.Request) { <-done }))
	t.Cleanup(func() { close(done) })
	e.timeout = 100 * time.Millisecond
	if _, err := e.Ask(t.Context(), "who?"); err == nil || err.Error() != "timed out after 100ms" {
		t.Error(err)
	}
}

func TestEndpointRefusesUnsafeURLs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ address, model, key, want string }{
		{"", "m", "", "not a web address"},
		{"api.example.org/v1", "m", "", "not a web address"},
		{"file:///etc/passwd", "m", "", "not a web address"},
		{"https://user:pass@api.example.org/v1", "m", "", "a user, a password or a query"},
		{"https://api.example.org/v1?key=" + secretKey, "m", "", "a user, a password or a query"},
		{"http://api.example.org/v1", "m", secretKey, "unencrypted"},
		{"https://api.example.org/v1", "", secretKey, "judge.endpoint.model is missing"},
		{"http://api.example.org/v1", "m", "", ""},
		{"http://localhost:11434/v1", "m", secretKey, ""},
		{"http://[::1]:8080/v1", "m", secretKey, ""},
	} {
		_, err := NewEndpoint(c.address, c.model, c.key, time.Minute)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.address, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secretKey)):
			t.Errorf("%s: %v, want %s", c.address, err, c.want)
		}
	}
}
