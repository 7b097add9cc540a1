// boardgame.io, its own server and its own clients: `node peer.js serve PORT`, which keeps everything in memory, and
// `node peer.js watch PORT SCREENS`, which presses and says after how many milliseconds the last screen shows it.
// It reads "block N" lines, and writes the milliseconds of N presses as one line of JSON for each.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);
const GAP = 10; // milliseconds between a press and the next
const WARM_UP = 30_000; // in which all screens have to be there

/** A state of some hundred bytes, as a small game has it, and one move that changes it. */
const game = {
  name: "press",
  setup: () => ({ pressed: 0, seats: Array.from({ length: 4 }, (_, seat) => ({ seat, points: 0, cards: [seat, 1, 2] })) }),
  moves: {
    press: ({ G }) => {
      G.pressed += 1;
      G.seats[G.pressed % 4].points += 1;
    },
  },
};

const rest = (ms) => new Promise((done) => setTimeout(done, ms));

async function serve(port) {
  const { Server, Origins } = require("boardgame.io/server");
  await Server({ games: [game], origins: [Origins.LOCALHOST] }).run(port);
}

async function watch(port, count) {
  const { Client } = require("boardgame.io/client");
  const { SocketIO } = require("boardgame.io/multiplayer");
  const url = `http://127.0.0.1:${port}`;
  const open = (own) => {
    const multiplayer = SocketIO({ server: url, socketOpts: { transports: ["websocket"] } });
    const client = Client({ game, numPlayers: 2, matchID: `table-${process.pid}`, multiplayer, debug: false, ...own });
    client.start();
    return client;
  };
  const hand = open({ playerID: "0" });
  const screens = Array.from({ length: count }, () => open({}));
  const shown = (client) => client.getState()?.G.pressed ?? -1;
  for (const until = performance.now() + WARM_UP; [hand, ...screens].some((each) => shown(each) < 0); await rest(20))
    if (performance.now() > until) throw new Error("not all screens are there");
  let pressed = shown(hand);
  let late = 0;
  let seen = () => {};
  const told = screens.map(() => pressed);
  screens.forEach((screen, i) => {
    screen.subscribe(() => {
      if (told[i] === pressed || shown(screen) < pressed) return;
      told[i] = pressed;
      late -= 1;
      if (late === 0) seen();
    });
  });
  async function press() {
    pressed += 1;
    late = count;
    const all = new Promise((done) => {
      seen = done;
    });
    const began = performance.now();
    hand.moves.press();
    await all;
    return performance.now() - began;
  }
  console.log(JSON.stringify({ ready: count }));
  for await (const line of createInterface({ input: process.stdin })) {
    const taken = [];
    for (let left = Number(line.split(" ")[1]); left > 0; left -= 1) {
      taken.push(await press());
      await rest(GAP);
    }
    console.log(JSON.stringify(taken));
  }
  process.exit(0);
}

const [doing, port, screens] = process.argv.slice(2);
await (doing === "serve" ? serve(Number(port)) : watch(Number(port), Number(screens)));
