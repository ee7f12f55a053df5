package schema

// Doubt is a pair of claims on different pages that may contradict each other.
type Doubt struct {
	About string // what they are about, as people call it
	// A and B are the claims, with the span and text of the whole sentence, row or
	// field. The page of A comes first.
	A, B  Claim
	Score float64 // how likely they contradict each other, compared with other doubts
}

// VerdictsFile is where verdicts on doubts are kept, beside wiki.yaml.
const VerdictsFile = ".loopwiki/verdicts.jsonl"
