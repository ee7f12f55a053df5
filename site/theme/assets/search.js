// Search: the index (see site/search for its format), the ranking, the dialog.
self["wiki.search"] = (() => {
  "use strict";

  // Words. The program that makes the index has the same rules; both are
  // tested with the same vectors.
  const WORD = "[\\p{L}\\p{N}\\p{M}_]";
  const UNSPACED = `(?=${WORD})[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー]`;
  const SPACED = `(?:(?!${UNSPACED})${WORD})`;
  const RUNS = new RegExp(`(?:${UNSPACED})+|(?:(?<!${WORD}|\\.)\\.(?=\\p{L}))?${SPACED}+(?:-${SPACED}+)*(?:(?:\\+\\+|#)(?!${SPACED}|[+#]))?`, "gu");
  const FIRST = new RegExp("^" + UNSPACED, "u");
  const unspaced = (run) => FIRST.test(run);
  const LETTERS = { "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ı": "i", "ς": "σ" };
  const fold = (s) => s.normalize("NFKC").toLowerCase().normalize("NFD")
    .replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g, "")
    .replace(/[ßæœøđðþłħıς]/g, (c) => LETTERS[c]).normalize("NFC");
  const cut = (s) => (s.length <= 40 ? s : [...s].slice(0, 40).join(""));

  const identifier = (word) => word.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1_").replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1_").split(/[-_.+#]/).filter(Boolean);
  const plain = (word) => cut(fold(word.replace(/^_+|_+$/g, "")));
  // The terms of a word: the whole, and the parts of an identifier.
  function wordTerms(word) {
    const whole = word.replace(/^_+|_+$/g, ""), parts = identifier(whole);
    return [whole, ...(parts.length > 1 || parts[0] !== whole ? parts : [])].map((p) => cut(fold(p))).filter(Boolean);
  }
  function pairs(run) {
    const chars = [...fold(run)];
    return chars.length === 1 ? chars : chars.slice(1).map((c, i) => chars[i] + c);
  }
  // What a text asks for: [{ text, part, open }].
  function queryWords(text) {
    return (text.normalize("NFKC").match(RUNS) ?? []).flatMap((run) => (unspaced(run)
      ? pairs(run).map((text) => ({ text, open: [...text].length === 1 }))
      : wordTerms(run).map((text, i) => ({ text, part: i > 0 }))));
  }
  // The words of a text in order, as a phrase has them.
  const said = (text) => (text.normalize("NFKC").match(RUNS) ?? []).flatMap((run) => (unspaced(run) ? pairs(run) : run.split("-").map(plain).filter(Boolean)));

  // What forms of an English word have in common.
  function stem(word) {
    if (!/^[a-z]+$/.test(word)) return word;
    let w = word.length > 3 && /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
    const head = w.match(/^(.{3,})(ing|ed|er)$/)?.[1];
    if (head && /[aeiouy]/.test(head)) w = /([^aeiouls])\1$/.test(head) ? head.slice(0, -1) : head;
    if (w.length > 3) w = w.replace(/e$/, "");
    return w.length > 2 ? w.replace(/y$/, "i") : w;
  }
  // A query: words, and phrases in quotes, of which the last may be open.
  function parse(text) {
    const phrases = [];
    const rest = text.replace(/"([^"]*)"?|“([^”]*)”?|「([^」]*)」?/g, (_, a, b, c) => {
      const phrase = said(a ?? b ?? c).slice(0, 24);
      if (phrase.length) phrases.push(phrase);
      return " ";
    });
    const words = queryWords(rest);
    if (/[\p{L}\p{N}\p{M}_]$/u.test(rest)) for (let i = words.length - 1; i >= 0; i--) if (words[i].open = true, !words[i].part) break;
    words.unshift(...phrases.flat().map((text) => ({ text, exact: true })));
    return { phrases, words: words.filter((w, i) => !words.some((o, j) => o.text === w.text && (w.part && !o.part || !w.part === !o.part && j > i))).slice(0, 24) };
  }
  function slug(text) {
    return text.toLowerCase().replace(/[^\p{L}\p{Nd}\p{M}_\- ]/gu, "").replace(/ /g, "-");
  }

  // The index.
  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const VALUE = new Map([...DIGITS].map((c, i) => [c, i]));
  function expand(text, sep) {
    if (text === "") return [];
    let last = [];
    return text.split(sep).map((s) => {
      last = last.slice(0, VALUE.get(s[0])).concat([...s.slice(1)]);
      return last.join("");
    });
  }
  function eachNumber(text, f) {
    for (let i = 0; i < text.length; ) {
      let v = 0, shift = 1, d;
      do {
        d = VALUE.get(text[i++]);
        v += (d & 31) * shift;
        shift *= 32;
      } while (d >= 32);
      f(v);
    }
  }
  const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  function open(file) {
    if (file.version !== 2) throw new Error("search index of version " + file.version);
    const hrefs = expand(file.hrefs, "\n");
    const postings = file.postings.split(" ");
    // Sorted here once more: Go sorts by bytes, a script by UTF-16 units.
    const terms = expand(file.terms, " ").map((t, i) => [t, postings[i]]).sort((a, b) => order(a[0], b[0]));
    const starts = [0], lengths = [];
    for (const list of file.units.split(" ")) {
      eachNumber(list, (n) => lengths.push(n));
      starts.push(lengths.length);
    }
    return {
      count: hrefs.length, hrefs, terms: terms.map((t) => t[0]), postings: terms.map((t) => t[1]), starts, lengths,
      titles: file.titles.split("\n"), folders: expand(file.folders, "\n"),
      summaries: file.summaries.split("\f"), headings: file.headings.split("\f"), past: file.past ?? {},
    };
  }
  function lowerBound(terms, t) {
    let lo = 0, hi = terms.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (terms[mid] < t) lo = mid + 1; else hi = mid;
    }
    return lo;
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

  // The terms of the index that a word of the query stands for: place to weight.
  function meanings(index, word) {
    const { terms } = index, { text } = word;
    const out = new Map();
    const at = lowerBound(terms, text);
    if (terms[at] === text) out.set(at, 1);
    if (word.exact) return out;
    const root = stem(text);
    if (root.length > 2) {
      const head = root.slice(0, -1);
      for (let i = lowerBound(terms, head); i < terms.length && terms[i].startsWith(head); i++) {
        if (!out.has(i) && terms[i].length <= root.length + 8 && stem(terms[i]) === root) out.set(i, 0.7);
      }
    }
    if (word.open) {
      for (let i = at; i < terms.length && terms[i].startsWith(text); i++) if (!out.has(i)) out.set(i, 0.5 + 0.3 * (text.length / terms[i].length));
    }
    if (!out.size && !word.part) {
      let max = text.length >= 7 ? 2 : text.length >= 4 ? 1 : 0;
      for (let i = 0; max && i < terms.length; i++) {
        const d = distance(text, terms[i], max);
        if (d < max) { max = d; out.clear(); }
        if (d === max) out.set(i, 0.7);
      }
    }
    return out;
  }

  // search returns the numbers of the best documents, best first, with the section
  // that answers best; marks has one set of terms for every word.
  function search(index, text, limit) {
    const { words, phrases } = parse(text);
    const { count, starts, lengths } = index;
    const total = lengths.reduce((sum, n) => sum + n, 0), unitMean = Math.max(1, total / lengths.length), docMean = Math.max(1, total / count);
    const saturated = (weight, length) => weight / (weight + 1.2 * (1 - 0.9 + 0.9 * length));
    const score = new Float64Array(count), seen = new Uint16Array(count), refused = new Uint8Array(count), best = new Uint32Array(count);
    const units = new Float64Array(lengths.length), found = new Float64Array(lengths.length);
    const marks = [];
    for (const word of words) {
      const list = meanings(index, word);
      marks.push(new Set([...list.keys()].map((i) => index.terms[i])));
      found.fill(0);
      for (const [place, weight] of list) {
        let unit = 0;
        eachNumber(index.postings[place], (v) => {
          unit += Math.floor(v / 16);
          found[unit] += weight * (v % 16);
        });
      }
      const sums = new Float64Array(count), sizes = new Float64Array(count);
      let df = 0;
      for (let doc = 0; doc < count; doc++) {
        for (let u = starts[doc]; u < starts[doc + 1]; u++) { sums[doc] += found[u]; sizes[doc] += lengths[u]; }
        if (sums[doc] > 0) { df++; seen[doc] += word.part ? 0 : 1; } else if (word.exact) refused[doc] = 1;
      }
      const idf = Math.log(1 + (count - df + 0.5) / (df + 0.5)) * (word.part ? 0.5 : 1);
      for (let doc = 0; doc < count; doc++) {
        if (sums[doc] === 0) continue;
        score[doc] += idf * saturated(sums[doc], sizes[doc] / docMean);
        for (let u = starts[doc]; u < starts[doc + 1]; u++) if (found[u] > 0) units[u] += idf * saturated(found[u], lengths[u] / unitMean);
      }
    }
    const asked = said(text).join(" ");
    const whole = words.filter((w) => !w.part).length;
    let all = 0;
    const docs = [];
    for (let doc = 0; doc < count; doc++) {
      if (!score[doc] || refused[doc]) continue;
      docs.push(doc);
      if (seen[doc] >= whole) all++;
      best[doc] = starts[doc];
      for (let u = starts[doc]; u < starts[doc + 1]; u++) if (units[u] > units[best[doc]]) best[doc] = u;
      score[doc] += units[best[doc]];
      if (said(index.titles[doc]).join(" ") === asked) score[doc] *= 1.5;
      if (index.past[doc]) score[doc] *= 0.3;
    }
    docs.sort((a, b) => score[b] - score[a] || a - b);
    return { total: docs.length, hits: docs.slice(0, limit), marks, phrases, best, any: words.length > 0 && !all };
  }

  // The heading of the section of a document that answers best.
  function bestHeading(index, doc, best) {
    const line = index.headings[doc].split("\n")[best[doc] - index.starts[doc] - 1];
    if (!line) return null;
    const [text, id] = line.split("\t");
    return { text, id: id ?? slug(text) };
  }

  // Where in text the marks stand: [from, to) of every one of them, in order.
  function spans(text, marks) {
    const out = [];
    const has = (terms) => marks.some((m) => terms.some((t) => m.has(t)));
    for (const { 0: run, index } of text.matchAll(RUNS)) {
      if (!unspaced(run)) {
        if (has(wordTerms(run))) out.push([index, index + run.length]);
        continue;
      }
      const chars = [...run];
      let at = index;
      chars.forEach((c, i) => {
        const pair = c + (chars[i + 1] ?? "");
        if (has([fold(pair)])) out.push([at, at + pair.length]);
        at += c.length;
      });
    }
    out.sort((a, b) => a[0] - b[0]);
    return out.reduce((list, s) => {
      const last = list.at(-1);
      if (last && s[0] <= last[1]) last[1] = Math.max(last[1], s[1]); else list.push(s);
      return list;
    }, []);
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

  const engine = { fold, queryWords, said, stem, slug, index: open, search, bestHeading, excerpt, spans };
  if (typeof document === "undefined") return engine;

  // ---- In the browser ----
  const words = self["wiki.words"];
  const script = Object.getOwnPropertyDescriptor(Document.prototype, "currentScript").get.call(document);
  const root = new URL("..", script.src).href; // of the site: this file lies in _wiki/
  let indexLoading;
  const make = (tag, attributes = {}, ...children) => {
    const e = document.createElement(tag);
    for (const [k, v] of Object.entries(attributes)) if (v != null) e.setAttribute(k, v);
    e.append(...children.filter((c) => c != null));
    return e;
  };
  function loadIndex() {
    return indexLoading ??= new Promise((done, failed) => {
      const script = make("script", { src: root + "_wiki/search-index.js" });
      script.onload = () => { try { done(open(self["wiki.index"])); } catch (e) { failed(e); } };
      script.onerror = () => { indexLoading = null; failed(new Error("search index")); };
      document.head.append(script);
    });
  }
  // find returns { total, any, marks, results: [{ title, folder, heading, href, snippet }] }.
  async function find(text, limit) {
    if (words.live) {
      const answer = await fetch(`${root}_wiki/search?q=${encodeURIComponent(text)}`);
      if (!answer.ok) throw new Error("search " + answer.status);
      const { total, results } = await answer.json();
      const marks = parse(text).words.map((w) => ({ has: (t) => t === w.text || stem(t) === stem(w.text) || w.open && t.startsWith(w.text) }));
      return { total, any: false, marks, results: (results ?? []).slice(0, limit).map((r) => ({
        title: r.title, folder: (r.path ?? "").split("/").slice(0, -1).join(" / "), status: r.status, href: new URL(r.href, root).href,
        snippet: (r.snippet ?? "").replace(/<\/?mark>/g, ""),
      })) };
    }
    const index = await loadIndex();
    const found = search(index, text, limit);
    // The index says which pages have the words of a phrase, and only the page
    // whether in that order. Pages opened from a disk may not read others.
    if (found.phrases.length && /^https?:/.test(root)) {
      const says = await Promise.all(found.hits.map(async (doc) => {
        const texts = [index.titles[doc], ...(await read(root + index.hrefs[doc])).flatMap((s) => [s.heading, s.text])].map((t) => ` ${said(t).join(" ")} `);
        return found.phrases.every((p) => texts.some((t) => t.includes(` ${p.join(" ")} `)));
      }));
      found.hits = found.hits.filter((_, i) => says[i]);
      found.total = found.hits.length;
    }
    return { ...found, results: found.hits.map((doc) => {
      const heading = bestHeading(index, doc, found.best);
      return {
        title: index.titles[doc], folder: index.folders[doc], status: index.past[doc], heading: heading?.text, plain: root + index.hrefs[doc],
        href: root + index.hrefs[doc] + (heading ? "#" + encodeURIComponent(heading.id) : ""), snippet: index.summaries[doc],
      };
    }) };
  }
  function marked(text, marks) {
    const out = make("span");
    let at = 0;
    for (const [from, to] of spans(text, marks)) {
      out.append(text.slice(at, from), make("mark", {}, text.slice(from, to)));
      at = to;
    }
    out.append(text.slice(at));
    return out;
  }

  // Words around the hit, from the page itself, for the results in sight. A
  // summary that shows all the words is left as it is, and so is every one on a
  // page opened from a disk, which may not read others.
  const wanting = (result, marks) => /^https?:/.test(result.plain ?? "") && !marks.every((m) => spans(result.snippet, [m]).length);
  const pages = new Map();
  const read = (href) => {
    if (!pages.has(href)) pages.set(href, fetch(href).then((r) => (r.ok ? r.text() : "")).then((html) => sections(html)));
    return pages.get(href);
  };
  async function improve(result, marks, option) {
    let best = null;
    for (const s of await read(result.plain)) {
      const e = excerpt(s.text, marks);
      if (e && (!best || e.count > best.count)) best = { ...e, id: s.id };
    }
    if (!best || !option.isConnected) return;
    option.querySelector("p").replaceChildren(marked(best.text, marks));
    if (best.id && !result.heading) option.href = result.plain + "#" + encodeURIComponent(best.id);
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

  // A combobox with a list of results: ARIA Authoring Practices, "Editable
  // combobox with list autocomplete".
  let serial = 0;
  function attach(input, said, list, limit) {
    const id = "wiki.hits-" + ++serial;
    let turn = 0, chosen = -1, timer, sight;
    list.id = id;
    const set = (attributes) => { for (const [k, v] of Object.entries(attributes)) input.setAttribute(k, v); };
    set({ role: "combobox", "aria-autocomplete": "list", "aria-controls": id, "aria-expanded": "false" });
    const options = () => [...list.querySelectorAll("[role=option]")];
    const choose = (n) => {
      const all = options();
      chosen = all.length ? (n + all.length) % all.length : -1;
      all.forEach((o, i) => o.setAttribute("aria-selected", String(i === chosen)));
      if (chosen < 0) { input.removeAttribute("aria-activedescendant"); return; }
      input.setAttribute("aria-activedescendant", all[chosen].id);
      all[chosen].scrollIntoView({ block: "nearest" });
    };
    async function run() {
      const mine = ++turn, text = input.value;
      if (!text.trim()) {
        list.replaceChildren();
        said.textContent = words.empty;
        set({ "aria-expanded": "false" });
        choose(0);
        return;
      }
      const waiting = setTimeout(() => { if (mine === turn && !list.children.length) said.textContent = words.loading; }, 200);
      let found;
      try {
        found = await find(text, limit);
      } catch {
        if (mine === turn) said.textContent = words.failed;
        return;
      } finally {
        clearTimeout(waiting);
      }
      if (mine !== turn) return;
      const rows = found.results.map((r, i) => {
        const a = make("a", { role: "option", id: `${id}-${i}`, href: r.href, tabindex: "-1", "aria-selected": "false" },
          r.folder ? make("i", {}, r.folder) : null,
          make("b", {}, marked(r.heading ? `${r.title} › ${r.heading}` : r.title, found.marks),
            r.status ? make("span", { class: "chip " + r.status }, words[r.status] ?? r.status) : null),
          make("p", wanting(r, found.marks) ? { class: "wanting" } : {}, marked(r.snippet, found.marks)));
        return make("li", { role: "presentation" }, a);
      });
      list.replaceChildren(...rows);
      list.scrollTop = 0;
      said.textContent = !found.total ? words.none : found.any ? words.any : found.total === 1 ? words.one : words.many.replace("%d", found.total);
      set({ "aria-expanded": String(rows.length > 0) });
      choose(0);
      clearTimeout(timer);
      sight?.disconnect();
      sight = new IntersectionObserver((seen) => seen.filter((e) => e.isIntersecting).forEach(({ target }) => {
        sight.unobserve(target);
        improve(found.results[options().indexOf(target)], found.marks, target).catch(() => {});
      }));
      timer = setTimeout(() => { if (mine === turn) list.querySelectorAll("a:has(> .wanting)").forEach((o) => sight.observe(o)); }, 250); // not while typing
    }
    input.addEventListener("input", run);
    input.addEventListener("keydown", (e) => {
      if (e.isComposing) return;
      if (e.key === "ArrowDown" || e.key === "ArrowUp") {
        e.preventDefault();
        choose(chosen + (e.key === "ArrowDown" ? 1 : -1));
      } else if (e.key === "Enter") {
        e.preventDefault();
        options()[chosen]?.click();
      }
    });
    list.addEventListener("pointermove", (e) => {
      const option = e.target.closest("[role=option]");
      const n = options().indexOf(option);
      if (n >= 0 && n !== chosen) choose(n);
    });
    said.textContent = words.empty;
    return run;
  }

  let dialog;
  function show(bar) {
    if (!dialog) {
      const input = make("input", { type: "search", placeholder: words.hint, "aria-label": words.hint, autocomplete: "off", spellcheck: "false", enterkeyhint: "go" });
      const said = make("p", { class: "said", role: "status", "aria-live": "polite" });
      const list = make("ul", { class: "hits", role: "listbox", "aria-label": words.hint });
      const close = make("button", { type: "button", class: "shut", "aria-label": `Esc: ${words.close}` }, "Esc");
      const form = make("form", { role: "search" }, input, close);
      form.prepend(bar.querySelector(".find > .i")?.cloneNode(true) ?? "");
      dialog = make("dialog", { class: "seek", "aria-label": words.hint }, form, said, list,
        make("p", { class: "keys", "aria-hidden": "true" }, "↑ ↓ " + words.keys));
      attach(input, said, list, 20);
      form.addEventListener("submit", (e) => e.preventDefault());
      // A box that had the focus would keep it until the next frame.
      const shut = () => { input.blur(); dialog.close(); };
      close.addEventListener("click", shut);
      dialog.addEventListener("keydown", (e) => {
        if (e.key !== "Escape" || e.isComposing) return;
        e.preventDefault(); // browsers would first empty the box
        shut();
      });
      dialog.addEventListener("click", (e) => {
        if (e.target === dialog || e.target.closest("a") && !e.ctrlKey && !e.metaKey) shut();
      });
      document.body.append(dialog);
    }
    if (!dialog.open) dialog.showModal();
    const input = dialog.querySelector("input");
    input.focus();
    input.select();
    if (!words.live) loadIndex().catch(() => {});
  }

  // The page for searching, search.html?q=.
  function onPage(main) {
    const [form, results, rest] = [".ask", "#wiki\\.search-results", "#wiki\\.search-fallback"].map((part) => main.querySelector(":scope > " + part));
    const input = form.querySelector("input");
    const said = make("p", { class: "said", role: "status", "aria-live": "polite" });
    const list = make("ul", { class: "hits", role: "listbox", "aria-label": words.hint });
    results.append(said, list);
    form.hidden = false;
    const run = attach(input, said, list, 50);
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
  return { ...engine, open: show, page: onPage };
})();
