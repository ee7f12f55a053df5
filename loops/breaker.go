package loops

// BreakerState is whether a run may go on.
type BreakerState string

// The states, as circuit breakers have them.
const (
	Closed   BreakerState = "CLOSED"
	HalfOpen BreakerState = "HALF_OPEN"
	Open     BreakerState = "OPEN"
)

// Breaker stops a run that gets nowhere: iterations without progress, or with
// the same error again and again.
type Breaker struct {
	State      BreakerState `json:"state"`
	NoProgress int          `json:"consecutive_no_progress"`
	// Same counts iterations in a row that failed with the error of LastError, a
	// digest of its normalised end. Different errors are not the same error.
	Same      int    `json:"consecutive_same_error"`
	LastError string `json:"last_error,omitempty"`
	// LastProgress is the iteration in which something changed last.
	LastProgress int    `json:"last_progress_iteration"`
	Opens        int    `json:"total_opens"`
	Reason       string `json:"reason"`
}

// Next returns the breaker after an iteration. progress says whether the tree
// changed, failure is the digest of how it failed, "" if it did not.
func (b Breaker) Next(l Limits, iteration int, progress bool, failure string) Breaker {
	if b.State == Open {
		return b
	}
	if progress {
		b.NoProgress, b.LastProgress = 0, iteration
	} else {
		b.NoProgress++
	}
	switch {
	case failure == "":
		b.Same, b.LastError = 0, ""
	case failure == b.LastError:
		b.Same++
	default:
		b.Same, b.LastError = 1, failure
	}
	switch {
	case l.NoProgress > 0 && b.NoProgress >= l.NoProgress:
		b.State, b.Reason = Open, "no progress in consecutive iterations"
		b.Opens++
	case l.SameError > 0 && b.Same >= l.SameError:
		b.State, b.Reason = Open, "the same error in consecutive iterations"
		b.Opens++
	case l.HalfOpen > 0 && b.NoProgress >= l.HalfOpen:
		b.State, b.Reason = HalfOpen, "no progress"
	default:
		b.State, b.Reason = Closed, ""
	}
	return b
}
