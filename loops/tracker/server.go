package tracker

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/tracker/mcp"
	"github.com/loopwiki/wiki/schema"
)

var serverKind = register(kind{
	name: "mcp",
	open: func(p Place, name string, c schema.LoopConnector) loops.Tracker { return &server{p, name, c} },
	write: func(ctx context.Context, p Place, name string, c schema.LoopConnector) (writer, error) {
		s := &server{place: p, name: name, conf: c}
		client, err := s.connect(ctx)
		if err != nil {
			return nil, err
		}
		return &serverCalls{server: s, client: client}, nil
	},
})

// server lists items by a tool of a server of the Model Context Protocol.
type server struct {
	place Place
	name  string
	conf  schema.LoopConnector
}

// Items calls the tool that lists the items, if it may be called.
func (s *server) Items(ctx context.Context) ([]loops.Item, error) {
	ctx, cancel := context.WithTimeout(ctx, wall)
	defer cancel()
	c, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	t, err := s.tool(ctx, c, s.conf.Items.Tool, s.conf.Tools)
	if err != nil {
		return nil, err
	}
	if !t.ReadOnly {
		digest, err := listing(s.place.Root, s.conf, t.Definition)
		if err != nil {
			return nil, err
		}
		approved, err := Approved(s.place.Root, s.name, t.Name, digest)
		if err != nil {
			return nil, err
		}
		if !approved {
			return nil, &UnapprovedError{s.name, t.Name}
		}
	}
	arguments, err := typed(s.conf.Items.Arguments, t.Types)
	if err != nil {
		return nil, err
	}
	answer, err := c.Call(ctx, t.Name, arguments)
	if err != nil {
		return nil, err
	}
	items, err := readItems(answer, s.place.secrets(s.conf.Env))
	if err != nil {
		return nil, fmt.Errorf("connector %s: %w", s.name, err)
	}
	return items, nil
}

func (s *server) connect(ctx context.Context) (*mcp.Client, error) {
	argv := slices.Clone(s.conf.Argv)
	switch {
	case filepath.IsAbs(argv[0]):
	case strings.ContainsRune(argv[0], '/'):
		argv[0] = filepath.Join(s.place.Root, filepath.FromSlash(argv[0]))
	default:
		found, err := lookPath(s.place.Getenv("PATH"), argv[0])
		if err != nil {
			return nil, err
		}
		argv[0] = found
	}
	c, err := mcp.Connect(ctx, mcp.Server{Argv: argv, Env: s.place.environment(s.conf.Env...), Dir: s.place.Root, Secrets: s.place.secrets(s.conf.Env)}, s.place.Version)
	if err != nil {
		return nil, &UnreachableError{err.Error(), "start it by hand, and check its output"}
	}
	return c, nil
}

// tool returns a tool that wiki.yaml allows and the server has.
func (s *server) tool(ctx context.Context, c *mcp.Client, name string, allowed []string) (*mcp.Tool, error) {
	if !slices.Contains(allowed, name) {
		return nil, &NoAnswerError{fmt.Sprintf("connector %s: tool %s is not allowed", s.name, name), "add it in wiki.yaml, under tools:"}
	}
	tools, err := c.Tools(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range tools {
		if tools[i].Name == name {
			return &tools[i], nil
		}
		names = append(names, tools[i].Name)
	}
	hint := "it has " + strings.Join(names, ", ")
	if near, ok := schema.Nearest(name, names); ok {
		hint = "did you mean " + near + "?"
	}
	return nil, &NoAnswerError{fmt.Sprintf("connector %s: the server has no tool %s", s.name, line(name)), line(hint)}
}

// typed makes of words in wiki.yaml what a tool wants.
func typed(arguments, types map[string]string) (map[string]any, error) {
	out := map[string]any{}
	for name, text := range arguments {
		var err error
		switch types[name] {
		case "integer":
			out[name], err = strconv.ParseInt(text, 10, 64)
		case "number":
			out[name], err = strconv.ParseFloat(text, 64)
		case "boolean":
			out[name], err = strconv.ParseBool(text)
		case "array", "object":
			var v any
			err = json.Unmarshal([]byte(text), &v)
			out[name] = v
		default:
			out[name] = text
		}
		if err != nil {
			return nil, fmt.Errorf("argument %s: %q is not a %s", name, text, types[name])
		}
	}
	return out, nil
}

// Asked is a tool that a person is asked about.
type Asked struct {
	Tool, Description string
	ReadOnly          bool // by the server's word
	Digest            string
}

// Ask asks the server of a connector about the tool by which items are listed.
func Ask(ctx context.Context, p Place, name string, c schema.LoopConnector) (*Asked, error) {
	if c.Kind != serverKind.name {
		return nil, &NoAnswerError{"the connector " + name + " needs no approval", "its kind is " + c.Kind + ", which only reads"}
	}
	ctx, cancel := context.WithTimeout(ctx, wall)
	defer cancel()
	s := &server{p, name, c}
	client, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	t, err := s.tool(ctx, client, c.Items.Tool, c.Tools)
	if err != nil {
		return nil, err
	}
	digest, err := listing(p.Root, c, t.Definition)
	return &Asked{t.Name, cut(clean(t.Description), 2000), t.ReadOnly, digest}, err
}
