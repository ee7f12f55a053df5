package run

import "testing"

func TestPortable(t *testing.T) {
	t.Parallel()
	roots, others := []string{"/srv/shop-loop-prices", "/srv/shop"}, []string{"/home/ada", "/tmp"}
	for text, want := range map[string]string{
		"see /srv/shop-loop-prices/src/a.go:3":                   "see src/a.go:3",
		"in /srv/shop, `/srv/shop/go.mod`":                       "in ., `go.mod`",
		"open /tmp/wiki-1/export/src/a.go: no such file":         "open …/a.go: no such file",
		"(/home/ada/.cache/go-build/x.o) is not in /home/ada":    "(…/x.o) is not in …",
		"/srv/shops and https://example.org/tmp/a and /tmporary": "/srv/shops and https://example.org/tmp/a and /tmporary",
	} {
		if got := Portable(text, roots, others); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
