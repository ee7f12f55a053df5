package rules

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "agent-residue",
	Group:    linter.Hygiene,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A page contains leftovers of an agent's chat or tool output.",
	Doc: `An answer was pasted as it came, with the text around it: "Here is the updated page", a refusal, a tool call
tag, a citation marker that only works in the chat, an unfilled placeholder. Readers conclude that nobody
reviewed the page. A line such as ` + "`[rest of the page unchanged]`" + ` is worse: the original text is lost, and only
git still has it.

Remove the text, or restore what it replaced. Code, quotations and raw sources are not checked. A tracking
parameter in a URL (` + "`utm_source=chatgpt.com`" + `) does no harm and is reported as info.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d places share one cause: %s", n, first.Message)
	},
	CheckPage: agentResidue,
})

// residues are leftovers of agents, worded so that people don't write them, or don't
// begin a line with them.
var residues = []phrasePattern{
	{phrase: "as an|a ai ?language|powered model|assistant|system i", grams: by("lang", "assi"), what: toReader},
	{phrase: "as an ai i|i'm|my", grams: by("n ai"), what: toReader},
	{phrase: "as a large language model i|i'm|my", grams: by("rge ", "e la"), what: toReader},
	{phrase: "as of my ?last|latest knowledge|training update|cutoff|cut|data", grams: by("f my"), what: toReader},
	{phrase: "my knowledge cutoff|cut", grams: by("cuto", "cut-"), what: toReader},
	{phrase: "i can't|cannot fulfill|assist|comply|help ?with that|this|your request", grams: by("n't ", "nnot"), what: toReader},
	{phrase: "i don't|cannot|can't ?do ?not have access to real time", grams: by("l-ti", "l ti"), what: toReader},
	{phrase: "^certainly here|below|let|i'll|i", grams: by("\ncer"), what: opening},
	{phrase: "^sure here|here's|let|i'll", grams: by("\nsur"), what: opening},
	{phrase: "^absolutely here|here's|let|i'll", grams: by("\nabs"), what: opening},
	{phrase: "^of course here|here's|let|i'll", grams: by("\nof "), what: opening},
	{phrase: "^here|here's ?is ?are ?the|your|an|a updated|revised|rewritten|completed|improved|corrected|modified|refined|cleaned|polished ?and ?up ?full ?markdown ?wiki " +
		"page|file|document|article|markdown|content|version|section|readme|summary", grams: by("\nher", "here"), what: opening},
	{phrase: "^here|here's ?is the complete|full|final page|file|document|article|markdown|content|readme", grams: by("\nher"), what: opening},
	{phrase: "^i'll|i ?will now create|write|update|generate|add|draft|fix|start|begin|proceed", grams: by("\ni'l", "\ni\xe2\x80", "\ni w"), what: announcing},
	{phrase: "^now i'll|i'm|let ?will ?going ?to ?me create|write|update|generate|add|check|read|verify", grams: by("\nnow"), what: announcing},
	{phrase: "^let me ?now|first|also create|write|update|check|read|verify|search the|this|for", grams: by("\nlet"), what: announcing},
	{phrase: "^would you like me to", grams: by("\nwou"), what: closing},
	{phrase: "^let me know if you'd|you ?would ?want|like me to", grams: by("\nlet"), what: closing},
	{phrase: "let me know if you'd|you ?would like|need|want ?me ?to ?make ?any further|additional|more changes|adjustments|modifications|revisions|edits", grams: by("urth", "ddit", "y mo"), what: closing},
	{phrase: "^i hope this helps", grams: by("\ni h"), what: closing},
	{phrase: "^chatgpt said", grams: by("\ncha"), what: "a turn of a chat"},
	{literal: "</invoke>", grams: by("voke"), what: callTag},
	{literal: "<invoke name=", grams: by("voke"), what: callTag},
	{literal: "function_calls>", grams: by("_cal"), what: callTag},
	{literal: "function_results>", grams: by("n_re"), what: callTag},
	{literal: "<tool_call>", grams: by("_cal"), what: callTag},
	{literal: "</tool_call>", grams: by("_cal"), what: callTag},
	{literal: "<tool_response>", grams: by("l_re"), what: callTag},
	{literal: "<think>", grams: by("<thi"), what: thinkTag},
	{literal: "</think>", grams: by("/thi"), what: thinkTag},
	{literal: "<thinking>", grams: by("<thi"), what: thinkTag},
	{literal: "</thinking>", grams: by("/thi"), what: thinkTag},
	{literal: "<antthinking>", grams: by("<ant"), what: thinkTag},
	{literal: "</antartifact>", grams: by("ntar"), what: callTag},
	{literal: ":contentReference[oaicite:", grams: by("oaic"), what: chatReference},
	{literal: "[oai_citation:", grams: by("oai_"), what: chatReference},
	{literal: "[your name]", grams: by("[you"), what: unfilled},
	{literal: "[your company]", grams: by("[you"), what: unfilled},
	{literal: "[your company name]", grams: by("[you"), what: unfilled},
	{literal: "[company name]", grams: by("[com"), what: unfilled},
	{literal: "[insert date]", grams: by("[ins"), what: unfilled},
	{literal: "[insert name]", grams: by("[ins"), what: unfilled},
	{literal: "[insert link]", grams: by("[ins"), what: unfilled},
	{literal: "utm_source=chatgpt.com", grams: by("utm_"), what: tracked},
	{literal: "utm_source=openai", grams: by("utm_"), what: tracked},
	{literal: "utm_source=perplexity", grams: by("utm_"), what: tracked},
	{literal: "utm_source=copilot.com", grams: by("utm_"), what: tracked},
	{phrase: "rest|remainder of ?the|this file|page|document|content|article|section|sections|text|code ?is|are|remains|remain|stays ?the unchanged|same|as", grams: by("unch", "same"), what: elided},
	{phrase: "existing|previous|remaining|other content|text|sections|code ?is|are|remains|remain|stays ?here unchanged", grams: by("unch"), what: elided},
}

// What is residue of, for the message and to tell the kinds apart.
const (
	toReader      = "an agent's remark about itself"
	opening       = "the opening line of an agent's answer"
	announcing    = "an agent's announcement of its next step"
	closing       = "the closing line of an agent's answer"
	callTag       = "a tool call tag"
	thinkTag      = "a thinking tag of an agent"
	chatReference = "a citation marker that works only in the chat it came from"
	unfilled      = "an unfilled placeholder"
	tracked       = "a tracking parameter of a chat in a URL"
	elided        = "text omitted when the page was rewritten"
)

var _ = watchPhrases("agent-residue", residues) && watch("agent-residue", len(residues), searchTurn, searchGrams()...)

// searchGrams are the ends of turn0search1, turn12view0 and the like.
func searchGrams() []string {
	var out []string
	for _, end := range []string{"rch", "iew", "ews", "ile", "tch"} {
		for d := '0'; d <= '9'; d++ {
			out = append(out, end+string(d))
		}
	}
	return out
}

// searchTurn finds a chat's name for a search result: turn, a number, a kind, a number.
func searchTurn(src []byte, at int) (schema.Span, bool) {
	start := at
	for start > 0 && at-start < 20 && asciiWord[src[start-1]&0x7f] {
		start--
	}
	b := src[start:min(len(src), at+4)]
	if i := bytes.LastIndex(b, []byte("turn")); i > 0 { // behind "cite"
		start += i
		b = b[i:]
	}
	rest, ok := bytes.CutPrefix(b, []byte("turn"))
	kind := bytes.TrimLeft(rest, "0123456789")
	if !ok || len(kind) == len(rest) {
		return schema.Span{}, false
	}
	switch string(kind[:len(kind)-1]) {
	case "search", "view", "news", "file", "fetch":
		return schema.Span{Start: start, End: at + 4}, true
	}
	return schema.Span{}, false
}

func agentResidue(p *linter.Pass, page *schema.Page) {
	if page.Layer == schema.LayerSource {
		return
	}
	wrapped(p, page)
	s := scanFact.Of(p, page)
	for _, h := range s.of("agent-residue") {
		what := chatReference
		if h.by.n < len(residues) {
			what = residues[h.by.n].what
		}
		if inCode(p, page, h.Start) || !residual(page, h.Span, what) {
			continue
		}
		d := p.ReportCause(what, page.Path, h.Span, "%s: %q; %s", what, short(string(h.In(page.Source))), residueRemedy(what))
		if what == tracked {
			d.Severity = schema.Info
		}
	}
	for _, at := range s.odd {
		chatMark(p, page, at)
	}
}

func residueRemedy(what string) string {
	switch what {
	case elided:
		return "restore the text from git"
	case unfilled:
		return "fill it in"
	case tracked:
		return "remove the parameter from the URL"
	}
	return "remove it"
}

// inMenu reports whether a place is next to the separator of menu entries: Settings >
// [Your Name].
func inMenu(src []byte, at schema.Span) bool {
	before, after := bytes.TrimRight(src[:at.Start], " *_`"), bytes.TrimLeft(src[at.End:], " *_`")
	for _, sign := range []string{">", "→", "›", "»"} {
		if line := bytes.TrimLeft(before[bytes.LastIndexByte(before, '\n')+1:], " "); bytes.HasSuffix(before, []byte(sign)) && len(line) > len(sign) || bytes.HasPrefix(after, []byte(sign)) {
			return true
		}
	}
	return false
}

// residual reports whether a match is a leftover in its context.
func residual(page *schema.Page, at schema.Span, what string) bool {
	src := page.Source
	switch what {
	case tracked, callTag, chatReference:
		return true
	case thinkTag:
		return !quoted(src, at)
	case unfilled:
		// A label is a link's, a template's blanks are its purpose, and a menu shows one.
		return !template(page) && !quoted(src, at) && !inMenu(src, at) && (at.End == len(src) || src[at.End] != '(' && src[at.End] != '[' && src[at.End] != ':')
	case elided:
		return inBrackets(src, at)
	case announcing:
		return !page.Reserved() && !diary(page) && !quoted(src, at)
	}
	return !quoted(src, at)
}

// diary reports whether a page records what was done and said, by its folder.
func diary(page *schema.Page) bool {
	for dir := range strings.SplitSeq(strings.ToLower(page.Path), "/") {
		for _, word := range []string{"log", "logs", "journal", "transcripts", "sessions", "chats", "conversations"} {
			if strings.TrimLeft(dir, "0123456789_-") == word {
				return true
			}
		}
	}
	return false
}

// inBrackets reports whether the line says nothing else, in brackets, in a
// comment or between dots.
func inBrackets(src []byte, at schema.Span) bool {
	line, _ := lineOfText(src, at.Start)
	line = bytes.Trim(line, " \t\r*_")
	if len(line) > 120 {
		return false
	}
	for _, open := range []string{"[", "(", "<!--", "...", "\u2026", "{/*", "%%"} {
		if bytes.HasPrefix(line, []byte(open)) {
			return true
		}
	}
	return false
}

// wrapped reports a page that is, as a whole, one block of markdown code: an
// agent's answer with the fence it came in.
func wrapped(p *linter.Pass, page *schema.Page) {
	if len(page.Fences) != 1 || len(page.Headings) > 0 || page.Front != nil {
		return
	}
	f := page.Fences[0]
	if f.Language != "markdown" && f.Language != "md" {
		return
	}
	outside := len(bytes.TrimSpace(page.Source[:f.Span.Start])) + len(bytes.TrimSpace(page.Source[min(f.Span.End, len(page.Source)):]))
	if outside > 0 || f.Content.Len() < 40 {
		return
	}
	first := page.Lines.Line(page.Lines.Position(f.Span.Start).Line)
	p.Report(page.Path, first, "the whole page is one code block, so its headings and links are ignored; remove the fence")
}

// chatMark reports the signs that a chat puts around its references: dagger
// brackets, and characters of the private area.
func chatMark(p *linter.Pass, page *schema.Page, at int) {
	src := page.Source
	var span schema.Span
	switch {
	case bytes.HasPrefix(src[at:], []byte("\u2020")):
		from := max(0, at-12)
		i := bytes.LastIndex(src[from:at], []byte("\u3010"))
		end := bytes.Index(src[at:min(len(src), at+80)], []byte("\u3011"))
		if i < 0 || end < 0 || len(bytes.Trim(src[from+i+len("\u3010"):at], "0123456789:")) > 0 {
			return
		}
		span = schema.Span{Start: from + i, End: at + end + len("\u3011")}
	case bytes.HasPrefix(src[at:], []byte("\ue200")):
		end := bytes.Index(src[at:min(len(src), at+200)], []byte("\ue201"))
		if end < 0 {
			return
		}
		span = schema.Span{Start: at, End: at + end + len("\ue201")}
	default:
		return
	}
	if !inCode(p, page, span.Start) {
		p.ReportCause(chatReference, page.Path, span, "%s; remove it, or replace it with a link", chatReference)
	}
}
