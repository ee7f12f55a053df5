package claim

import (
	"math/bits"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// functionWords are words that any text of a language is full of, those left out that
// another of them has too. The first language is English.
var functionWords = []string{
	`the of and to is are was were with that this it its for from by not be has have which at an or if when can will they there their you`,
	`der das und ist sind nicht ein eine einen einem einer mit von für auf wird werden sich auch nach bei oder wenn wie durch zum zur dem den des kann muss`,
	`el los las una unos por con para es son está están pero como más cuando desde también hasta sobre entre puede cada sin del al lo y`,
	`le les une des du est sont avec pour dans sur par pas plus qui cette ces aux ou où être sans leur nous vous ne à et`,
	`il lo gli della delle degli che è sono per con non nel nella dal alla anche come più questo questa ogni può ed ai`,
	`o os uma um não são está com para por mais como quando também até sobre entre pode cada sem ao da das do dos em`,
	`het een van voor met zijn niet wordt worden door ook naar bij deze dit kan moet elke uit aan om als tot dan`,
}

// languagesOf are the languages, as bits, that a word belongs to.
var languagesOf = func() map[string]uint8 {
	m := map[string]uint8{}
	for i, list := range functionWords {
		for w := range strings.FieldsSeq(list) {
			m[w] |= 1 << i
		}
	}
	return m
}()

// longestFunctionWord is how many bytes the longest of them has.
var longestFunctionWord = func() (longest int) {
	for w := range languagesOf {
		longest = max(longest, len(w))
	}
	return longest
}()

const (
	// sampled is how many words of a section are looked at.
	sampled = 200
	// leastWords is how many function words tell a language for certain enough.
	leastWords = 3
)

// census counts the function words of a text by language.
type census struct {
	words int
	of    [8]int
}

// count adds the words of a span of a page.
func (c *census) count(text []byte) {
	var word [24]byte
	n := 0
	for i := 0; i <= len(text) && c.words < sampled; i++ {
		b := byte(' ')
		if i < len(text) {
			b = text[i]
		}
		switch {
		case b >= 'A' && b <= 'Z':
			b |= 0x20
			fallthrough
		case b >= 'a' && b <= 'z', b >= 0x80:
			if n < len(word) {
				word[n] = b
			}
			n++
			continue
		}
		if n == 0 {
			continue
		}
		c.words++
		if n <= longestFunctionWord {
			for l := languagesOf[string(word[:n])]; l != 0; l &= l - 1 {
				c.of[bits.TrailingZeros8(l)]++
			}
		}
		n = 0
	}
}

// foreign reports whether the words are of another language than English.
func (c *census) foreign() bool {
	for _, n := range c.of[1:] {
		if n >= leastWords && n > 2*c.of[0] && 12*n > c.words {
			return true
		}
	}
	return false
}

// languages notes which sections of a page are not English, and whether the page as a
// whole is not. What the frontmatter says of the language counts more.
func (x *extraction) languages(all []block) {
	page := census{}
	sections := make([]census, len(x.sections)+1)
	for i := range all {
		sections[x.sectionIndex(all[i].span.Start)].count(all[i].span.In(x.page.Source))
	}
	for _, c := range sections {
		page.words += c.words
		for l, n := range c.of {
			page.of[l] += n
		}
	}
	x.abroad = page.foreign()
	for _, key := range []string{"lang", "language"} {
		if n := x.page.Front.Get(key); n.IsScalar() && n.Text != "" {
			if spoken, english := spokenLanguage(n.Text); spoken {
				x.abroad = !english
			}
		}
	}
	for at := range sections {
		c := &sections[at]
		few := c.of[0] < leastWords
		if c.foreign() || x.abroad && few {
			if x.foreign == nil {
				x.foreign = map[int]bool{}
			}
			x.foreign[at] = true
		}
	}
}

// spokenLanguages are the languages of people that a page says it is in, by their codes of
// ISO 639-1 and their names; a page about a program says that it is in Rust.
var spokenLanguages = wordSet(`en de fr es it pt nl pl ru zh ja ko sv da nb nn fi cs sk tr uk ar hi he el hu ro bg hr sr sl et lv lt vi th id fa bn
	english german deutsch french français spanish español italian italiano portuguese português dutch nederlands polish polski russian chinese japanese korean
	swedish svenska danish dansk norwegian norsk finnish suomi czech turkish ukrainian arabic hindi hebrew greek hungarian romanian vietnamese`)

// spokenLanguage reports whether a text names a language of people, and whether that is
// English.
func spokenLanguage(text string) (spoken, english bool) {
	name, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text)), "_", "-"), "-")
	return spokenLanguages[name], name == "en" || name == "english"
}

// localNumber writes a number of a page that is not English as it would be written in
// English: 1.500,5 as 1500.5. A text with other points, such as a version, stays.
func localNumber(text string) string {
	if !strings.ContainsAny(text, ".,") {
		return text
	}
	var b strings.Builder
	digit := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9' }
	for i := 0; i < len(text); i++ {
		switch between := digit(i-1) && digit(i+1); {
		case text[i] == '.' && between && digit(i+2) && digit(i+3) && !digit(i+4):
		case text[i] == '.' && between:
			return text
		case text[i] == ',' && between:
			b.WriteByte('.')
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// valueOf reads the value of a field or a cell as the page's language writes numbers;
// those of frontmatter are written as YAML does.
func (x *extraction) valueOf(from schema.Origin, text string, unit *schema.Unit) schema.Value {
	if x.abroad && from != schema.OriginFrontmatter {
		text = localNumber(text)
	}
	return x.words.ParseValue(text, unit)
}
