// Wakes the page that the server named on its first line.
import { learn } from "./words.js";

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

await learnt();
const { start } = await import(`./pages/${page}.js`);
start(root, { table });
