// Wakes the page that the server named on its first line.
import { learn } from "./words.js";
import { oneTap } from "./chrome/one_tap.js";

// A table has a menu, the rig's page the shovel; what hangs on a wall is not pressed, what turns a table shows that.
const NO_MENU = ["table", "rig", "tv", "turned"];

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
if (!NO_MENU.includes(page)) {
  import("./chrome/page_menu.js").then((menu) => menu.start()).catch(() => {}); // a service that is away has no shovel
}
