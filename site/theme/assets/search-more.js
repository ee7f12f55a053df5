// What a search seldom needs: the words that a mistyped one may stand for, the words around
// a hit, phrases, marks on the page that a result led to, the page for searching, and the
// answers of wiki serve. s is the search.
self["wiki.search-more"] = (s) => {
  "use strict";
  const { stem, said, place, expand, chunks, value, spans, parse, unspaced } = s, END = "\u{10ffff}";

  // The terms that share the first or the last letters with a word: to how frequent they are.
  async function near(index, head, tail) {
    const sides = await index.file((await index.root).lexicon, JSON.parse), out = new Map();
    const turned = (s) => [...s].reverse().join("");
    for (const [side, key, turn] of [[sides.Heads, head, String], [sides.Tails, turned(tail), turned]]) {
      const firsts = expand(side.Firsts), names = chunks(side.Names, 6), all = [];
      for (let i = Math.max(0, place(firsts, key)); i <= place(firsts, key + END); i++) all.push(index.file(names[i], String));
      for (const text of await Promise.all(all)) {
        const [terms, frequent] = text.split(",");
        expand(terms).forEach((t, i) => { if (t.startsWith(key)) out.set(turn(t), value(frequent[i])); });
      }
    }
    return out;
  }

  // How many edits lie between two words, at most max + 1; swapped neighbours are one.
  function distance(a, b, max) {
    if (Math.abs(a.length - b.length) > max) return max + 1;
    let before = [], last = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
      const row = [i];
      let best = i;
      for (let j = 1; j <= b.length; j++) {
        let v = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] !== b[j - 1]));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) v = Math.min(v, before[j - 2] + 1);
        row.push(v);
        if (v < best) best = v;
      }
      if (best > max) return max + 1;
      before = last;
      last = row;
    }
    return last[b.length];
  }

  const points = (a, b) => { // the order of code points, where that of scripts is by units
    for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a.codePointAt(i) - b.codePointAt(i);
    return a.length - b.length;
  };
  async function nearest(index, word) {
    const { length } = [...word], kept = length < 7 ? 2 : 3;
    let max = length >= 7 ? 2 : length >= 4 ? 1 : 0, best = [];
    if (!max || length > 24) return [];
    const chars = [...word];
    for (const [term, frequent] of await near(index, chars.slice(0, kept).join(""), chars.slice(-kept).join(""))) {
      const d = distance(word, term, max);
      if (d < max) { max = d; best = []; }
      if (d === max) best.push([term, frequent]);
    }
    best.sort((a, b) => b[1] - a[1] || points(a[0], b[0]));
    return Promise.all(best.slice(0, 5).map(async ([term]) => (await index.home(stem(term))).get(term)));
  }

  function excerpt(text, marks, size = 170) {
    const found = spans(text, marks);
    if (!found.length) return null;
    let at = 0, most = 0;
    found.forEach(([from], i) => {
      let n = i;
      while (n < found.length && found[n][1] - from < size) n++;
      if (n - i > most) { most = n - i; at = from; }
    });
    // From the beginning of a sentence, unless none begins shortly before.
    let from = Math.max(0, at - 90);
    if (from > 0) {
      const end = /[.!?]\s+|[。！？]\s*/.exec(text.slice(from, at));
      from = end ? from + end.index + end[0].length : text.indexOf(" ", at - 50) + 1 || at - 50;
    }
    if (from > at) from = at;
    let to = Math.min(text.length, from + size);
    if (to < text.length) to = Math.max(text.lastIndexOf(" ", to), at + 1);
    return { text: (from > 0 ? "…" : "") + text.slice(from, to).trim() + (to < text.length ? "…" : ""), count: most };
  }

  // Pages that were read, as their sections.
  const pages = new Map();
  const read = (href) => {
    if (!pages.has(href)) pages.set(href, fetch(href).then((r) => (r.ok ? r.text() : "")).then((html) => sections(html)));
    return pages.get(href);
  };
  // improve shows the words of a page that answer best below its result.
  async function improve(result, marks, option) {
    let best = null;
    for (const { text } of await read(result.plain)) {
      const e = excerpt(text, marks);
      if (e && (!best || e.count > best.count)) best = e;
    }
    if (best && option.isConnected) option.querySelector("p").replaceChildren(s.marked(best.text, marks));
  }
  function sections(html) {
    const out = [{ id: "", heading: "", text: "" }];
    const article = new DOMParser().parseFromString(html, "text/html").querySelector("body > .frame > main > .prose");
    article?.querySelectorAll(".embed, .anchor, sup, .footnotes").forEach((e) => e.remove());
    article?.querySelectorAll("p, li, td, th, dt, dd, summary, br").forEach((e) => e.after(" "));
    for (const e of article?.children ?? []) {
      if (/^H[1-6]$/.test(e.tagName)) out.push({ id: e.id, heading: e.textContent, text: "" });
      else out.at(-1).text += " " + e.textContent.replace(/\s+/g, " ");
    }
    return out;
  }

  // phrased keeps the results that have all phrases: the index says which pages have their
  // words, and only the page whether in that order. Pages opened from a disk may not read others.
  async function phrased(found, results) {
    const says = await Promise.all(results.map(async (result) => {
      const texts = [result.title, ...(await read(result.plain)).flatMap((s) => [s.heading, s.text])].map((t) => ` ${said(t).join(" ")} `);
      return found.phrases.every((p) => texts.some((t) => t.includes(` ${p.join(" ")} `)));
    }));
    const kept = results.filter((_, i) => says[i]);
    return { ...found, more: found.more || found.total > results.length, total: kept.length, results: kept };
  }

  // On a page that a result led to: marks what was asked for, and shows the first of it
  // unless the address names a section.
  function mark(main) {
    const url = new URL(location.href), asked = parse(url.searchParams.get("mark")).words.filter((w) => !w.part);
    url.searchParams.delete("mark");
    try { history.replaceState(history.state, "", url); } catch { /* a page opened from a disk */ }
    const prose = main.querySelector(":scope > .prose");
    if (!prose || !self.Highlight) return;
    const long = asked.filter((w) => w.text.length > 3 || unspaced(w.text) || w.exact);
    const marks = (long.length ? long : asked).map((w) => ({ has: (t) => t === w.text || stem(t) === stem(w.text) || w.open && t.startsWith(w.text) }));
    const walker = document.createTreeWalker(prose, NodeFilter.SHOW_TEXT), ranges = [];
    for (let node = walker.nextNode(); node && ranges.length < 500; node = walker.nextNode()) {
      for (const [from, to] of spans(node.data, marks)) {
        const range = new Range();
        range.setStart(node, from);
        range.setEnd(node, to);
        ranges.push(range);
      }
    }
    CSS.highlights.set("wiki-hit", new Highlight(...ranges));
    const first = ranges.find((r) => r.getClientRects().length);
    if (first && !location.hash && first.getBoundingClientRect().bottom > innerHeight) first.startContainer.parentElement.scrollIntoView({ block: "center" });
  }
  // served asks the server, which has an index of its own.
  async function served(text, limit, to) {
    const answer = await fetch(`${s.root}_wiki/search?n=${limit}&q=${encodeURIComponent(text)}`);
    if (!answer.ok) throw new Error("search " + answer.status);
    const { total, results, indexing } = await answer.json();
    const marks = parse(text).words.map((w) => ({ has: (t) => t === w.text || stem(t) === stem(w.text) || w.open && t.startsWith(w.text) }));
    return { total, indexing, marks, results: (results ?? []).map((r) => ({
      title: r.title, folder: (r.path ?? "").split("/").slice(0, -1).join(" / "), status: r.status, href: to(r.href), sections: [],
      snippet: (r.snippet ?? "").replace(/<\/?mark>/g, ""),
    })) };
  }

  // The page for searching, search.html?q=.
  function page(main) {
    const [form, results, rest] = [".ask", "#wiki\\.search-results", "#wiki\\.search-fallback"].map((part) => main.querySelector(":scope > " + part));
    const input = form.querySelector("input");
    const said = s.make("p", { class: "said", role: "status", "aria-live": "polite" });
    const list = s.make("ul", { class: "hits", role: "listbox", "aria-label": s.words.hint });
    results.append(said, list);
    form.hidden = false;
    const run = s.attach(input, said, list, 20);
    const settle = () => { rest.hidden = input.value.trim() !== ""; };
    input.addEventListener("input", () => {
      settle();
      const url = new URL(location.href);
      if (input.value) url.searchParams.set("q", input.value); else url.searchParams.delete("q");
      try { history.replaceState(null, "", url); } catch { /* a page opened from a disk */ }
    });
    form.addEventListener("submit", (e) => e.preventDefault());
    input.value = new URLSearchParams(location.search).get("q") ?? input.defaultValue;
    settle();
    run();
    input.focus();
  }

  return { nearest, excerpt, improve, phrased, mark, served, page };
};
