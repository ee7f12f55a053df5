package mcp

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestListenOnlyOnThisMachine(t *testing.T) {
	t.Parallel()
	for address, ok := range map[string]bool{"127.0.0.1:0": true, "0": true, "localhost:0": true, "0.0.0.0:0": false, ":0": false, "example.org:0": false, "192.0.2.1:0": false, "[::]:0": false} {
		l, err := Listen(t.Context(), address)
		if err == nil {
			l.Close()
		}
		var outside *NotLoopbackError
		if (err == nil) != ok || !ok && !errors.As(err, &outside) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestAdmitted(t *testing.T) {
	t.Parallel()
	h := admitted(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }), "0123456789abcdef")
	for _, c := range []struct {
		host, origin, authorization string
		want                        int
	}{
		{"127.0.0.1:8090", "", "Bearer 0123456789abcdef", 204},
		{"localhost", "http://localhost:3000", "Bearer 0123456789abcdef", 204},
		{"[::1]:8090", "", "Bearer 0123456789abcdef", 204},
		{"evil.example.org:8090", "", "Bearer 0123456789abcdef", 403},
		{"127.0.0.1.example.org", "", "Bearer 0123456789abcdef", 403},
		{"", "", "Bearer 0123456789abcdef", 403},
		{"127.0.0.1", "https://example.org", "Bearer 0123456789abcdef", 403},
		{"127.0.0.1", "null", "Bearer 0123456789abcdef", 403},
		{"127.0.0.1", "", "", 401},
		{"127.0.0.1", "", "Bearer ", 401},
		{"127.0.0.1", "", "Bearer 0123456789abcdeF", 401},
		{"127.0.0.1", "", "Basic 0123456789abcdef", 401},
	} {
		r := httptest.NewRequest(http.MethodPost, Endpoint, strings.NewReader("{}"))
		r.Host = c.host
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		r.Header.Set("Authorization", c.authorization)
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != c.want {
			t.Errorf("%+v: %d", c, w.Code)
		}
	}
}

func TestCheckToken(t *testing.T) {
	t.Parallel()
	for token, ok := range map[string]bool{"": false, "short": false, "0123456789abcdef": true, "0123456789 abcdef": false, "0123456789abcdéf": false} {
		if err := CheckToken(token); (err == nil) != ok {
			t.Errorf("%q: %v", token, err)
		}
	}
	if err := CheckToken(NewToken()); err != nil {
		t.Error(err)
	}
}
