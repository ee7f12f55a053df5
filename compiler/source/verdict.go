package source

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// State says what became of what a page refers to since the page was last
// known to be true.
type State string

// The states, each reported by the rule of the same name.
const (
	StateFresh            State = ""                    // as it was, or never locked
	StateReviewed         State = "reviewed"            // it changed, and then the section was written anew
	StateFileMissing      State = "source-missing"      // the file is gone
	StateSymbolMissing    State = "symbol-missing"      // the file has no such symbol, or fewer lines
	StateMoved            State = "source-moved"        // the same tokens stand elsewhere
	StateStaleValue       State = "stale-value"         // the page states a literal that is no longer there
	StateSignatureChanged State = "signature-changed"   // its declaration changed
	StateLinesChanged     State = "cited-lines-changed" // lines that are cited stand nowhere any more
	StateBodyChanged      State = "body-changed"        // anything else of it changed
	StateUnverifiable     State = "unverifiable-source" // its file can not be read
)

// Verdict is a reference and what became of it.
type Verdict struct {
	Bound
	State  State
	Locked *Binding // what wiki.lock says of it; nil when it says nothing
	// Narrowed is set for a symbol that the page names and whose whole file was locked.
	Narrowed bool
	// Old is the symbol as it was locked; nil when git does not tell.
	Old *Symbol
	// Since is the commit that changed it last; zero when git does not tell.
	Since schema.Moment
	// Moved is the anchor that names it now, of StateMoved.
	Moved string
	// Unsure is set when the lines of StateMoved stand in several places, of which
	// Moved is the nearest.
	Unsure bool
	// Named is what the page's sentence names and the lines of StateMoved never had, though
	// their file does: others may be meant.
	Named string
	// Then is the commit in which a citation that nobody verified was written.
	Then schema.Moment
	// Absent is set for a citation whose file was not there when it was written: it means
	// another one, as of another project.
	Absent bool
	// Record is set for lines that nobody verified on a page, or in a section, that describes a
	// moment on purpose (see [claim.Records]), and for lines of the commit that it names: what
	// became of them is not judged.
	Record bool
	// Was and Now are the first line that differs, of StateLinesChanged.
	Was, Now string
	pinned   string // the commit that the page says it describes here
	was      string // what the file was called that git knows to be renamed, relative to the wiki's root
	// Values are those that StateStaleValue is about.
	Values []StaleValue
	// Near are names of symbols that may have been meant, of StateSymbolMissing.
	Near string
}

// StaleValue is a literal that a page states and the code no longer has.
type StaleValue struct {
	At  schema.Span // on the page
	Old string      // as the page writes it
	New string      // as the code writes what took its place; empty when that is not certain
	// Text is New as the page would write it; empty when it can not be told.
	Text  string
	value *Value // that went
}

// Judge says what became of every reference of a wiki; lock is nil when there is
// none. Without a git history the values that were locked are not known, so
// nothing is a stale value; the error of [compiler.Wiki.Repository] says why.
//
// Only what can be judged is read: without a binding in the lock that is the
// references that name a symbol.
func Judge(ctx context.Context, w *compiler.Wiki, code *Code, lock *Lock) ([]Verdict, error) {
	return JudgeWith(ctx, w, code, lock, nil)
}

// JudgePages is [Judge] for some pages.
func JudgePages(ctx context.Context, w *compiler.Wiki, code *Code, lock *Lock, pages []*schema.Page) ([]Verdict, error) {
	return judgeAll(ctx, w, code, lock, nil, pages)
}

// JudgeWith is [Judge], and reads all that the pages refer to which read chooses.
func JudgeWith(ctx context.Context, w *compiler.Wiki, code *Code, lock *Lock, read func(page string) bool) ([]Verdict, error) {
	return judgeAll(ctx, w, code, lock, read, w.Pages())
}

func judgeAll(ctx context.Context, w *compiler.Wiki, code *Code, lock *Lock, read func(page string) bool, pages []*schema.Page) ([]Verdict, error) {
	h := w.History()
	j := &judge{ctx: ctx, wiki: w, code: code, past: map[string]*past{}, history: h != nil && !h.Shallow && w.Workspace().Git, some: len(pages) < len(w.Pages())}
	var out []Verdict
	for _, page := range pages {
		bounds := locate(ctx, w, code, page)
		locked := read != nil && read(page.Path) || lock != nil && len(bounds) > 0 && len(lock.page(page.Path)) > 0
		followed := lock.followed(page.Path, bounds)
		for i := range bounds {
			b := &bounds[i]
			known := read == nil && followed && j.byGit(b)
			if (locked || b.Anchor.Symbol != "") && !known {
				b.look(ctx, code)
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(bounds) == 0 {
			continue
		}
		verdicts := make([]Verdict, len(bounds))
		records := claim.NewRecords(page)
		for i, b := range lock.assign(bounds, j.former) {
			verdicts[i] = Verdict{Bound: bounds[i], Locked: b}
			if v := &verdicts[i]; b == nil {
				v.Record, v.pinned = records.At(v.At.Start), records.Commit(v.At.Start)
			}
		}
		var closer []Verdict
		for i := range verdicts {
			v := &verdicts[i]
			j.judge(v, bounds)
			changed := v.State == StateBodyChanged || v.State == StateReviewed // of which parts may not be
			if changed && v.Kind() == KindFile && v.Locked != nil && Known(v.File) {
				closer = append(closer, j.narrow(v, bounds)...)
			}
		}
		out = append(append(out, verdicts...), closer...)
	}
	if err := j.cite(out); err != nil {
		return nil, err
	}
	return out, ctx.Err()
}

// judge holds what judging needs; git is asked only for what changed.
type judge struct {
	ctx     context.Context
	wiki    *compiler.Wiki
	code    *Code
	past    map[string]*past // by path: what files were
	repo    *compiler.Repository
	asked   bool
	moved   map[Facet][]home // where symbols are, by their tokens
	byName  map[string]bool  // what symbols are called
	history bool             // lines are judged by what git has of them
	some    bool             // of the pages, not all
}

// repository returns what git knows, nil when it knows nothing.
func (j *judge) repository() *compiler.Repository {
	if !j.asked {
		j.asked = true
		j.repo, _ = j.wiki.Repository(j.ctx)
	}
	return j.repo
}

// former returns the paths below the repository that a file had before.
func (j *judge) former(file string) []string {
	r := j.repository()
	if r == nil || file == "" {
		return nil
	}
	var out []string
	for _, f := range r.Former(file) {
		out = append(out, j.code.tree.Below(f))
	}
	return out
}

// judge settles one verdict; all are the references of its page.
func (j *judge) judge(v *Verdict, all []Bound) {
	switch {
	case v.Unverifiable != nil:
		v.State = StateUnverifiable
	case v.File == "" && v.Weak && v.Locked == nil:
		// a citation of something else, unless git knows of the file
	case v.File == "":
		v.State = StateFileMissing
		if v.Cite == nil || v.Locked != nil {
			j.find(v)
		}
	case v.Several:
	case v.Symbol == nil && j.byGit(&v.Bound):
		// lines that git tells of
	case v.Symbol == nil && v.Anchor.Symbol == "" && v.Locked == nil:
		// lines that nobody locked, or a file that nobody looked at
	case v.Symbol == nil && v.Locked == nil && spelledOut[strings.ToLower(path.Ext(v.File))]:
		// an entry of data that a site or a reader finds by its text, and no key
	case v.Symbol == nil:
		v.State = StateSymbolMissing
		if j.find(v); v.State == StateSymbolMissing && v.Anchor.Symbol != "" {
			v.Near = j.near(v)
		}
	case v.Locked != nil && v.Locked.Facets.Tokens != v.Symbol.Facets.Tokens:
		j.changed(v, all)
	}
}

// near returns the name of the symbol of the file that was probably meant.
func (j *judge) near(v *Verdict) string {
	f, err := j.code.File(j.ctx, v.File)
	if err != nil {
		return ""
	}
	names := make([]string, len(f.Symbols))
	for i := range f.Symbols {
		names[i] = f.Symbols[i].Name
	}
	near, _ := schema.Nearest(nameKey(v.Anchor.Symbol), names)
	return near
}

// changed judges a symbol whose tokens are others than those locked.
func (j *judge) changed(v *Verdict, all []Bound) {
	if v.Anchor.FromLine > 0 {
		if j.find(v); v.State == StateMoved {
			return
		}
	}
	f := v.Locked.Facets
	// Of a value that is made of several, 30 * time.Second, the unit may change alone.
	if f.Literals == v.Symbol.Facets.Literals && (f.Signature == v.Symbol.Facets.Signature || v.Anchor.Symbol == "") && !v.Symbol.made {
		v.State = StateBodyChanged
	} else if v.Old = j.old(v); v.Old != nil && v.Kind() != KindFile {
		v.Values = staleValues(v, all, j.has(v))
	}
	if v.Since = j.since(v); v.Anchor.FromLine > 0 && len(v.Values) > 0 {
		v.Since = j.lost(v, v.Values[0].value)
	}
	if j.reviewed(v) {
		v.State = StateReviewed
		return
	}
	switch {
	case len(v.Values) > 0:
		v.State = StateStaleValue
	case v.Anchor.FromLine > 0:
		v.State = StateLinesChanged
	case v.Anchor.Symbol != "" && f.Signature != v.Symbol.Facets.Signature:
		v.State = StateSignatureChanged
	default:
		v.State = StateBodyChanged
	}
}

// Kind is that of what the reference names: a file of which no part is named
// is [KindFile], and so is nothing that a symbol or lines name.
func (v *Verdict) Kind() Kind {
	switch {
	case v.Anchor.Symbol == "" && v.Anchor.FromLine == 0:
		return KindFile
	case v.Symbol != nil && v.Anchor.Symbol != "":
		return v.Symbol.Kind
	}
	return ""
}

// Called is what people call the thing that the reference names, and where it
// stands.
func (v *Verdict) Called() string {
	if v.Anchor.Symbol == "" {
		return v.Name()
	}
	return fmt.Sprintf("%s (%s)", v.Name(), v.Place())
}

// Place is where the symbol stands now, as people write it: src/limits.go:12.
func (v *Verdict) Place() string {
	a := schema.ParseAnchor(cmp.Or(v.Moved, v.Target))
	if v.Symbol == nil || v.Kind() == KindFile {
		return a.Path
	}
	return fmt.Sprintf("%s:%d", a.Path, v.Symbol.Line)
}

// Name is what people call the thing that the reference names: the symbol, or
// the file and its lines.
func (v *Verdict) Name() string {
	if v.Anchor.Symbol != "" {
		return nameKey(v.Anchor.Symbol)
	}
	return v.Target
}
