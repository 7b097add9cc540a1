// Put into a page before its scripts: its clock can be stopped and led on by hand, and what it sends is written down.
(() => {
  const real = { now: performance.now.bind(performance), date: Date.now.bind(Date), set: setTimeout.bind(window), clear: clearTimeout.bind(window) };
  const held = sessionStorage.getItem("taps-stopped"); // a page that is come to in a stopped moment begins in it
  const apart = real.date() - real.now();
  if (held === null) sessionStorage.removeItem("digside-pressed"); // who comes to the table anew has not pressed just now
  let stopped = held === null ? null : Number(held) - apart;
  let ahead = 0;
  const timers = new Map();
  const sources = new Set();
  let beat = null;
  const now = () => stopped ?? real.now() + ahead;

  performance.now = now;
  Date.now = () => Math.round(now() + apart);
  window.setTimeout = (call, ms = 0, ...rest) => {
    const timer = { due: now() + Math.max(0, ms), run: () => call(...rest) };
    const id = real.set(() => due(id), Math.max(0, ms));
    timers.set(id, timer);
    return id;
  };
  window.clearTimeout = (id) => {
    timers.delete(id);
    real.clear(id);
  };
  function due(id) {
    const timer = timers.get(id);
    if (!timer || (stopped !== null && timer.due > stopped)) return; // when the clock is led on, or goes on
    timers.delete(id);
    timer.run();
  }

  let isCut = false;
  window.EventSource = class extends EventSource {
    constructor(url, ...how) {
      super(isCut ? "/nowhere" : url, ...how);
      sources.add(this);
      this.addEventListener("beat", (event) => (beat = event.data));
      this.addEventListener("message", (event) => (taps.seq = Number(event.lastEventId)));
    }
    close() {
      sources.delete(this);
      super.close();
    }
  };
  const fetched = window.fetch;
  window.fetch = async (path, how = {}) => {
    taps.underway++;
    try {
      if (how.method === "POST") taps.sent.push([String(path), how.body ?? ""]);
      const answer = await fetched(path, how);
      if (how.method === "POST" && taps.late) {
        taps.waiting++;
        await new Promise((done) => setTimeout(done, taps.late));
        taps.waiting--;
      }
      return answer;
    } finally {
      taps.underway--;
    }
  };

  const LISTENED = new Set(["click", "pointerdown"]);
  const listening = new WeakSet();
  const listen = Element.prototype.addEventListener;
  Element.prototype.addEventListener = function (what, ...how) {
    if (LISTENED.has(what)) listening.add(this);
    return listen.call(this, what, ...how);
  };
  const PRESSABLE = "button, a, summary, label, input, select, [role=button]";
  const isPressable = (it) => it.matches(PRESSABLE) || (listening.has(it) && !it.matches("html, body, main"));
  function pressable(it) {
    for (let at = it; at; at = at.parentElement) if (isPressable(at)) return at;
    return null;
  }
  /** Once more round: what was drawn meanwhile stands there. */
  const turns = async (n) => {
    for (let i = 0; i < n; i++)
      await new Promise((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done(port1.close());
        port2.postMessage(null);
      });
  };
  const plain = (text) => text.replace(/\s+/g, " ").trim().slice(0, 90);
  const isOff = (thing) => thing.ariaDisabled === "true" || thing.disabled === true;
  const said = (thing) => {
    const label = thing.getAttribute("aria-label") ?? thing.textContent ?? "";
    return plain(label || thing.className.baseVal || thing.className || thing.tagName);
  };
  const top = () => [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;

  const bare = (text) => text?.replace(/\d+/g, "") ?? null;
  const taps = {
    sent: [],
    underway: 0,
    waiting: 0, // those of them that have been answered, and not been told yet
    late: 0, // so long an answer takes
    seq: 0,
    now,
    stop() {
      stopped ??= now();
      sessionStorage.setItem("taps-stopped", String(stopped + apart));
    },
    go() {
      sessionStorage.removeItem("taps-stopped");
      stopped = null;
      for (const [id, timer] of timers) real.set(() => due(id), Math.max(0, timer.due - now()));
    },
    /** Leads a stopped clock on, timer by timer. */
    async on(ms) {
      const end = stopped + ms;
      for (;;) {
        const next = [...timers].filter(([, { due: at }]) => at <= end).sort((a, b) => a[1].due - b[1].due)[0];
        if (!next) break;
        stopped = Math.max(stopped, next[1].due);
        timers.delete(next[0]);
        next[1].run();
        await turns(1);
      }
      stopped = end;
      for (const source of sources) beat && source.dispatchEvent(new MessageEvent("beat", { data: beat }));
      await taps.rest();
    },
    /** The line to the service breaks, until it is mended. */
    cut(broken) {
      isCut = broken;
      for (const source of [...sources]) source.onerror?.(new Event("error"));
    },
    /** Until nothing is under way and what came stands there. */
    async rest() {
      const patience = real.now() + 8000;
      do {
        await turns(2);
        if (taps.underway > taps.waiting) await new Promise((done) => real.set(done, 5));
      } while (taps.underway > taps.waiting && real.now() < patience);
      await turns(2);
    },
    /** What lies at a place: what it says of itself, and whether it takes a press. */
    under({ x, y }) {
      const it = document.elementFromPoint(x, y);
      const thing = pressable(it);
      if (!thing || it.matches(".one-tap")) return { said: null, thing: null };
      return { said: said(thing), off: isOff(thing), thing };
    },
    /** All that can be pressed. */
    all() {
      const found = [];
      for (const thing of top().querySelectorAll("*")) {
        if (!isPressable(thing)) continue;
        const box = thing.getBoundingClientRect();
        if (box.width === 0 || box.height === 0 || !thing.checkVisibility({ visibilityProperty: true })) continue;
        found.push({ thing, said: said(thing), off: isOff(thing), kind: kindOf(thing), box });
      }
      return found;
    },
    /** What can be pressed, and where: by the middle of what is seen of it. */
    places: () => taps.all().map(({ thing, box, ...told }) => ({ ...told, at: spotOf(thing, box) })),
    /** Where one of those that say the same is, brought into sight; none where it lies under something. */
    find(what, nth) {
      let found = taps.all().filter((each) => each.said === what)[nth];
      if (!found) return null;
      const at = spotOf(found.thing, found.box);
      if (at) return at;
      found.thing.scrollIntoView({ block: "center", behavior: "instant" });
      found = taps.all().filter((each) => each.said === what)[nth];
      return found ? spotOf(found.thing, found.box) : null;
    },
    /** Places where nothing can be pressed. */
    empty() {
      const found = [];
      for (let i = 1; i < 6; i++)
        for (let j = 1; j < 6; j++) {
          const at = { x: Math.round((i * innerWidth) / 6) + 3, y: Math.round((j * innerHeight) / 6) + 3 };
          if (!taps.under(at).thing) found.push(at);
        }
      return found;
    },
    /** Where on the page each thing stands that can be pressed, by its name without numbers; of its sort the only one, and
     * no piece that walks. */
    stands() {
      const still = taps.all().filter(({ thing }) => !thing.closest("[data-piece], [data-walks], .on-track"));
      const found = Map.groupBy(still, ({ said: it, thing }) => `${thing.tagName} ${bare(it)}`);
      const at = ({ box }) => [box.x, box.y + scrollY, box.width, box.height].map(Math.round);
      return Object.fromEntries([...found].filter(([, all]) => all.length === 1).map(([it, all]) => [it, at(all[0])]));
    },
    /** What the page offers now: two pages with the same are the same state. */
    offers: () => taps.all().map(({ said: it, off, kind }) => `${kind}|${it}${off ? "|off" : ""}`),
  };
  const kindOf = (thing) => plain(String(thing.className.baseVal ?? thing.className)) || thing.tagName.toLowerCase();
  const SPOTS = [[0.5, 0.5], [0.3, 0.3], [0.7, 0.7], [0.5, 0.15], [0.5, 0.85], [0.15, 0.5], [0.85, 0.5]];
  const spotOf = (thing, { left, top: high, width, height }) =>
    SPOTS.map(([a, b]) => ({ x: left + a * width, y: high + b * height })).find(
      (at) => pressable(document.elementFromPoint(at.x, at.y)) === thing,
    ) ?? null;
  let touched = null;
  /** Stops the clock before a place is pressed, and notes what lies there; where that is. */
  taps.touch = ({ said: what, nth, at }, late) => {
    const spot = what === null ? at : taps.find(what, nth);
    if (!spot) return null;
    taps.late = late;
    taps.sent = [];
    touched = taps.under(spot);
    taps.stop();
    return spot;
  };
  /** What else than before would be pressed at a place; its numbers count while it is pressed. */
  const other = (at) => {
    const found = taps.under(at);
    return !found.thing || found.off || bare(found.said) === bare(touched.said) ? null : found.said;
  };
  /** A tap, as a finger's: it falls on what lies uppermost, which takes the focus. */
  function tap({ x, y }) {
    const it = document.elementFromPoint(x, y);
    const how = { bubbles: true, cancelable: true, composed: true, view: window, clientX: x, clientY: y, detail: 1 };
    it.dispatchEvent(new PointerEvent("pointerdown", { ...how, isPrimary: true, pointerType: "touch" }));
    it.dispatchEvent(new MouseEvent("mousedown", how));
    const takes = it.closest("button, a, input, select, summary, [tabindex]");
    if (takes) takes.focus({ preventScroll: true });
    else document.activeElement?.blur();
    it.dispatchEvent(new PointerEvent("pointerup", { ...how, isPrimary: true, pointerType: "touch" }));
    it.dispatchEvent(new MouseEvent("mouseup", how));
    it.dispatchEvent(new MouseEvent("click", how));
  }
  const standing = () => ({ offers: taps.offers(), sent: [...taps.sent] });
  /** A press that opens something, once that takes presses itself. */
  taps.once = async (place) => {
    const spot = taps.touch(place, 0);
    if (spot) {
      tap(spot);
      await taps.rest();
      await taps.on(2000);
      await taps.end();
    }
    return spot !== null;
  };
  /** Two taps at a place: what lay there otherwise at the first gap where that was so, and what each of them did. */
  taps.twice = async (place, late, gaps) => {
    const at = taps.touch(place, late);
    if (!at) return { hidden: true };
    tap(at);
    await taps.rest();
    let [passed, found] = [0, null];
    for (const gap of gaps) {
      await taps.on(gap - passed);
      passed = gap;
      found = other(at);
      if (found !== null) break;
    }
    const first = standing();
    tap(at);
    await taps.rest();
    const second = standing();
    return { gap: passed, other: found, first, second, end: await taps.end() };
  };
  /** The clock goes on. */
  taps.end = async () => {
    taps.go();
    taps.late = 0;
    await taps.rest();
    return taps.offers();
  };
  // Where a press leads to another page is noted, and the page stays.
  window.navigation?.addEventListener("navigate", (event) => {
    if (!event.cancelable || event.hashChange) return;
    event.preventDefault();
    taps.sent.push([`go ${new URL(event.destination.url).pathname}`, ""]);
  });
  window.taps = taps;
})();
