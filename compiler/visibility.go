package compiler

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/loopwiki/wiki/schema"
)

// visibilityKind is the meaning of a key's values.
type visibilityKind uint8

const (
	keyNone     visibilityKind = iota
	keyHides                   // draft, private: anything but a falsehood hides the page
	keyShows                   // publish: a falsehood hides the page
	keyAudience                // visibility: a word; one that isn't known hides the page
	keyStatus                  // status: a few of its words hide the page
	keyUnlisted                // unlisted: anything but a falsehood takes the page off lists
)

// visibilityKeys are the keys that decide who may read a page, as [visibilityKey]
// returns them.
var visibilityKeys = map[string]visibilityKind{
	"draft": keyHides, "private": keyHides, "hidden": keyHides, "internal": keyHides, "unpublished": keyHides,
	"publish": keyShows, "published": keyShows, "public": keyShows, "dgpublish": keyShows,
	"visibility": keyAudience, "access": keyAudience,
	"status": keyStatus, "state": keyStatus, "lifecycle": keyStatus,
	"unlisted": keyUnlisted,
}

// visibilityKey returns the name in visibilityKeys that a key is a spelling of:
// letter case, hyphens, underscores, spaces and a leading "is" don't matter.
func visibilityKey(key string) (name string, kind visibilityKind) {
	if len(key) > 64 {
		return "", keyNone
	}
	if kind = visibilityKeys[key]; kind != keyNone { // most
		return key, kind
	}
	buf := make([]byte, 0, 64)
	for i := range len(key) {
		switch c := key[i]; {
		case c >= utf8.RuneSelf:
			return visibilityName(strings.Map(func(r rune) rune {
				if unicode.IsLetter(r) || unicode.IsDigit(r) {
					return r
				}
				return -1
			}, foldWord(key)))
		case c >= 'A' && c <= 'Z':
			buf = append(buf, c|0x20)
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			buf = append(buf, c)
		}
	}
	return visibilityName(string(buf))
}

func visibilityName(name string) (string, visibilityKind) {
	if kind := visibilityKeys[name]; kind != keyNone {
		return name, kind
	}
	name = strings.TrimPrefix(name, "is")
	return name, visibilityKeys[name]
}

// truth is the answer of a value to the question of its key; a list may have several.
type truth uint8

const (
	saysTrue truth = 1 << iota
	saysFalse
	saysNothing // no value at all
	saysDate
	saysOther // text, a map
)

var (
	trueWords  = wordSet("true t yes y on 1 enabled ✓ ✔ ✅ ☑")
	falseWords = wordSet("false f no n off 0 none null nil ~")
	// What also keeps a page back where it answers "publish?".
	refusals = wordSet("not never nope nein non nay disabled disable unpublished private draft hidden internal secret unlisted later don't dont ✗ ✘ ✖ ❌ × ☐ -")
)

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// maxWord bounds how much of a value is looked at.
const maxWord = 256

// foldWord returns text for comparison: in compatibility form and lower case, without
// invisible characters, comments, and surrounding quotes and spaces.
func foldWord(s string) string {
	s = strings.ToValidUTF8(s[:min(len(s), maxWord)], "")
	s = strings.ToLower(norm.NFKC.String(s))
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.Is(unicode.Cc, r):
			return ' '
		case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
			return -1
		}
		return r
	}, s)
	for _, mark := range []string{"#", "//", "<!--", "/*"} {
		if i := strings.Index(s, " "+mark); i > 0 {
			s = s[:i]
		}
	}
	return strings.Trim(s, " \t\"'`“”‘’«»„.,;!")
}

// truthOf reads a value; plain is set for true, false and no value at all.
func truthOf(n *schema.Node) (t truth, plain bool) {
	switch n.Kind {
	case schema.KindNull:
		if n.Span.Len() == 0 {
			return saysNothing, true
		}
		return saysFalse, false
	case schema.KindList:
		if len(n.Items) == 0 {
			return saysFalse, false
		}
		for _, it := range n.Items {
			if it.Kind >= schema.KindList {
				t |= saysOther
				continue
			}
			in, _ := truthOf(it)
			t |= in
		}
		return t, false
	case schema.KindMap:
		return saysOther, false
	}
	return truthOfWord(foldWord(n.Text)), !n.Quoted && (n.Text == "true" || n.Text == "false")
}

func truthOfWord(w string) truth {
	switch {
	case trueWords[w]:
		return saysTrue
	case w == "" || falseWords[w] || isZero(w):
		return saysFalse
	case dateLike(w):
		return saysDate
	}
	return saysOther
}

// isZero reports whether text is nothing in a notation of numbers: 0.0, -0, 0x0.
func isZero(w string) bool {
	if f, err := strconv.ParseFloat(w, 64); err == nil {
		return f == 0
	}
	n, err := strconv.ParseInt(w, 0, 64)
	return err == nil && n == 0
}

// dateLike reports whether text holds a year, as dates in any form do, or is a
// number of seconds or milliseconds.
func dateLike(w string) bool {
	digits := 0
	for i := 0; i <= len(w); i++ {
		if i < len(w) && w[i] >= '0' && w[i] <= '9' {
			digits++
			continue
		}
		switch digits {
		case 4, 8, 14:
			if c := w[i-digits]; c == '1' || c == '2' {
				return true
			}
		case 9, 10, 12, 13:
			return digits == len(w)
		}
		digits = 0
	}
	return false
}

// refuses reports whether text that is no plain falsehood answers "publish?"
// with no, or is a word that only looks like one in Latin letters.
func refuses(n *schema.Node) bool {
	for _, s := range n.Scalars() {
		w := foldWord(s.Text)
		first, _, _ := strings.Cut(strings.TrimLeft(w, "-*_([{ "), " ")
		first = strings.Trim(first, ",.:;!-*_()[]{}")
		if refusals[w] || refusals[first] || falseWords[first] || mixedScripts(w) {
			return true
		}
	}
	return false
}

func mixedScripts(w string) bool {
	latin := strings.ContainsFunc(w, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
	return latin && strings.ContainsFunc(w, func(r rune) bool { return unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian) })
}

// audienceWords are the words of a visibility; any other one hides the page.
var audienceWords = map[string]schema.VisibilityLevel{
	"public": schema.Public, "published": schema.Public, "open": schema.Public, "everyone": schema.Public, "anyone": schema.Public,
	"all": schema.Public, "world": schema.Public, "free": schema.Public, "external": schema.Public, "open access": schema.Public,
	"open-access": schema.Public, "visible": schema.Public, "listed": schema.Public,
	"unlisted": schema.Unlisted,
	"private":  schema.Private, "draft": schema.Private, "hidden": schema.Private, "internal": schema.Private, "unpublished": schema.Private,
	"secret": schema.Private, "restricted": schema.Private, "me": schema.Private, "confidential": schema.Private, "nobody": schema.Private,
}

// statusWords are the words of a status that hide the page.
var hidingStatus = wordSet("draft private unpublished")

// markOf decides what a key with this value makes of its page. ok is false when
// it says nothing about who may read it. It is the one place that decides; the
// value comes from a parser or from a line ([lineNode]).
func markOf(key string, v *schema.Node) (m schema.VisibilityMark, ok bool) {
	name, kind := visibilityKey(key)
	if kind == keyNone {
		return m, false
	}
	t, plain := truthOf(v)
	m = schema.VisibilityMark{Key: key, Span: v.Span, Plain: plain}
	switch kind {
	case keyHides, keyUnlisted:
		if t&^(saysFalse|saysNothing) != 0 {
			m.Level, m.Draft = schema.Private, name == "draft"
			if kind == keyUnlisted {
				m.Level = schema.Unlisted
			}
		}
		m.Suggest = suggestion(t)
	case keyShows:
		// An empty published is a date that nobody knew, which clippers of web
		// pages write by the hundred; an empty publish is a box nobody ticked.
		unknown := t == saysNothing && name != "published"
		if t&saysFalse != 0 || unknown || t&saysOther != 0 && refuses(v) {
			m.Level = schema.Private
		}
		m.Plain = plain && !unknown || t == saysDate
		m.Suggest = suggestion(t)
	case keyAudience:
		m.Level, m.Plain = audience(v, t)
	case keyStatus:
		m.Level, m.Draft, m.Plain, ok = statusMark(v)
		return m, ok
	}
	return m, true
}

// suggestion is the plain word for what one of the usual words says.
func suggestion(t truth) string {
	switch t {
	case saysTrue:
		return "true"
	case saysFalse:
		return "false"
	}
	return ""
}

func audience(v *schema.Node, t truth) (level schema.VisibilityLevel, plain bool) {
	if t == saysNothing {
		return schema.Public, true
	}
	list := v.Scalars()
	if len(list) == 0 || v.Kind == schema.KindList && len(list) < len(v.Items) {
		level = schema.Private
	}
	for _, s := range list {
		w := foldWord(s.Text)
		l, known := audienceWords[w]
		if !known && truthOfWord(w) != saysDate { // the day on which a source was read
			l = schema.Private
		}
		level = max(level, l)
		if _, exact := audienceWords[strings.ToLower(s.Text)]; exact && v.Kind == schema.KindString || truthOfWord(w) == saysDate {
			plain = true
		}
	}
	return level, plain
}

// statusMark reads a status. One that begins with a hiding word and goes on,
// such as "draft standard", hides nothing and is worth a word.
func statusMark(v *schema.Node) (level schema.VisibilityLevel, draft, plain, ok bool) {
	for _, s := range v.Scalars() {
		w := foldWord(s.Text)
		if hidingStatus[w] {
			return schema.Private, w == "draft", v.Kind == schema.KindString && strings.ToLower(s.Text) == w, true
		}
		first := w[:len(w)-len(strings.TrimLeftFunc(w, unicode.IsLetter))]
		ok = ok || hidingStatus[first]
	}
	return schema.Public, false, false, ok
}

// maxMarks bounds the marks of one page that are kept, but for a stricter one.
const maxMarks = 50

// readVisibility fills in p.Visibility: from the nodes of front matter that was
// read, and from the lines of what could not be.
func readVisibility(p *schema.Page, fb frontBlock) {
	marks := &p.Visibility.Marks
	add := func(m schema.VisibilityMark, key schema.Span) {
		if m.Span.Len() > 0 && m.Value == "" {
			m.Value = clipped(m.Span.In(p.Source))
		}
		if m.Span.Len() == 0 {
			m.Span = key
		}
		if level, _ := p.Visibility.Level(false); len(*marks) >= maxMarks && m.Level <= level {
			return
		}
		// The lines add nothing to a value that was parsed.
		if i := slices.IndexFunc(*marks, func(o schema.VisibilityMark) bool { return o.Span == m.Span && o.Level >= m.Level }); i < 0 {
			*marks = append(*marks, m)
		}
	}
	readable := fb.found && !fb.unclosed && !fb.toml && // of TOML not all is read
		!slices.ContainsFunc(p.Faults, func(f schema.Fault) bool { return f.Kind == schema.FaultFrontmatterInvalid })
	if p.Front != nil && p.Front.Root != nil {
		readMarks(p.Front.Root, "", add)
		readable = readable && len(p.Front.Root.Pairs) > 0
	} else {
		readable = false // nothing but comments: what follows may be the front matter
	}
	searchHead(p, fb, readable, add)
	for _, m := range p.Visibility.Marks {
		if name, _ := visibilityKey(m.Key[strings.LastIndexByte(m.Key, '.')+1:]); name == "draft" && m.Level == schema.Private {
			p.Meta.Draft = true
		}
	}
}

// containers are keys whose maps hold more values of the page: Hugo's params,
// Zola's extra.
var containers = wordSet("params param extra metadata meta frontmatter properties custom page attributes")

// readMarks finds the marks in a map and in the containers in it. One in a
// container is never plain, since other programs look at the top only.
func readMarks(n *schema.Node, within string, add func(schema.VisibilityMark, schema.Span)) {
	for i := range n.Pairs {
		pair := &n.Pairs[i]
		key, within := pair.Key, within
		if i := strings.LastIndexByte(key, '.'); i >= 0 && containers[strings.ToLower(key[:i])] {
			key, within = key[i+1:], within+key[:i+1]
		}
		if m, ok := markOf(key, pair.Value); ok {
			if within != "" && m.Level == schema.Public {
				continue
			}
			m.Key = within + m.Key
			m.Plain = m.Plain && within == ""
			if within != "" {
				m.Suggest = ""
			}
			add(m, pair.KeySpan)
		} else if len(within) < maxWord && containers[strings.ToLower(key)] && pair.Value.Kind == schema.KindMap {
			readMarks(pair.Value, within+key+".", add)
		}
	}
}

func clipped(b []byte) string {
	if len(b) > 60 {
		return strings.ToValidUTF8(string(b[:60]), "") + "…"
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}

// VisibilityOf says who may read a file of markdown that is no page, by its
// front matter.
func VisibilityOf(src []byte) schema.Visibility {
	p := &schema.Page{Source: src}
	readFrontmatter(p)
	return p.Visibility
}
