package schema

// Claim is one value of an attribute that a page states, as extracted from the page
// alone. Its subject is matched with pages when claims are compared.
type Claim struct {
	ID      uint64 // of the normalised text and its section: survives the moving of lines
	Page    PageID
	Path    string
	Section []string // the headings it stands under, outermost first
	Span    Span     // the value
	Text    string   // as the page says it, in short
	From    Origin
	Subject Entity
	Attr    Attribute
	Value   Value
	// Role is the kind of value, such as default or typical; empty if the page doesn't
	// say.
	Role string
	// Scope are the conditions that the page sets, sorted: a version, a day, an
	// environment. Claims of different scopes do not contradict each other.
	Scope []string
}

// Origin is the construct of a page that a claim was read from.
type Origin string

// The origins.
const (
	OriginFrontmatter Origin = "frontmatter"
	OriginField       Origin = "field" // key:: value
	OriginTable       Origin = "table"
	OriginList        Origin = "list"     // **Key:** value, or a list of values below a line with a colon
	OriginSentence    Origin = "sentence" // running text
	OriginCode        Origin = "code"     // a constant, a default, a key of a configuration file
)

// Entity is the subject of a claim, by its names on the page.
type Entity struct {
	// Names are its names, most certain first; empty for the subject of the page itself.
	Names []string
	// Link is the index of the page's link to the subject's page; -1 without one.
	Link int
	// Sure is set when the first name is marked as one: linked, or written as code.
	Sure bool
}

// Attribute is the property of the subject that a claim is about.
type Attribute struct {
	Name  string   // as written
	Words []string // the words that tell it from others, folded, sorted
}

// ValueKind sorts values by how they are compared.
type ValueKind uint8

// The kinds of value.
const (
	ValueNone     ValueKind = iota // nothing that can be compared
	ValueQuantity                  // a number with its dimension
	ValueVersion
	ValueDate
	ValueBool
	ValueName // words: a person, a state, a product
)

// Value is the value of a claim.
type Value struct {
	Kind     ValueKind
	Bool     bool     // of ValueBool
	Quantity Quantity // of ValueQuantity, and of versions and dates
	Words    []string // of ValueName, ValueVersion and ValueDate, folded; a # stands for each of Items
	Items    []string // of ValueVersion: the numbers in a name, such as PowerShell 3.0
}

// Dimension is the dimension of a quantity. Only quantities of one dimension can be
// compared.
type Dimension string

// The dimensions. Others are "count:" and the counted noun, in the singular.
const (
	Dimensionless Dimension = ""
	Duration      Dimension = "time"        // seconds
	Information   Dimension = "information" // bytes
	Ratio         Dimension = "ratio"
	Length        Dimension = "length"      // metres
	Frequency     Dimension = "frequency"   // hertz
	Mass          Dimension = "mass"        // grams
	Temperature   Dimension = "temperature" // kelvins above the freezing point of water
	Speed         Dimension = "speed"       // metres per second
	Volume        Dimension = "volume"      // litres
	Power         Dimension = "power"       // watts
	Energy        Dimension = "energy"      // watt hours
	Voltage       Dimension = "voltage"
	Current       Dimension = "current"     // amperes
	Pressure      Dimension = "pressure"    // pascals
	Area          Dimension = "area"        // square metres
	Day           Dimension = "day"         // days since 1970-01-01
	DayOfYear     Dimension = "day-of-year" // 32 times the month, and the day, of no year
	Season        Dimension = "season"      // four a year
	MonthOfYear   Dimension = "month"       // of no year, from 1, January
	SeasonOfYear  Dimension = "season-of-year"
	Weekday       Dimension = "weekday"      // from 1, Monday
	Clock         Dimension = "clock"        // minutes since midnight of no zone
	ClockUTC      Dimension = "clock:utc"    // minutes since midnight
	Version       Dimension = "version"      // the first number of it
	WorkingTime   Dimension = "working-time" // working days
)

// Unit is a unit of measurement: one of it is from Lo to Hi of the base unit of its
// dimension. The two differ where usage does: a month has 28 to 31 days, a GB 10⁹ or 2³⁰
// bytes.
type Unit struct {
	Dimension Dimension
	Lo, Hi    float64
	Zero      float64 // what its scale counts from, such as the 32 of °F
}

// Bound says which side of a limit a quantity may be on.
type Bound uint8

// The bounds.
const (
	Exactly Bound = iota
	AtMost
	AtLeast
)

// Quantity is a number or a range of numbers in the base unit of its
// dimension, from the least to the most that may be meant.
type Quantity struct {
	Lo, Hi    float64
	Dimension Dimension
	Step      float64 // the worth of its last digit; 0 for a range
	Decimals  int     // digits behind the point, as written
	Approx    bool
	Bound     Bound
}

// Conflict is a contradiction between pages: one cause, such as two tables of which some
// cells agree and others differ, with all places.
type Conflict struct {
	Entity string // whom the first difference is about, as people call it; empty for the page itself
	Attr   string // what it says of it
	Kind   ValueKind
	// Differ are the values that differ: in each the first is on the side that is likely
	// out of date. Where a page says the same at another place, that follows.
	Differ [][]Claim
	Agree  int    // how many cells of the two agree; 0 where that is no evidence
	Why    string // why the first side is likely out of date
	// Score is the certainty of the conflict: the sum of the evidence for and against
	// it.
	Score float64
	// Rule is the rule that reports it, such as numeric-conflict.
	Rule string
}
