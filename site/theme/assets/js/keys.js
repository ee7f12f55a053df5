// The list of keys, on "?".
(() => {
  "use strict";
  const { shortcuts } = self["wiki.words"];
  let dialog;
  addEventListener("keydown", (e) => {
    if (e.key !== "?" || e.ctrlKey || e.metaKey || e.altKey || e.target.closest?.("input, textarea, select, [contenteditable]")) return;
    e.preventDefault();
    if (!dialog) {
      const make = (tag, ...children) => {
        const made = document.createElement(tag);
        made.append(...children);
        return made;
      };
      dialog = make("dialog", make("h2", shortcuts.title), make("dl", ...shortcuts.list.map(([keys, words]) =>
        make("div", make("dt", ...keys.split(" ").map((k) => make("kbd", k))), make("dd", words)))));
      dialog.className = "shortcuts";
      dialog.setAttribute("aria-label", shortcuts.title);
      dialog.addEventListener("click", (click) => { if (click.target === dialog) dialog.close(); });
      document.body.append(dialog);
    }
    if (!document.querySelector("dialog[open]")) dialog.showModal();
  });
})();
