package temporal

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/run"
	"google.golang.org/protobuf/proto"
)

// With a key, nothing of a payload is readable in a history, and another key reads none of it.
func TestPayloadsAreSealed(t *testing.T) {
	t.Parallel()
	const key, other = "0123456789abcdef-one", "0123456789abcdef-two"
	dc, err := Converter(key)
	if err != nil {
		t.Fatal(err)
	}
	want := Work{Repository: "/repo", Step: run.StepRequest{First: 3, Events: []loops.Event{{Kind: loops.Noted, Why: "sesame-open-7391"}}}}
	p, err := dc.ToPayloads(want)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := proto.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"sesame", "events", "repo", "json"} {
		if strings.Contains(string(raw), text) {
			t.Errorf("the payload shows %q", text)
		}
	}
	var got Work
	if err := dc.FromPayloads(p, &got); err != nil || got.Step.Events[0].Why != want.Step.Events[0].Why {
		t.Errorf("%+v, %v", got, err)
	}
	for _, key := range []string{other, ""} {
		if dc, err = Converter(key); err != nil {
			t.Fatal(err)
		}
		if err := dc.FromPayloads(p, &got); err == nil || !strings.Contains(err.Error(), KeyVariable) {
			t.Errorf("read with the key %q: %v", key, err)
		}
	}
	if _, err := Converter("short"); err == nil || !strings.Contains(err.Error(), "openssl") {
		t.Errorf("a short key: %v", err)
	}
}

// What was written before there was a key is read with one.
func TestPlainPayloadsAreReadWithAKey(t *testing.T) {
	t.Parallel()
	plain, err := Converter("")
	if err != nil {
		t.Fatal(err)
	}
	p, err := plain.ToPayloads(Stop{By: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	dc, err := Converter("0123456789abcdef-one")
	if err != nil {
		t.Fatal(err)
	}
	var got Stop
	if err := dc.FromPayloads(p, &got); err != nil || got.By != "ada" {
		t.Errorf("%+v, %v", got, err)
	}
}
