// One stream for the page. It never shows an older view than it has shown, says within two seconds when the
// service has gone silent, and comes back by itself.
//
// A browser opens six lines to one service for all its pages together, and a press, or STOP, needs one of them. So of
// the pages that are seen at once only those few that took a line last, or were touched last, keep it. Each page says
// when it has taken one; who has heard that from enough others looks in instead, again and again.

import { Followed } from "./changes.js";
import { asRead, asSent } from "./words.js";

const SILENT = 1750; // the service beats at least once a second
const LOOK = 200; // silence is looked for so often: together within two seconds
const FIRST_RETRY = 400;
const LAST_RETRY = 4000;
const AWAY = 1500; // so long unseen, a page gives its line back
const FEW = 3; // so many pages of a browser keep a line
const GLANCE = 600; // a page without a line looks in so often
const HANGING = 4000; // a connection that is neither made nor refused is given up

/**
 * Listens to a stream until the returned function is called.
 * `onView(view)` is given every newer view, `onRig(rig)` the rig where the stream tells of it, and
 * `onLink({up, since, why})` every change of the link; `since` is when the service was last heard, by this screen's own
 * steady clock, `why` what it said instead of sending a stream. With `changes` the stream is asked to tell these alone:
 * since `first`, where that view is at hand.
 */
export function connect(url, { onView, onRig, onLink, changes = false, first = null, now = () => performance.now() }) {
  const followed = changes ? new Followed(asSent(first)) : null;
  const others = "BroadcastChannel" in window ? new BroadcastChannel("digside-lines") : null;
  let keeps = true;
  let takers = 0; // since this page has taken its line
  let wanting = []; // what has not come yet since the stream was opened
  let source = null;
  let shown = -1;
  let heard = now();
  let up = null;
  let why = null;
  let retry = FIRST_RETRY;
  let again = 0;
  let leaving = 0;
  let opened = now();
  let moved = 0; // how often the service's address has changed

  function tell(is, because = is ? null : why) {
    if (is === up && because === why) return;
    up = is;
    why = because;
    onLink({ up, since: heard, why });
  }

  // A table that is gone, no place left: an EventSource keeps what it was answered to itself.
  async function ask() {
    const stop = new AbortController();
    try {
      const answer = await fetch(url, { signal: stop.signal });
      if (!answer.ok && up === false) tell(false, (await answer.json()).error.message);
    } catch {
      // Not even an answer: the banner says as much.
    } finally {
      stop.abort();
    }
  }

  function hear() {
    heard = now();
    retry = FIRST_RETRY;
    tell(true);
  }

  function beat(event) {
    hear();
    const before = moved;
    moved = JSON.parse(event.data).moved;
    if (moved !== before) dispatchEvent(new CustomEvent("digside-moved", { detail: moved }));
  }

  function look(event) {
    hear();
    const message = JSON.parse(event.data);
    const view = followed ? followed.take(message) : message;
    if (followed?.version === "") return open(); // it has drifted: all of it is asked for
    came("view");
    if (view === null || view.seq < shown) return;
    shown = view.seq;
    onView(asRead(view));
  }

  function lookAside(event) {
    hear();
    came("rig");
    onRig(JSON.parse(event.data));
  }

  // With the first picture the line is taken; a glance is over with the last.
  function came(what) {
    if (wanting.length === 0) return;
    if (keeps && what === wanting[0]) {
      takers = 0;
      others?.postMessage("taken");
    }
    wanting = wanting.filter((each) => each !== what);
    if (!keeps && wanting.length === 0) glanced();
  }

  function glanced() {
    source?.close();
    clearTimeout(again);
    if (!document.hidden) again = setTimeout(open, GLANCE);
  }

  function standBack() {
    if (!keeps || ++takers < FEW) return;
    keeps = false;
    if (wanting.length === 0) glanced();
  }

  function touched() {
    if (keeps) return;
    keeps = true;
    open();
  }

  function open() {
    clearTimeout(again);
    source?.close();
    source = new EventSource(followed ? `${url}&changes=${followed.version}` : url);
    opened = now();
    wanting = onRig ? ["view", "rig"] : ["view"];
    source.addEventListener("message", look);
    if (onRig) source.addEventListener("rig", lookAside);
    source.addEventListener("beat", beat);
    source.addEventListener("bye", () => {
      tell(false);
      later();
    });
    source.onerror = () => {
      const refused = source.readyState === EventSource.CLOSED;
      tell(false, refused ? why : null);
      later();
      if (refused) ask();
    };
  }

  // The browser's own pause between two tries is too long for a table: we try ourselves.
  function later() {
    source?.close();
    clearTimeout(again);
    again = setTimeout(open, retry);
    retry = Math.min(retry * 1.6, LAST_RETRY);
  }

  const watch = setInterval(() => {
    if (now() - Math.max(heard, opened) <= SILENT) return;
    const trying = up === false && source?.readyState === EventSource.CONNECTING;
    tell(false);
    if (source?.readyState === EventSource.CLOSED) return;
    if (!trying || now() - opened > HANGING) later();
  }, LOOK);

  function leave() {
    clearTimeout(again);
    source?.close();
    tell(false);
  }

  const wake = () => {
    if (document.hidden || (keeps && source?.readyState !== EventSource.CLOSED && now() - heard <= SILENT)) return;
    keeps = true;
    open();
  };
  const turned = () => {
    clearTimeout(leaving);
    if (document.hidden) leaving = setTimeout(leave, AWAY);
    else wake();
  };
  addEventListener("online", wake);
  addEventListener("focus", touched);
  addEventListener("pointerdown", touched, true);
  document.addEventListener("visibilitychange", turned);
  others?.addEventListener("message", standBack);
  if (first) {
    shown = first.seq;
    onView(first);
  }
  open();

  return {
    /** A view that came as an answer counts like one from the stream. */
    took(view) {
      if (view.seq < shown) return false;
      shown = view.seq;
      return true;
    },
    close() {
      clearInterval(watch);
      clearTimeout(again);
      clearTimeout(leaving);
      source?.close();
      others?.close();
      removeEventListener("online", wake);
      removeEventListener("focus", touched);
      removeEventListener("pointerdown", touched, true);
      document.removeEventListener("visibilitychange", turned);
    },
  };
}
