// Package judging uses an installed agent program as the judge of contradictions if wiki.yaml
// configures none: the first one found, without tools, in an empty folder, and with a minimal
// environment.
package judging

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/linter/judge"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/agent"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/control/repo"
)

// needed are the variables that any of the programs is given beside the minimum
// of all agents: where its login lies, and how it reaches its vendor.
var needed = []string{
	"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "NODE_EXTRA_CA_CERTS", "SSL_CERT_DIR", "SSL_CERT_FILE",
	"APPDATA", "COMSPEC", "LOCALAPPDATA", "PATHEXT", "SYSTEMROOT", "USERPROFILE", // of Windows
}

// Agent is a program that answers as a judge. It implements [judge.Backend].
type Agent struct {
	ID     string      // claude, codex, …
	Used   loops.Usage // of all calls so far
	Prices agent.Prices

	program agent.Answerer
	path    string
	env     []string
	secrets []string
	model   string // as its last call said
	timeout time.Duration
	verbose io.Writer // takes what the program says beside the answer; nil is nobody
}

// Find returns the first of the programs that the PATH of an environment has, nil
// if there is none. It is given the variables that are named beside those that it
// needs.
func Find(getenv func(string) string, named []string, timeout time.Duration, verbose io.Writer) *Agent {
	for _, p := range agent.Answerers() {
		path := repo.LookPath(getenv("PATH"), p.ID)
		if path == "" {
			continue
		}
		a := &Agent{ID: p.ID, Prices: agent.DefaultPrices(), program: p, path: path, timeout: timeout, verbose: verbose}
		a.env, a.secrets = repo.Environ(getenv, slices.Concat(needed, p.Variables, named))
		a.env = append(a.env, "TERM=dumb", "NO_COLOR=1", "CI=1")
		a.env = append(a.env, p.Env...)
		return a
	}
	return nil
}

// Names lists the programs that are looked for, in order.
func Names() string {
	var ids []string
	for _, p := range agent.Answerers() {
		ids = append(ids, p.ID)
	}
	return strings.Join(ids, ", ")
}

// Name implements [judge.Backend]: the model where the program tells it.
func (a *Agent) Name() string {
	if a.model != "" {
		return a.model
	}
	return a.ID
}

// Ask implements [judge.Backend].
func (a *Agent) Ask(ctx context.Context, prompt string) (answer []byte, err error) {
	dir, done, err := contain.Scratch()
	if err != nil {
		return nil, fmt.Errorf("create a temporary directory for %s: %w", a.ID, err)
	}
	defer done() // what is left there the next run removes
	if err := a.furnish(dir); err != nil {
		return nil, fmt.Errorf("create a temporary directory for %s: %w", a.ID, err)
	}
	stderr := &beginning{}
	run := judge.Command{
		Argv: append([]string{a.path}, a.program.Args...), Dir: filepath.Join(dir, emptyFolder), Env: append(slices.Clone(a.env), "TMPDIR="+dir),
		Timeout: a.timeout, Stderr: stderr,
		Read: func(printed []byte, status int) ([]byte, error) {
			t := loops.Transcript{Stdout: printed, Stderr: stderr.text.Bytes(), Exit: loops.Exit{Why: loops.Exited, Code: status}, At: time.Now()}
			return a.read(a.program.Read(t, a.Prices), status)
		},
	}
	answer, err = run.Ask(ctx, prompt)
	if a.verbose != nil {
		a.verbose.Write(a.clean(stderr.text.String()))
	}
	return answer, err
}

// emptyFolder is the one that a program is called in.
const emptyFolder = "empty"

// furnish makes what a program finds when it is called.
func (a *Agent) furnish(dir string) error {
	root, err := files.Open(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(emptyFolder, 0o700); err != nil {
		return err
	}
	for name, text := range a.program.Files {
		if err := root.Create(name, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// read returns the answer that a report holds, or why there is none, in words of
// this program: what another prints may hold a key.
func (a *Agent) read(r loops.Report, status int) ([]byte, error) {
	if a.model = r.Model; a.model == "auto" { // so gemini calls the choice that it leaves to its vendor
		a.model = ""
	}
	a.Used.InputTokens += r.Usage.InputTokens
	a.Used.OutputTokens += r.Usage.OutputTokens
	if a.Used.USD += r.Usage.USD; r.Usage.Cost != "" {
		a.Used.Cost = r.Usage.Cost
	}
	if r.Outcome == loops.OK {
		return []byte(r.Text), nil
	}
	if a.verbose != nil {
		a.verbose.Write(a.clean(r.Detail + "\n"))
	}
	switch r.Outcome {
	case loops.NotAuthenticated:
		return nil, fmt.Errorf("%s is not logged in; run it once to log in", a.ID)
	case loops.RateLimited:
		if r.ResetsAt.IsZero() {
			return nil, fmt.Errorf("%s hit a rate limit", a.ID)
		}
		return nil, fmt.Errorf("%s hit a rate limit, which resets at %s", a.ID, r.ResetsAt.Format("2006-01-02 15:04 MST"))
	case loops.NotPaid:
		return nil, fmt.Errorf("the account of %s has no credit", a.ID)
	case loops.Overloaded:
		return nil, fmt.Errorf("the vendor of %s is overloaded", a.ID)
	case loops.Unreachable:
		return nil, fmt.Errorf("the vendor of %s can't be reached", a.ID)
	case loops.BadOutput:
		return nil, fmt.Errorf("%s printed no answer", a.ID)
	}
	return nil, fmt.Errorf("%s failed with exit status %d", a.ID, status)
}

func (a *Agent) clean(text string) []byte {
	out, _ := loops.Redact([]byte(text), a.secrets)
	return out
}

// beginning keeps the beginning of what is written to it.
type beginning struct{ text bytes.Buffer }

// longestStderr is how much of it is kept, in bytes.
const longestStderr = 64 << 10

func (b *beginning) Write(p []byte) (int, error) {
	b.text.Write(p[:min(len(p), longestStderr-b.text.Len())])
	return len(p), nil
}
