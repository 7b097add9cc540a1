// Keeps a tablet awake while a table lies open. Where the address is not secure there is no wake lock. A small silent
// film of our own drawing, playing unseen, is tried instead; some browsers take no notice of it, so people are told.

let lock = null;
let film = null;
let wanted = false;

/** Whether this screen may go dark by itself: nobody can promise otherwise without a wake lock. */
export const dozes = () => !("wakeLock" in navigator);

async function ask() {
  if (!wanted || document.hidden) return;
  if ("wakeLock" in navigator) {
    try {
      lock = await navigator.wakeLock.request("screen");
      return;
    } catch {
      // Low battery or a forbidding page: the film is tried instead.
    }
  }
  play();
}

function play() {
  if (film === null) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 2;
    if (!canvas.captureStream) return;
    const brush = canvas.getContext("2d");
    film = document.createElement("video");
    film.muted = true;
    film.playsInline = true;
    film.className = "unseen";
    film.setAttribute("aria-hidden", "true");
    film.tabIndex = -1;
    film.srcObject = canvas.captureStream(1);
    document.body.append(film);
    let dark = false;
    setInterval(() => {
      dark = !dark;
      brush.fillStyle = dark ? "#000" : "#010101";
      brush.fillRect(0, 0, 2, 2);
    }, 1000);
  }
  film.play().catch(() => {}); // refused before the first touch: the next touch asks again
}

/** From now on the screen stays on while the page is looked at. */
export function stayAwake() {
  wanted = true;
  ask();
  document.addEventListener("visibilitychange", ask);
  addEventListener("pointerup", () => (lock === null || lock.released) && ask(), { passive: true });
}
