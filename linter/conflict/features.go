package conflict

import (
	"math"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// The features of two mentions. All are between -3 and 3; trees.txt asks for them by name.
const (
	featCovered      = iota // which part of what the one says the other says too, of the two the larger
	featCoveredLess         // and the smaller
	featShared              // how much both say in so many words
	featSharedWords         // and in how many
	featLeftMost            // how much the one says that the other does not, of the two the larger
	featLeftLeast           // and the smaller
	featReplaced            // both say something instead of the other
	featSameEntity          // both are about one entity
	featTopic               // one says the title of the other's page
	featBothName            // both name one entity
	featOtherEntity         // how many entities only one names
	featOtherOwn            // their pages are about different things
	featSiblings            // and of one kind
	featSharedApart         // how many words are shared nevertheless
	featSameFolder          // their pages are in one folder
	featLinked              // one page links to the other
	featBeside              // what stands beside each value, the other side says
	featBesideOne           // one of the two
	featCounted             // both count the same
	featCountedApart        // what one counts, the other does not speak of
	featLabel               // which part of the labels of cells the other says
	featLabelsApart         // a label tells something that the other does not say
	featRoleOneSided        // only one says which kind of value it is
	featBoolCovered         // how much of a yes or no is covered
	featExact               // one is a limit
	featDenied              // one denies something
	featDistinct            // words that tell things of a kind apart, on one side
	featNames               // names on one side
	featModifiers           // words before what both say, on one side
	featWhen                // conditions on one side
	featMany                // how many values of the kind stand together
	featOtherValues         // further values on one side
	featRatio               // how far apart the values are
	featVerb                // a verb in common
	featVerbApart           // different verbs
	featSubject             // which part of what stands before the verb the other says
	featTables              // both are cells
	featRank                // how much better they fit each other than others on their pages
	featElsewhere           // how well one agrees with another on the page of the other
	featNear                // which part of what stands near each value the other says, of the two the smaller
	featNearLeft            // how much of it the other does not say, of the two the larger
	featLeftWords           // how many words one does not say, of the two the larger
	featLeftFewest          // and the smaller
	featPhrase              // how long the longest run of words is that both say
	featSwapped             // what the one says of a thing, the other says with it elsewhere in the sentence
	featDoer                // how much stands before one's verb that does not before the other's
	featLead                // other words lead to each value: every 20 s, for 60 s
	featLeadOne             // only to one
	featRarest              // on how many pages the rarest word is that both say and that may name a thing
	featNoneRare            // there is none
	featParallel            // how many words stand in the place of others: the first offence, the second offence
	featBothClash           // how many further values of one kind differ too: two cases, each with its own
	featBeforeVerb          // a value stands before the verb: it says of which the rest is said
	featSharedNames         // names that both say, where they are about no entity in common
	featNothingNamed        // there is none
	featNamesBoth           // how many names each side has that the other does not know, of the two the smaller
	featCaseValue           // a value before the verb of one side only: for tenants with over 2,000 people
	featMass                // how much the words tell that both say and that may name a thing
	featClass               // the first of those that say of which kind the values are
)

// valueKinds are what the values of a match can be.
var valueKinds = [...]string{"measure", "number", "moment", "version", "class", "code", "name", "pole", "yes", "list", "slot"}

// featureCount is how many there are.
const featureCount = featClass + len(valueKinds)

// featureNames are what trees.txt calls them.
var featureNames = [featureCount]string{"covered", "covered-less", "shared", "shared-words", "left-most", "left-least", "replaced", "same-entity", "topic", "both-name",
	"other-entity", "other-own", "siblings", "shared-apart", "same-folder", "linked", "beside", "beside-one", "counted", "counted-apart", "label", "labels-apart",
	"role-one-sided", "bool-covered", "exact", "denied", "distinct", "names", "modifiers", "when", "many", "other-values", "ratio", "verb", "verb-apart", "subject",
	"tables", "rank", "elsewhere", "near", "near-left", "left-words", "left-fewest", "phrase", "swapped", "doer", "lead", "lead-one", "rarest", "none-rare", "parallel",
	"both-clash", "before-verb", "shared-names", "nothing-named", "names-both", "case-value", "mass",
	"kind-measure", "kind-number", "kind-moment", "kind-version", "kind-class", "kind-code", "kind-name", "kind-pole", "kind-yes", "kind-list", "kind-slot"}

// features of two mentions, by their number.
type features [featureCount]float64

func (x *features) set(f int, v float64) { x[f] = math.Max(-3, math.Min(3, v)) }

func (x *features) flag(f int, yes bool) {
	if yes {
		x[f] = 1
	}
}

// kindOfMatch returns the index of the kind of values among valueKinds.
func kindOfMatch(a, b *claim.SaidValue) int {
	kind := "measure"
	switch c := comparedIn(a); {
	case a.Value.Kind == schema.ValueSet || b.Value.Kind == schema.ValueSet:
		kind = "list"
	case a.Value.Kind == schema.ValueVersion || b.Value.Kind == schema.ValueVersion:
		kind = "version"
	case c == "", comparedIn(b) == "":
		kind = "number"
	case a.Value.Kind == schema.ValueDate || moment(a.Value.Quantity.Dimension):
		kind = "moment"
	case strings.HasPrefix(c, claim.ClassSlot):
		kind = "slot"
	case strings.HasPrefix(c, "class:"):
		kind = "class"
	case c == "code", c == "name":
		kind = c
	case strings.HasPrefix(c, "pole:") && a.Class == b.Class:
		kind = "pole"
	case a.Value.Kind == schema.ValueBool:
		kind = "yes"
	}
	return slices.Index(valueKinds[:], kind)
}

// measure returns the features of two mentions but for those of rank.
func (m *matcher) measure(a, b *mention) (x features) {
	x[featClass+kindOfMatch(a.SaidValue, b.SaidValue)] = 1
	m.words(a, b, &x)
	m.subjects(a.said, b.said, &x)
	m.circumstances(a, b, &x)
	return x
}
