// Draws the diagrams of a page from their source, in the colours of the theme. It is
// loaded on pages with diagrams only, and loads mermaid.js beside it. The same caution
// as in site.js: pages are untrusted. A drawing stands in a shadow root, where its
// styles and ids are its own, and whatever fails leaves the source in its place.
(() => {
  "use strict";
  const root = document.documentElement;
  const base = Object.getOwnPropertyDescriptor(Document.prototype, "currentScript").get.call(document).src;
  const words = self["wiki.words"];
  const sources = document.querySelectorAll(":scope > body > .frame > main > .prose pre.mermaid");
  const most = 50, longest = 20000; // diagrams of one page, characters of one
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.mode || (system.matches ? "dark" : "light")) === "dark";

  const load = () => new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = new URL(self["wiki.mermaid"], base).href;
    script.onload = () => done(self["mermaid"]);
    script.onerror = failed;
    document.head.append(script);
  });

  // A page may set none of these in a diagram.
  const fixed = ["secure", "securityLevel", "startOnLoad", "maxTextSize", "maxEdges", "suppressErrorRendering", "theme", "themeCSS",
    "themeVariables", "fontFamily", "altFontFamily", "darkMode", "deterministicIds", "logLevel", "dompurifyConfig", "arrowMarkerAbsolute"];

  const settings = (dark) => {
    const probe = document.createElement("span");
    document.body.append(probe);
    const color = (name) => { probe.style.color = `var(--${name})`; return getComputedStyle(probe).color; };
    const [back, soft, text, muted, accent, tint, note] = ["bg", "soft", "text", "strong-line", "accent", "accent-soft", "warn-soft"].map(color);
    const parts = Object.fromEntries(["accent", "plum", "good", "warn", "bad", "strong-line"].map((name, i) => ["pie" + (i + 1), color(name)]));
    probe.remove();
    return {
      startOnLoad: false, securityLevel: "strict", suppressErrorRendering: true, logLevel: "fatal", maxTextSize: longest, secure: fixed,
      dompurifyConfig: { FORBID_TAGS: ["img", "image", "audio", "video", "style", "form", "input", "button", "select", "textarea"] },
      theme: "base", fontFamily: getComputedStyle(document.body).fontFamily,
      themeVariables: {
        darkMode: dark, background: back, mainBkg: tint, primaryColor: tint, primaryTextColor: text, primaryBorderColor: accent, nodeBorder: accent,
        secondaryColor: soft, tertiaryColor: soft, secondaryTextColor: text, tertiaryTextColor: text, secondaryBorderColor: muted, tertiaryBorderColor: muted,
        lineColor: muted, textColor: text, titleColor: text, clusterBkg: soft, clusterBorder: muted, edgeLabelBackground: back,
        noteBkgColor: note, noteTextColor: text, noteBorderColor: muted,
        ...parts, pieSectionTextColor: back, pieStrokeColor: back, pieOuterStrokeColor: muted, pieOpacity: 1,
      },
    };
  };

  // show puts a drawing before its source, which is hidden.
  const show = (pre, svg, dark) => {
    let host = pre.previousElementSibling;
    if (!pre.hidden) {
      host = document.createElement("div");
      host.className = "diagram";
      host.attachShadow({ mode: "open" });
      pre.before(host);
      pre.hidden = true;
    }
    host.dataset.ground = dark ? "dark" : "light";
    host.shadowRoot.innerHTML = svg;
    const drawing = host.shadowRoot.querySelector("svg");
    if (!drawing) return;
    const width = drawing.viewBox.baseVal?.width;
    // On a phone a wide drawing is scrolled rather than made too small to read.
    if (width) drawing.style.minWidth = Math.min(width, 420) + "px";
    if (host.scrollWidth > host.clientWidth) {
      host.tabIndex = 0;
      host.setAttribute("role", "region");
      host.setAttribute("aria-label", words.diagram);
    }
  };

  const fail = (pre) => {
    pre.previousElementSibling?.matches(".diagram") && pre.hidden && pre.previousElementSibling.remove();
    pre.hidden = false;
    pre.classList.add("failed");
    pre.title = words.diagramFailed;
  };

  // Mermaid looks for the ids that it gives in the whole page, and removes what has them:
  // no heading may be able to have one.
  const prefix = "d" + crypto.getRandomValues(new Uint32Array(2)).join("-");
  let drawn = 0;
  const draw = async (mermaid) => {
    const turn = ++drawn, dark = isDark();
    mermaid.initialize(settings(dark));
    // Where drawings are measured: as wide as the text, without its styles.
    const room = document.createElement("div");
    room.className = "diagram-room";
    document.body.append(room);
    let n = 0;
    for (const pre of [...sources].slice(0, most)) {
      room.style.width = pre.parentElement.clientWidth + "px";
      try {
        if (pre.textContent.length > longest) throw new RangeError("too long");
        const { svg } = await mermaid.render(`${prefix}-${++n}`, pre.textContent, room);
        if (turn === drawn) show(pre, svg, dark);
      } catch {
        fail(pre);
      }
      if (turn !== drawn) break; // another theme was chosen meanwhile
    }
    room.remove();
  };

  if (!sources.length) return;
  load().then((mermaid) => {
    draw(mermaid);
    let dark = isDark();
    const follow = () => { if (isDark() !== dark) { dark = !dark; draw(mermaid); } };
    system.addEventListener("change", follow);
    new MutationObserver(follow).observe(root, { attributes: true, attributeFilter: ["data-mode"] });
  }).catch(() => sources.forEach(fail));
})();
