package mcp

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Endpoint is the path of the server over HTTP.
const Endpoint = "/mcp"

// leastToken is how long a token that is given must be, in bytes.
const leastToken = 16

// NotLoopbackError is an address that others could reach.
type NotLoopbackError struct{ Address string }

func (e *NotLoopbackError) Error() string {
	return fmt.Sprintf("%s is not an address of this machine alone", e.Address)
}

// Hint says what to do.
func (e *NotLoopbackError) Hint() string { return "use 127.0.0.1:PORT, or forward a port with ssh" }

// Listen opens an address of this machine, host:port or only a port.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	if !strings.Contains(address, ":") {
		address = "127.0.0.1:" + address
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if !loopback(host) {
		return nil, &NotLoopbackError{address}
	}
	return (&net.ListenConfig{}).Listen(ctx, "tcp", address)
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// NewToken returns a token that nobody guesses.
func NewToken() string { return rand.Text() }

// CheckToken refuses a token that may be guessed, or that no header can hold.
func CheckToken(token string) error {
	switch {
	case len(token) < leastToken:
		return fmt.Errorf("the token has %d bytes; use %d or more", len(token), leastToken)
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return errors.New("the token has spaces or special characters; use letters and digits")
	}
	return nil
}

// Serve answers requests that carry the token, until ctx ends.
func (s *Server) Serve(ctx context.Context, l net.Listener, token string) error {
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true,
	})
	mux := http.NewServeMux()
	mux.Handle(Endpoint, http.MaxBytesHandler(handler, 2*maxArguments))
	web := &http.Server{Handler: admitted(mux, token), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	done := make(chan error, 1)
	go func() { done <- web.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return web.Close()
	}
}

// admitted lets requests pass that name this machine, come from no page of a browser
// elsewhere, and carry the token. A name that another host gives to this machine could
// make a browser speak to it.
func admitted(next http.Handler, token string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		switch {
		case !loopback(hostOf(r.Host)):
			http.Error(w, "the Host header must name this machine: use 127.0.0.1 or localhost", http.StatusForbidden)
		case !local(r.Header.Values("Origin")):
			http.Error(w, "the Origin header must name this machine", http.StatusForbidden)
		case !ok || subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1:
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "send the token that 'wiki mcp --http' printed, as Authorization: Bearer TOKEN", http.StatusUnauthorized)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func hostOf(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

// local reports whether every origin is one of this machine.
func local(origins []string) bool {
	for _, o := range origins {
		u, err := url.Parse(o)
		if err != nil || !loopback(u.Hostname()) {
			return false
		}
	}
	return true
}
