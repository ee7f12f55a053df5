package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"testing"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// junitForm is the part of Jenkins' junit-10.xsd about the elements used here: their
// parents and their allowed and required attributes.
var junitForm = map[string]struct {
	in             []string
	may, mandatory []string
}{
	"testsuites": {[]string{""}, []string{"name", "time", "tests", "failures", "errors"}, nil},
	"testsuite": {[]string{"testsuites"}, []string{"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
		[]string{"name", "tests", "failures", "errors"}},
	"testcase":   {[]string{"testsuite"}, []string{"name", "time", "classname", "group"}, []string{"name"}},
	"failure":    {[]string{"testcase"}, []string{"type", "message"}, nil},
	"skipped":    {[]string{"testcase"}, []string{"type", "message"}, nil},
	"system-out": {[]string{"testcase"}, nil, nil},
}

// junitSeen are the counts of a server.
type junitSeen struct{ tests, failures, skipped int }

// readJUnit checks the form of a report and counts its tests.
func readJUnit(t *testing.T, doc []byte) (declared, seen junitSeen, names map[string]int) {
	t.Helper()
	names = map[string]int{}
	dec, stack := xml.NewDecoder(bytes.NewReader(doc)), []string{""}
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return declared, seen, names
		}
		if err != nil {
			t.Fatal(err)
		}
		switch el := tok.(type) {
		case xml.StartElement:
			form, ok := junitForm[el.Name.Local]
			if !ok || !slices.Contains(form.in, stack[len(stack)-1]) {
				t.Errorf("<%s> stands in <%s>", el.Name.Local, stack[len(stack)-1])
			}
			attrs := map[string]string{}
			for _, a := range el.Attr {
				attrs[a.Name.Local] = a.Value
				if !slices.Contains(form.may, a.Name.Local) {
					t.Errorf("<%s> has the attribute %s", el.Name.Local, a.Name.Local)
				}
			}
			for _, m := range form.mandatory {
				if _, ok := attrs[m]; !ok {
					t.Errorf("<%s> lacks the attribute %s", el.Name.Local, m)
				}
			}
			switch el.Name.Local {
			case "testsuites":
				declared.tests, _ = strconv.Atoi(attrs["tests"])
				declared.failures, _ = strconv.Atoi(attrs["failures"])
			case "testsuite":
				n, _ := strconv.Atoi(attrs["skipped"])
				declared.skipped += n
			case "testcase":
				seen.tests++
				names[attrs["classname"]+"\x00"+attrs["name"]]++
			case "failure":
				seen.failures++
			case "skipped":
				seen.skipped++
			}
			stack = append(stack, el.Name.Local)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}

func TestJUnitForm(t *testing.T) {
	t.Parallel()
	p := page("a.md", "x\n")
	strange := sample()
	for range 3 { // GitLab and Jenkins take tests of one name for one
		strange.Findings = append(strange.Findings, at(p, "x", schema.Error, "same", "m"))
	}
	strange.Findings = append(strange.Findings, at(p, "x", schema.Error, "same", "m (2)"), at(p, "x", schema.Error, "control", "\x00\x0b\ufffe <&>\"'\xff"))
	for name, c := range map[string]struct {
		r    *Report
		want junitSeen
	}{
		"sample":     {sample(), junitSeen{9, 2, 4}},
		"strange":    {strange, junitSeen{14, 7, 4}},
		"clean":      {&Report{Rules: sampleRules()}, junitSeen{4, 0, 0}},
		"fail on":    {func() *Report { r := sample(); r.FailOn = schema.Warning; return r }(), junitSeen{9, 3, 4}},
		"suppressed": {&Report{Suppressed: []linter.Suppressed{{Diagnostic: at(p, "x", schema.Error, "r", "m"), By: linter.ByBaseline}}}, junitSeen{1, 0, 1}},
	} {
		var b bytes.Buffer
		if err := Write("junit", &b, c.r); err != nil {
			t.Fatal(err)
		}
		declared, seen, names := readJUnit(t, b.Bytes())
		if declared != seen || seen != c.want {
			t.Errorf("%s: declares %+v, holds %+v, want %+v", name, declared, seen, c.want)
		}
		for n, times := range names {
			if times > 1 {
				t.Errorf("%s: %d tests are called %q", name, times, n)
			}
		}
	}
}
