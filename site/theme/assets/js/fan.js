// The pages joined with this one by links, drawn as a fan: this page on the left, the
// others in rows, and arcs between those of them that are joined. What they are is said in
// data-near, see nearby.go.
(() => {
  "use strict";
  const frame = document.querySelector(":scope > body > .frame"), near = frame?.querySelector(":scope > .rail > .near[data-near]");
  if (!near) return;
  const words = self["wiki.words"], { dataset } = near;
  const links = frame.querySelectorAll(":scope > main > .prose a[href]"), backlinks = near.querySelectorAll(":scope > .about > .backlinks > li > a:first-child");
  const make = (name, set = {}, ...children) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in set) e.setAttribute(key, set[key]);
    e.append(...children);
    return e;
  };
  const html = (name, ...children) => {
    const e = document.createElement(name);
    e.append(...children);
    return e;
  };
  const pages = dataset.near.split("\n").map((row) => {
    const [, inward, kind, to, title] = row.match(/^(-?)([bo]?)(\S*) ?([^]*)$/);
    const link = kind === "o" ? null : (kind ? backlinks : links)[to];
    return { inward, href: link ? link.getAttribute("href").replace(/#.*/, "") : to, title: title || link?.textContent };
  });
  // In units of the drawing, 16 to a rem. A long fan scrolls, and the most linked pages,
  // with this one, are at its top.
  const row = (i) => 20 * i + 10, high = 20 * pages.length, middle = Math.min(high / 2, 110) | 0;
  const arcs = (dataset.arcs ?? "").split(" ").filter(Boolean).map((pair) => {
    const [from, to] = pair.split("-").map(row);
    return `M52 ${from}Q${42 - Math.min((to - from) / 6 | 0, 26)} ${(from + to) / 2} 52 ${to}`;
  });
  const drawn = pages.map(({ inward, href, title }, i) => make("a", inward ? { class: "in", href } : { href },
    make("path", { d: `M8 ${middle}C30 ${middle} 26 ${row(i)} 52 ${row(i)}` }), make("text", { x: 62, y: row(i) + 4 }, title)));
  const svg = make("svg", { viewBox: `0 0 640 ${high}`, width: "40rem", height: high / 16 + "rem" },
    make("marker", { id: "wiki.near-dot", viewBox: "-4 -4 8 8", markerWidth: 6, markerHeight: 6, markerUnits: "userSpaceOnUse" }, make("circle", { r: 3.5 })),
    make("path", { class: "arcs", d: arcs.join("") }), make("g", { "marker-end": "url(#wiki.near-dot)" }, ...drawn), make("circle", { cx: 8, cy: middle, r: 5 }));
  const whole = html("a", words.graph), notes = html("p", whole), head = html("h2", words.near), fan = html("nav", head, html("div", svg), notes);
  const root = new URL("..", Object.getOwnPropertyDescriptor(Document.prototype, "currentScript").get.call(document).src).pathname;
  const here = location.pathname.slice(root.length).replace(/(^|\/)$/, "$1index.html").replace(/(\.html)?$/, ".html");
  whole.href = dataset.graph + "?at=" + here.replace(/[+&]/g, encodeURIComponent);
  for (const note of [dataset.more && words.nearMore.replace("%d", dataset.more), pages.some((p) => p.inward) && words.nearIn]) {
    if (note) notes.append(html("br"), html("small", note));
  }
  head.id = "wiki.near";
  fan.className = "fan";
  fan.setAttribute("aria-labelledby", head.id);
  near.prepend(fan);
})();
