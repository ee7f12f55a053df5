package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/loopwiki/wiki/schema/text"
)

// logger says what a long-running command has to say, one line each, on
// standard error.
func (p *program) logger() *slog.Logger {
	level := slog.LevelInfo
	switch {
	case p.quiet:
		level = slog.LevelError
	case p.verbose:
		level = slog.LevelDebug
	}
	return slog.New(&plainHandler{w: p.err, level: level})
}

// plainHandler writes records for people: no time, no key of the level, the
// attributes in brackets.
type plainHandler struct {
	w     *text.Writer
	level slog.Level
	attrs []slog.Attr
}

func (h *plainHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level }

func (h *plainHandler) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	if r.Level >= slog.LevelWarn {
		b.WriteString(strings.ToLower(r.Level.String()) + ": ")
	}
	b.WriteString(r.Message)
	var said []string
	add := func(a slog.Attr) bool {
		said = append(said, fmt.Sprintf("%s %v", a.Key, a.Value))
		return true
	}
	for _, a := range h.attrs {
		add(a)
	}
	r.Attrs(add)
	if len(said) > 0 {
		b.WriteString(" (" + strings.Join(said, ", ") + ")")
	}
	h.w.Println(b.String())
	return nil
}

func (h *plainHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := *h
	with.attrs = append(append([]slog.Attr{}, h.attrs...), attrs...)
	return &with
}

func (h *plainHandler) WithGroup(string) slog.Handler { return h }
