// Package mcp is a client of the Model Context Protocol, for servers that wiki.yaml
// configures, over their standard input and output.
package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
	"unicode"

	"github.com/loopwiki/wiki/loops"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What is taken of a server.
const (
	maxMessage = 8 << 20 // bytes of one message
	maxTools   = 500
	maxErrors  = 4 << 10 // bytes of what it prints to standard error
	grace      = 2 * time.Second
)

// Server is a program that is spoken to.
type Server struct {
	Argv []string
	Env  []string // all that it is given
	Dir  string
	// Secrets are values that no message of ours may hold.
	Secrets []string
}

// Tool is what a server says of one of its tools. It is the server's word.
type Tool struct {
	Name, Description string
	ReadOnly          bool // it says that it changes nothing
	// Types are those of its arguments, as JSON Schema names them.
	Types map[string]string
	// Definition is the tool as the server gave it, as JSON.
	Definition []byte
}

// Client is a connection to a running server. Close it.
type Client struct {
	session *mcp.ClientSession
	command *exec.Cmd
	errors  *tail
	redact  *loops.Redactor
}

// Connect starts a server and greets it.
func Connect(ctx context.Context, s Server, version string) (*Client, error) {
	if len(s.Argv) == 0 {
		return nil, errors.New("the server has no program")
	}
	c := &Client{command: exec.CommandContext(ctx, s.Argv[0], s.Argv[1:]...), errors: &tail{}, redact: loops.NewRedactor(s.Secrets)}
	c.command.Env, c.command.Dir, c.command.Stderr, c.command.WaitDelay = s.Env, s.Dir, c.errors, grace
	grouped(c.command)
	c.command.Cancel = func() error { endGroup(c.command); return nil }
	out, err := c.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	in, err := c.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := c.command.Start(); err != nil {
		return nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "wiki", Version: version}, nil)
	c.session, err = client.Connect(ctx, &mcp.IOTransport{Reader: out, Writer: in, MaxLineLength: maxMessage}, nil)
	if err != nil {
		in.Close()
		c.wait()
		return nil, c.failed("is not responding as an MCP server", err)
	}
	return c, nil
}

// Tools returns the tools of the server.
func (c *Client) Tools(ctx context.Context) ([]Tool, error) {
	var out []Tool
	for t, err := range c.session.Tools(ctx, nil) {
		if err != nil {
			return nil, c.failed("does not list its tools", err)
		}
		if len(out) == maxTools {
			return nil, fmt.Errorf("the server has more than %d tools", maxTools)
		}
		definition, err := json.Marshal(t)
		if err != nil {
			return nil, err
		}
		tool := Tool{Name: t.Name, Description: t.Description, Definition: definition, Types: map[string]string{}}
		tool.ReadOnly = t.Annotations != nil && t.Annotations.ReadOnlyHint
		var schema struct {
			Properties map[string]struct{ Type any }
		}
		if raw, err := json.Marshal(t.InputSchema); err == nil && json.Unmarshal(raw, &schema) == nil {
			for name, p := range schema.Properties {
				tool.Types[name] = fmt.Sprint(p.Type)
			}
		}
		out = append(out, tool)
	}
	return out, nil
}

// Call calls a tool and returns its answer: the structured one as JSON where there
// is one, else its text.
func (c *Client) Call(ctx context.Context, tool string, arguments map[string]any) ([]byte, error) {
	r, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return nil, c.failed("failed at "+tool, err)
	}
	var text bytes.Buffer
	for _, part := range r.Content {
		if t, ok := part.(*mcp.TextContent); ok {
			text.WriteString(t.Text)
		}
	}
	switch {
	case r.IsError:
		return nil, c.failed("failed at "+tool, errors.New(text.String()))
	case r.StructuredContent != nil:
		return json.Marshal(r.StructuredContent)
	}
	return text.Bytes(), nil
}

// Close ends the server and all that it started: it is told that nothing more comes,
// and killed if it does not end by itself.
func (c *Client) Close() {
	c.session.Close() // closes its standard input
	c.wait()
}

func (c *Client) wait() {
	done := make(chan struct{})
	go func() { _ = c.command.Wait(); close(done) }() // how it ends is nothing to us
	select {
	case <-done:
	case <-time.After(grace):
		endGroup(c.command)
		<-done
	}
	endGroup(c.command) // what it left behind
}

// failed words what went wrong with what the server printed, in one line.
func (c *Client) failed(what string, err error) error {
	message := err.Error()
	if said := strings.TrimSpace(c.errors.String()); said != "" {
		message += "; it printed: " + said
	}
	message, _ = c.redact.Text(message)
	message = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' ' // a terminal would act on it
		}
		return r
	}, strings.ToValidUTF8(message, ""))
	message = strings.Join(strings.Fields(message), " ")
	return fmt.Errorf("server %s %s: %s", c.command.Args[0], what, message[:min(len(message), 500)])
}
