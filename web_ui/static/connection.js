// One stream for the page. It never shows an older view than it has shown, says within two seconds when the
// service has gone silent, and comes back by itself.

const SILENT = 1750; // the service beats at least once a second
const LOOK = 200; // silence is looked for so often: together within two seconds
const FIRST_RETRY = 400;
const LAST_RETRY = 4000;
const AWAY = 1500; // so long unseen, a page gives its line back: a browser has six for all its pages together
const HANGING = 4000; // a connection that is neither made nor refused is given up

/**
 * Listens to a stream until the returned function is called.
 * `onView(view)` is given every newer view, `onLink({up, since, why})` every change of the link; `since` is when the
 * service was last heard, by this screen's own steady clock, `why` what it said instead of sending a stream.
 */
export function connect(url, { onView, onLink, now = () => performance.now() }) {
  let source = null;
  let shown = -1;
  let heard = now();
  let up = null;
  let why = null;
  let retry = FIRST_RETRY;
  let again = 0;
  let leaving = 0;
  let opened = now();

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

  function look(event) {
    hear();
    const view = JSON.parse(event.data);
    if (view.seq < shown) return;
    shown = view.seq;
    onView(view);
  }

  function open() {
    clearTimeout(again);
    source?.close();
    source = new EventSource(url);
    opened = now();
    source.addEventListener("message", look);
    source.addEventListener("beat", hear);
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
    if (!document.hidden && (source?.readyState === EventSource.CLOSED || now() - heard > SILENT)) open();
  };
  const turned = () => {
    clearTimeout(leaving);
    if (document.hidden) leaving = setTimeout(leave, AWAY);
    else wake();
  };
  addEventListener("online", wake);
  document.addEventListener("visibilitychange", turned);
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
      removeEventListener("online", wake);
      document.removeEventListener("visibilitychange", turned);
    },
  };
}
