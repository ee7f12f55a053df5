// The menu: the lists of the whole wiki, and the tree of folders, which open and close and
// stay as they were left from page to page. It is drawn from a script beside this one, the
// same for all pages of a branch; what is in another branch is in a script of that.
(() => {
  "use strict";
  const side = document.body.querySelector(":scope > .frame > .side");
  if (!side) return;
  const root = new URL("..", Object.getOwnPropertyDescriptor(Document.prototype, "currentScript").get.call(document).src).href;
  const shelf = "wiki-tree " + root; // a host may have several sites
  const plain = (href) => href.replace(/[?#].*/, "").replace(/\/index\.html$/, "/").replace(/\.html$/, ""); // hosts may leave it out
  const here = plain(location.href);
  const part = (e, selector) => e.querySelector(":scope > " + selector);
  const make = (name, className = "", ...children) => {
    const e = document.createElement(name);
    if (className) e.className = className;
    e.append(...children);
    return e;
  };
  const words = self["wiki.words"];

  // Entries of a branch: [title, address below the root, branch that it is].
  const asked = new Map();
  self["wiki.tree"] = (id, start, rows, menu) => {
    rows = rows.map(([title, href, of]) => [title, start + href, of]);
    if (asked.has(id)) asked.get(id)(rows); else if (!tree) draw(id, rows, menu);
  };
  const load = (id) => new Promise((done, failed) => {
    asked.set(id, done);
    const script = document.createElement("script");
    script.src = `${root}_wiki/tree/${id}.js`;
    script.onerror = failed;
    script.onload = () => script.remove();
    document.head.append(script);
  });

  const kept = (() => {
    try { return JSON.parse(sessionStorage.getItem(shelf)) ?? {}; } catch { return {}; }
  })();
  // Entries that are old, or of a preview, are loaded again.
  const old = words.live || !(Date.now() - kept.at < 6e5);
  const known = new Map(kept.open ?? []);

  let tree;

  // entry makes an entry, with the list of what is in it.
  function entry([title, href, id], inside) {
    const a = make("a", "", title), li = make("li", "", a);
    a.href = root + href;
    if (plain(a.href) === here) a.setAttribute("aria-current", "page");
    if (inside) li.append(inside);
    if (id) {
      a.className = inside ? "folder in" : "folder";
      li.dataset.tree = id;
      fold(li);
    }
    return li;
  }
  // list makes the entries of a branch, of which some may be there already.
  function list(rows, there = []) {
    const by = new Map([...there].map((li) => [part(li, "a").href, li]));
    return rows.map((row) => by.get(root + row[1]) ?? entry(row));
  }
  function show(li, open) {
    const ul = part(li, "ul");
    if (ul) ul.hidden = !open;
    part(li, ".fold").setAttribute("aria-expanded", String(open));
  }
  async function open(li) {
    if (!part(li, "ul")) {
      const { tree: id } = li.dataset;
      const rows = known.get(id) ?? await load(id);
      if (part(li, "ul")) return;
      const ul = document.createElement("ul");
      li.append(ul);
      ul.append(...list(rows));
      if (old && known.has(id)) load(id).then((now) => ul.replaceChildren(...list(now, ul.children))).catch(() => {});
    }
    show(li, true);
  }
  // fold gives a folder its button, and opens it if it was left open.
  function fold(li) {
    const a = part(li, "a"), button = document.createElement("button");
    button.type = "button";
    button.className = "fold";
    button.setAttribute("aria-label", a.textContent);
    a.after(button);
    show(li, !!part(li, "ul"));
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-expanded") === "true") show(li, false);
      else open(li).catch(() => { location.href = a.href; });
    });
    if (known.has(li.dataset.tree)) open(li).catch(() => {});
  }

  // A long list shows the entries around the page, and all of them when asked.
  async function whole(a) {
    const li = a.parentElement, ul = li.parentElement, focused = document.activeElement === a;
    const rows = known.get(a.dataset.tree) ?? await load(a.dataset.tree);
    const there = [...ul.children].filter((e) => e !== li), first = there[0];
    const at = first?.offsetTop;
    const all = list(rows, there);
    ul.replaceChildren(...all);
    if (first) side.scrollTop += first.offsetTop - at;
    if (focused) part(all[there.length] ?? all.at(-1), "a").focus({ preventScroll: true });
  }
  // cut makes a list that leads to the rest of a branch, if there is a rest.
  function cut(rows, more, id) {
    const ul = make("ul", "", ...rows);
    if (!more) return ul;
    const a = make("a", "all", words.all);
    a.href = root + more;
    a.dataset.tree = id;
    a.setAttribute("role", "button");
    a.setAttribute("aria-expanded", "false");
    a.addEventListener("click", (e) => {
      if (e.metaKey || e.ctrlKey || e.shiftKey) return;
      e.preventDefault();
      whole(a).catch(() => { location.href = a.href; });
    });
    a.addEventListener("keydown", (e) => {
      if (e.key === " ") { e.preventDefault(); a.click(); }
    });
    ul.append(make("li", "", a));
    return ul;
  }
  // around is some entries of a list, with the one of this page near the middle.
  const around = (rows, at, most) => {
    const from = Math.max(0, Math.min(at - most / 2, rows.length - most));
    return rows.slice(from, from + most);
  };

  // draw makes the menu: the top, and on the way to the branch what is near it.
  function draw(id, rows, { lists, way = [], kids = 0, more }) {
    const at = rows.findIndex((row) => plain(root + row[1]) === here);
    const listed = more ? [...around(rows.slice(0, kids), at < kids ? at : 0, 12), ...around(rows.slice(kids), at - kids, 24)] : rows;
    let ul = cut(listed.map((row) => entry(row)), listed.length < rows.length && more, id);
    for (const level of way.reverse()) {
      const inside = ul.firstChild && ul;
      ul = cut(level.rows.map((row, i) => entry(row, i === level.open ? inside : null)), level.more, level.tree);
    }
    tree = make("div", "tree", make("ul", "plain", ...lists.map((row) => entry(row))), ul);
    const menu = make("details", "menu", make("summary", "", words.menu), tree);
    // It is always open beside the text. Styles show it so already; this tells those who
    // do not see them.
    const beside = matchMedia("(min-width: 60rem)");
    const settle = () => { menu.open = beside.matches; };
    settle();
    beside.addEventListener("change", settle);
    side.replaceChildren(menu);
    for (const a of tree.querySelectorAll("a.all")) if (known.has(a.dataset.tree)) whole(a).catch(() => {});
    keep();
  }

  function keep() {
    // The place in the menu is kept, unless the page would be out of sight.
    if (kept.top) side.scrollTop = kept.top;
    const current = tree.querySelector("ul:not(.plain) [aria-current]");
    if (current) {
      const { top, bottom } = current.getBoundingClientRect(), box = side.getBoundingClientRect();
      if (top < box.top || bottom > box.bottom) side.scrollTop += top - box.top - side.clientHeight / 2;
    }

    // What is open, with its entries so that the next page can show them at once. Of much
    // only the beginning is kept.
    addEventListener("pagehide", () => {
      const opened = [];
      let size = 0;
      for (const li of tree.querySelectorAll("li[data-tree]")) {
        const ul = part(li, "ul");
        if (!ul || ul.closest("ul[hidden]") || opened.length === 40) continue;
        const rows = [...ul.children].map((e) => [part(e, "a").textContent, part(e, "a").href.slice(root.length), e.dataset.tree]);
        const cut = part(ul, "li > a.all");
        size += rows.length;
        if (!cut && size <= 4000) opened.push([li.dataset.tree, rows]);
      }
      try { sessionStorage.setItem(shelf, JSON.stringify({ at: old ? Date.now() : kept.at, top: side.scrollTop, open: opened })); } catch { /* the next page is as it was built */ }
    });
  }
})();
