package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/site/pack"
)

// maxBudget bounds what a client may ask for.
const maxBudget = 32_000

type contextInput struct {
	Query  string `json:"query"`
	Budget int    `json:"budget,omitempty" jsonschema:"tokens, 4000 by default"`
}

// fenceTokens is what an answer has around its data.
const fenceTokens = 60

func contextPack(ctx context.Context, v *view, in contextInput) (answer, error) {
	if in.Budget == 0 {
		in.Budget = pack.DefaultBudget
	}
	switch {
	case strings.TrimSpace(in.Query) == "":
		return answer{}, &Error{"invalid_argument", "the query is empty", "use words of the question"}
	case in.Budget < pack.LeastBudget+fenceTokens || in.Budget > maxBudget:
		return answer{}, &Error{"invalid_argument", fmt.Sprintf("a budget of %d tokens is not possible", in.Budget), fmt.Sprintf("use a number from %d to %d", pack.LeastBudget+fenceTokens, maxBudget)}
	}
	index, err := v.search(ctx)
	if err != nil {
		return answer{}, err
	}
	found, err := index.Search(ctx, in.Query, pack.Pages)
	if err != nil {
		return answer{}, err
	}
	known := v.contradictions(ctx)
	p := pack.Make(pack.Input{Wiki: v.Wiki, Found: found, Budget: in.Budget - fenceTokens, Private: true, Contradictions: known.Contradictions, Watched: v.lib.opt.Watched(ctx, v.Wiki, pack.PagesOf(v.Wiki, found))})
	head := fmt.Sprintf("%d of %d tokens", p.Tokens+fenceTokens, in.Budget)
	if known.Problem != "" {
		head += "; contradictions are incomplete"
	}
	return answer{head, p.Render()}, nil
}
