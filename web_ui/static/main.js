// Wakes the page that the server named on its first line.
import { learn } from "./words.js";
import { cornerStop } from "./chrome/big_stop.js";
import { oneTap } from "./chrome/one_tap.js";

const OWN_STOP = ["table", "rig", "tv", "turned"]; // what hangs on a wall is not pressed, what turns a table shows its

const { page, table } = document.documentElement.dataset;
const root = document.getElementById("root");

// A service that is just starting has no words yet: we wait for it.
async function learnt() {
  for (;;) {
    try {
      return await learn(document.documentElement.lang);
    } catch {
      await new Promise((done) => setTimeout(done, 800));
    }
  }
}

if (!CSS.supports("width", "1cqw")) (await import("./units.js")).measure();
oneTap();
await learnt();
const { start } = await import(`./pages/${page}.js`);
start(root, { table });
// For when the service is away.
if (location.protocol === "https:") navigator.serviceWorker?.register("/worker.js").catch(() => {});
if (!OWN_STOP.includes(page)) cornerStop().catch(() => {}); // a service that is not there has no shovel to stop
