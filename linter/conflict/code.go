package conflict

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
)

// CodeConflict is a name in code to which a page gives another value than the
// code does, which is right.
type CodeConflict struct {
	Name string // as the page writes it
	// Places are all places on the page with this claim, in order.
	Places []schema.Claim
	Code   *source.Stated
	// File is the path of the code below the repository.
	File string
	// Score is how sure it is that the page means this value of the code.
	Score float64
	// Texts are, of each place, what the page would write for the value of the
	// code; empty where that is not certain.
	Texts []string
}

// sure is the score where a page gives the value of a constant, or the default of
// a flag or a variable and calls it so; likely where it gives the value of
// something that has a default only.
const (
	sure   = Errs
	likely = Warns
)

// SearchCode compares what pages say of names in code with the code of the
// repository, in order of page and place. named returns what one page says; see
// [claim.Named]. Pages that say nothing of names cost nothing. The error says why
// the code was not read.
//
// A name counts that code gives one value only: of several definitions with different
// values none is meant, unless the page's section is about the file of one. A name that
// may be a word counts only so, too.
func SearchCode(ctx context.Context, w *compiler.Wiki, named func(*schema.Page) []schema.Claim) ([]CodeConflict, error) {
	code := source.NewCode(w)
	var all []pageNames
	var wanted, bound []string
	for _, page := range w.Pages() {
		claims := named(page)
		if len(claims) == 0 {
			continue
		}
		p := pageNames{page: page, claims: claims, files: source.FilesOf(ctx, w, code, page)}
		for i := range claims {
			if name := claims[i].Subject.Names[0]; source.Telling(name) || source.Variable(name) {
				wanted = append(wanted, name)
			}
		}
		for i := range p.files {
			bound = append(bound, p.files[i].File)
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, nil
	}
	slices.Sort(bound)
	tree := compiler.NewTree(w)
	names, err := source.FindNames(ctx, w, tree, wanted, slices.Compact(bound))
	if err != nil {
		return nil, err
	}
	var out []CodeConflict
	for i := range all {
		out = append(out, all[i].compare(names, tree)...)
	}
	return out, nil
}

// pageNames are the names in code that a page mentions, and the files that it is about.
type pageNames struct {
	page   *schema.Page
	claims []schema.Claim
	files  []source.Bound
}

func (p *pageNames) compare(names *source.Names, tree *compiler.Tree) []CodeConflict {
	var out []CodeConflict
	for i := range p.claims {
		c := &p.claims[i]
		s := p.meant(names, c)
		if s == nil {
			continue
		}
		value, known := inTermsOf(c, s)
		if !known || Compare(value, adapted(value, c, s)) != Apart {
			continue
		}
		score := sure
		if s.Role == claim.RoleDefault && c.Role != claim.RoleDefault {
			score = likely
		}
		text := restated(c, value, s)
		if k := slices.IndexFunc(out, func(o CodeConflict) bool { return o.Code == s }); k >= 0 {
			out[k].Places, out[k].Texts = append(out[k].Places, *c), append(out[k].Texts, text)
			out[k].Score = max(out[k].Score, score)
			continue
		}
		out = append(out, CodeConflict{Name: c.Subject.Names[0], Places: []schema.Claim{*c}, Code: s, File: tree.Below(s.Path), Score: score, Texts: []string{text}})
	}
	return out
}

// meant returns the value in code for the name of a claim, if there is exactly one.
func (p *pageNames) meant(names *source.Names, c *schema.Claim) *source.Stated {
	name := c.Subject.Names[0]
	found := names.Of(name)
	here := slices.DeleteFunc(slices.Clone(found), func(s *source.Stated) bool {
		return !slices.ContainsFunc(p.files, func(b source.Bound) bool { return b.File == s.Path && b.Section.Span.Contains(c.Span.Start) })
	})
	switch {
	case len(here) > 0:
		found = here
	case source.Telling(name):
		// A key without what it is below may be that of another file, or of many.
		found = slices.DeleteFunc(slices.Clone(found), func(s *source.Stated) bool { return s.Slot == source.SlotKey && !strings.Contains(name, ".") })
	case source.Variable(name):
		found = slices.DeleteFunc(slices.Clone(found), func(s *source.Stated) bool { return s.Slot != source.SlotVariable })
	default:
		return nil
	}
	if len(found) == 0 {
		return nil
	}
	for _, s := range found {
		if s.Value.Kind == schema.ValueNone || Compare(s.Value, found[0].Value) != Same {
			return nil
		}
	}
	return found[0]
}

// inTermsOf converts a page's value for comparison with code: a bare number gets the
// unit implied by the name, counted nouns are dropped, and durations may be written as
// in code.
func inTermsOf(c *schema.Claim, s *source.Stated) (schema.Value, bool) {
	v, code := c.Value, s.Value
	if code.Kind == schema.ValueQuantity && code.Quantity.Dimension == schema.Duration && v.Kind == schema.ValueQuantity && v.Quantity.Dimension == schema.Length {
		if again := claim.ParseValue(strings.TrimRight(strings.Trim(c.Text, "` "), "m")+" min", nil); again.Kind == schema.ValueQuantity {
			v = again
		}
	}
	if v.Kind != schema.ValueQuantity || code.Kind != schema.ValueQuantity {
		return v, v.Kind == code.Kind
	}
	q, d := &v.Quantity, code.Quantity.Dimension
	switch {
	case q.Dimension == d:
	case strings.HasPrefix(string(q.Dimension), "count:") && d == schema.Dimensionless:
		q.Dimension = schema.Dimensionless
	case q.Dimension == schema.Information && d == schema.Dimensionless && s.Bytes:
		q.Dimension = schema.Dimensionless
	case q.Dimension == schema.Dimensionless && s.FromName:
		u := claim.NameUnit(s.Subject.Names[0])
		q.Lo, q.Hi, q.Step, q.Dimension = q.Lo*u.Lo, q.Hi*u.Hi, q.Step*u.Lo, u.Dimension
	case q.Dimension == schema.Ratio && d == schema.Dimensionless && code.Quantity.Lo != 1:
	default:
		return v, false
	}
	return v, true
}

// limits are words of names of which the value is a limit, so that "up to"
// beside them says what it is set to.
var limits = map[string]schema.Bound{"max": schema.AtMost, "maximum": schema.AtMost, "limit": schema.AtMost, "cap": schema.AtMost, "timeout": schema.AtMost,
	"ttl": schema.AtMost, "most": schema.AtMost, "longest": schema.AtMost, "largest": schema.AtMost, "budget": schema.AtMost, "quota": schema.AtMost,
	"min": schema.AtLeast, "minimum": schema.AtLeast, "least": schema.AtLeast, "shortest": schema.AtLeast, "smallest": schema.AtLeast, "floor": schema.AtLeast}

// adapted returns the value of the code as the page speaks of it.
func adapted(page schema.Value, c *schema.Claim, s *source.Stated) schema.Value {
	v := s.Value
	if v.Kind != schema.ValueQuantity {
		return v
	}
	q := &v.Quantity
	for _, word := range c.Attr.Words {
		if bound, ok := limits[word]; ok && bound == page.Quantity.Bound {
			q.Bound = bound
		}
	}
	if page.Quantity.Dimension == schema.Ratio && q.Dimension == schema.Dimensionless {
		scale := 1.0
		if q.Lo > 1 {
			scale = 0.01
		}
		q.Lo, q.Hi, q.Step, q.Dimension = q.Lo*scale, q.Hi*scale, q.Step*scale, schema.Ratio
	}
	return v
}

// restated writes the value of the code as the page writes its own: in its unit,
// with its sign between thousands. It is empty where that is not certain, as for
// a range or an approximate number.
func restated(c *schema.Claim, v schema.Value, s *source.Stated) string {
	text, ticks := c.Text, ""
	if strings.HasPrefix(text, "`") && strings.HasSuffix(text, "`") {
		ticks = "`"
	}
	switch v.Kind {
	case schema.ValueBool:
		if word := strings.Trim(text, "`"); word == "true" || word == "false" {
			return ticks + strconv.FormatBool(s.Value.Bool) + ticks
		}
		return ""
	case schema.ValueName, schema.ValueVersion:
		if word := strings.Trim(s.Text, "\"'`"); ticks != "" && word != "" && !strings.ContainsAny(word, "` \\\"'") {
			return ticks + word + ticks
		}
		return ""
	case schema.ValueQuantity:
		return requantified(c.Text, v.Quantity, adapted(v, c, s).Quantity)
	}
	return ""
}

// requantified puts another number into the text of a quantity.
func requantified(text string, page, code schema.Quantity) string {
	from := strings.IndexAny(text, "0123456789")
	to := strings.LastIndexAny(text, "0123456789") + 1
	if from < 0 || page.Approx || page.Step == 0 {
		return ""
	}
	digits := text[from:to]
	was, err := strconv.ParseFloat(strings.NewReplacer(",", "", "_", "").Replace(digits), 64)
	if err != nil || was == 0 {
		return ""
	}
	for _, unit := range []float64{page.Lo / was, page.Hi / was} {
		for _, value := range []float64{code.Lo, code.Hi} {
			n := value / unit
			rounded := math.Round(n*100) / 100
			if unit == 0 || !near(n, rounded) || rounded <= 0 && value != 0 || math.Abs(rounded) > 1e15 {
				continue
			}
			if rounded == 1 && strings.HasSuffix(text, "s") && len(text)-to > 3 {
				return "" // the word behind it is of several
			}
			return text[:from] + grouped(strconv.FormatFloat(rounded, 'f', -1, 64), digits) + text[to:]
		}
	}
	return ""
}

// grouped writes a number with the sign between thousands that another has.
func grouped(number, like string) string {
	sign := ""
	for _, c := range []string{",", "_"} {
		if strings.Contains(like, c) {
			sign = c
		}
	}
	whole, rest, point := strings.Cut(number, ".")
	for i := len(whole) - 3; sign != "" && i > 0; i -= 3 {
		whole = whole[:i] + sign + whole[i:]
	}
	if point {
		whole += "." + rest
	}
	return whole
}
