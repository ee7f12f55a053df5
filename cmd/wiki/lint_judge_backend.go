package main

import (
	"cmp"
	"io"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter/judge"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/judging"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// defaultTimeout is the default time limit of a call, in seconds.
const defaultTimeout = 120

// backend chooses the model to ask: from wiki.yaml, or else the first installed agent
// CLI, without tools. A missing key is not an error: forks have no secrets.
func (p *program) backend(ws *compiler.Workspace, b *judgeRun) error {
	cfg, c := ws.Config.Judge, b.model
	timeout := time.Duration(cmp.Or(cfg.Timeout, defaultTimeout)) * time.Second
	var verbose io.Writer
	if p.verbose {
		verbose = p.err
	}
	const hint = "'wiki schema config' lists all keys"
	switch command, server := len(cfg.Command) > 0, cfg.Endpoint != (schema.JudgeEndpoint{}); {
	case cfg.Timeout < 0 || cfg.Budget < 0:
		return misuse("use numbers above 0", "%s: judge.timeout and judge.budget can't be negative", ws.ConfigPath)
	case command && server:
		return misuse("remove one of them", "%s: judge has both a command and an endpoint", ws.ConfigPath)
	case command && cfg.Command[0] == "":
		return misuse(hint, "%s: judge.command: the first item must be a program", ws.ConfigPath)
	case command:
		c.Backend = &judge.Command{Argv: cfg.Command, Dir: home(ws), Timeout: timeout, Stderr: verbose}
	case server:
		key := ""
		if cfg.Endpoint.Key != "" {
			if key = p.env(cfg.Endpoint.Key); key == "" {
				c.Lacks = "the environment variable " + cfg.Endpoint.Key + " is not set or empty"
				return nil
			}
		}
		server, err := judge.NewEndpoint(cfg.Endpoint.URL, cfg.Endpoint.Model, key, timeout)
		if err != nil {
			return err
		}
		c.Backend = server
	default:
		b.agent = judging.Find(p.env, ws.Config.Loops.Env, timeout, verbose)
		if b.agent == nil {
			return misuse("install one of them and log in, or set judge: in wiki.yaml; --judge=cached reports stored verdicts without a model",
				"--judge: no judge found: none of %s is in PATH", judging.Names())
		}
		c.Backend = b.agent
	}
	c.Asking = func(pairs, calls int) {
		whom := c.Backend.Name()
		if b.agent != nil {
			whom += " (the first agent CLI in PATH, tools off)"
		}
		p.say("judge: asking %s about %s, at most %s", whom, text.Count(pairs, "pair"), text.Count(calls, "call"))
	}
	return nil
}

// sayUsed prints the cost of an agent's calls, as far as it is known.
func (p *program) sayUsed(a *judging.Agent) {
	tokens := text.Count(int(a.Used.Tokens()), "token")
	switch {
	case a.Used.Tokens() == 0 && a.Used.USD == 0: // no call came to anything, or it does not say
	case a.Used.Cost == loops.CostReported:
		p.say("judge: %s reports a cost of $%.4f (%s)", a.ID, a.Used.USD, tokens)
	case a.Used.Cost != "":
		p.say("judge: %s used %s, about $%.4f by list price", a.ID, tokens, a.Used.USD)
	default:
		p.say("judge: %s used %s", a.ID, tokens)
	}
}
