// Search: the index (see site/index for its format), the ranking, the dialog.
self["wiki.search"] = (() => {
  "use strict";

  // Words. The program that makes the index has the same rules; both are
  // tested with the same vectors.
  const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u;
  const RUNS = new RegExp(`${UNSPACED.source}+|[^${UNSPACED.source.slice(1)}+`, "gu");
  const LETTERS = { "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ı": "i", "ς": "σ" };
  const fold = (s) => s.normalize("NFKC").toLowerCase().normalize("NFD")
    .replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g, "")
    .replace(/[ßæœøđðþłħıς]/g, (c) => LETTERS[c]).normalize("NFC");
  const cut = (s) => (s.length <= 40 ? s : [...s].slice(0, 40).join(""));

  function runs(text) {
    return (text.normalize("NFKC").match(/[\p{L}\p{N}\p{M}_]+/gu) ?? []).flatMap((w) => w.match(RUNS));
  }
  function queryTerms(text) {
    const out = [];
    for (const run of runs(text)) {
      if (UNSPACED.test(run)) {
        const chars = [...fold(run)];
        if (chars.length === 1) out.push(chars[0]);
        for (let i = 0; i + 1 < chars.length; i++) out.push(chars[i] + chars[i + 1]);
      } else {
        const term = cut(fold(run.replace(/^_+|_+$/g, "")));
        if (term) out.push(term);
      }
    }
    return out;
  }
  function identifier(word) {
    return word.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1_").replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1_").split("_").filter(Boolean);
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
  const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  function open(file) {
    if (file.version !== 1) throw new Error("search index of version " + file.version);
    const hrefs = expand(file.hrefs, "\n");
    const postings = file.postings.split(" ");
    // Sorted here once more: Go sorts by bytes, a script by UTF-16 units.
    const terms = expand(file.terms, " ").map((t, i) => [t, postings[i]]).sort((a, b) => order(a[0], b[0]));
    return {
      count: hrefs.length, hrefs, terms: terms.map((t) => t[0]), postings: terms.map((t) => t[1]),
      titles: file.titles.split("\n"), folders: expand(file.folders, "\n"),
      summaries: file.summaries.split("\f"), headings: file.headings.split("\f"), past: file.past ?? {},
    };
  }
  function eachPosting(text, f) {
    for (let i = 0, doc = 0; i < text.length; ) {
      let v = 0, shift = 1, d;
      do {
        d = VALUE.get(text[i++]);
        v += (d & 31) * shift;
        shift *= 32;
      } while (d >= 32);
      doc += Math.floor(v / 16);
      f(doc, v % 16);
    }
  }
  function lowerBound(terms, t) {
    let lo = 0, hi = terms.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (terms[mid] < t) lo = mid + 1; else hi = mid;
    }
    return lo;
  }
  // Whether two words are at most max edits apart; swapped neighbours are one.
  function near(a, b, max) {
    if (Math.abs(a.length - b.length) > max) return false;
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
      if (best > max) return false;
      before = last;
      last = row;
    }
    return last[b.length] <= max;
  }

  // The entries of the index that a word of the query stands for: [place, factor].
  function matches(index, word, prefix) {
    const { terms } = index;
    const out = [];
    const at = lowerBound(terms, word);
    if (terms[at] === word) out.push([at, 1]);
    if (prefix) {
      for (let i = at + (terms[at] === word); i < terms.length && terms[i].startsWith(word); i++) {
        out.push([i, 0.3 + 0.5 * (word.length / terms[i].length)]);
      }
    }
    if (!out.length && word.length >= 4) {
      const max = word.length >= 8 ? 2 : 1;
      for (let i = 0; i < terms.length; i++) if (near(word, terms[i], max)) out.push([i, 0.4]);
    }
    return out;
  }

  // search returns the numbers of the best documents, best first.
  function search(index, text, limit) {
    let words = [...new Set(queryTerms(text))];
    if (!words.length) return { total: 0, hits: [], words, any: false };
    const open = /[\p{L}\p{N}\p{M}_]$/u.test(text);
    let found = words.map((w, i) => matches(index, w, open && i === words.length - 1));
    if (found.some((f) => !f.length)) {
      // A name nobody wrote as one word may be there in its parts.
      const parts = [...new Set(runs(text).flatMap((r) => (UNSPACED.test(r) ? queryTerms(r) : identifier(r).map((p) => cut(fold(p))))))];
      if (parts.length > words.length) {
        words = parts;
        found = words.map((w, i) => matches(index, w, open && i === words.length - 1));
      }
    }
    const n = index.count;
    const score = new Float64Array(n), seen = new Uint16Array(n), best = new Float64Array(n);
    found.forEach((list) => {
      best.fill(0);
      for (const [place, factor] of list) {
        const entry = index.postings[place];
        let df = 0;
        eachPosting(entry, () => { df++; });
        const weight = factor * Math.log(1 + (n - df + 0.5) / (df + 0.5)) / 15;
        eachPosting(entry, (doc, impact) => { best[doc] = Math.max(best[doc], impact * weight); });
      }
      for (let i = 0; i < n; i++) if (best[i] > 0) { score[i] += best[i]; seen[i]++; }
    });
    let docs = [];
    for (let i = 0; i < n; i++) if (seen[i] === words.length) docs.push(i);
    const any = !docs.length;
    if (any) for (let i = 0; i < n; i++) if (seen[i]) { docs.push(i); score[i] *= seen[i] / words.length; }
    // A word of the title is worth more than the formula gives it.
    const asked = fold(text.trim());
    for (const i of docs) {
      const title = fold(index.titles[i]);
      const inTitle = words.filter((w) => title.includes(w)).length / words.length;
      score[i] *= 1 + 0.5 * inTitle + (title === asked ? 1 : title.startsWith(asked) ? 0.3 : 0);
    }
    docs.sort((a, b) => score[b] - score[a] || a - b);
    return { total: docs.length, hits: docs.slice(0, limit), words, any };
  }

  // The heading of a document that has most of the words, more than its title.
  function bestHeading(index, doc, words) {
    const title = fold(index.titles[doc]);
    let best = null, most = words.filter((w) => title.includes(w)).length;
    for (const line of index.headings[doc] ? index.headings[doc].split("\n") : []) {
      const [text, id] = line.split("\t");
      const folded = fold(text);
      const n = words.filter((w) => folded.includes(w)).length;
      if (n > most) { most = n; best = { text, id: id ?? slug(text) }; }
    }
    return best;
  }

  // Where in text the words stand: [from, to) of every one of them, in order.
  function spans(text, words) {
    const out = [];
    for (const m of text.matchAll(/[\p{L}\p{N}\p{M}_]+/gu)) {
      if (UNSPACED.test(m[0])) {
        const folded = fold(m[0]);
        if (folded.length !== m[0].length) continue;
        for (const w of words) {
          for (let i = folded.indexOf(w); i >= 0; i = folded.indexOf(w, i + 1)) out.push([m.index + i, m.index + i + w.length]);
        }
        continue;
      }
      const folded = fold(m[0]);
      if (words.some((w) => folded.startsWith(w) || (w.length > 2 && folded.includes(w)))) out.push([m.index, m.index + m[0].length]);
    }
    out.sort((a, b) => a[0] - b[0]);
    return out.reduce((list, s) => {
      const last = list.at(-1);
      if (last && s[0] <= last[1]) last[1] = Math.max(last[1], s[1]); else list.push(s);
      return list;
    }, []);
  }
  function excerpt(text, words, size = 170) {
    const found = spans(text, words);
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

  const engine = { fold, queryTerms, identifier, slug, index: open, search, bestHeading, excerpt, spans };
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
  // find returns { total, any, words, results: [{ title, folder, heading, href, snippet }] }.
  async function find(text, limit) {
    if (words.live) {
      const answer = await fetch(`${root}_wiki/search?q=${encodeURIComponent(text)}`);
      if (!answer.ok) throw new Error("search " + answer.status);
      const { total, results } = await answer.json();
      return { total, any: false, words: queryTerms(text), results: (results ?? []).slice(0, limit).map((r) => ({
        title: r.title, folder: (r.path ?? "").split("/").slice(0, -1).join(" / "), status: r.status, href: new URL(r.href, root).href,
        snippet: (r.snippet ?? "").replace(/<\/?mark>/g, ""),
      })) };
    }
    const index = await loadIndex();
    const found = search(index, text, limit);
    return { ...found, results: found.hits.map((doc) => {
      const heading = bestHeading(index, doc, found.words);
      return {
        title: index.titles[doc], folder: index.folders[doc], status: index.past[doc], heading: heading?.text, plain: root + index.hrefs[doc],
        href: root + index.hrefs[doc] + (heading ? "#" + encodeURIComponent(heading.id) : ""), snippet: index.summaries[doc],
      };
    }) };
  }
  function marked(text, terms) {
    const out = make("span");
    let at = 0;
    for (const [from, to] of spans(text, terms)) {
      out.append(text.slice(at, from), make("mark", {}, text.slice(from, to)));
      at = to;
    }
    out.append(text.slice(at));
    return out;
  }

  // Words around the hit, from the page itself, for the results in sight. A
  // summary that shows all the words is left as it is, and so is every one on a
  // page opened from a disk, which may not read others.
  const wanting = (result, terms) => /^https?:/.test(result.plain ?? "") && !terms.every((t) => spans(result.snippet, [t]).length);
  const pages = new Map();
  async function improve(result, terms, option) {
    if (!pages.has(result.plain)) {
      pages.set(result.plain, fetch(result.plain).then((r) => (r.ok ? r.text() : "")).then((html) => sections(html)));
    }
    let best = null;
    for (const s of await pages.get(result.plain)) {
      const e = excerpt(s.text, terms);
      if (e && (!best || e.count > best.count)) best = { ...e, id: s.id };
    }
    if (!best || !option.isConnected) return;
    option.querySelector("p").replaceChildren(marked(best.text, terms));
    if (best.id && !result.heading) option.href = result.plain + "#" + encodeURIComponent(best.id);
  }
  function sections(html) {
    const out = [{ id: "", text: "" }];
    const article = new DOMParser().parseFromString(html, "text/html").querySelector("body > .frame > main > .prose");
    article?.querySelectorAll(".embed, .anchor, sup, .footnotes").forEach((e) => e.remove());
    article?.querySelectorAll("p, li, td, th, dt, dd, summary, br").forEach((e) => e.after(" "));
    for (const e of article?.children ?? []) {
      if (/^H[1-6]$/.test(e.tagName)) out.push({ id: e.id, text: "" });
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
          make("b", {}, marked(r.heading ? `${r.title} › ${r.heading}` : r.title, found.words),
            r.status ? make("span", { class: "chip " + r.status }, words[r.status] ?? r.status) : null),
          make("p", wanting(r, found.words) ? { class: "wanting" } : {}, marked(r.snippet, found.words)));
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
        improve(found.results[options().indexOf(target)], found.words, target).catch(() => {});
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
    input.value = new URLSearchParams(location.search).get("q") ?? "";
    settle();
    run();
    input.focus();
  }
  return { ...engine, open: show, page: onPage };
})();
