// Previews are loaded when somebody first points at a link, or comes to one by keyboard.
(() => {
  "use strict";
  const base = Object.getOwnPropertyDescriptor(Document.prototype, "currentScript").get.call(document).src;
  const frame = document.body.querySelector(":scope > .frame");
  if (!frame || !/^https?:/.test(base)) return; // a page opened from a disk can't read another
  const events = ["pointerover", "focusin"];
  const load = (e) => {
    if (e.pointerType === "touch" || !e.target.closest?.("a[href]")) return;
    for (const type of events) frame.removeEventListener(type, load);
    const script = document.createElement("script");
    script.src = new URL(self["wiki.words"].preview, base).href;
    script.onload = () => self["wiki.preview"](e);
    document.head.append(script);
  };
  for (const type of events) frame.addEventListener(type, load);
})();
