package yaml

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/schema"
)

func TestCustomRules(t *testing.T) {
	t.Parallel()
	src := `rules:
  - id: no-tbd
    message: "{match} is no answer"
    severity: error
    paths: ["10_DOMAIN/**"]
    forbid: {pattern: '\b(TBD)\b', in: text}
    fix: {replace: "${1}: $$1"}
  - {id: needs-owner, message: say who, severity: off, require: {field: {name: owner, value: "^@"}}}
`
	cfg, faults := LoadConfig([]byte(src))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	severe, off := schema.Error, schema.Off
	want := []schema.CustomRule{
		{ID: "no-tbd", Message: "{match} is no answer", Severity: &severe, Paths: []string{"10_DOMAIN/**"}, At: schema.Position{Line: 2, Column: 9},
			Forbid: &schema.Condition{Pattern: `\b(TBD)\b`, In: "text"}, Fix: &schema.CustomFix{Replace: "${1}: $$1"}},
		{ID: "needs-owner", Message: "say who", Severity: &off, At: schema.Position{Line: 8, Column: 10},
			Require: &schema.Condition{Field: &schema.FieldCondition{Name: "owner", Value: "^@"}}},
	}
	if diff := cmp.Diff(want, cfg.Rules); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCustomRuleFaults(t *testing.T) {
	t.Parallel()
	const ok = "id: a, message: b, "
	for _, tt := range []struct {
		rule string
		want []string
	}{
		{ok + "forbid: {pattern: x}", nil},
		{ok + "forbid: {pattern: x}, sevrity: error", []string{`"sevrity" unknown key "sevrity" under rules[0]: did you mean "severity"?`}},
		{"forbid: {pattern: x}", []string{
			"\"\" rules[0] has no id: expected one such as `id: no-draft-links`",
			"\"\" rules[0] has no message: expected one such as `message: write {match} in full`"}},
		{"id: No_Draft, message: ' ', forbid: {pattern: x}", []string{
			`"No_Draft" rules[0].id: "No_Draft" is not a valid rule id: expected lower-case words joined by hyphens, such as no-draft-links`,
			"\"' '\" rules[0] has no message: expected one such as `message: write {match} in full`"}},
		{"id: a, message: 'no {macth}, {zebra}', forbid: {pattern: x}", []string{
			`"'no {macth}, {zebra}'" rules[0].message: unknown placeholder {macth}: did you mean {match}?`,
			`"'no {macth}, {zebra}'" rules[0].message: unknown placeholder {zebra}: expected {match}, {field}, {value}, {page}`}},
		{ok + "forbid: {patern: x}", []string{`"patern" unknown key "patern" under rules[0].forbid: did you mean "pattern"?`}},
		{"id: a, mesage: b, forbd: {pattern: x}", []string{
			`"mesage" unknown key "mesage" under rules[0]: did you mean "message"?`,
			`"forbd" unknown key "forbd" under rules[0]: did you mean "forbid"?`}},
		{ok, []string{`"" rules[0] is empty: expected exactly one of forbid, require`}},
		{ok + "forbid: {pattern: x}, require: {pattern: y}", []string{`"require" rules[0] has both forbid and require: expected exactly one of forbid, require`}},
		{ok + "forbid: {pattern: x, link: {kind: image}}", []string{`"link" rules[0].forbid has both pattern and link: expected exactly one of pattern, heading, field, link`}},
		{ok + "forbid: {in: code}", []string{`"" rules[0].forbid is empty: expected exactly one of pattern, heading, field, link`}},
		{ok + "forbid:", []string{`"" rules[0].forbid: found null: expected a map`}},
		{ok + "forbid: {pattern: '([a'}", []string{
			`"'([a'" rules[0].forbid.pattern: "([a" is not a valid pattern, missing closing ]: expected a regular expression in RE2 syntax of at most 1000 bytes`}},
		{ok + "forbid: {pattern: 'a)(b'}", []string{
			`"'a)(b'" rules[0].forbid.pattern: "a)(b" is not a valid pattern, unexpected ): expected a regular expression in RE2 syntax of at most 1000 bytes`}},
		{ok + "forbid: {pattern: x, in: txt}", []string{`"txt" rules[0].forbid.in: "txt" is unknown: did you mean "text"?`}},
		{ok + "require: {heading: {level: 2}, in: text}", []string{
			`"text" rules[0].require.in can't be used with a heading: expected it with a pattern only`}},
		{ok + "require: {heading: Summary}", []string{`"Summary" rules[0].require.heading: found text "Summary": expected a map`}},
		{ok + "require: {heading: {level: 7}}", []string{`"7" rules[0].require.heading.level: invalid level 7: expected 1 to 6`}},
		{ok + "require: {heading: {text: a, pattern: b}}", []string{`"pattern" rules[0].require.heading has both text and pattern: expected exactly one of text, pattern`}},
		{ok + "require: {field: {value: x}}", []string{"\"\" rules[0].require.field has no name: expected one such as `name: status`"}},
		{ok + "forbid: {link: {kind: images}}", []string{`"images" rules[0].forbid.link.kind: "images" is unknown: did you mean "image"?`}},
		{ok + "forbid: {link: {}}", []string{`"" rules[0].forbid.link is empty: expected kind, target, host`}},
		{ok + "forbid: {link: {host: 'https://a.b'}}", []string{`"'https://a.b'" rules[0].forbid.link.host: "https://a.b" is not a host name: expected one such as example.com`}},
		{ok + "forbid: {field: {name: x}}, fix: {replace: y}", []string{
			`"{replace: y}" rules[0].fix needs a forbidden pattern to replace: expected it with forbid.pattern only`}},
		{ok + "forbid: {pattern: (x)}, fix: {replace: '$1 $2 ${name} $1st'}", []string{
			`"'$1 $2 ${name} $1st'" rules[0].fix.replace: the pattern has no group "2": expected one of its 1, written $1 or ${name}; $$ is a dollar sign`,
			`"'$1 $2 ${name} $1st'" rules[0].fix.replace: the pattern has no group "name": expected one of its 1, written $1 or ${name}; $$ is a dollar sign`,
			`"'$1 $2 ${name} $1st'" rules[0].fix.replace: the pattern has no group "1st": expected one of its 1, written $1 or ${name}; $$ is a dollar sign`}},
		{ok + "forbid: {pattern: x}, paths: ['a/[b']", []string{
			`"'a/[b'" rules[0].paths[0]: "a/[b" is not a valid pattern: expected one such as drafts/** or *.tmp, with every [ and { closed`}},
		{ok + "forbid: {pattern: x}}\n  - {" + ok + "forbid: {pattern: y}", []string{`"a" rules[1].id: "a" is already the id of rules[0]: choose another`}},
	} {
		src := "rules:\n  - {" + tt.rule + "}\n"
		_, faults := LoadConfig([]byte(src))
		if diff := cmp.Diff(tt.want, faultLines(faults, src)); diff != "" {
			t.Errorf("%s\n(-want +got):\n%s", tt.rule, diff)
		}
	}
	colon := "rules:\n  - id: a\n    message: b; add c: d\n    forbid: {pattern: x}\n"
	_, faults := LoadConfig([]byte(colon))
	if diff := cmp.Diff([]string{`"b; add c: d" the value contains ": "; put it in quotes`}, faultLines(faults, colon)); diff != "" {
		t.Errorf("a message with a colon (-want +got):\n%s", diff)
	}
	long := "rules:\n" + strings.Repeat("  - {id: x, message: y, forbid: {pattern: z}}\n", mostRules+1)
	if _, faults := LoadConfig([]byte(long)); len(faults) != 1 || !strings.Contains(faults[0].Message, "201 rules: expected at most 200") {
		t.Errorf("too many rules: %v", faults)
	}
}

func TestNamingInConfig(t *testing.T) {
	t.Parallel()
	src := "naming: kebap\nfrontmatter:\n  types:\n    adr: {naming: '^adr-(', sections: [Context]}\n"
	_, faults := LoadConfig([]byte(src))
	want := []string{
		`"kebap" naming: "kebap" is unknown: did you mean "kebab"?`,
		`"'^adr-('" frontmatter.types.adr.naming: "^adr-(" is not a valid regular expression (missing closing )): expected kebab, snake, title, date-prefixed, or one such as ^adr-[0-9]+`,
	}
	if diff := cmp.Diff(want, faultLines(faults, src)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
