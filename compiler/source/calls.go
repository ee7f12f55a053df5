package source

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// calls adds the defaults of flags and environment variables, which stand in
// calls. It looks at tokens alone, since every language writes them alike:
//
//	flag.Int("retries", 3, "how often")          Go's flag, pflag and cobra
//	parser.add_argument("--retries", default=3)  argparse, click
//	.option("--retries <n>", "how often", 3)     commander
//	os.environ.get("RETRIES", "3"), getEnv("RETRIES", "3"), process.env.RETRIES ?? 3
//	cmp.Or(os.Getenv("RETRIES"), "3"), env::var("RETRIES").unwrap_or("3")
func (r *statedReader) calls() {
	if r.language == "yaml" || r.language == "json" || r.language == "toml" || r.language == "text" {
		return
	}
	for i := range r.texts {
		switch {
		case r.texts[i] == "(" && i > 0:
			r.call(i)
		case r.texts[i] == "env" && i > 1 && r.texts[i-1] == "." && r.texts[i-2] == "process":
			r.processEnv(i)
		}
	}
}

// call reads the call whose arguments begin at an opening bracket.
func (r *statedReader) call(open int) {
	chain := r.callee(open)
	last := lastPart(chain)
	if chain == "" {
		return
	}
	switch {
	case strings.Contains(strings.ToLower(chain), "env"):
		r.environment(open, chain)
	case goFlags[strings.TrimSuffix(strings.TrimSuffix(last, "P"), "Var")]:
		r.goFlag(open, last)
	case last == "add_argument" || last == "option" || last == "Option" || last == "add_option":
		r.option(open)
	}
}

// callee returns the dotted name before an opening bracket, with . for ::.
func (r *statedReader) callee(open int) string {
	var parts []string
	for i := open - 1; i >= 0 && len(parts) < 6; i -= 2 {
		if r.texts[i] == "" || !identifier(r.texts[i]) {
			break
		}
		parts = append(parts, r.texts[i])
		if i == 0 || r.texts[i-1] != "." && r.texts[i-1] != "::" {
			break
		}
	}
	slices.Reverse(parts)
	return strings.Join(parts, ".")
}

// longestCall bounds how many tokens of a call are looked at.
const longestCall = 200

// arguments returns the arguments of a call as ranges of tokens, and the token
// behind its closing bracket; nil when it is too long.
func (r *statedReader) arguments(open int) (args [][2]int, behind int) {
	depth, from := 0, open+1
	for i := open; i < len(r.texts) && i < open+longestCall; i++ {
		switch r.texts[i] {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				if i > from {
					args = append(args, [2]int{from, i})
				}
				return args, i + 1
			}
		case ",":
			if depth == 1 {
				args = append(args, [2]int{from, i})
				from = i + 1
			}
		}
	}
	return nil, 0
}

// text returns the only token of an argument, a string literal, without quotes.
func (r *statedReader) text(arg [2]int) string {
	if arg[1] != arg[0]+1 || !r.code.tokens[arg[0]].literal {
		return ""
	}
	s, _ := unquoted(r.texts[arg[0]])
	return s
}

// standard adds a default given by some tokens.
func (r *statedReader) standard(slot, name string, from, to int) {
	if from >= to || to > len(r.texts) {
		return
	}
	res, ok := evaluate(r.texts[from:to], r.lookup, 0)
	span := schema.Span{Start: r.code.tokens[from].span.Start, End: r.code.tokens[to-1].span.End}
	var value schema.Value
	fromName := false
	if ok {
		value, fromName = res.value(name)
	}
	r.add(slot, name, claim.RoleDefault, span, spelled(r.texts[from:to]), value, fromName)
	r.found[len(r.found)-1].Bytes = ok && res.binary
}

// variable reports whether a text is the name of an environment variable (POSIX.1-2024, 8.1).
func variable(s string) bool {
	return len(s) > 1 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" && (s[0] < '0' || s[0] > '9')
}

// environment reads the name and the default of an environment variable.
func (r *statedReader) environment(open int, chain string) {
	args, behind := r.arguments(open)
	if len(args) == 0 {
		return
	}
	name := r.text(args[0])
	switch {
	case !variable(name):
	case len(args) == 2:
		r.standard(SlotVariable, name, args[1][0], args[1][1])
	case len(args) == 1:
		start := open - 2*strings.Count(chain, ".") - 1
		if start >= 4 && r.texts[start-1] == "(" && r.texts[start-2] == "Or" && r.texts[start-4] == "cmp" { // cmp.Or(os.Getenv("X"), "3")
			if all, _ := r.arguments(start - 1); len(all) == 2 && all[0][1] == behind {
				r.standard(SlotVariable, name, all[1][0], all[1][1])
			}
			return
		}
		r.otherwise(name, behind)
	}
}

// processEnv reads process.env.NAME and process.env["NAME"].
func (r *statedReader) processEnv(env int) {
	if env+3 >= len(r.texts) {
		return
	}
	switch {
	case r.texts[env+1] == "." && variable(r.texts[env+2]):
		r.otherwise(r.texts[env+2], env+3)
	case r.texts[env+1] == "[" && r.texts[env+3] == "]":
		if name, _ := unquoted(r.texts[env+2]); variable(name) {
			r.otherwise(name, env+4)
		}
	}
}

// otherwise reads the default behind what looks a variable up: ?? 3, || 3, or
// 3, .unwrap_or(3), .getOrElse(3); also behind the bracket of a conversion,
// Number(process.env.X) || 3.
func (r *statedReader) otherwise(name string, at int) {
	for at < len(r.texts) && r.texts[at] == ")" {
		at++
	}
	if at+1 >= len(r.texts) {
		return
	}
	switch r.texts[at] {
	case "??", "||", "or":
		end := at + 2
		for end < len(r.texts) && end < at+12 && slices.Contains([]string{"*", "<<", "/", "**", "."}, r.texts[end]) {
			end += 2
		}
		if end < len(r.texts) && (r.texts[end] == "(" || r.texts[end] == "[") || !r.code.tokens[at+1].literal {
			r.add(SlotVariable, name, claim.RoleDefault, r.code.tokens[at+1].span, "", schema.Value{}, false)
			return
		}
		r.standard(SlotVariable, name, at+1, min(end, len(r.texts)))
	case ".":
		if at+2 < len(r.texts) && r.texts[at+2] == "(" && (r.texts[at+1] == "unwrap_or" || r.texts[at+1] == "orElse" || r.texts[at+1] == "getOrElse") {
			if args, _ := r.arguments(at + 2); len(args) == 1 {
				r.standard(SlotVariable, name, args[0][0], args[0][1])
			}
		}
	}
}

// goFlags are the methods of Go's flag and pflag that define one, but for what
// their forms add: Var, P and VarP.
var goFlags = set("String", "Int", "Int32", "Int64", "Uint", "Uint16", "Uint32", "Uint64", "Float64", "Bool", "Duration")

// goFlag reads (name, default, usage), with a variable before it in the forms
// that end in Var and a letter behind the name in those that end in P.
func (r *statedReader) goFlag(open int, last string) {
	args, _ := r.arguments(open)
	want, at := 3, 0
	form := strings.TrimSuffix(last, "P")
	short := form != last
	if short {
		want++
	}
	if strings.HasSuffix(form, "Var") {
		want++
		at = 1
	}
	if len(args) != want {
		return
	}
	name := r.text(args[at])
	value := at + 1
	if short {
		if len(r.text(args[value])) > 1 {
			return
		}
		value++
	}
	usage := args[len(args)-1]
	if option(name) && slices.ContainsFunc(r.code.tokens[usage[0]:usage[1]], func(t lexeme) bool { return t.literal }) {
		r.standard(SlotFlag, "--"+name, args[value][0], args[value][1])
	}
}

// option reports whether a text is the name of an option without its dashes.
func option(s string) bool {
	return len(s) > 1 && s[0] >= 'a' && s[0] <= 'z' && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789-_.") == ""
}

// option reads an option that is named with its dashes: its default is an
// argument called so, or the third one.
func (r *statedReader) option(open int) {
	args, _ := r.arguments(open)
	name := ""
	for _, a := range args[:min(len(args), 3)] {
		for _, word := range strings.FieldsFunc(r.text(a), func(c rune) bool { return strings.ContainsRune(" ,=<[|", c) }) {
			if rest, ok := strings.CutPrefix(word, "--"); ok && name == "" && option(rest) {
				name = word
			}
		}
	}
	if name == "" {
		return
	}
	for _, a := range args {
		if a[1] > a[0]+2 && r.texts[a[0]] == "default" && r.texts[a[0]+1] == "=" {
			r.standard(SlotFlag, name, a[0]+2, a[1])
			return
		}
	}
	if (r.language == "javascript" || r.language == "typescript") && len(args) == 3 && r.text(args[1]) != "" {
		r.standard(SlotFlag, name, args[2][0], args[2][1])
	}
}
