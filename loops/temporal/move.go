package temporal

import "errors"

// errHostGone is of a run whose host does not poll its queue any more.
var errHostGone = errors.New("the host of the run is gone")

// move lets another host take the run.
func (l *loop) move() error { return errHostGone }
