package conflict

import "testing"

// Of two words for places or ends a thing is at one.
func TestContraryPlaces(t *testing.T) {
	t.Parallel()
	admitPairs(t, []minimal{
		{"Electric bikes are parked on the upper level, close to the lift.", "Electric bikes are parked on the lower level, near the exit.", true},
		{"The kiln door is mounted at the front side.", "The kiln door is mounted at the rear side, away from where visitors stand.", true},
		{"Night guests check in before day guests.", "Night guests check in after day guests, so that the hall is empty.", true},
		{"The loans are sorted in ascending order.", "The loans are sorted in descending order, since readers ask for what they took home in the spring.", true},
		{"The desk takes the earliest bid.", "The desk takes the latest bid, so that people wait for each other at the door.", true},
		{"Electric bikes are parked on the upper level.", "Trucks are parked on the lower level.", false},
		{"Electric bikes may park on the upper level.", "Electric bikes may park on the lower level.", false},
		{"The upper level has power.", "The lower level has power.", false},
		{"Electric bikes are parked on the upper level.", "Electric bikes are parked on the upper and the lower level.", false},
		{"The dryer runs before the mixer.", "The dryer runs after the oven.", false},
		{"The dryer runs before the mixer.", "The mixer runs after the dryer.", false},
		{"The upper level takes 40 bikes.", "The lower level takes 60 bikes.", false},
	})
}

// What is done to two things is done to one of them first.
func TestWhatIsDoneFirst(t *testing.T) {
	t.Parallel()
	admitPairs(t, []minimal{
		{"For the van, the cold jars are loaded before the crates.", "1. Load the crates before the cold jars.", true},
		{"The lamps are cleaned after the windows.", "Clean the lamps before the windows.", true},
		{"The cards are sorted before the books.", "Sort the cards after the books, as they stick.", true},
		{"The cold jars are loaded before the crates.", "Load the crates after the cold jars.", false},
		{"The cold jars are loaded before the crates.", "Load the crates before the lamps.", false},
		{"The cold jars are loaded before lunch.", "Load the crates after lunch.", false},
	})
}
