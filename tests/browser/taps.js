// Put into a page before its scripts: its clock can be stopped and led on by hand, and what it sends is written down.
(() => {
  const real = { now: performance.now.bind(performance), date: Date.now.bind(Date), set: setTimeout.bind(window), clear: clearTimeout.bind(window) };
  const held = sessionStorage.getItem("taps-stopped"); // a page that is come to in a stopped moment begins in it
  const apart = real.date() - real.now();
  if (held === null) sessionStorage.removeItem("digside-pressed"); // who comes to the table anew has not pressed just now
  let stopped = held === null ? null : Number(held) - apart;
  let ahead = 0; // so far the clock was led on past the real one
  let newest = 0;
  const timers = new Map();
  const sources = new Set();
  const channels = new Set();
  const listens = []; // what the page listens to at its window and its document
  let beat = null;
  const now = () => stopped ?? real.now() + ahead;

  performance.now = now;
  Date.now = () => Math.round(now() + apart);
  function arm(id, timer) {
    timers.set(id, timer);
    timer.real = real.set(() => due(id), Math.max(0, timer.due - now()));
  }
  function set(call, ms, every, rest) {
    arm(++newest, { due: now() + Math.max(0, ms), every, run: () => call(...rest) });
    return newest;
  }
  window.setTimeout = (call, ms = 0, ...rest) => set(call, ms, 0, rest);
  window.setInterval = (call, ms = 0, ...rest) => set(call, ms, Math.max(10, ms), rest);
  window.clearTimeout = (id) => {
    real.clear(timers.get(id)?.real);
    timers.delete(id);
  };
  window.clearInterval = window.clearTimeout;
  function due(id) {
    const timer = timers.get(id);
    if (!timer || (stopped !== null && timer.due > stopped)) return; // when the clock is led on, or goes on
    clearTimeout(id);
    if (timer.every) arm(id, { ...timer, due: now() + timer.every });
    timer.run();
  }
  const BEAT = 500; // the service beats while a clock is led on, too
  function beats() {
    for (const source of sources) beat && source.dispatchEvent(new MessageEvent("beat", { data: beat }));
  }
  for (const at of [window, document]) {
    const listen = at.addEventListener;
    at.addEventListener = (what, call, how) => {
      if (!LASTING.has(what)) listens.push([at, what, call, how]);
      return listen.call(at, what, call, how);
    };
  }
  const LASTING = new Set(["click", "pagehide", "pageshow"]); // are listened to once for all that a page shows
  window.BroadcastChannel = class extends BroadcastChannel {
    constructor(...how) {
      super(...how);
      channels.add(this);
    }
  };

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
  const listen = Element.prototype.addEventListener;
  Element.prototype.addEventListener = function (what, ...how) {
    if (LISTENED.has(what)) this.setAttribute("data-pressed", "");
    return listen.call(this, what, ...how);
  };
  const PRESSABLE = "button, a, summary, label, input, select, iframe, [role=button], [data-pressed]:not(html, body, main)";
  const pressable = (it) => it?.closest(PRESSABLE) ?? null;
  /** Once more round: what was drawn meanwhile stands there. */
  const turns = async (n) => {
    for (let i = 0; i < n; i++)
      await new Promise((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done(port1.close());
        port2.postMessage(null);
      });
  };
  /** Once the next picture has come, with which a page draws what the stream brought. */
  const pictured = () => new Promise((done) => requestAnimationFrame(() => done()));
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
      ahead = now() - real.now();
      stopped = null;
      for (const [id, timer] of [...timers]) {
        real.clear(timer.real);
        arm(id, timer);
      }
    },
    /** Leads a stopped clock on, timer by timer. */
    async on(ms) {
      const end = stopped + ms;
      let beaten = stopped;
      beats();
      for (;;) {
        const [id, next] = [...timers].reduce((first, each) => (each[1].due < first[1].due ? each : first), [0, { due: Infinity }]);
        if (next.due > end) break;
        if (next.due - beaten > BEAT) {
          stopped = beaten = Math.max(stopped, beaten + BEAT);
          beats();
          continue;
        }
        stopped = Math.max(stopped, next.due);
        due(id);
        await turns(1);
      }
      stopped = end;
      beats();
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
      await pictured();
      await turns(2);
    },
    /** What lies at a place: what it says of itself, and whether it takes a press. */
    under({ x, y }) {
      const it = document.elementFromPoint(x, y);
      const thing = pressable(it);
      if (!thing || it.matches(".one-tap")) return { said: null, thing: null };
      return { said: said(thing), off: isOff(thing), thing };
    },
    /** All that can be pressed; with `within`, in that part of the page. */
    all(within = top()) {
      const found = [];
      for (const thing of within.querySelectorAll(PRESSABLE)) {
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
    /** Where on the page each thing stands that can be pressed, by its name, without numbers but on a plan; of its sort the only one, and
     * no piece that walks. What a sheet brings with it is apart from what the page has. */
    stands() {
      const still = taps.all(document).filter(({ thing }) => !thing.closest("[data-piece], [data-walks], .on-track"));
      const found = Map.groupBy(still, ({ said: it, thing }) => `${thing.closest("dialog") ? "sheet " : ""}${thing.tagName} ${thing.ownerSVGElement ? it : bare(it)}`);
      const at = ({ box }) => [box.x, box.y + scrollY, box.width, box.height, box.y].map(Math.round);
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
  /** Once a page has come to rest, and no press before it counts any longer. */
  taps.calm = async () => {
    await taps.rest();
    taps.stop();
    await taps.on(3000);
    await taps.end();
  };
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
  /** What lies elsewhere than it did, by more than the width of a line; what has only grown or shrunk lies where it did. */
  taps.moved = (before, after) => {
    const within = ([x, y, width, height], [left, top_, wide, high]) =>
      x >= left - 1 && y >= top_ - 1 && x + width <= left + wide + 1 && y + height <= top_ + high + 1;
    const off = (here, there) => Math.abs(here - there) > 1;
    const far = ([x, y, , , seen], [left, high, , , looked]) => off(x, left) || (off(y, high) && off(seen, looked));
    const both = Object.entries(before).filter(([it]) => it in after).map(([it, at]) => [it, at, after[it]]);
    return both.filter(([, at, to]) => far(at, to) && !within(at, to) && !within(to, at));
  };
  /** Two taps at a place: what lay there otherwise at the first gap where that was so, what each of them did, and what
   * else the first one moved. */
  taps.twice = async (place, late, gaps) => {
    const at = taps.touch(place, late);
    if (!at) return { hidden: true };
    const unfolds = touched.thing?.closest("summary, .form"); // what is asked next follows from what is chosen
    const stood = taps.stands();
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
    const shifts = unfolds ? [] : taps.moved(stood, taps.stands());
    tap(at);
    await taps.rest();
    const second = standing();
    await taps.on(9000); // no shield lies there any longer, nothing is armed
    return { gap: passed, other: found, first, second, shifts, end: await taps.end() };
  };
  /** The clock goes on. */
  taps.end = async () => {
    if (stopped !== null) taps.go();
    taps.late = 0;
    await taps.rest();
    return taps.offers();
  };

  const answered = async (path, body) => {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${taps.host}` };
    const answer = await fetched(path, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
    const told = await answer.json();
    return answer.ok ? told : { ...told, refused: true };
  };
  const same = (these, those) => these.length === those.length && these.every((each, i) => each === those[i]);
  /** Until the page shows an entry. */
  taps.seen = async (seq) => {
    const patience = real.now() + 15000;
    while (taps.seq < seq) {
      if (real.now() > patience) throw new Error(`entry ${seq} is not shown`);
      await new Promise((done) => real.set(done, 5));
    }
    await taps.rest();
  };
  /** The journal as it was before; `over` where a game has ended, which cannot be taken back. */
  taps.undone = async () => {
    const api = `/api/tables/${taps.table}`;
    const view = await answered(api);
    if (view.seq === taps.base) return taps.seen(view.seq);
    const told = await answered(`${api}/undo`, { seq: view.seq, request: crypto.randomUUID(), to: taps.base });
    if (!told.refused) return taps.seen(told.seq);
    if (view.over) return "over";
    if (told.error.key !== "undo.nothing") throw new Error(JSON.stringify(told));
    taps.base = view.seq; // only the luck was stirred
    return taps.seen(view.seq);
  };
  function escape() {
    for (const sheet of document.querySelectorAll("dialog[open]")) sheet.dispatchEvent(new Event("cancel", { cancelable: true }));
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  }
  const SENDS = /^(?!go )/;
  const numberless = (offers) => offers.map(bare);
  /** Everything as it was before a tap: whether it is. */
  async function back(begun, within) {
    if (taps.table && taps.sent.some(([path]) => SENDS.test(path)) && (await taps.undone()) === "over") return "over";
    let offers = taps.offers();
    if (same(offers, begun)) return "same";
    escape();
    await taps.rest();
    offers = taps.offers();
    return same(offers, begun) || (!within && same(numberless(offers), numberless(begun))) ? "same" : "other";
  }
  /** Taps twice at one place after another, as long as all is as it was afterwards. */
  taps.sweep = async (places, { late, gaps, within, most }) => {
    const begun = taps.offers();
    const done = [];
    const until = real.now() + most;
    for (const place of places) {
      const told = await taps.twice(place, done.length % 3 === 0 ? late : 0, gaps);
      const state = told.hidden ? "same" : await back(begun, within);
      done.push({ ...told, state });
      if (state !== "same" || real.now() > until) break;
    }
    return { begun, done, base: taps.base };
  };

  const imports = () => JSON.parse(document.querySelector("script[type=importmap]").textContent).imports;
  let [stood, liked] = [[], {}];
  /** Whatever the page may come to fetch is at hand; how it stands now is how it is found anew. */
  taps.warm = async () => {
    const scripts = Object.entries(imports()).filter(([plain]) => plain.endsWith(".js") && !/\/(main|pages\/.*)\.js$/.test(plain));
    await Promise.all(scripts.map(([, address]) => import(address)));
    await taps.rest();
    [stood, liked] = [[...document.body.children], { ...localStorage }];
  };
  /** The page as somebody finds it who comes to it, without loading its scripts again. */
  taps.renew = async () => {
    await taps.end();
    for (const each of [...sources, ...channels]) each.close();
    channels.clear();
    for (const id of [...timers.keys()]) clearTimeout(id);
    for (const [at, what, call, how] of listens.splice(0)) at.removeEventListener(what, call, how);
    const { page, table } = document.documentElement.dataset;
    const root = document.getElementById("root");
    const { render } = await import(imports()["/static/vendor/preact.module.js"]);
    render(null, root);
    for (const each of [...document.body.children]) if (!stood.includes(each)) each.remove();
    sessionStorage.clear();
    localStorage.clear();
    Object.assign(localStorage, liked);
    scrollTo(0, 0);
    taps.seq = -1;
    const { start } = await import(imports()[`/static/pages/${page}.js`]);
    start(root, { table });
  };
  // Where a press leads to another page is noted, and the page stays.
  window.navigation?.addEventListener("navigate", (event) => {
    if (!event.cancelable || event.hashChange) return;
    event.preventDefault();
    taps.sent.push([`go ${new URL(event.destination.url).pathname}`, ""]);
  });
  window.taps = taps;
})();
