package agent

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// Price is of a million tokens, in USD.
type Price struct{ Input, Output float64 }

// Prices are of models, by the beginning of their names.
type Prices map[string]Price

//go:embed prices.txt
var priceTable string

// DefaultPrices returns the vendors' list prices of the date in prices.txt.
func DefaultPrices() Prices {
	p := make(Prices)
	for line := range strings.Lines(priceTable) {
		f := strings.Fields(line)
		if len(f) != 3 || f[0] == "#" {
			continue
		}
		in, _ := strconv.ParseFloat(f[1], 64)
		out, _ := strconv.ParseFloat(f[2], 64)
		p[f[0]] = Price{in, out}
	}
	return p
}

// apply prices a call of which only the tokens are known.
func (p Prices) apply(r *loops.Report, model string) {
	if r.Usage.Cost != "" || r.Usage.Tokens() == 0 {
		return
	}
	if r.Model != "" {
		model = r.Model
	}
	if _, after, ok := strings.Cut(model, "/"); ok {
		model = after // provider/model
	}
	best := ""
	for name := range p {
		if strings.HasPrefix(model, name) && len(name) > len(best) {
			best = name
		}
	}
	if best == "" {
		return
	}
	r.Usage.USD = (float64(r.Usage.InputTokens)*p[best].Input + float64(r.Usage.OutputTokens)*p[best].Output) / 1e6
	r.Usage.Cost = loops.CostPriced
}
