// Footnotes open in their place, below the paragraph that refers to them. Without this
// script they are links to the end of the page.
(() => {
  "use strict";
  const article = document.querySelector(":scope > body > .frame > main > .prose");
  article?.addEventListener("click", (e) => {
    const link = e.target.closest?.("a.footnote");
    if (!link || e.metaKey || e.ctrlKey || e.shiftKey) return;
    const note = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (!note?.matches(".footnotes > ol > li")) return;
    e.preventDefault();
    const opened = link["wiki.note"];
    if (opened) {
      opened.remove();
      link["wiki.note"] = null;
      link.ariaExpanded = "false";
      return;
    }
    const aside = document.createElement("aside");
    aside.className = "note";
    aside.setAttribute("role", "note");
    aside.append(...[...note.childNodes].map((n) => n.cloneNode(true)));
    for (const back of aside.querySelectorAll(".backref")) back.remove();
    for (const named of aside.querySelectorAll("[id]")) named.removeAttribute("id");
    const place = link.closest("p, td, th, li, dd, summary, h1, h2, h3, h4, h5, h6, div");
    if (place.matches("td, th, li, dd, div")) place.append(aside);
    else place.after(aside);
    link["wiki.note"] = aside;
    link.ariaExpanded = "true";
  });
  // Links of headings to themselves.
  for (const heading of article?.querySelectorAll(":is(h1, h2, h3, h4, h5, h6)[id]") ?? []) {
    const link = document.createElement("a");
    link.className = "anchor";
    link.href = "#" + encodeURIComponent(heading.id);
    link.textContent = "#";
    link.setAttribute("aria-label", self["wiki.words"].section + ": " + heading.textContent);
    heading.append(link);
  }
  // The language of code, beside the button that copies it.
  for (const code of article?.querySelectorAll("pre > code[class^='language-']") ?? []) {
    const block = code.closest(".block");
    if (block) block.dataset.language = code.className.slice("language-".length);
  }
})();
