// Follows the files of the wiki: loads the page again when they change, and
// says when that is not possible.
(() => {
  "use strict";
  const words = self["wiki.live"]; // the server puts them in front of this script
  const stream = new URL("events", Object.getOwnPropertyDescriptor(Document.prototype, "currentScript").get.call(document).src);
  const shelf = "wiki-live-scroll";

  // The generation this page is of, as the server said when it sent it.
  const entry = performance.getEntriesByType("navigation")[0];
  const timing = (name) => entry?.serverTiming?.find((t) => t.name === name)?.description;
  let shown = timing("wiki");
  // Pages of runs say what of the runs they show: they follow those, too.
  const runs = timing("runs");
  if (runs) stream.searchParams.set("page", here());

  // The page comes back where it was left: with the same heading at the same
  // height, even if there is more or less text above it by now.
  const marks = () => [...document.querySelectorAll("main [id]")];
  function place() {
    const mark = marks().findLast((e) => e.getBoundingClientRect().top < innerHeight / 3);
    const open = [...document.querySelectorAll("main details[id][open]")].map((e) => e.id);
    return { at: location.href, x: scrollX, y: scrollY, mark: scrollY && mark?.id, top: mark?.getBoundingClientRect().top, open };
  }
  function goTo(p) {
    const mark = p.mark && document.getElementById(p.mark);
    const top = mark ? scrollY + mark.getBoundingClientRect().top - p.top : p.y;
    scrollTo({ left: p.x, top, behavior: "instant" });
    return scrollY;
  }
  try {
    const kept = JSON.parse(sessionStorage.getItem(shelf));
    sessionStorage.removeItem(shelf);
    if (kept?.at === location.href) {
      for (const id of kept.open ?? []) document.getElementById(id)?.setAttribute("open", "");
      const y = goTo(kept);
      // Once more when all is there, unless the reader went elsewhere.
      addEventListener("load", () => { if (Math.abs(scrollY - y) < 50) goTo(kept); }, { once: true });
    }
  } catch { /* without storage the browser's own memory has to do */ }
  // The browser's own memory of the place is for going back and forth. Until
  // the page is loaded it would undo the above.
  addEventListener("load", () => setTimeout(() => { history.scrollRestoration = "auto"; }), { once: true });
  function reload() {
    try {
      sessionStorage.setItem(shelf, JSON.stringify(place()));
      history.scrollRestoration = "manual";
    } catch { /* as above */ }
    source?.close();
    location.reload();
  }

  // One notice at the foot of the window. Styles are set by script, which the
  // page's policy allows, and kept apart from the theme's by a shadow root.
  let box;
  function say(text, kind) {
    if (!text) { box?.host.remove(); box = null; return; }
    if (!box) {
      const host = document.createElement("div");
      host.id = "wiki.live";
      const root = host.attachShadow({ mode: "open" });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`
        :host { all: initial; }
        p { position: fixed; z-index: 2147483647; inset: auto 1rem 1rem 1rem; margin: 0 auto; width: fit-content;
            max-width: min(46rem, calc(100vw - 4rem)); max-height: 50vh; overflow: auto; padding: .6rem .9rem; border-radius: .5rem;
            font: 14px/1.5 system-ui, sans-serif; white-space: pre-wrap; overflow-wrap: anywhere;
            color: #fff; background: #33302b; box-shadow: 0 2px 14px rgb(0 0 0 / .35); }
        p.problem { background: #8c1d18; font-family: ui-monospace, monospace; }
        @media print { p { display: none; } }`);
      root.adoptedStyleSheets = [sheet];
      const p = document.createElement("p");
      p.setAttribute("role", "status");
      root.append(p);
      document.body.append(host);
      box = { host, p };
    }
    box.p.className = kind;
    box.p.textContent = text;
  }

  let source, gone, problem = "";
  function hear(message) {
    clearTimeout(gone);
    gone = 0;
    const e = JSON.parse(message.data);
    problem = e.problem ?? "";
    say(problem, "problem");
    shown ??= e.generation;
    if (e.generation === shown) return;
    if (e.before === shown && !(e.files ?? []).includes(here())) {
      shown = e.generation; // the findings that are new are on other pages
      return;
    }
    reload();
  }
  // The file of the site that this page is.
  function here() {
    const base = new URL("..", stream).pathname;
    const path = location.pathname.slice(base.length);
    let name = path;
    try { name = decodeURIComponent(path); } catch { /* as it is */ }
    return name === "" || name.endsWith("/") ? name + "index.html" : name;
  }
  function connect() {
    if (source || document.visibilityState === "hidden") return;
    source = new EventSource(stream);
    source.addEventListener("change", hear);
    if (runs) source.addEventListener("runs", (message) => { if (message.data !== runs) reload(); });
    source.onerror = () => {
      // The browser tries again by itself, unless it was told off.
      if (!gone) gone = setTimeout(() => say(words.gone, "gone"), 700);
      if (source.readyState === EventSource.CLOSED) {
        source = null;
        setTimeout(connect, 1000);
      }
    };
  }
  // A browser keeps six connections to a server: tabs that nobody sees leave
  // theirs to others, and look for what they missed when they are seen.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") {
      source?.close();
      source = null;
      clearTimeout(gone);
      gone = 0;
    } else connect();
  });
  addEventListener("pageshow", (e) => { if (e.persisted) reload(); });
  addEventListener("pagehide", () => { source?.close(); source = null; });
  connect();
})();
