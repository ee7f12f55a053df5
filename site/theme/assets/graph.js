// The graph of the whole wiki, on its page alone. Positions are made by the build.
//
// Edges take long to draw. They are drawn in slices, with dots and names, into a
// picture that is moved and scaled while the reader moves the graph; once it rests, the
// picture is made anew.
(async () => {
  "use strict";
  const root = document.body.querySelector(":scope > .frame > main > .graph");
  if (!root) return;
  const data = await new Promise((done) => {
    const script = document.createElement("script"); // a page opened from a file may load nothing else
    script.src = root.dataset.src;
    script.onload = () => done(self["wiki.graph"]);
    document.head.append(script);
  });
  const within = (path) => root.querySelector(":scope > " + path);
  const [ask, said, colours, closer, further, whole] = within(".graph-bar").children;
  const canvas = within(".graph-view > canvas"), name = within(".graph-view > .graph-name");
  const found = within(".graph-found"), legend = within(".graph-legend");
  const size = data.titles.length, x = Float32Array.from(data.x), y = Float32Array.from(data.y);

  // Edges as pairs, and the neighbours of each node.
  const near = data.titles.map(() => []), ends = [];
  data.near.forEach((list, i) => {
    let j = i;
    for (const step of list) {
      j += step;
      near[i].push(j);
      near[j].push(i);
      ends.push(i, j);
    }
  });
  const edges = Uint32Array.from(ends);
  const ranked = data.titles.map((_, i) => i).sort((a, b) => near[b].length - near[a].length || a - b);
  const radius = Float32Array.from(near, (list, i) => 2.2 + Math.min(7, Math.sqrt(list.length) * 0.55 + (data.pages ? Math.log2(data.pages[i]) : 0)));

  // Colours come from the styles, for both themes.
  const probe = document.createElement("i");
  probe.hidden = true;
  root.append(probe);
  const resolve = (css) => {
    probe.className = "";
    probe.style.color = css;
    return getComputedStyle(probe).color;
  };
  let hues, ink, faint, paper, accent, group = data.type;
  const readColours = () => {
    hues = Array.from({ length: 9 }, (_, i) => resolve(`var(--hue-${i})`));
    ink = resolve("var(--head)");
    faint = resolve("var(--strong-line)").match(/[\d.]+/g).map(Number);
    paper = resolve("var(--bg)");
    accent = resolve("var(--accent)");
  };
  const hue = (i) => { const names = group === data.type ? data.types : data.folders; return hues[group[i] < names.length ? group[i] : 8]; };
  const showLegend = () => {
    const names = group === data.type ? data.types : data.folders;
    const entries = group.some((g) => g === names.length) ? [...names, legend.dataset.other] : names;
    legend.replaceChildren(...entries.map((text, i) => {
      const li = document.createElement("li");
      li.textContent = text;
      if (i === names.length) li.className = "other";
      return li;
    }));
  };

  // The view: a point of the graph is at x * scale + left in pixels of the screen.
  const view = { scale: 1, left: 0, top: 0 };
  const screen = canvas.getContext("2d");
  const picture = { canvas: document.createElement("canvas"), view: null };
  let wide = 0, high = 0, dots = 1, touched = false;
  const dotScale = () => Math.min(2.2, Math.max(0.45, Math.sqrt(view.scale * 25) * (size > 2000 ? 0.6 : 1)));
  const bounds = (list) => list.reduce(([lo, up], v) => [Math.min(lo, v), Math.max(up, v)], [Infinity, -Infinity]);
  const fit = () => {
    touched = false;
    const [left, right] = bounds(x), [top, bottom] = bounds(y);
    view.scale = Math.min((wide - 60) / (right - left || 1), (high - 60) / (bottom - top || 1));
    view.left = (wide - (left + right) * view.scale) / 2;
    view.top = (high - (top + bottom) * view.scale) / 2;
  };

  // Lines are added up in a field of how dense they are, each with soft edges, which is
  // some times faster than paths of a canvas without a graphics card.
  let field = new Uint32Array(0), fieldWide = 0, fieldHigh = 0;
  const line = (x1, y1, x2, y2) => {
    let dx = x2 - x1, dy = y2 - y1, from = 0, to = 1;
    for (const [p, q] of [[-dx, x1 - 1], [dx, fieldWide - 3 - x1], [-dy, y1 - 1], [dy, fieldHigh - 3 - y1]]) {
      if (p === 0) { if (q < 0) return; continue; }
      const r = q / p;
      if (p < 0) { if (r > to) return; if (r > from) from = r; } else { if (r < from) return; if (r < to) to = r; }
    }
    const steps = Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) * (to - from)) || 1;
    let px = x1 + dx * from, py = y1 + dy * from;
    dx = dx * (to - from) / steps;
    dy = dy * (to - from) / steps;
    if (Math.abs(dx) > Math.abs(dy)) {
      for (let i = 0; i < steps; i++, px += dx, py += dy) {
        const row = py | 0, part = (py - row) * 32 | 0, at = row * fieldWide + (px | 0);
        field[at] += 32 - part;
        field[at + fieldWide] += part;
      }
    } else {
      for (let i = 0; i < steps; i++, px += dx, py += dy) {
        const column = px | 0, part = (px - column) * 32 | 0, at = (py | 0) * fieldWide + column;
        field[at] += 32 - part;
        field[at + 1] += part;
      }
    }
  };

  // A dot of a colour and size, drawn once.
  const stamps = new Map();
  const stamp = (colour, r) => {
    const key = colour + Math.round(r * 4);
    let s = stamps.get(key);
    if (!s) {
      s = document.createElement("canvas");
      s.width = s.height = Math.ceil(r * 2 + 4);
      const c = s.getContext("2d");
      c.fillStyle = colour;
      c.strokeStyle = paper;
      c.arc(s.width / 2, s.width / 2, r, 0, 7);
      c.fill();
      if (r > 3) c.stroke();
      stamps.set(key, s);
    }
    return s;
  };
  const dot = (c, i, colour, grow) => {
    const s = stamp(colour, Math.max(1, radius[i] * dotScale() * dots) + grow);
    c.drawImage(s, (x[i] * view.scale + view.left) * dots - s.width / 2, (y[i] * view.scale + view.top) * dots - s.height / 2);
  };

  // Names, the most linked first, where there is room.
  const names = (c, list, most, taken = []) => {
    c.font = `${12 * dots}px system-ui, sans-serif`;
    c.textBaseline = "middle";
    c.lineJoin = "round";
    c.lineWidth = 3 * dots;
    c.strokeStyle = paper;
    c.fillStyle = ink;
    let n = 0;
    for (const i of list) {
      const px = x[i] * view.scale + view.left, py = y[i] * view.scale + view.top;
      if (px < 0 || py < 0 || px > wide || py > high) continue;
      const text = data.titles[i].length > 40 ? data.titles[i].slice(0, 39) + "…" : data.titles[i];
      const w = c.measureText(text).width / dots, r = radius[i] * dotScale() + 4;
      const box = [px + r, py - 8, px + r + w, py + 8];
      if (taken.some((b) => b[0] < box[2] && b[2] > box[0] && b[1] < box[3] && b[3] > box[1])) continue;
      taken.push(box);
      c.strokeText(text, (px + r) * dots, py * dots);
      c.fillText(text, (px + r) * dots, py * dots);
      if (++n === most) break;
    }
  };

  // The picture, made in slices of some milliseconds.
  const slice = 9;
  let making = 0;
  function* make() {
    fieldWide = canvas.width;
    fieldHigh = canvas.height;
    if (field.length !== fieldWide * fieldHigh) field = new Uint32Array(fieldWide * fieldHigh);
    else field.fill(0);
    const at = { ...view };
    let began = performance.now();
    const s = at.scale * dots, l = at.left * dots, t = at.top * dots;
    for (let e = 0; e < edges.length; e += 2) {
      const a = edges[e], b = edges[e + 1];
      line(x[a] * s + l, y[a] * s + t, x[b] * s + l, y[b] * s + t);
      if (!(e & 255) && performance.now() - began > slice) { yield; began = performance.now(); }
    }
    // Dense places may not hide what is in them: a line counts the less, the more there are.
    let sum = 0, drawn = 0;
    for (let i = 0; i < field.length; i++) if (field[i]) { sum += field[i]; drawn++; }
    const unit = Math.max(36, sum / Math.max(1, drawn)) / 256;
    const opacity = Uint8ClampedArray.from({ length: 1024 }, (_, d) => 165 * (1 - Math.exp(-d / 256)));
    const pixels = new ImageData(fieldWide, fieldHigh), out = new Uint32Array(pixels.data.buffer);
    const colour = faint[2] << 16 | faint[1] << 8 | faint[0];
    yield;
    for (let i = 0; i < field.length; i++) if (field[i]) out[i] = opacity[Math.min(1023, field[i] / unit | 0)] << 24 | colour;
    yield;
    const done = document.createElement("canvas");
    done.width = fieldWide;
    done.height = fieldHigh;
    const c = done.getContext("2d", { willReadFrequently: true });
    c.putImageData(pixels, 0, 0);
    yield;
    began = performance.now();
    for (let k = size - 1; k >= 0; k--) {
      const i = ranked[k], px = x[i] * at.scale + at.left, py = y[i] * at.scale + at.top;
      if (px > -20 && py > -20 && px < wide + 20 && py < high + 20) dot(c, i, hue(i), 0);
      if (!(k & 255) && performance.now() - began > slice) { c.getImageData(0, 0, 1, 1); yield; began = performance.now(); }
    }
    names(c, ranked, Math.min(60, 14 + Math.round(at.scale * 60)));
    picture.canvas = done;
    picture.view = at;
  }
  let timer;
  const renew = (wait) => {
    const mine = ++making;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const steps = make();
      const next = () => {
        if (mine !== making) return;
        if (!steps.next().done) requestAnimationFrame(next);
        else { root.dataset.drawn = String(mine); paint(); }
      };
      next();
    }, wait);
  };

  // What is on the screen: the picture, and what the reader looks at on top of it.
  let over = -1, chosen = -1, held = -1, matches = null, waiting = false;
  const paint = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  };
  const draw = () => {
    screen.setTransform(1, 0, 0, 1, 0, 0);
    screen.clearRect(0, 0, canvas.width, canvas.height);
    const focus = held >= 0 ? held : over >= 0 ? over : chosen;
    const p = picture.view;
    if (p) {
      const k = view.scale / p.scale;
      screen.globalAlpha = focus >= 0 || matches ? 0.3 : 1;
      screen.imageSmoothingEnabled = false;
      screen.drawImage(picture.canvas, (view.left - p.left * k) * dots, (view.top - p.top * k) * dots, picture.canvas.width * k, picture.canvas.height * k);
      screen.globalAlpha = 1;
    }
    if (matches) {
      const some = matches.slice(0, 3000);
      for (const i of some) dot(screen, i, hue(i), 1);
      names(screen, some, 40);
    }
    if (focus < 0) return;
    const around = near[focus].slice(0, 2000);
    screen.strokeStyle = accent;
    screen.lineWidth = dots;
    screen.beginPath();
    for (const j of around) {
      screen.moveTo((x[focus] * view.scale + view.left) * dots, (y[focus] * view.scale + view.top) * dots);
      screen.lineTo((x[j] * view.scale + view.left) * dots, (y[j] * view.scale + view.top) * dots);
    }
    screen.stroke();
    for (const j of around) dot(screen, j, hue(j), 0);
    dot(screen, focus, accent, 2);
    names(screen, [focus, ...around.slice().sort((a, b) => near[b].length - near[a].length)], 16);
  };

  const moved = (wait = 120) => { paint(); renew(wait); };
  const zoom = (factor, px = wide / 2, py = high / 2) => {
    touched = true;
    const scale = Math.min(4, Math.max(0.002, view.scale * factor));
    view.left = px - (px - view.left) * scale / view.scale;
    view.top = py - (py - view.top) * scale / view.scale;
    view.scale = scale;
    moved();
  };
  const move = (dx, dy) => { touched = true; view.left += dx; view.top += dy; moved(); };
  const show = (i) => {
    touched = true;
    view.scale = Math.max(view.scale, 0.09);
    view.left = wide / 2 - x[i] * view.scale;
    view.top = high / 2 - y[i] * view.scale;
    chosen = i;
    moved(0);
  };
  const open = (i) => { location.href = data.files[i]; };

  // The pointer: drags the graph or a node, opens a page.
  const at = (e) => { const box = canvas.getBoundingClientRect(); return [e.clientX - box.left, e.clientY - box.top]; };
  const hit = (px, py) => {
    let best = -1, least = Infinity;
    for (let i = 0; i < size; i++) {
      const d = Math.hypot(x[i] * view.scale + view.left - px, y[i] * view.scale + view.top - py) - radius[i] * dotScale();
      if (d < 5 && d < least) { best = i; least = d; }
    }
    return best;
  };
  const look = (i) => {
    if (i === over) return;
    over = i;
    canvas.classList.toggle("on", i >= 0);
    name.hidden = i < 0;
    if (i >= 0) name.textContent = data.titles[i];
    paint();
  };
  const pointers = new Map();
  let began = null;
  canvas.addEventListener("pointerdown", (e) => {
    if (e.button > 0) return;
    const [px, py] = at(e);
    try { canvas.setPointerCapture(e.pointerId); } catch { /* the pointer is gone already */ }
    pointers.set(e.pointerId, [px, py]);
    if (pointers.size > 1) { held = -1; began = null; return; }
    held = hit(px, py);
    began = { px, py, moved: false };
    canvas.classList.add("held");
    paint();
  });
  canvas.addEventListener("pointermove", (e) => {
    const [px, py] = at(e), last = pointers.get(e.pointerId);
    if (!last) { look(hit(px, py)); return; }
    if (pointers.size === 2) {
      const other = [...pointers].find(([id]) => id !== e.pointerId)[1];
      const grown = Math.hypot(px - other[0], py - other[1]) / (Math.hypot(last[0] - other[0], last[1] - other[1]) || 1);
      pointers.set(e.pointerId, [px, py]);
      zoom(grown, (px + other[0]) / 2, (py + other[1]) / 2);
      return;
    }
    if (began && !began.moved && Math.hypot(px - began.px, py - began.py) < 4) return;
    if (began) began.moved = true;
    pointers.set(e.pointerId, [px, py]);
    if (held < 0) { move(px - last[0], py - last[1]); return; }
    x[held] = (px - view.left) / view.scale;
    y[held] = (py - view.top) / view.scale;
    paint();
  });
  const release = (e) => {
    if (!pointers.delete(e.pointerId)) return;
    canvas.classList.remove("held");
    const node = held;
    held = -1;
    if (began && !began.moved && e.type === "pointerup") {
      if (node >= 0) { open(node); return; }
      chosen = -1;
    }
    if (began?.moved && node >= 0) renew(0);
    paint();
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => { if (!pointers.size) look(-1); });
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    zoom(Math.exp(-Math.max(-60, Math.min(60, e.deltaY)) * 0.005), ...at(e));
  }, { passive: false });
  canvas.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const keys = {
      ArrowLeft: () => move(60, 0), ArrowRight: () => move(-60, 0), ArrowUp: () => move(0, 60), ArrowDown: () => move(0, -60),
      "+": () => zoom(1.3), "=": () => zoom(1.3), "-": () => zoom(1 / 1.3), 0: () => { fit(); moved(0); }, Escape: () => { chosen = -1; paint(); },
    };
    if (!keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
  });
  closer.addEventListener("click", () => zoom(1.5));
  further.addEventListener("click", () => zoom(1 / 1.5));
  whole.addEventListener("click", () => { chosen = -1; fit(); moved(0); });

  // Pages by name. The first ones are links, for those who use no pointer.
  const fold = (s) => s.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  let folded;
  ask.addEventListener("input", () => {
    const text = fold(ask.value.trim());
    folded ??= data.titles.map(fold);
    matches = text ? ranked.filter((i) => folded[i].includes(text)) : null;
    said.textContent = !matches ? "" : matches.length === 1 ? said.dataset.single : said.dataset.many.replace("%d", matches.length);
    found.hidden = !matches?.length;
    found.replaceChildren(...(matches ?? []).slice(0, 12).map((i) => {
      const li = document.createElement("li"), a = document.createElement("a");
      a.href = data.files[i];
      a.textContent = data.titles[i];
      li.append(a);
      return li;
    }));
    paint();
  });
  ask.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && matches?.length) open(matches[0]);
    if (e.key === "Escape" && ask.value) { ask.value = ""; ask.dispatchEvent(new Event("input")); }
  });

  const choose = () => { group = colours.value === "folder" ? data.folder : data.type; showLegend(); moved(0); };
  const kinds = [data.types.length > 1, data.folders.length > 1];
  colours.hidden = !(kinds[0] && kinds[1]);
  if (!kinds[0] && kinds[1]) colours.value = "folder";
  colours.addEventListener("change", choose);

  const restyle = () => { readColours(); stamps.clear(); moved(0); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", restyle);
  new MutationObserver(restyle).observe(document.documentElement, { attributes: true, attributeFilter: ["data-mode"] });

  const resize = () => {
    const box = canvas.parentElement.getBoundingClientRect();
    if (!box.width) return;
    view.left += (box.width - wide) / 2;
    view.top += (box.height - high) / 2;
    dots = Math.min(2, self.devicePixelRatio || 1);
    [wide, high] = [box.width, box.height];
    canvas.width = Math.round(wide * dots);
    canvas.height = Math.round(high * dots);
    if (!touched) fit();
    moved(0);
  };
  root.hidden = false;
  readColours();
  resize();
  choose();
  const asked = new URLSearchParams(location.search).get("at");
  const start = asked ? data.files.findIndex((file) => decodeURIComponent(file) === asked) : -1;
  if (start >= 0) show(start);
  new ResizeObserver(resize).observe(canvas.parentElement);
})();
