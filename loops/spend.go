package loops

// Usage is what one call of an agent consumed.
type Usage struct {
	InputTokens  int64 `json:"input_tokens,omitempty"`
	OutputTokens int64 `json:"output_tokens,omitempty"`
	// ToolCalls is negative if the agent's output does not say it.
	ToolCalls int     `json:"tool_calls,omitempty"`
	USD       float64 `json:"usd,omitempty"`
	// Cost says where USD is from.
	Cost CostSource `json:"cost,omitempty"`
}

// Tokens returns all tokens, in and out.
func (u Usage) Tokens() int64 { return u.InputTokens + u.OutputTokens }

// CostSource says how the price of a call is known.
type CostSource string

// The sources, best first.
const (
	CostReported  CostSource = "reported"  // the agent's program said it
	CostPriced    CostSource = "priced"    // tokens, times a table of prices
	CostNone      CostSource = "none"      // nobody was called: the role had nothing to do
	CostEstimated CostSource = "estimated" // nobody said anything: what the configuration assumes of a call
)

// Spend is what a run has consumed so far.
type Spend struct {
	USD    float64 `json:"usd"`
	Tokens int64   `json:"tokens"`
	// Calls counts the calls of agents, those too whose result was lost.
	Calls     int `json:"calls"`
	ToolCalls int `json:"tool_calls,omitempty"`
	// Estimated is true if a part of USD is.
	Estimated bool `json:"estimated"`
}

// Add returns the sum.
func (s Spend) Add(u Usage) Spend {
	if u.Cost == CostNone {
		return s
	}
	s.USD += u.USD
	s.Tokens += u.Tokens()
	s.Calls++
	s.ToolCalls += max(0, u.ToolCalls)
	s.Estimated = s.Estimated || u.Cost == CostEstimated
	return s
}

// Budget is what may be consumed. Zero means without limit.
type Budget struct {
	USD          float64          `json:"usd,omitempty"`
	Tokens       int64            `json:"tokens,omitempty"`
	Iterations   int              `json:"iterations,omitempty"` // calls of the maker
	ToolCalls    int              `json:"tool_calls,omitempty"`
	CallTools    int              `json:"call_tools,omitempty"` // tool calls of one iteration
	Clock        Duration         `json:"clock,omitempty"`
	PullRequests int              `json:"pull_requests,omitempty"` // of a run and of those that it takes up after it
	ChunkUSD     float64          `json:"chunk_usd,omitempty"`
	DayUSD       float64          `json:"day_usd,omitempty"`
	RoleUSD      map[Role]float64 `json:"role_usd,omitempty"`
}
