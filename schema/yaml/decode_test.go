package yaml

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// faultLines formats faults as the text at their position and their message.
func faultLines(faults []schema.Fault, src string) []string {
	var out []string
	for _, f := range faults {
		out = append(out, fmt.Sprintf("%q %s", f.Span.In([]byte(src)), f.Message))
	}
	return out
}

func TestDecode(t *testing.T) {
	t.Parallel()
	type inner struct {
		Name string `yaml:"name"`
		Deep *struct {
			N uint8 `yaml:"n"`
		} `yaml:"deep"`
	}
	type outer struct {
		Title string                     `yaml:"title"`
		On    bool                       `yaml:"on"`
		N     int                        `yaml:"n"`
		F     float64                    `yaml:"f"`
		List  []string                   `yaml:"list"`
		Map   map[string]schema.Severity `yaml:"map"`
		In    []inner                    `yaml:"in"`
		Sev   schema.Severity            `yaml:"sev"`
	}
	src := "title: 12\non: TRUE\nn: 0x1f\nf: -1.5e3\nlist: [a, 1, true]\nmap: {x: error, y: off}\nin:\n  - name: q\n    deep: {n: 255}\n  -\nsev: info\n"
	n, faults := Parse([]byte(src), 0)
	var got outer
	if faults = append(faults, Decode(n, &got)...); len(faults) > 0 {
		t.Fatal(faults)
	}
	want := outer{Title: "12", On: true, N: 31, F: -1500, List: []string{"a", "1", "true"}, Sev: schema.Info,
		Map: map[string]schema.Severity{"x": schema.Error, "y": schema.Off}, In: []inner{{Name: "q"}, {}}}
	want.In[0].Deep = &struct {
		N uint8 `yaml:"n"`
	}{255}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(outer{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	src = "titel: x\non: yes\nn: 1.5\nf: x\nlist: a\nmap: {x: fatal, z: [1]}\nin:\n  - nam: q\n    deep: {n: 256}\nzzz: 1\ntitle: [x]\n"
	n, _ = Parse([]byte(src), 0)
	wantFaults := []string{
		`"titel" unknown key "titel": did you mean "title"?`,
		`"yes" on: found text "yes": expected true or false`,
		`"1.5" n: found number "1.5": expected a whole number`,
		`"x" f: found text "x": expected a number`,
		`"a" list: found text "a": expected a list`,
		`"fatal" map.x: "fatal" is not a severity: expected off, info, warning or error`,
		`"[1]" map.z: found list: expected a single value`,
		`"nam" unknown key "nam" under in[0]: did you mean "name"?`,
		`"256" in[0].deep.n: found integer "256": expected a whole number in the range of uint8`,
		`"zzz" unknown key "zzz": expected one of f, in, list, map, n, on, sev, title`,
		`"[x]" title: found list: expected text`,
	}
	if diff := cmp.Diff(wantFaults, faultLines(Decode(n, &outer{}), src)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDecodeFloats(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{".5": .5, "-.inf": math.Inf(-1), "+.INF": math.Inf(1), "1.": 1, "0o17": 15, "3": 3} {
		n, _ := Parse([]byte("f: "+text+"\n"), 0)
		var v struct {
			F float64 `yaml:"f"`
		}
		if faults := Decode(n, &v); len(faults) > 0 || v.F != want {
			t.Errorf("%s: %v, %v, want %v", text, v.F, faults, want)
		}
	}
}

func TestLoadConfig(t *testing.T) {
	t.Parallel()
	src := `version: 1
title: W
dialect: okf
ignore: ["drafts/**", "*.tmp"]
limits: {nesting: 50}
frontmatter:
  required: [title]
  types:
    concept: {required: [summary], folder: concepts}
  fields:
    status: {type: text, values: [draft, stable]}
lint:
  fail_on: warning
  rules: {orphan: off}
  overrides:
    - paths: ["raw/**"]
      rules: {broken-link: info}
`
	cfg, faults := LoadConfig([]byte(src))
	if len(faults) > 0 {
		t.Fatal(faultLines(faults, src))
	}
	want := &schema.Config{Version: 1, Title: "W", Dialect: "okf", Ignore: []string{"drafts/**", "*.tmp"}, Limits: schema.Limits{Nesting: 50},
		Frontmatter: schema.FrontConfig{Required: []string{"title"},
			Types:  map[string]schema.PageType{"concept": {Required: []string{"summary"}, Folder: "concepts"}},
			Fields: map[string]schema.FieldType{"status": {Type: "text", Values: []string{"draft", "stable"}}}},
		Lint: schema.LintConfig{FailOn: "warning", Rules: map[string]schema.Severity{"orphan": schema.Off},
			Overrides: []schema.LintOverride{{Paths: []string{"raw/**"}, Rules: map[string]schema.Severity{"broken-link": schema.Info}}}}}
	if diff := cmp.Diff(want, cfg); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLoadConfigFaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		src  string
		want []string
	}{
		{"", nil},
		{"# nothing\n", nil},
		{"version: 2\nnew: x\n", []string{`"2" wiki.yaml has version 2, this program reads up to 1: upgrade wiki to a newer release`}},
		{"titel: x\n", []string{`"titel" unknown key "titel": did you mean "title"?`}},
		{"dialect: obsidan\n", []string{`"obsidan" dialect: "obsidan" is unknown: did you mean "obsidian"?`}},
		{"ignore: [\"a[\"]\n", []string{`"\"a[\"" ignore[0]: "a[" is not a valid pattern: expected one such as drafts/** or *.tmp, with every [ and { closed`}},
		{"site: {raw_files: [\"a[\"], remote_media: never}\n", []string{`"\"a[\"" site.raw_files[0]: "a[" is not a valid pattern: expected one such as drafts/** or *.tmp, with every [ and { closed`,
			`"never" site.remote_media: "never" is unknown: expected one of allow, link, block`}},
		{"limits: {file: -1}\n", []string{`"-1" limits.file: found integer "-1": expected a number above 0`}},
		{"lint:\n  fail_on: fatal\n  rules: {x: y}\n", []string{`"fatal" lint.fail_on: "fatal" is unknown: expected one of error, warning, info`,
			`"y" lint.rules.x: "y" is not a severity: expected off, info, warning or error`}},
		{"limits: {nesting: -1}\n", []string{`"-1" limits.nesting: found integer "-1": expected a number above 0`}},
		{"title: a: b\nroot: x\n", []string{`"a: b" the value contains ": "; put it in quotes`}},
		{"title: a\ntitle: b\n", []string{`"title" key "title" occurs twice and only the first is used; remove one of them`}},
		{"- a\n", []string{`"- a" found list: expected a map`}},
		{"claims:\n  units:\n    fortnight: [14 days]\n    2 crates: [pallet 2]\n    14 days: [fortnight]\n", []string{
			`"fortnight" claims.units: "fortnight" is not an amount: expected a number above 0 and a unit, such as 14 days`,
			`"14 days" claims.units: "14 days" is not a unit: expected one word without digits`,
			`"pallet 2" claims.units: "pallet 2" is not a unit: expected one word without digits`}},
		{"claims: {unit: {14 days: [fortnight]}}\n", []string{`"unit" unknown key "unit" under claims: did you mean "units"?`}},
		{"frontmatter: {fields: {a: {type: txt}}}\n", []string{`"txt" frontmatter.fields.a.type: "txt" is unknown: did you mean "text"?`}},
	}
	for _, tt := range tests {
		cfg, faults := LoadConfig([]byte(tt.src))
		if diff := cmp.Diff(tt.want, faultLines(faults, tt.src)); diff != "" || cfg == nil {
			t.Errorf("%q (-want +got):\n%s", tt.src, diff)
		}
		for _, f := range faults {
			if f.Kind != schema.FaultConfig {
				t.Errorf("%q: fault of kind %s", tt.src, f.Kind)
			}
		}
	}
}

func FuzzLoadConfig(f *testing.F) {
	own := []string{"version: 2\n", "lint: {rules: {a: error}}\nignore: [\"[\"]\n", "limits: {nesting: 99999999999999999999}\n", "lint: {overrides: [x, {paths: y}]}\n",
		"rules: [{id: a, message: \"{match}\", forbid: {pattern: (b), in: code}, fix: {replace: $1}}, {id: a, require: {heading: {level: 2}}}, x]\n"}
	for _, s := range append(schematest.Vary(300, own...), seeds...) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 4096 {
			return
		}
		cfg, faults := LoadConfig(src)
		if cfg == nil {
			t.Fatal("no configuration")
		}
		for _, f := range faults {
			if !within(f.Span, schema.Span{End: len(src)}) || strings.TrimSpace(f.Message) == "" {
				t.Fatalf("%q: fault %+v", src, f)
			}
		}
	})
}
