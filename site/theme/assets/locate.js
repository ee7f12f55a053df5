// The page for wrong addresses is served at any depth, and a site does not
// know the folder it was published in: ask for a file that every site has,
// folder by folder upwards, and lead from there. Where the site says its address, and
// is seen at it, there is nothing to ask.
(async () => {
  if (location.protocol === "file:") return; // no server, no wrong address
  const search = (root) => {
    const script = document.createElement("script");
    script.src = root + "_wiki/site.js";
    document.head.append(script);
  };
  if (document.querySelector("base")) {
    if (new URL(document.baseURI).origin === location.origin) search(document.baseURI);
    return;
  }
  const parts = location.pathname.split("/").slice(1, -1);
  for (let n = parts.length; n >= 0; n--) {
    // Of this origin, also where the address begins with //.
    const root = location.origin + "/" + parts.slice(0, n).map((p) => p + "/").join("");
    try {
      const answer = await fetch(root + "_wiki/site.css", { method: "HEAD" });
      if (!answer.ok) continue;
    } catch {
      return;
    }
    const base = document.createElement("base");
    base.href = root;
    document.head.append(base);
    search(root);
    return;
  }
})();
