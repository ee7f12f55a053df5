package schema

// Doubt is two statements of different pages about one thing of which it is not
// known whether both can hold.
type Doubt struct {
	About string // what they are about, as people call it
	// A and B are what is said: their spans and texts are those of the whole
	// sentence, row or field. The page of A comes first.
	A, B  Claim
	Score float64 // how likely they contradict each other, compared with other doubts
}

// VerdictsFile is where verdicts on doubts are kept, beside wiki.yaml.
const VerdictsFile = ".loopwiki/verdicts.jsonl"
