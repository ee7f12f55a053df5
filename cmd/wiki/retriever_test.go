package main

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

func TestPacksForPrompts(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, `
-- wiki/index.md --
# Index

[[gateway]] [[ports]]
-- wiki/log.md --
# Log

The port of the gateway was changed.
-- wiki/gateway.md --
---
port: 8080
---
# Gateway

It admits requests on one port.
-- wiki/ports.md --
# Ports

| Service | Port |
|---|---|
| [[gateway]] | 9090 |
-- wiki/draft.md --
---
draft: true
---
# Port of the gateway in secret
`)
	p := &program{env: func(string) string { return "" }}
	ws, err := compiler.Detect(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := p.passages(t.Context(), w, "port of the gateway", 16<<10)
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, p := range found {
		all += p.Path + " / " + p.Heading + "\n" + p.Text + "\n"
	}
	for _, want := range []string{"wiki/gateway.md / Gateway\nlines 4 to 6\n! open contradiction", "ports.md:5 says", "9090"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	if strings.Contains(all, "log.md") || strings.Contains(all, "secret") {
		t.Error(all)
	}
	if few, err := p.passages(t.Context(), w, "port of the gateway", 1000); err != nil || len(few) > len(found) {
		t.Errorf("%v, %v", few, err)
	}
}
