package main

import (
	"cmp"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter/judge"
	"github.com/loopwiki/wiki/schema"
)

// defaultTimeout is how many seconds a call may take when nobody says.
const defaultTimeout = 120

// backend takes whom to ask from wiki.yaml. A key that is not there is no mistake
// of whoever runs this, and no reason to fail: forks have no secrets.
func (p *program) backend(ws *compiler.Workspace, c *judge.Court) error {
	cfg := ws.Config.Judge
	timeout := time.Duration(cmp.Or(cfg.Timeout, defaultTimeout)) * time.Second
	const hint = "'wiki schema config' lists what the file may hold"
	switch command, server := len(cfg.Command) > 0, cfg.Endpoint != (schema.JudgeEndpoint{}); {
	case cfg.Timeout < 0 || cfg.Budget < 0:
		return misuse("give numbers above 0", "%s: judge.timeout and judge.budget can not be below 0", ws.ConfigPath)
	case command && server:
		return misuse("leave one of them out", "%s: judge has a command and an endpoint", ws.ConfigPath)
	case command && cfg.Command[0] == "":
		return misuse(hint, "%s: judge.command: the first item names no program", ws.ConfigPath)
	case command:
		run := &judge.Command{Argv: cfg.Command, Dir: home(ws), Timeout: timeout}
		if p.verbose {
			run.Stderr = p.err
		}
		c.Backend = run
	case server:
		key := ""
		if cfg.Endpoint.Key != "" {
			if key = p.env(cfg.Endpoint.Key); key == "" {
				c.Lacks = "the environment variable " + cfg.Endpoint.Key + " holds no key"
				return nil
			}
		}
		e, err := judge.NewEndpoint(cfg.Endpoint.URL, cfg.Endpoint.Model, key, timeout)
		if err != nil {
			return err
		}
		c.Backend = e
	default:
		return misuse("name one in wiki.yaml, such as judge: {command: [claude, -p]}, or use --judge=cached", "--judge=on: there is no judge to ask")
	}
	return nil
}
