package rules

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/secret"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "prompt-injection",
	Group:    linter.Hygiene,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A page tries to give instructions to the agents that read it.",
	Doc: `Agents may follow instructions in the pages they read. Text that tells them to ignore their instructions, to
hide something from their user, or that imitates a chat message was probably copied from an untrusted source.
Text in a comment, in a hidden element, in base64 or in tag characters is meant for agents only.

Find out where the text comes from, and remove it. Code and quotations are not checked. On a page about such
attacks, visible text is info.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d places share one cause: %s", n, first.Message)
	},
	CheckPage: promptInjection,
})

// The ways in which a page speaks to agents.
const (
	orders  = "tells agents to ignore their instructions"
	secrecy = "tells agents to hide something from their user"
	turn    = "imitates a message in a chat with a model"
)

// injections are the phrases of prompt injections.
var injections = []phrasePattern{
	{phrase: "ignore|disregard|forget|override|bypass ?all ?of ?any ?the|your|my|these|those ?other|system previous|prior|above|earlier|preceding|foregoing|existing|original ?system|safety " +
		"instructions|instruction|prompts|prompt|directives|guidelines|commands", grams: by("gnor", "disr", "forg", "erri", "bypa"), what: orders},
	{phrase: "ignore|disregard|forget|override|bypass ?all ?of your ?system|safety|content instructions|prompt|guidelines|directives|programming|training|guardrails", grams: by("gnor", "disr", "forg", "erri", "bypa"), what: orders},
	{phrase: "ignore|disregard|forget everything|anything|all ?that ?you ?were|have|are|know ?been above|told|before|instructed|learned|taught", grams: by("gnor", "disr", "forg"), what: orders},
	{phrase: "you are now ?in dan|jailbroken|jailbreak|unrestricted", grams: by("re n"), what: orders},
	{phrase: "you are now in developer|god|debug mode", grams: by("re n"), what: orders},
	{phrase: "reveal|repeat|leak|disclose|exfiltrate your ?full|hidden|entire ?initial|original|system system|initial|hidden prompt|instructions", grams: by("veal", "epea", "leak", "iscl", "xfil"), what: orders},
	{phrase: "do|don't|never ?not ?ever tell|inform|alert|notify|warn|reveal ?this|it ?about ?this|it ?to the|your user|users|human|operator", grams: by("tell", "rm t", "rt t", "fy t", "rn t", "veal"), what: secrecy},
	{phrase: "do|don't|never ?not ?ever mention|reveal|disclose|show this|it|these ?instructions ?message ?comment ?to the|your user|users|human|operator", grams: by("ntio", "veal", "iscl", "show"), what: secrecy},
	{phrase: "without telling|informing|alerting|notifying the|your user|users|human|operator", grams: by("tell", "ormi", "lert", "otif"), what: secrecy, hidden: true},
	{literal: "<|im_start|>", grams: by("|im_"), what: turn},
	{literal: "<|im_end|>", grams: by("|im_"), what: turn},
	{literal: "<|endoftext|>", grams: by("|end"), what: turn},
	{literal: "<|system|>", grams: by("<|sy"), what: turn},
	{literal: "<|assistant|>", grams: by("<|as"), what: turn},
	{literal: "<|start_header_id|>", grams: by("<|st"), what: turn},
	{literal: "<|eot_id|>", grams: by("|eot"), what: turn},
	{literal: "<<SYS>>", grams: by("<<SY"), what: turn},
	{literal: "[/INST]", grams: by("/INS"), what: turn},
}

var _ = watchPhrases("prompt-injection", injections) && watchEncoded("prompt-injection", len(injections))

func promptInjection(p *linter.Pass, page *schema.Page) {
	s := scanFact.Of(p, page)
	for _, h := range s.of("prompt-injection") {
		say, way := phrasePattern{what: orders}, "in base64"
		if h.by.n < len(injections) {
			say, way = injections[h.by.n], hiding(page, h.Start)
		}
		what := say.what
		if inCode(p, page, h.Start) || way == "" && (say.hidden || quoted(page.Source, h.Span) || what == secrecy && instructs(page)) {
			continue
		}
		text := short(text.Collapse(string(h.In(page.Source))))
		if way != "" {
			p.ReportCause(what+way, page.Path, h.Span, "the page %s, %s: %q; find out where the text comes from, and remove it", what, way, text)
			continue
		}
		d := p.ReportCause(what, page.Path, h.Span, "the page %s: %q; quote it if it is an example, otherwise remove it", what, text)
		if what == secrecy || aboutAttacks(page) {
			d.Severity = schema.Info
		}
	}
	for _, r := range oddRuns(page.Source, s.odd) {
		if said := r.hidden(page.Source); said != "" && injects([]byte(said)) {
			p.Report(page.Path, r.Span, "the page %s, in invisible characters: %q; remove it", orders, short(said))
		}
	}
}

// injects reports whether text contains a prompt injection.
func injects(text []byte) bool {
	s := scanPage(&schema.Page{Source: text})
	return len(s.of("prompt-injection")) > 0
}

// instructs reports whether a page is there to instruct agents, so that it
// may well tell them how to speak to people.
func instructs(page *schema.Page) bool {
	lower := strings.ToLower(page.Path)
	return conventions(page) || strings.Contains(lower, "instructions") || strings.Contains(lower, "prompt") || strings.Contains(lower, "skills/") || strings.Contains(lower, "agents/")
}

// aboutAttacks reports whether the title, the tags or the path of a page say
// that it is about such text.
func aboutAttacks(page *schema.Page) bool {
	about := strings.ToLower(page.Path + " " + page.Title)
	for _, t := range page.Tags {
		about += " " + strings.ToLower(t.Name)
	}
	for _, word := range []string{"injection", "jailbreak", "adversarial", "red team", "red-team", "redteam", "prompt attack", "guardrail", "security", "threat", "owasp", "poisoning"} {
		if strings.Contains(about, word) {
			return true
		}
	}
	return false
}

// hiding returns how the page hides the text at offset from readers, or "".
func hiding(page *schema.Page, offset int) string {
	if commented(page, offset) {
		return "in a comment"
	}
	b := before(page.Source, offset)
	for i := bytes.LastIndexByte(b, '<'); i >= 0; i = bytes.LastIndexByte(b[:i], '<') {
		tag, _, closed := bytes.Cut(b[i:], []byte(">"))
		if bytes.HasPrefix(tag, []byte("</")) {
			return ""
		}
		if closed && unseen(string(tag)) {
			return "in a hidden element"
		}
	}
	return ""
}

// unseen reports whether an opening tag hides its content.
func unseen(tag string) bool {
	t := strings.ReplaceAll(strings.ToLower(tag), " ", "")
	for _, style := range []string{"display:none", "visibility:hidden", "font-size:0", "font-size:1px", "opacity:0;", "opacity:0\"", "color:white", "color:#fff", "color:transparent", "aria-hidden=\"true\"style="} {
		if strings.Contains(t, style) {
			return true
		}
	}
	return strings.HasSuffix(t, "hidden") || strings.Contains(strings.ToLower(tag), " hidden ")
}

// encodedWord is in every text that is looked for in base64: in "instructions"
// and "instruction". There it can begin at each of the three bytes of a group.
const encodedWord = "nstruction"

// watchEncoded watches for the word in base64, once for each way to begin it.
func watchEncoded(rule string, n int) bool {
	for lead := range 3 {
		text := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x00", lead) + encodedWord))
		from, to := (lead*8+5)/6, (lead+len(encodedWord))*8/6 // the letters that nothing else takes part in
		watch(rule, n, encoded([]byte(text[from:to]), from), text[from:from+4])
	}
	return true
}

// longestEncoded bounds how much of a run of base64 is read to either side.
const longestEncoded = 300

// encoded returns a matcher for base64 that decodes to a prompt injection. It finds the
// run by word, which begins from letters after the start of a group of four.
func encoded(word []byte, from int) func(src []byte, at int) (schema.Span, bool) {
	return func(src []byte, at int) (schema.Span, bool) {
		group := at - from
		if group < 0 || !bytes.HasPrefix(src[at:], word) {
			return schema.Span{}, false
		}
		start, end := at, at
		for start > 0 && at-start < longestEncoded && secret.Base64Std[src[start-1]] {
			start--
		}
		for end < len(src) && end-at < longestEncoded && secret.Base64Std[src[end]] && src[end] != '=' {
			end++
		}
		first := group - (group-start)/4*4 // the first group that is whole
		if first < start {
			return schema.Span{}, false
		}
		plain, err := base64.RawStdEncoding.DecodeString(string(src[first : first+(end-first)/4*4]))
		return schema.Span{Start: start, End: end}, err == nil && injects(plain)
	}
}
