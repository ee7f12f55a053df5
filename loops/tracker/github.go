package tracker

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

var _ = register(kind{
	name: "github",
	open: func(p Place, _ string, c schema.LoopConnector) loops.Tracker { return &github{p, c} },
	write: func(_ context.Context, p Place, _ string, c schema.LoopConnector) (writer, error) {
		return &github{p, c}, nil
	},
})

// github lists issues by the program gh, which keeps the login to itself.
type github struct {
	place Place
	conf  schema.LoopConnector
}

// Items lists the open issues that have all the labels.
func (g *github) Items(ctx context.Context) ([]loops.Item, error) {
	ctx, cancel := context.WithTimeout(ctx, wall)
	defer cancel()
	args := []string{"issue", "list", "--state", "open", "--limit", strconv.Itoa(loops.MaxItems), "--json", "number,title,body,labels,url"}
	for _, l := range g.conf.Labels {
		args = append(args, "--label="+l)
	}
	if g.conf.Repository != "" {
		args = append(args, "--repo="+g.conf.Repository)
	}
	out, err := g.gh(ctx, "", "gh does not list issues", args...)
	if err != nil {
		return nil, err
	}
	return readItems(out, g.secrets())
}

// secrets are values that gh may print and nobody may see.
func (g *github) secrets() []string {
	return g.place.secrets(append([]string{"GH_TOKEN", "GITHUB_TOKEN"}, g.conf.Env...))
}

// gh runs it, and returns what it printed. failed is what is said if it does not do it.
func (g *github) gh(ctx context.Context, stdin, failed string, args ...string) ([]byte, error) {
	gh, err := lookPath(g.place.Getenv("PATH"), "gh")
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, gh, args...)
	c.Dir, c.WaitDelay, c.Stdin = g.place.Root, 2*time.Second, strings.NewReader(stdin)
	c.Env = append(g.place.environment(append([]string{"GH_TOKEN", "GITHUB_TOKEN", "GH_HOST", "GH_CONFIG_DIR", "GH_REPO"}, g.conf.Env...)...), "GH_PROMPT_DISABLED=1", "NO_COLOR=1")
	var errs bytes.Buffer
	c.Stderr = &limited{&errs, 4 << 10}
	out := &bytes.Buffer{}
	c.Stdout = &limited{out, maxAnswer}
	if err := c.Run(); err != nil {
		said, _ := loops.NewRedactor(g.secrets()).Text(strings.Join(strings.Fields(clean(errs.String())), " "))
		return nil, &UnreachableError{failed + ": " + cut(said, 500) + " (" + err.Error() + ")", "check that 'gh issue list' works in this repository"}
	}
	if out.Len() >= maxAnswer {
		return nil, fmt.Errorf("gh printed more than %d bytes", maxAnswer)
	}
	return out.Bytes(), nil
}

// UnreachableError is a tracker that does not answer.
type UnreachableError struct{ What, Remedy string }

func (e *UnreachableError) Error() string { return e.What }

// Hint returns what to do.
func (e *UnreachableError) Hint() string { return e.Remedy }

// NoAnswerError is a question that wiki.yaml does not allow, or that has no answer.
type NoAnswerError struct{ What, Remedy string }

func (e *NoAnswerError) Error() string { return e.What }

// Hint returns what to do.
func (e *NoAnswerError) Hint() string { return e.Remedy }

// limited takes n bytes and drops the rest.
type limited struct {
	to io.Writer
	n  int
}

func (l *limited) Write(p []byte) (int, error) {
	part := p[:min(len(p), l.n)]
	l.n -= len(part)
	_, err := l.to.Write(part)
	return len(p), err
}
