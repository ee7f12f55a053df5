package source

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Exported returns the symbols of a file that stand at its top and that code in
// other files can name, in order: by a capital in Go, export in JavaScript and
// TypeScript, pub in Rust, public in Java, no leading _ in Python, all that a
// header of C or C++ declares. What a file of another kind holds is not exported.
func (f *File) Exported() []*Symbol {
	var out []*Symbol
	seen := map[string]bool{}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if !strings.Contains(s.Name, ".") && !seen[s.Name] && f.exports(s) {
			seen[s.Name] = true
			out = append(out, s)
		}
	}
	return out
}

func (f *File) exports(s *Symbol) bool {
	words := strings.Fields(s.Signature)
	has := func(word string) bool {
		for _, w := range words[:min(len(words), 4)] {
			if w == word || strings.HasPrefix(w, word+"(") {
				return true
			}
		}
		return false
	}
	switch f.Language {
	case "go":
		r, _ := utf8.DecodeRuneInString(s.Name)
		return unicode.IsUpper(r)
	case "python":
		return s.Name[0] != '_'
	case "rust":
		return has("pub")
	case "java":
		return has("public")
	case "javascript", "typescript":
		return f.follows(s, "export")
	case "c++", "c":
		return strings.HasSuffix(f.Path, ".h") || strings.HasSuffix(f.Path, ".hpp") || strings.HasSuffix(f.Path, ".hh") || strings.HasSuffix(f.Path, ".hxx")
	}
	return false
}

// follows reports whether a word stands before a symbol, with nothing between but
// other words of its declaration.
func (f *File) follows(s *Symbol, word string) bool {
	i := sort.Search(len(f.tokens), func(i int) bool { return f.tokens[i].span.Start >= s.Span.Start })
	for range 3 {
		if i--; i < 0 {
			return false
		}
		switch text := string(f.tokens[i].span.In(f.Source)); text {
		case word:
			return true
		case "const", "let", "var", "default", "declare", "async", "abstract":
		default:
			return false
		}
	}
	return false
}
