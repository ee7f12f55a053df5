package loops

// Suspect is a failure of a gate that ends the run, unless the gates fail on the base
// too: then it is what surrounds the work, and nobody has to ask why.
type Suspect struct {
	Class    string `json:"class"`
	Why      string `json:"why"`
	Status   Status `json:"status"`
	Meta     bool   `json:"meta,omitempty"`
	Rollback bool   `json:"rollback,omitempty"`
}

// suspect has the gates judge a fresh export of the base, which passed them before.
func (s State) suspect(f Suspect) (State, []Command) {
	s.Suspect = &f
	return s.gates(StageBaseline, s.Chunk, s.Place.Tree)
}

// cleared ends the run by what the gates found on its base.
func (s State) cleared(worst Effect, bad GateResult) (State, []Command) {
	f := *s.Suspect
	s.Suspect = nil
	if worst >= Red {
		return s.finish(NoGround, "", "gate "+bad.Gate+" fails on the unchanged base too: "+first(bad.Reason)+"; before: "+f.Why)
	}
	return s.give(fail{class: f.Class, rollback: f.Rollback}, f.Status, f.Why, f.Meta)
}
