// The contents, a second time: beside the text where there is room.
(() => {
  "use strict";
  const frame = document.querySelector(":scope > body > .frame");
  const list = frame?.querySelector(":scope > main > .toc-inline > ul"), rail = frame?.querySelector(":scope > .rail");
  rail?.classList.add("drawn"); // with the linked pages, before anything is painted again
  if (!list || !rail) return;
  const toc = document.createElement("nav"), head = document.createElement("h2");
  toc.className = "toc";
  head.id = "wiki.toc-title";
  head.textContent = self["wiki.words"].onThisPage;
  toc.setAttribute("aria-labelledby", head.id);
  toc.append(head, list.cloneNode(true));
  rail.prepend(toc);
})();
