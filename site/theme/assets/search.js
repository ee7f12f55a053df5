// Search: the index (see site/search for its format), the ranking, the dialog. Only what a
// query asks for is loaded.
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
  // A query: words, phrases in quotes, of which the last may be open, and filters.
  function parse(text) {
    const phrases = [], filters = [];
    const rest = text.replace(/(?<!\S)(tag|type|path):(?:"([^"]*)"?|(\S+))/giu, (all, key, a, b) => {
      let value = (a ?? b).trim();
      if (!/type/i.test(key)) value = value.replace(/^#/, "").replace(/^\/+|\/+$/g, "");
      if (!value) return all;
      filters.push((key.toLowerCase() + ":" + fold(value.trim())).replace(/[\s,]/g, "_"));
      return " ";
    }).replace(/"([^"]*)"?|“([^”]*)”?|「([^」]*)」?/g, (_, a, b, c) => {
      const phrase = said(a ?? b ?? c).slice(0, 24);
      if (phrase.length) phrases.push(phrase);
      return " ";
    });
    const words = queryWords(rest);
    if (/[\p{L}\p{N}\p{M}_]$/u.test(rest)) for (let i = words.length - 1; i >= 0; i--) if (words[i].open = true, !words[i].part) break;
    words.unshift(...phrases.flat().map((text) => ({ text, exact: true })));
    return { phrases, filters, words: words.filter((w, i) => !words.some((o, j) => o.text === w.text && (w.part && !o.part || !w.part === !o.part && j > i))).slice(0, 24) };
  }
  function slug(text) {
    return text.toLowerCase().replace(/[^\p{L}\p{Nd}\p{M}_\- ]/gu, "").replace(/ /g, "-");
  }

  // The files of the index.
  const value = (c) => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".indexOf(c);
  const FILTER = 1, REST = 2, BEGUN = 3; // kinds of lists
  // What a level is worth, of which so many double it.
  const worth = (level, steps) => Math.round(125 * 2 ** (level / steps)) / 1000;
  // The lists of a file, one at a time, which a range coder wrote (see coder.go): how many
  // documents are elsewhere, and for each here [document, level, sections, sizes of
  // names]. Filters have no levels, the rest no sections.
  function lists(text) {
    const odds = new Int32Array(192 * 230), seen = new Int32Array(192 * 230);
    let at = 0, span = 2 ** 30 - 1, code = 0;
    const next = () => {
      if (at === text.length) throw new Error(text);
      code = code * 64 + value(text[at++]);
    };
    for (let i = 0; i < 5; i++) next();
    const bit = (context) => {
      const bound = (span >>> 12) * ((odds[context] + 32768) >> 4), one = code >= bound;
      if (one) { code -= bound; span -= bound; } else span = bound;
      odds[context] += ((one ? -32704 : 32704) - odds[context]) / (seen[context] + 2) | 0;
      seen[context] += seen[context] < 60;
      while (span < 2 ** 24) { span *= 64; next(); }
      return +one;
    };
    const tree = (context, width) => {
      let node = 1;
      while (node < 1 << width) node = 2 * node + bit(context * 192 + node);
      return node - (1 << width);
    };
    const number = (context) => {
      let width = 0, node = 1;
      while (bit(context * 192 + width)) width++;
      for (let i = 0; i < width; i++) node = 2 * node + bit(context * 192 + (node > 3 ? 191 : 32 + 4 * width + node));
      return node - 1;
    };
    return (kind) => {
      const count = number(0), more = number(1), list = [];
      for (let doc = 0, before = 0; list.length < count; doc++) {
        doc += number(40 - Math.clz32(count));
        const entry = [doc, 0, [], 0];
        list.push(entry);
        if (kind === FILTER) continue;
        if (kind === BEGUN) {
          entry[1] = worth(number(4), 24);
          entry[2].push([number(5), worth(number(6), 24)]);
          continue;
        }
        const level = tree(40 + before, 5);
        before = level + 1;
        entry[1] = worth(level, 3);
        if (kind === REST) continue;
        if (bit(2 * 192 + level)) entry[3] = number(3);
        const n = number(62 + level), several = +(n > 1);
        for (let unit = 0, i = 0; i < n; i++, unit++) {
          unit += number(167 + 3 * level + (i ? 2 : several));
          entry[2].push([unit, worth(tree(83 + 4 * level + 2 * several + (unit > 0), 4), 2)]);
        }
      }
      return { list, more };
    };
  }
  function expand(text) {
    let last = "";
    return text === "" ? [] : text.split(" ").map((s) => last = last.slice(0, value(s[0])) + s.slice(1));
  }
  const chunks = (text, n) => text.match(new RegExp(`.{${n}}`, "g")) ?? [];
  // The last of sorted texts that is not behind one.
  const place = (sorted, text) => sorted.findLastIndex((t) => t <= text);
  const END = "\u{10ffff}"; // behind all that begin like what is before it
  // The index whose files load gives, each as a promise of its text.
  function open(load) {
    const files = new Map();
    const file = (name, read) => {
      if (!files.has(name)) files.set(name, load(name).then(read));
      return files.get(name);
    };
    const root = file("root", (text) => {
      const r = JSON.parse(text);
      if (r.version !== 4) throw new Error("search index of version " + r.version);
      const group = [], at = [];
      [...r.sizes].forEach((c, g) => { for (let i = 0; i < value(c); i++) { group.push(g); at.push(i); } });
      const cards = chunks(r.cards, 4).map((end, i) => `${i}-${end}`);
      return { ...r, firsts: expand(r.firsts), lists: chunks(r.lists, 6), past: new Set(lists(r.past)(FILTER).list.map(([doc]) => doc)), group, at, cards };
    });
    const shard = (name) => file(name, (text) => {
      const [rest, texts, code] = text.split(","), next = lists(code);
      let i = 0;
      return new Map(expand(texts).map((text) => {
        const begun = text.endsWith("*"), { list, more } = next(begun ? BEGUN : text.includes(":") && FILTER);
        return [text, { text, stem: stem(text), list, docs: more && list.length + more, rest: more && !begun && [rest, i++] }];
      }));
    });
    const find = (firsts, text) => Math.max(0, place(firsts, text));
    // The rows of the shards with a range of stems.
    async function range(from, to) {
      const { firsts, lists } = await root, all = [];
      for (let l = find(firsts, from), end = find(firsts, to); l <= end && l < lists.length; l++) {
        all.push(file(lists[l], (text) => {
          const [heads, names] = text.split(",");
          return [expand(heads), chunks(names, 6)];
        }).then(([heads, names]) => Promise.all(names.slice(find(heads, from), find(heads, to) + 1).map(shard))));
      }
      return (await Promise.all(all)).flat();
    }
    return {
      root,
      file,
      home: async (text) => (await range(text, text))[0] ?? new Map(),
      range: async (from, to) => (await range(from, to)).flatMap((rows) => [...rows.values()]),
      async rest([name, i]) {
        const { all, next } = await file(name, (text) => ({ all: [], next: lists(text) }));
        while (all.length <= i) all.push(next(REST).list);
        return all[i];
      },
      async card(doc) {
        const r = await root;
        const [href, title, folder, past, summary, ...headings] = (await file(r.cards[r.group[doc]], (text) => text.split("\f")))[r.at[doc]].split("\n");
        return { href: href.replace("\t", () => slug(title) + ".html"), title, folder, past, summary, headings };
      },
    };
  }


  // The rows of the index that a word stands for, with their weights; if own is set, it is the
  // one of all that begin with the word.
  async function meanings(index, word) {
    const { text } = word, root = stem(text), home = await index.home(root), out = new Map();
    const exact = home.get(text);
    if (exact) out.set(exact, 1);
    if (word.exact) return { rows: out };
    let own;
    if (root.length > 2) for (const r of home.values()) if (r.stem === root && r !== exact && isTerm(r)) out.set(r, 0.7);
    if (word.open) {
      own = (await index.home(text)).get(text + "*");
      if (!own) {
        const begun = (rows) => rows.filter((r) => r.text.startsWith(text) && r.text !== text && isTerm(r) && !out.has(r));
        const rows = begun(await index.range(text, text + END));
        // Words that begin with it may have a stem that does not.
        for (const other of shorter(text)) rows.push(...begun([...(await index.home(other)).values()]).filter((r) => r.stem === other && !rows.includes(r)));
        rows.sort((a, b) => (a.text < b.text ? -1 : 1)).forEach((r) => out.set(r, 0.5 + 0.3 * (bytes(text) / bytes(r.text))));
      }
    }
    if (!out.size && !own && !word.part) for (const r of await (await rarely()).nearest(index, text)) out.set(r, 0.7);
    return { rows: out, own };
  }
  const isTerm = (row) => !/[*:]/.test(row.text);
  const encoder = new TextEncoder();
  const bytes = (s) => encoder.encode(s).length;
  // The stems of words that begin with a text, where they do not begin with it themselves.
  function shorter(text) {
    const out = new Set();
    if (/^[a-z]+$/.test(text)) for (let n = Math.max(3, text.length - 5); n <= text.length; n++) {
      const tail = text.slice(n);
      if (/^(.?)(i|in|ing?s?|ed?s?|ers?|s)?$/.test(tail)) out.add(text.slice(0, n)).add(text.slice(0, n - 1) + "i");
    }
    out.delete(text);
    return out;
  }
  // search returns the best documents, best first, each with the sections that answer best,
  // and whether there are more than total; marks says what the words stood for.
  async function search(index, text, limit) {
    const { words, phrases, filters } = parse(text), { docs, past } = await index.root;
    const saturated = (x) => x / (1 + x);
    const [allowed, meant] = await Promise.all([
      Promise.all(filters.map(async (f) => new Set((await index.home(f)).get(f)?.list.map(([doc]) => doc)))),
      Promise.all(words.map((w) => meanings(index, w))),
    ]);
    const complete = words.length > 1 || filters.length > 0 || limit > 400;
    const scores = new Map(), refused = new Set(), whole = words.filter((w) => !w.part).length;
    let more = false, most = 0;
    for (const [i, { rows, own }] of meant.entries()) {
      const word = words[i], found = new Map(), named = new Set(), begun = new Set();
      const add = (list, weight, exact) => {
        for (const [doc, level, parts, sizes] of list) {
          if (exact && sizes >> whole & 1) named.add(doc);
          if (begun.has(doc)) continue;
          let f = found.get(doc);
          if (!f) found.set(doc, f = { sum: 0, parts: new Map() });
          f.sum += weight * level;
          for (const [unit, x] of parts) f.parts.set(unit, (f.parts.get(unit) ?? 0) + weight * x);
        }
      };
      if (own) { add(own.list, 1); for (const doc of found.keys()) begun.add(doc); }
      const rests = await Promise.all([...rows.keys()].map((r) => complete && r.rest && index.rest(r.rest)));
      let n = 0, df = own?.docs ?? 0;
      for (const [row, weight] of rows) {
        add(row.list, weight, row.text === word.text);
        const rest = rests[n++];
        if (rest) add(rest, weight);
        else if (row.docs) { more = true; most = Math.max(most, row.docs); }
      }
      if (own) { more = true; most = Math.max(most, own.docs); }
      df = Math.max(df, found.size);
      const rarity = Math.max(1, Math.round(65536 * Math.log(1 + (docs - df + 0.5) / (df + 0.5)))) / 65536 * (word.part ? 0.5 : 1);
      for (const [doc, f] of found) {
        let s = scores.get(doc);
        if (!s) scores.set(doc, s = { doc, score: 0, units: new Map(), seen: 0, exact: 0, named: 0 });
        s.score += rarity * saturated(f.sum);
        for (const [unit, x] of f.parts) s.units.set(unit, (s.units.get(unit) ?? 0) + rarity * saturated(x));
        if (!word.part) { s.seen++; if (named.has(doc)) s.named++; }
        if (word.exact) s.exact++;
      }
    }
    if (!words.length) for (const doc of allowed[0] ?? []) scores.set(doc, { doc, score: 1, units: new Map(), seen: 0, exact: 0 });
    const exact = words.filter((w) => w.exact).length, hits = [];
    let any = words.length > 0;
    for (const s of scores.values()) {
      if (s.exact < exact || !allowed.every((set) => set.has(s.doc))) continue;
      s.units = [...s.units].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
      s.score += s.units[0]?.[1] ?? 0;
      if (!filters.length && !phrases.length && whole && s.named === whole) s.score *= 1.5;
      if (past.has(s.doc)) s.score *= 0.3;
      if (s.seen >= whole) any = false;
      hits.push(s);
    }
    hits.sort((a, b) => b.score - a.score || a.doc - b.doc);
    const marks = meant.map(({ rows, own }, i) => {
      const set = new Set([...rows.keys()].map((r) => r.text));
      return { has: (t) => set.has(t) || own && t.startsWith(words[i].text) };
    });
    more &&= most > hits.length;
    return { total: more && !complete ? Math.max(most, hits.length) : hits.length, more: more && !complete, hits: hits.slice(0, limit), marks, phrases, any };
  }

  // The heading of a section of a document: [text, id].
  function heading(card, unit) {
    const line = unit > 0 && card.headings[unit - 1];
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
  const engine = { fold, queryWords, said, stem, slug, parse, unspaced, place, expand, chunks, value, spans, marked, lists, index: open, meanings, search, heading };
  let rarer;
  const rarely = () => rarer ??= (self["wiki.search-more"] ? Promise.resolve() : run(new URL(words.more, script.src).href)).then(() => self["wiki.search-more"](engine));
  if (typeof document === "undefined") return engine;

  // ---- In the browser ----
  const words = self["wiki.words"];
  const script = Object.getOwnPropertyDescriptor(Document.prototype, "currentScript").get.call(document);
  const root = new URL("..", script.src).href; // of the site: this file lies in _wiki/
  const make = (tag, attributes = {}, ...children) => {
    const e = document.createElement(tag);
    for (const [k, v] of Object.entries(attributes)) if (v != null) e.setAttribute(k, v);
    e.append(...children.filter((c) => c != null));
    return e;
  };
  function run(src) {
    return new Promise((done, failed) => {
      const script = make("script", { src });
      script.onload = () => { script.remove(); done(); };
      script.onerror = () => failed(new Error(src));
      document.head.append(script);
    });
  }
  // The files of the index are scripts, since a page opened from a disk may not fetch
  // others. The first is asked for anew, for a browser may keep the one of an older site.
  const online = /^https?:/.test(root), parts = new Map();
  self["wiki.part"] = (name, text) => parts.get(name)?.(text);
  async function load(name) {
    const src = `${root}_wiki/search/${name}.js`;
    if (online && name === "root") {
      const answer = await fetch(src, { cache: "no-cache" });
      if (!answer.ok) throw new Error("search index " + answer.status);
      const text = await answer.text();
      return JSON.parse(text.slice(text.indexOf(",") + 1, text.lastIndexOf(")")));
    }
    return new Promise((done, failed) => {
      parts.set(name, done);
      run(src).catch(failed);
    });
  }
  let current;
  const index = () => current ??= open(load);
  // Of a newer site the files have other names than the root says that was read.
  async function renewed(f) {
    try {
      return await f(index());
    } catch {
      current = null;
      return f(index());
    }
  }
  // find returns { total, more, any, marks, results: [{ title, folder, status, snippet, plain, sections }] };
  // sections are [{ text, href }], the best first.
  async function find(text, limit) {
    const to = (href) => {
      const url = new URL(href, root);
      if (text.trim()) url.searchParams.set("mark", text.trim().slice(0, 200));
      return url.href;
    };
    if (words.live) return (await rarely()).served(text, limit, to);
    return renewed(async (index) => {
      const found = await search(index, text, limit);
      const cards = await Promise.all(found.hits.map((h) => index.card(h.doc)));
      const results = cards.map((card, i) => {
        const sections = found.hits[i].units.map(([unit]) => heading(card, unit)).filter(Boolean)
          .map((h) => ({ text: h.text, href: to(card.href + "#" + encodeURIComponent(h.id)) }));
        const first = found.hits[i].units[0]?.[0] ? sections.shift() : null;
        return { ...card, status: card.past, snippet: card.summary, heading: first?.text, plain: root + card.href, href: first?.href ?? to(card.href), sections };
      });
      return found.phrases.length && online ? (await rarely()).phrased(found, results) : { ...found, results };
    });
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

  // Words around the hit, from the page itself, for the result that is chosen. A summary that
  // shows all the words is left as it is, and so is every one on a page opened from a disk,
  // which may not read others.
  const wanting = (result, marks) => online && result.plain && !marks.every((m) => spans(result.snippet, [m]).length);
  // A combobox with a list of results: ARIA Authoring Practices, "Editable
  // combobox with list autocomplete".
  let serial = 0;
  function attach(input, said, list, limit) {
    const id = "wiki.hits-" + ++serial;
    let turn = 0, chosen = -1, wanted = limit, timer;
    list.id = id;
    const set = (attributes) => { for (const [k, v] of Object.entries(attributes)) input.setAttribute(k, v); };
    set({ role: "combobox", "aria-autocomplete": "list", "aria-controls": id, "aria-expanded": "false" });
    const options = () => [...list.querySelectorAll("[role=option]")];
    const number = () => options().forEach((o, i) => { o.id = `${id}-${i}`; });
    const choose = (n, asked) => {
      const all = options();
      chosen = all.length ? (n + all.length) % all.length : -1;
      all.forEach((o, i) => o.setAttribute("aria-selected", String(i === chosen)));
      if (chosen < 0) { input.removeAttribute("aria-activedescendant"); return; }
      input.setAttribute("aria-activedescendant", all[chosen].id);
      if (!asked) return;
      all[chosen].scrollIntoView({ block: "nearest" });
      clearTimeout(timer);
      timer = setTimeout(() => all[chosen]?.dispatchEvent(new Event("wiki.chosen")), 150); // not of those passed by
    };
    const option = (attributes, ...children) => make("a", { role: "option", tabindex: "-1", "aria-selected": "false", ...attributes }, ...children);
    // An option that is replaced by others when it is opened.
    const opener = (text, f) => {
      const a = option({ class: "part more", href: "#" }, text);
      a.addEventListener("click", (e) => { e.preventDefault(); e.stopPropagation(); f(a); });
      return a;
    };
    const sectionsOf = ({ sections }, marks) => {
      const rows = sections.map((s) => option({ class: "part", href: s.href }, marked(s.text, marks)));
      if (rows.length < 4) return rows;
      const rest = rows.splice(2);
      return [...rows, opener(words.moreSections.replace("%d", rest.length), (a) => { a.replaceWith(...rest); number(); choose(chosen, true); })];
    };
    async function answer(more) {
      const mine = ++turn, text = input.value;
      if (more !== true) wanted = limit;
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
        found = await find(text, wanted);
      } catch {
        if (mine === turn) said.textContent = words.failed;
        return;
      } finally {
        clearTimeout(waiting);
      }
      if (mine !== turn) return;
      const rows = found.results.map((r) => {
        const a = option({ href: r.href },
          r.folder ? make("i", {}, r.folder) : null,
          make("b", {}, marked(r.heading ? `${r.title} › ${r.heading}` : r.title, found.marks),
            r.status ? make("span", { class: "chip " + r.status }, words[r.status] ?? r.status) : null),
          make("p", wanting(r, found.marks) ? { class: "wanting" } : {}, marked(r.snippet, found.marks)));
        if (wanting(r, found.marks)) a.addEventListener("wiki.chosen", () => rarely().then((m) => m.improve(r, found.marks, a)).catch(() => {}), { once: true });
        return make("li", { role: "presentation" }, a, ...sectionsOf(r, found.marks));
      });
      if (found.total > wanted && found.results.length) {
        rows.push(make("li", { role: "presentation" }, opener(words.moreResults, () => { wanted += limit; answer(true); })));
      }
      list.replaceChildren(...rows);
      number();
      if (more !== true) list.scrollTop = 0;
      said.textContent = found.indexing ? words.indexing : !found.total ? words.none : found.any ? words.any : found.total === 1 ? words.one :
        (found.more ? words.moreThan : words.many).replace("%d", found.more ? found.results.length : found.total);
      set({ "aria-expanded": String(rows.length > 0), "data-answered": text });
      choose(more === true ? chosen : 0);
      if (found.indexing) setTimeout(() => { if (mine === turn) answer(more); }, 700);
    }
    let pause;
    input.addEventListener("input", () => {
      clearTimeout(pause);
      pause = setTimeout(answer, 120); // what is being typed is not looked for letter by letter
    });
    input.addEventListener("keydown", (e) => {
      if (e.isComposing) return;
      if (e.key === "ArrowDown" || e.key === "ArrowUp") {
        e.preventDefault();
        choose(chosen + (e.key === "ArrowDown" ? 1 : -1), true);
      } else if (e.key === "Enter") {
        e.preventDefault();
        options()[chosen]?.click();
      }
    });
    list.addEventListener("pointermove", (e) => {
      const option = e.target.closest("[role=option]");
      const n = options().indexOf(option);
      if (n >= 0 && n !== chosen) choose(n, true);
    });
    said.textContent = words.empty;
    return answer;
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
      attach(input, said, list, 10);
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
    if (!words.live) index().root.catch(() => { current = null; });
  }

  Object.assign(engine, { words, root, make, attach });
  return { ...engine, open: show, page: (main) => rarely().then((m) => m.page(main)), mark: (main) => rarely().then((m) => m.mark(main)) };
})();
