package gate

import (
	"regexp"
	"sort"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Tests in languages with brackets are found by the words that begin them.
var (
	jsCall    = schema.Expression(`(?:^|[^\w.$])((?:x|f)?(?:it|test|specify|describe|suite|context)(?:\.\w+)*)\s*(?:\(|` + "`" + `)`)
	jsHelper  = schema.Expression(`(?m)^(?:export\s+)?(?:async\s+)?function\s*\*?\s*(\w+)\s*\(`)
	rustFunc  = schema.Expression(`(?m)^[ \t]*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|const\s+|unsafe\s+)*fn\s+(\w+)`)
	rustAttr  = schema.Expression(`(?m)^[ \t]*#\[.*\][ \t]*$`)
	javaFunc  = schema.Expression(`(?m)^[ \t]*(?:(?:public|private|protected|static|final|internal|override|suspend|open|fun|def|void|@\w+(?:\([^)\n]*\))?|<[^>\n]*>|[\w.]+(?:<[^>\n]*>)?(?:\[\])*)[ \t]+)+(\w+|` + "`[^`\n]*`" + `)\s*\([^;{}]*\)[^;{}=]*[{=]`)
	javaAttr  = schema.Expression(`(?m)^[ \t]*@[\w.]+(?:\(.*\))?[ \t]*$`)
	javaTest  = schema.Expression(`@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b`)
	javaSetup = schema.Expression(`@(?:\w+\.)*(?:Before|After)\w*\b`)
	firstText = schema.Expression(`^\s*\(?\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|` + "`((?:[^`\\\\]|\\\\.)*)`)")
)

// deepestGroup is how many groups within each other give a test its name.
const deepestGroup = 20

// block is a stretch of a text that is a unit or holds units.
type block struct {
	from, to int
	name     string
	group    bool // describe and the like
	test     bool
	skipped  bool
}

func blockSheet(l language, src string) *sheet {
	masked := mask(l, src)
	pairs := pair(masked)
	var blocks []block
	switch l {
	case jsLanguage:
		blocks = jsBlocks(src, masked, pairs)
	case rustLanguage:
		blocks = funcBlocks(src, masked, pairs, rustFunc(), rustAttr(), func(attrs string) (bool, bool, bool) {
			return strings.Contains(attrs, "test") && !strings.Contains(attrs, "cfg("), strings.Contains(attrs, "#[ignore"), false
		})
	default:
		blocks = funcBlocks(src, masked, pairs, javaFunc(), javaAttr(), func(attrs string) (bool, bool, bool) {
			return javaTest().MatchString(attrs), strings.Contains(attrs, "@Disabled") || strings.Contains(attrs, "@Ignore"), javaSetup().MatchString(attrs)
		})
	}
	return sheetOf(l, src, masked, blocks)
}

// jsBlocks finds calls of it, test, describe and the functions at the top.
func jsBlocks(src, masked string, pairs brackets) []block {
	var out []block
	for _, m := range jsCall().FindAllStringSubmatchIndex(masked, -1) {
		word := masked[m[2]:m[3]]
		open := m[1] - 1
		if masked[open] != '(' {
			continue
		}
		b := block{from: m[2], to: pairs[open]}
		if strings.Contains(word, ".each") || strings.HasSuffix(word, "If") { // test.each(table)(name, body)
			if next := strings.TrimLeft(masked[b.to:min(len(masked), b.to+200)], " \t\r\n"); strings.HasPrefix(next, "(") {
				open = min(len(masked), b.to+200) - len(next)
				b.to = pairs[open]
			}
		}
		if t := firstText().FindStringSubmatch(src[open:min(len(src), open+400)]); t != nil {
			b.name = t[1] + t[2] + t[3]
		} else {
			continue // /re/.test(x), it(x): no test of a name
		}
		kind, _, _ := strings.Cut(strings.TrimLeft(word, "xf"), ".")
		b.group = kind == "describe" || kind == "suite" || kind == "context"
		b.test = !b.group
		b.skipped = strings.HasPrefix(word, "x") || strings.Contains(word, ".skip") || strings.Contains(word, ".todo") || strings.Contains(word, ".fails") || strings.Contains(word, ".failing")
		out = append(out, b)
	}
	for _, m := range jsHelper().FindAllStringSubmatchIndex(masked, -1) {
		params := pairs[m[1]-1]
		if body := strings.IndexByte(masked[params:min(len(masked), params+400)], '{'); body >= 0 {
			out = append(out, block{from: m[0], to: pairs[params+body], name: src[m[2]:m[3]]})
		}
	}
	return out
}

// funcBlocks finds functions with the attributes above them.
func funcBlocks(src, masked string, pairs brackets, fn, attr *regexp.Regexp, read func(attrs string) (test, skipped, setup bool)) []block {
	attrs := map[int]int{} // end of a line of attributes -> its beginning
	for _, m := range attr.FindAllStringIndex(masked, -1) {
		attrs[m[1]] = m[0]
	}
	var out []block
	for _, m := range fn.FindAllStringSubmatchIndex(masked, -1) {
		b := block{from: m[0], name: strings.Trim(src[m[2]:m[3]], "`")}
		switch b.name {
		case "if", "for", "while", "switch", "catch", "when", "return", "new", "else", "match", "try", "synchronized":
			continue
		}
		for {
			end := strings.LastIndexByte(src[:b.from], '\n')
			if end < 0 {
				break
			}
			above, ok := attrs[end]
			if !ok {
				break
			}
			b.from = above
		}
		setup := false
		b.test, b.skipped, setup = read(src[b.from:m[3]])
		if setup {
			continue // it is part of what all tests share
		}
		from := m[3]
		i := strings.IndexAny(masked[from:min(len(masked), from+2000)], "{;")
		if i < 0 || masked[from+i] == ';' {
			continue
		}
		b.to = pairs[from+i]
		out = append(out, b)
	}
	return out
}

// sheetOf makes a sheet of blocks: those within a test belong to it, the names
// of groups stand before those of their tests.
func sheetOf(l language, src, masked string, blocks []block) *sheet {
	sort.SliceStable(blocks, func(i, k int) bool {
		if blocks[i].from != blocks[k].from {
			return blocks[i].from < blocks[k].from
		}
		return blocks[i].to > blocks[k].to
	})
	s := &sheet{known: true}
	var groups []block
	var rest strings.Builder
	done, line := 0, 1
	for _, b := range blocks {
		for len(groups) > 0 && (groups[len(groups)-1].to <= b.from || len(groups) > deepestGroup) {
			groups = groups[:len(groups)-1]
		}
		if b.from < done {
			continue
		}
		if b.group {
			groups = append(groups, b)
			continue
		}
		name, skipped := "", b.skipped
		for _, g := range groups {
			name += clip(g.name, 200) + " > "
			skipped = skipped || g.skipped
		}
		text := src[b.from:b.to]
		line += strings.Count(src[done:b.from], "\n")
		u := unit{name: name + b.name, test: b.test, line: line, body: strings.Join(strings.Fields(text), " "), skipped: skipped}
		u.asserts = len(assertion[l]().FindAllStringIndex(masked[b.from:b.to], -1))
		s.units = append(s.units, u)
		line += strings.Count(text, "\n")
		rest.WriteString(src[done:b.from] + "\n")
		done = b.to
	}
	rest.WriteString(src[done:])
	var text string
	s.imports, text = importsOf(l, rest.String())
	s.rest = plainLines(text, "//")
	return s
}
