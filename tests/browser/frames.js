// What is cut off, runs out of its frame or off the screen, or lies over something else: of texts and of what is pressed.
// Called in a page; gives [kind, what, how far] for each, and names what it means by the classes round it.
() => {
  const PRESSABLE = "button, a, input, select, summary, .hit, .tray-square, [role=button]";
  const UNREAD = ".unseen, .skip, .edge, .scene-player, .undo-word, script, style, title, .seat-name.tight";
  const LAYERS = ".dock, .bar, dialog, .banner-place, .action-bar, .tour, .sign-told, .lay-foot, .menu-corner, .plan-sheet, main.rig .big-stop, .good-moves";
  const modal = [...document.querySelectorAll("dialog[open]")].at(-1);
  const within = modal ?? document.body;
  const found = new Map();
  const seenStyle = new Map();
  const styleOf = (each) => {
    if (!seenStyle.has(each)) seenStyle.set(each, getComputedStyle(each));
    return seenStyle.get(each);
  };
  const named = (each) => {
    const ways = [];
    for (let on = each; on && ways.length < 3; on = on.parentElement)
      ways.push(String(on.getAttribute("class") ?? on.localName).split(" ")[0] || on.localName);
    return ways.join(" < ");
  };
  const tell = (kind, each, words, far) => {
    const key = `${kind}: "${words.trim().replace(/\s+/g, " ").slice(0, 40)}" (${named(each)})`;
    if (!found.has(key)) found.set(key, Math.round(far));
  };
  const isSeen = (each) =>
    !each.closest(UNREAD) && each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const isCutAway = (each) => {
    for (let on = each; on && on !== document.body; on = on.parentElement) {
      const { clipPath, position } = styleOf(on);
      if (clipPath !== "none" && position !== "static") return true;
    }
    return false;
  };

  /** The part of a box that is not cut away by what it lies in, and by how much it is cut where nothing scrolls. */
  function shown(each, box, from = each.parentElement) {
    let { left, right, top, bottom } = box;
    const cut = { x: 0, y: 0, by: null };
    let free = false; // a fixed thing is cut by nothing but the screen
    for (let on = from, was = each; on && on !== document.documentElement; was = on, on = on.parentElement) {
      if (styleOf(was).position === "fixed") free = true;
      if (free) break;
      const style = styleOf(on);
      if (style.display === "contents") continue;
      if (on.localName === "svg" ? style.overflowX === "visible" : style.overflowX === "visible" && style.overflowY === "visible") continue;
      if (on === document.body) continue;
      const edge = on.getBoundingClientRect();
      const scrolls = (axis) => ["auto", "scroll"].includes(style[`overflow${axis}`]);
      const over = { x: Math.max(left < right ? edge.left - left : 0, right - edge.right), y: Math.max(edge.top - top, bottom - edge.bottom) };
      if (over.x > 0 && !scrolls("X") && over.x > cut.x) Object.assign(cut, { x: over.x, by: on });
      if (over.y > 0 && !scrolls("Y") && over.y > cut.y) Object.assign(cut, { y: over.y, by: on });
      left = Math.max(left, edge.left);
      right = Math.min(right, edge.right);
      top = Math.max(top, edge.top);
      bottom = Math.min(bottom, edge.bottom);
    }
    return { left, right, top, bottom, cut };
  }
  const layerOf = (each) => each.closest(LAYERS) ?? document.body;

  /** The frame a text stands in: what has an edge or a ground of its own. */
  function frameOf(each) {
    for (let on = each; on && on !== within && on !== document.body; on = on.parentElement) {
      const style = styleOf(on);
      if (style.position === "absolute" || style.position === "fixed") return null;
      if (on instanceof SVGElement) return null;
      const ground = style.backgroundColor !== "rgba(0, 0, 0, 0)" || style.backgroundImage !== "none";
      if (style.display !== "inline" && (ground || Number.parseFloat(style.borderTopWidth) > 0)) return on;
    }
    return null;
  }

  /** Whether what lies between can be pushed up and down. */
  function isPushed(each, frame) {
    for (let on = each; on; on = on === frame ? null : on.parentElement)
      if (["auto", "scroll"].includes(styleOf(on).overflowY)) return true;
    return ["auto", "scroll"].includes(styleOf(frame.parentElement).overflowY);
  }

  const texts = [];
  const walk = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walk.nextNode()) {
    const words = walk.currentNode.data;
    const each = walk.currentNode.parentElement;
    if (!words.trim() || !isSeen(each) || isCutAway(each)) continue;
    range.selectNodeContents(walk.currentNode);
    const isSqueezed = each.hasAttribute("textLength"); // the lines of its range are as wide as if it were not
    for (const line of isSqueezed ? [each.getBoundingClientRect()] : range.getClientRects()) {
      if (line.width < 1 || line.height < 1) continue;
      const slack = each.ownerSVGElement ? 0.3 * line.height : 0.18 * line.height; // above and below letters a line has room
      const box = { left: line.left, right: line.right, top: line.top + slack, bottom: line.bottom - slack };
      const part = shown(each, box, each);
      const { cut } = part;
      if (cut.x > 2) tell("cut at the side", each, words, cut.x);
      else if (cut.y > 2) tell("cut above or below", each, words, cut.y);
      if (part.right - part.left < 2 || part.bottom - part.top < 2) continue; // scrolled away
      if (part.right > innerWidth + 1 || part.left < -1) tell("off the screen", each, words, Math.max(part.right - innerWidth, -part.left));
      const frame = frameOf(each);
      if (frame) {
        const edge = frame.getBoundingClientRect();
        const beside = Math.max(edge.left - box.left, box.right - edge.right);
        const above = Math.max(edge.top - box.top, box.bottom - edge.bottom) - 2;
        const far = isPushed(each, frame) ? beside : Math.max(beside, above);
        if (far > 1.5) tell("out of its frame", each, words, far);
      }
      texts.push({ each, words, ...part, layer: layerOf(each) });
    }
  }
  const overlap = (a, b) => [
    Math.min(a.right, b.right) - Math.max(a.left, b.left),
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
  ];
  const inFan = ({ each }) => each.closest(".tr-held"); // cards in a hand are held one over another
  texts.sort((a, b) => a.top - b.top);
  texts.forEach((a, i) => {
    for (let j = i + 1; j < texts.length && texts[j].top < a.bottom; j++) {
      const b = texts[j];
      if (a.layer !== b.layer || a.each === b.each) continue;
      if (inFan(a) && inFan(b) && inFan(a) !== inFan(b)) continue;
      const [wide, high] = overlap(a, b);
      if (wide > 2 && high > 2 && isOnTop(a, b)) tell("lies over", a.each, `${a.words.trim().slice(0, 18)} / ${b.words.trim().slice(0, 18)}`, Math.min(wide, high));
    }
  });
  /** Whether both are seen where they meet: one that lies on a ground of its own covers the other, and is meant to. */
  function isOnTop(a, b) {
    const [x, y] = [(Math.max(a.left, b.left) + Math.min(a.right, b.right)) / 2, (Math.max(a.top, b.top) + Math.min(a.bottom, b.bottom)) / 2];
    return [a, b].every(({ each }) => {
      for (let on = each; on && on !== document.body; on = on.parentElement)
        if (["absolute", "fixed", "sticky"].includes(styleOf(on).position)) return false;
      return true;
    }) || (a.each.ownerSVGElement !== null && a.each.ownerSVGElement === b.each.ownerSVGElement && x > 0 && y > 0);
  }

  const pressed = [...within.querySelectorAll(PRESSABLE)].filter((each) => isSeen(each) && !isCutAway(each)).map((each) => {
    const box = each.getBoundingClientRect();
    return { each, ...shown(each, box), layer: layerOf(each), words: each.getAttribute("aria-label") ?? each.textContent };
  }).filter(({ left, right, top, bottom }) => right - left > 2 && bottom - top > 2);
  for (const { each, left, right, words, cut } of pressed) {
    if (right > innerWidth + 1 || left < -1) tell("a press off the screen", each, words, Math.max(right - innerWidth, -left));
    if (cut.x > 4 || cut.y > 4) tell("a press cut off", each, words, Math.max(cut.x, cut.y));
  }
  pressed.forEach((a, i) => {
    for (const b of pressed.slice(i + 1)) {
      if (a.layer !== b.layer || a.each.contains(b.each) || b.each.contains(a.each)) continue;
      if (a.each.ownerSVGElement && b.each.ownerSVGElement) continue; // on a drawing a place is no rectangle
      const [wide, high] = overlap(a, b);
      if (wide > 4 && high > 4) tell("a press over another", a.each, `${a.words.trim().slice(0, 18)} / ${b.words.trim().slice(0, 18)}`, Math.min(wide, high));
    }
  });
  // What lies over the page for good covers nothing that does not scroll out from under it.
  for (const layer of document.querySelectorAll(".menu-corner")) {
    const box = layer.getBoundingClientRect();
    for (const { each, words, layer: of, ...at } of pressed) {
      if (of === layer || layer.contains(each)) continue;
      const [wide, high] = overlap(box, at);
      if (wide > 2 && high > 2) tell("the menu lies over", each, words, Math.min(wide, high));
    }
  }
  return [...found].map(([what, far]) => `${what} by ${far} px`);
}
