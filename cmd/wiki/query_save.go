package main

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/compiler/ingest"
	"github.com/loopwiki/wiki/compiler/scaffold"
)

// answerTypes are the types that pages of answers have, the best first.
var answerTypes = []string{"synthesis", "analysis", "query", "question", "comparison", "concept"}

// saveAnswer files an answer as a page, and returns its path.
func (p *program) saveAnswer(ctx context.Context, w *compiler.Wiki, question, answer string, o queryOptions) (string, error) {
	day, err := p.today(o.today)
	if err != nil {
		return "", err
	}
	title := ingest.Plain(strings.TrimRight(question, "?!. "))
	if o.title != "" {
		title = ingest.Plain(o.title)
	}
	spec := scaffold.PageSpec{Title: title, Day: day, Folder: "synthesis", Body: answer, Summary: firstSentence(answer)}
	var changes *edit.Changes
	var file string
	var unknown *scaffold.UnknownTypeError
	for _, spec.Type = range answerTypes {
		if changes, file, err = scaffold.NewPage(ctx, w, spec); !errors.As(err, &unknown) {
			break
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return "", misuse("use another title with --title", "%s already exists", path.Join(relativeRoot(w.Workspace()), file))
	}
	if err != nil {
		return "", err
	}
	target := strings.TrimSuffix(file, path.Ext(file))
	if err := ingest.EnterPage(w, changes, target, title, "Synthesis", "query", day); err != nil {
		return "", err
	}
	return path.Join(relativeRoot(w.Workspace()), file), changes.Write()
}

// firstSentence is the beginning of an answer as a line of plain text.
func firstSentence(answer string) string {
	line, _, _ := strings.Cut(answer, "\n")
	if at := strings.IndexAny(line, "[("); at > 0 {
		line = line[:at]
	}
	text := ingest.Plain(strings.Trim(line, "-*# "))
	if before, _, ok := strings.Cut(text, ". "); ok {
		text = before
	}
	return strings.TrimRight(text, " .,;:")
}
