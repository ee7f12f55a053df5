// What every page may do beyond being read. Nothing here is needed to read.
//
// Pages are untrusted. Elements of the site are looked up by the path that leads
// to them from the body, never in the whole document; their ids, and what scripts
// leave for each other in self, begin with "wiki.", which no page can write; and
// scripts load nothing but what stands beside this file.
(() => {
  "use strict";
  const root = document.documentElement;
  const words = self["wiki.words"];
  const base = Object.getOwnPropertyDescriptor(Document.prototype, "currentScript").get.call(document).src;
  const within = (e, path) => e?.querySelector(":scope > " + path) ?? null;
  const bar = within(document.body, ".top > .bar");
  const frame = within(document.body, ".frame");
  const article = within(frame, "main > .prose");

  // Light and dark: the reader's choice, kept until it is what the system says.
  const mode = within(bar, ".mode");
  if (mode) {
    mode.hidden = false;
    const system = matchMedia("(prefers-color-scheme: dark)");
    const dark = () => (root.dataset.mode || (system.matches ? "dark" : "light")) === "dark";
    const say = () => mode.setAttribute("aria-pressed", String(dark()));
    say();
    system.addEventListener("change", say);
    mode.addEventListener("click", () => {
      const next = dark() ? "light" : "dark";
      try {
        if ((next === "dark") === system.matches) {
          localStorage.removeItem("wiki-mode");
          delete root.dataset.mode;
        } else {
          localStorage.setItem("wiki-mode", next);
          root.dataset.mode = next;
        }
      } catch {
        root.dataset.mode = next;
      }
      say();
    });
  }

  // What is wider than the column can be scrolled by keyboard.
  const wide = [...article?.querySelectorAll("pre, .math.display") ?? []];
  const reach = () => {
    const over = wide.map((e) => e.scrollWidth > e.clientWidth);
    wide.forEach((e, i) => { if (over[i]) e.tabIndex = 0; else e.removeAttribute("tabindex"); });
  };
  if (wide.length) {
    reach();
    addEventListener("resize", reach);
  }

  // Copy buttons.
  for (const pre of article?.querySelectorAll("pre") ?? []) {
    if (!pre.querySelector("code") || !navigator.clipboard) continue;
    const block = document.createElement("div");
    block.className = "block";
    pre.replaceWith(block);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = words.copy;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(pre.textContent);
      button.textContent = words.copied;
      setTimeout(() => { button.textContent = words.copy; }, 1500);
    });
    block.append(pre, button);
  }

  // The site's own tables sort by a column when its head is asked for.
  for (const table of frame?.querySelectorAll(":scope > main > .table > table.sorts") ?? []) {
    const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const order = head.ariaSort === "ascending" ? "descending" : "ascending";
        heads.forEach((h) => h.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", order);
        const text = (row) => row.cells[column].textContent;
        const rows = [...body.rows].sort((a, b) => text(a).localeCompare(text(b), undefined, { numeric: true }));
        body.append(...(order === "ascending" ? rows : rows.reverse()));
      });
    });
  }

  // The section being read, in the contents.
  const entries = new Map();
  const toc = within(frame, ".rail > .toc");
  for (const a of toc?.querySelectorAll("a") ?? []) {
    const heading = document.getElementById(decodeURIComponent(a.hash.slice(1)));
    if (heading) entries.set(heading, a);
  }
  if (entries.size) {
    const headings = [...entries.keys()];
    let marked, waiting = false;
    const mark = () => {
      waiting = false;
      const line = innerHeight * 0.2 + 40;
      let now = headings[0];
      for (const h of headings) {
        if (h.getBoundingClientRect().top > line) break;
        now = h;
      }
      if (innerHeight + scrollY >= root.scrollHeight - 2) now = headings.at(-1);
      const a = entries.get(now);
      if (a === marked) return;
      marked?.classList.remove("here");
      marked?.removeAttribute("aria-current");
      a.classList.add("here");
      a.setAttribute("aria-current", "location");
      marked = a;
      const { top, bottom } = a.getBoundingClientRect(), box = toc.getBoundingClientRect();
      if (top < box.top || bottom > box.bottom) toc.scrollTop += top - box.top - box.height / 2;
    };
    addEventListener("scroll", () => {
      if (!waiting) { waiting = true; requestAnimationFrame(mark); }
    }, { passive: true });
    mark();
  }

  // Search is loaded when it is first asked for.
  const find = within(bar, ".find");
  let loading;
  const load = () => loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = new URL(words.search, base).href;
    script.onload = () => done(self["wiki.search"]);
    script.onerror = failed;
    document.head.append(script);
  });
  const box = () => document.querySelector("body > dialog.seek input");
  const open = (query) => {
    load().then((search) => {
      search.open(bar);
      if (!query) return;
      box().value = query;
      box().dispatchEvent(new Event("input"));
    }).catch(() => { location.href = find.href; });
  };
  // Who comes back from a result finds the box with the query again.
  addEventListener("click", (e) => {
    if (e.target.closest?.("dialog.seek .hits a") && !e.ctrlKey && !e.metaKey && !e.shiftKey) keep(box().value);
  }, true);
  addEventListener("pageshow", (e) => {
    const back = e.persisted || performance.getEntriesByType("navigation")[0]?.type === "back_forward", query = back && history.state?.["wiki.query"];
    if (!query || !find) return;
    keep();
    open(query);
  });
  function keep(query) {
    try { history.replaceState({ ...history.state, "wiki.query": query }, ""); } catch { /* a page opened from a disk */ }
  }
  if (find) {
    find.addEventListener("click", (e) => {
      if (e.metaKey || e.ctrlKey || e.shiftKey) return;
      e.preventDefault();
      open();
    });
    find.addEventListener("pointerenter", () => load().catch(() => {}), { once: true });
    addEventListener("keydown", (e) => {
      const typing = e.target.closest?.("input, textarea, select, [contenteditable]");
      const slash = e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey;
      const k = (e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey && e.key.toLowerCase() === "k";
      if (slash || k) { e.preventDefault(); open(); }
    });
  }
  const page = within(frame, "main");
  const asked = within(page, ".ask > input");
  if (asked && document.body.matches(".missing")) { // the words of the address that there is no page at
    let name = location.pathname.replace(/\/(index\.html)?$/, "").split("/").at(-1).replace(/\.(html?|md)$/, "");
    try { name = decodeURIComponent(name); } catch { /* as it is */ }
    asked.defaultValue = name.replace(/[-_+.\s]+/g, " ").trim();
  }
  if (asked) load().then((search) => search.page(page)).catch(() => {});
  else if (page && new URLSearchParams(location.search).has("mark")) load().then((search) => search.mark(page)).catch(() => {});
})();
