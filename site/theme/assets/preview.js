// Previews: what is behind a link to a page, beside the link, for those who point at it or
// come to it by keyboard. Pages opened from a disk may not read others, and show none.
self["wiki.preview"] = (() => {
  "use strict";
  const root = new URL("..", Object.getOwnPropertyDescriptor(Document.prototype, "currentScript").get.call(document).src).href;
  const frame = document.body.querySelector(":scope > .frame");
  const plain = (href) => href.replace(/[?#].*/, "").replace(/\/index\.html$/, "/");

  const address = (a) => new URL(a.getAttribute("href"), document.baseURI); // links of drawings have no other

  const link = (e) => {
    const a = e.target.closest?.("a[href]");
    return a?.closest(".prose, .near, .entries") && frame.contains(a) && address(a).href.startsWith(root) && /(\/|\.html)$/.test(plain(address(a).href)) &&
      plain(address(a).href) !== plain(location.href) ? a : null;
  };
  const pages = new Map();
  const read = (href) => {
    if (!pages.has(href)) pages.set(href, fetch(href).then((r) => (r.ok ? r.text() : "")).then((html) => new DOMParser().parseFromString(html, "text/html")));
    return pages.get(href);
  };
  const text = (e) => {
    const copy = e?.cloneNode(true);
    copy?.querySelectorAll(".anchor, sup").forEach((s) => s.remove());
    const all = copy?.textContent.replace(/\s+/g, " ").trim() ?? "";
    return all.length > 280 ? all.slice(0, 280).replace(/\s\S*$/, "") + "…" : all;
  };
  // What a page, or the part of it that the address names, begins with.
  async function summary(a) {
    const page = await read(plain(address(a).href)), main = page.body.querySelector(":scope > .frame > main");
    let title = text(main?.querySelector(":scope > .title"));
    if (!title) return null;
    let begins = main.querySelector(":scope > .prose > p") ?? main.querySelector(":scope > .intro");
    let part = address(a).hash.length > 1 ? page.getElementById(decodeURIComponent(address(a).hash.slice(1))) : null;
    if (part?.closest(".prose") && /^H[1-6]$/.test(part.tagName)) {
      if (text(part) !== title) title += " › " + text(part);
      while ((part = part.nextElementSibling) && !/^(P|UL|OL|H[1-6])$/.test(part.tagName));
      begins = part && !/^H/.test(part.tagName) ? part : null;
    } else if (part?.closest(".prose")) begins = part;
    return { title, begins: text(begins), chips: [...main.querySelectorAll(":scope > .facts > .chip")] };
  }

  const card = document.createElement("div");
  card.id = "wiki.preview";
  card.className = "preview";
  card.setAttribute("role", "tooltip");
  let described, wanted, timer;
  const make = (tag, className, words) => {
    const e = document.createElement(tag);
    e.className = className;
    e.textContent = words;
    return e;
  };
  function hide() {
    clearTimeout(timer);
    wanted = null;
    described?.removeAttribute("aria-describedby");
    described = null;
    card.remove();
  }
  async function show(a) {
    const found = await summary(a);
    if (!found || wanted !== a) return;
    hide();
    described = wanted = a;
    const facts = make("p", "facts", "");
    facts.append(...found.chips.map((c) => make("span", c.className, c.textContent)));
    card.replaceChildren(make("b", "", found.title), ...(found.chips.length ? [facts] : []), ...(found.begins ? [make("p", "", found.begins)] : []));
    document.body.append(card);
    a.setAttribute("aria-describedby", card.id);
    const at = a.getClientRects()[0], width = card.offsetWidth, height = card.offsetHeight, edge = document.documentElement.clientWidth;
    const below = at.bottom + height + 12 < innerHeight || at.top < height + 80;
    card.style.left = Math.max(8, Math.min(at.left, edge - width - 8)) + scrollX + "px";
    card.style.top = (below ? at.bottom + 6 : at.top - height - 6) + scrollY + "px";
  }
  function want(a, delay) {
    clearTimeout(timer);
    if (a === described) return;
    wanted = a;
    timer = setTimeout(() => show(a).catch(() => {}), delay);
  }
  function leave() {
    clearTimeout(timer);
    wanted = described ?? null;
    timer = setTimeout(hide, 200); // the way from the link to the card
  }
  const point = (e) => {
    const a = e.pointerType === "touch" ? null : link(e);
    if (a) want(a, 300);
    else if (described || wanted) leave();
  };
  const focus = (e) => {
    const a = e.target.matches(":focus-visible") ? link(e) : null;
    if (a) want(a, 600); else hide();
  };
  frame.addEventListener("pointerover", point);
  frame.addEventListener("pointerleave", leave);
  card.addEventListener("pointerenter", () => clearTimeout(timer));
  card.addEventListener("pointerleave", leave);
  frame.addEventListener("focusin", focus);
  frame.addEventListener("focusout", hide);
  frame.addEventListener("click", hide);
  addEventListener("keydown", (e) => { if (e.key === "Escape") hide(); });
  return (e) => (e.type === "focusin" ? focus : point)(e);
})();
