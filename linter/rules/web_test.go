package rules

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
)

// web is the part of the web that tests see: one server on the loopback
// interface that answers for every name but those under nowhere.example.
var web = sync.OnceValues(func() (*http.Client, *atomic.Int64) {
	var asked atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch {
		case strings.HasPrefix(r.URL.Path, "/gone"):
			w.WriteHeader(http.StatusGone)
		case strings.HasPrefix(r.URL.Path, "/missing"):
			w.WriteHeader(http.StatusNotFound)
		case strings.HasPrefix(r.URL.Path, "/private"):
			w.WriteHeader(http.StatusForbidden)
		case strings.HasPrefix(r.URL.Path, "/get-only") && r.Method != http.MethodGet:
			w.WriteHeader(http.StatusNotFound)
		case strings.HasPrefix(r.URL.Path, "/inward"):
			http.Redirect(w, r, "http://127.0.0.1/secret", http.StatusFound)
		case strings.HasPrefix(r.URL.Path, "/moved"):
			http.Redirect(w, r, "/missing", http.StatusFound)
		}
	})
	srv := httptest.NewServer(mux)
	address := srv.Listener.Addr().String()
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		if host, _, _ := net.SplitHostPort(addr); strings.HasSuffix(host, "nowhere.example") {
			return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}}
		}
		return (&net.Dialer{}).DialContext(ctx, "tcp", address)
	}
	return &http.Client{Transport: &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 4}}, &asked
})

// webServer returns a client for the tests' web. Nothing outside the machine
// is ever asked for.
func webServer(testing.TB) *http.Client {
	client, _ := web()
	return client
}

const webPages = "-- a.md --\n[here](http://kept.example/page) [gone](http://kept.example/gone) [once](http://kept.example/private) [in](http://kept.example/inward)\n"

func webWiki(t *testing.T) *compiler.Wiki {
	return compilertest.Compile(t, compilertest.Write(t, webPages))
}

func TestExternalLinkCache(t *testing.T) {
	w, dir := webWiki(t), t.TempDir()
	client, asked := web()
	run := func() (int, int64) {
		before := asked.Load()
		res, err := linter.Run(t.Context(), w, linter.Config{Only: []string{"external-link"}, Today: today, HTTP: client, CacheDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return len(res.Findings), asked.Load() - before
	}
	if n, requests := run(); n != 1 || requests == 0 {
		t.Errorf("first run: %d findings, %d requests", n, requests)
	}
	if n, requests := run(); n != 1 || requests != 0 {
		t.Errorf("second run: %d findings, %d requests; the answers should be known", n, requests)
	}
}

func TestExternalLinkOffline(t *testing.T) {
	t.Parallel()
	offline := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: net.UnknownNetworkError("none")}
	}}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	res, err := linter.Run(ctx, webWiki(t), linter.Config{Only: []string{"external-link"}, Today: today, HTTP: offline})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Findings) != 0 || len(res.Skipped) == 0 || !strings.Contains(res.Skipped[len(res.Skipped)-1].Reason, "network") {
		t.Errorf("offline: %d findings, skipped %v", len(res.Findings), res.Skipped)
	}
}
