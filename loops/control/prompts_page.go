package control

import (
	"context"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/prompt"
)

// pageTask is what a writer is told to do with the page that an auditor asks for.
const pageTask = "Write the page described below, at its path, and link it from an existing page and from the index. Read the code first: the reason given below is not a fact.\n"

// pageSections returns the page that an auditor asks for. It is an agent's word: data.
func pageSections(_ context.Context, r loops.PromptRequest) ([]prompt.Section, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "page: %s\nconcept: %s\nwhy: %s\n", r.Page.Path, r.Page.Title, r.Page.Why)
	for _, c := range r.Page.Cites {
		fmt.Fprintf(&b, "see: %s\n", c)
	}
	return []prompt.Section{{Name: "page", Title: "The page", Text: b.String(), Limit: 4 << 10}}, nil
}

// retriever searches the wiki of a worktree. It caches nothing: pages change during a run.
type retriever struct {
	*repo.Repo
	worktree string
}

// Retrieve implements [loops.Retriever].
func (r retriever) Retrieve(ctx context.Context, query string, size int) ([]loops.Passage, error) {
	w, err := repo.Wiki(ctx, r.worktree)
	if w == nil || err != nil {
		return nil, err
	}
	return r.Passages(ctx, w, query, size)
}

// topical asks a wiki about a page that must be written, too.
type topical struct {
	loops.Retriever
	topic string
}

// about asks a wiki about the page in work as well, if there is one.
func about(r loops.Retriever, page *loops.NewPage) loops.Retriever {
	if page == nil {
		return r
	}
	return topical{r, page.Title}
}

// Retrieve asks about the topic before all else.
func (t topical) Retrieve(ctx context.Context, query string, size int) ([]loops.Passage, error) {
	return t.Retriever.Retrieve(ctx, t.topic+"\n"+query, size)
}
