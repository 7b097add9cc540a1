// The computer Digside runs on, for its owner: how it is, what to keep of it, and how it is switched off.
import { html, classes } from "../html.js";
import { get, post } from "../api.js";
import { loadStylesheet } from "../stylesheets.js";
import { format, learnLater, say } from "../words.js";
import { alive, Line, Refusal } from "../chrome/frame.js";
import { Button, Twice } from "../chrome/press.js";
import { Copies } from "./machine/copies.js";
import { Webhooks } from "./machine/webhooks.js";

const AGAIN = 10_000;
const SOON = 1500; // by then a broker has answered, if it does
const GIGA = 1e9;

const gigabytes = (bytes) =>
  format(Intl.NumberFormat, { style: "unit", unit: "gigabyte", maximumFractionDigits: 1 }).format(bytes / GIGA);
const megabytes = (bytes) =>
  format(Intl.NumberFormat, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 }).format(
    Math.max(0.1, bytes / 1e6),
  );
const percent = (share) => format(Intl.NumberFormat, { style: "percent" }).format(share);
const degrees = (heat) =>
  format(Intl.NumberFormat, { style: "unit", unit: "celsius", maximumFractionDigits: 0 }).format(heat);
const on = (at) => format(Intl.DateTimeFormat, { dateStyle: "medium", timeStyle: "short" }).format(at);

const Row = ({ title, children }) => html`
  <div class="setting">
    <h2>${title}</h2>
    <p>${children}</p>
  </div>
`;

/** What has strained it: as it is now, else as it was since the start. */
function strainSaid({ strains, strained }) {
  const [list, when] = strains.length ? [strains, "now"] : [strained, "was"];
  if (!list.length) return say("ui.machine.no_strain");
  return say(`ui.machine.strain_${when}`, { what: list.map((each) => say(`ui.machine.${each}`)) });
}

function updateSaid({ before, after, at, outcome }) {
  return say(`ui.machine.update_${outcome}`, { before, after, when: on(at) });
}

const How = ({ about: { machine, ...about } }) => html`
  <section class="card">
    <${Row} title=${say("ui.machine.version")}>Digside ${about.version}<//>
    ${about.update && html`<${Row} title=${say("ui.machine.update")}>${updateSaid(about.update)}<//>`}
    <${Row} title=${say("ui.machine.room")}>
      ${say("ui.machine.room_of", { free: gigabytes(machine.card.free), size: gigabytes(machine.card.size) })}
    <//>
    <${Row} title=${say("ui.machine.tables")}>${about.tables}<//>
    ${
      machine.temperature_c !== null &&
      html`<${Row} title=${say("ui.machine.heat")}>${degrees(machine.temperature_c)}<//>`
    }
    <${Row} title=${say("ui.machine.power")}>${strainSaid(machine)}<//>
    <${Row} title=${say("ui.machine.clock")}>${on(about.now)} · ${say(`ui.machine.clock_${machine.clock}`)}<//>
    ${machine.model && html`<${Row} title=${say("ui.machine.model")}>${machine.model}<//>`}
  </section>
`;

const Where = ({ address, moved }) => html`
  <section class="card">
    <h2>${say("ui.machine.address")}</h2>
    <figure class="owner-code">
      <img src=${`/qr.svg?path=/&moved=${moved}`} alt=${say("ui.machine.address")} width="180" height="180" />
      <figcaption>${say("ui.machine.address_hint")} <b class="address">${address}</b></figcaption>
    </figure>
  </section>
`;

/** Backups, the newest first: each to be taken along or put back; and one that comes from elsewhere. */
const Backups = ({ about, busy, result, onMake, onBring, onPutBack }) => html`
  <section class="card backups">
    <h2>${say("evening.backups.title")}</h2>
    <p>${say("evening.backups.hint")}</p>
    ${about.put_back && html`<p class="notice" role="status">${putBackSaid(about.put_back)}</p>`}
    ${about.backups.length === 0 && html`<p>${say("evening.backups.none")}</p>`}
    <ul class="backup-list">
      ${about.backups.map(
        ({ name, at, size, brought, left_out: missing }) => html`
          <li key=${name}>
            <span>
              <b>${on(at)}</b> · ${megabytes(size)}${brought && html` · ${say("evening.backups.brought")}`}
              ${missing.length > 0 && html` · ${say("evening.backups.without", { tables: missing.join(", ") })}`}
            </span>
            <span class="owner-tools">
              <a
                class="button quiet"
                href=${`/api/machine/backups/${name}`}
                download
                aria-label=${say("evening.backups.take_of", { when: on(at) })}
              >
                ${say("evening.backups.take")}
              </a>
              <${Twice} look="quiet" sure=${say("ui.machine.sure")} onPress=${() => onPutBack(name)}
                label=${say("evening.backups.put_back_of", { when: on(at) })}>
                ${say("evening.backups.put_back")}
              <//>
            </span>
          </li>
        `,
      )}
    </ul>
    <div class="owner-tools">
      <${Button} can=${!busy} onPress=${onMake}>${say("evening.backups.make")}<//>
      <label class=${classes("button file quiet", busy && "waits")}>
        ${say("evening.backups.bring")}
        <input type="file" accept=".zip,.sqlite" disabled=${busy} onChange=${onBring} />
      </label>
    </div>
    <p role="status">${busy ?? result}</p>
  </section>
`;

/** Where the tables are in a database, it is copied there. */
const Elsewhere = () => html`
  <section class="card">
    <h2>${say("evening.backups.title")}</h2>
    <p>${say("evening.backups.in_database")}</p>
  </section>
`;

function putBackSaid({ at, tables, reason }) {
  if (!at) return say("evening.backups.at_next_start");
  return reason
    ? say("evening.backups.not_put_back", { reason })
    : say("evening.backups.is_put_back", { n: tables, when: on(at) });
}

const PIECE = 30_000; // bytes: a request stays as small as any other

/** Brings a file piece by piece; one that was lost on the way is asked for again from where it stopped. */
async function bring(file, tell) {
  for (let at = 0; at < file.size; ) {
    const bytes = new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer());
    const piece = btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join(""));
    const { bytes: here } = await post("/api/machine/bring", { at, piece });
    at = here;
    tell(at / file.size);
  }
  return (await post("/api/machine/bring", { at: file.size, piece: "" })).tables;
}

const Boxes = () => html`
  <section class="card">
    <h2>${say("ui.boxes.title")}</h2>
    <p>${say("ui.settings.boxes")}</p>
    <div class="owner-tools">
      <a class="button" href="/boxes">${say("ui.settings.to_boxes")}</a>
    </div>
  </section>
`;

const Keep = () => html`
  <section class="card">
    <h2>${say("ui.machine.keep")}</h2>
    <p>${say("ui.machine.keep_hint")}</p>
    <div class="owner-tools">
      <a class="button" href="/api/machine/tables.zip" download>
        ${say("ui.machine.take")}
      </a>
      <a class="button quiet" href="/api/machine/help.zip" download>
        ${say("ui.machine.help")}
      </a>
    </div>
    <p class="caption">${say("ui.machine.help_hint")}</p>
  </section>
`;

/** The broker that is told of the tables; the password is sent, and never shown. */
const House = ({ mqtt, address, hub, error, onChoose }) => html`
  <section class="card">
    <h2>${say("ui.machine.mqtt")}</h2>
    <p>${say("ui.machine.mqtt_hint")}</p>
    <p role="status">${mqtt.message}</p>
    ${hub && html`<p role="status">${hub}</p>`}
    ${
      !mqtt.fixed &&
      html`
        <form class="fields" onSubmit=${onChoose}>
          <${Line}
            id="broker"
            label=${say("ui.machine.mqtt_url")}
            name="url"
            maxlength="300"
            inputmode="url"
            autocapitalize="off"
            spellcheck=${false}
            placeholder="mqtt://homeassistant.local:1883"
            defaultValue=${mqtt.broker}
          />
          <${Line}
            id="broker-user"
            label=${say("ui.machine.mqtt_user")}
            name="user"
            maxlength="200"
            defaultValue=${mqtt.user}
          />
          <${Line}
            id="broker-password"
            label=${say("ui.machine.mqtt_password")}
            name="password"
            type="password"
            maxlength="200"
            autocomplete="new-password"
            placeholder=${mqtt.broker && say("ui.machine.mqtt_kept")}
          />
          <${Line}
            id="broker-ca"
            label=${say("ui.machine.mqtt_ca")}
            name="ca"
            maxlength="1000"
            autocapitalize="off"
            spellcheck=${false}
            placeholder=${say("ui.machine.mqtt_ca_hint")}
            defaultValue=${mqtt.ca}
          />
          <label for="broker-tables">${say("ui.machine.mqtt_tables")}</label>
          <select id="broker-tables" name="tables" defaultValue=${mqtt.broker ? mqtt.tables : "here"}>
            ${["here", "each"].map((each) => html`<option value=${each}>${say(`ui.machine.mqtt_${each}`)}</option>`)}
          </select>
          <div class="owner-tools">
            <button type="submit" class="button">${say("ui.machine.mqtt_keep")}</button>
            ${
              mqtt.broker &&
              html`
                <button type="submit" class="button quiet" value="off">
                  ${say("ui.machine.mqtt_off")}
                </button>
              `
            }
          </div>
        </form>
      `
    }
    <${Refusal} error=${error} />
    ${mqtt.broker && html`<${Blueprints} address=${address} />`}
  </section>
`;

const BLUEPRINTS = ["your_turn", "somebody_calls", "phase_light"];

/** What Home Assistant imports by its address, in the language of this page. */
const Blueprints = ({ address }) => html`
  <h3>${say("ui.machine.blueprints")}</h3>
  <p>${say("ui.machine.blueprints_hint")}</p>
  <ul class="addresses">
    ${BLUEPRINTS.map((name) => {
      const path = `/home-assistant/${document.documentElement.lang}/${name}.yaml`;
      return html`<li key=${name}><a href=${path}>${address.replace(/\/$/, "")}${path}</a></li>`;
    })}
  </ul>
`;

const Switch = ({ can, done, onDo }) => html`
  <section class="card">
    <h2>${say("ui.machine.switch")}</h2>
    ${can.length === 0 && html`<p>${say("ui.machine.cannot")}</p>`}
    <div class="owner-tools">
      ${can.map(
        (each) => html`
          <${Twice} key=${each} sure=${say("ui.machine.sure")} onPress=${() => onDo(each)}>
            ${say(`ui.machine.${each}`)}
          <//>
        `,
      )}
    </div>
    <p role="status">${done && say(`ui.machine.${done}_done`)}</p>
  </section>
`;

export async function start(root) {
  await Promise.all([learnLater(), loadStylesheet("style/house")]);
  const state = { about: null, error: null, done: null, moved: 0, refused: null, busy: null, result: null, gone: 0 };
  const change = alive(
    root,
    "machine",
    state,
    ({ about, error, done, moved, refused, busy, result, gone }) => html`
      ${about?.notices.map(
        ({ key, message }) => html`
          <p key=${key} class="refusal" role="status">
            ${message}
          </p>
        `,
      )}
      ${about && html`<${How} about=${about} />`}
      ${about && html`<${Where} address=${about.address} moved=${moved} />`}
      ${about && html`<${House} ...${about} error=${refused} onChoose=${choose} />`}
      ${about && html`<${Webhooks} />`}
      ${about && html`<${Boxes} />`}
      ${about?.copies && html`<${Copies} copies=${about.copies} removed=${gone} onRemove=${remove} />`}
      ${about && (about.backups ? html`<${Keep} />` : html`<${Elsewhere} />`)}
      ${
        about?.backups &&
        html`
          <${Backups}
            about=${about}
            busy=${busy}
            result=${result}
            onMake=${make}
            onBring=${take}
            onPutBack=${putBack}
          />
        `
      }
      ${about && html`<${Switch} can=${about.can} done=${done} onDo=${ask} />`}
      ${
        error?.status === 401
          ? html`
            <p class="notice">
              ${error.message} <a href="/settings">${say("ui.nav.settings")}</a>
            </p>
          `
          : html`<${Refusal} error=${error} />`
      }
    `,
  );

  async function ask(what) {
    try {
      await post("/api/machine/power", { do: what });
      change({ done: what, error: null });
    } catch (error) {
      change({ error });
    }
  }

  async function choose(event) {
    event.preventDefault();
    const off = event.submitter?.value === "off";
    const { url, user, password, ca, tables } = Object.fromEntries(new FormData(event.target));
    try {
      const asked = off ? { url: "" } : { url, user, ca, tables, ...(password && { password }) };
      const mqtt = await post("/api/machine/mqtt", asked);
      event.target.password.value = "";
      change({ about: { ...state.about, mqtt }, refused: null });
      setTimeout(look, SOON);
    } catch (refused) {
      change({ refused });
    }
  }

  async function remove(tables) {
    try {
      const copies = await post("/api/machine/copies", { remove: tables });
      change({ about: { ...state.about, copies }, gone: tables.length, error: null });
    } catch (error) {
      change({ error });
    }
  }

  /** Does what takes its time; meanwhile nothing else of the kind is asked for. */
  async function during(busy, work) {
    change({ busy, result: null, error: null });
    try {
      const result = await work();
      change({ busy: null, result });
    } catch (error) {
      change({ busy: null, error });
    }
    await look({ keeps: true });
  }

  const make = () =>
    during(say("evening.backups.making"), async () => {
      const { backups } = await post("/api/machine/backups", {});
      const missing = backups[0].left_out;
      return missing.length > 0
        ? say("evening.backups.made_without", { tables: missing.join(", ") })
        : say("evening.backups.made");
    });

  function take({ target }) {
    const [file] = target.files;
    target.value = "";
    if (!file) return;
    during(say("evening.backups.bringing", { part: percent(0) }), async () => {
      const tables = await bring(file, (share) =>
        change({ busy: say("evening.backups.bringing", { part: percent(share) }) }),
      );
      return say("evening.backups.is_here", { n: tables });
    });
  }

  const putBack = (backup) =>
    during(say("evening.backups.looking"), async () => {
      const { restarting } = await post("/api/machine/put_back", { backup });
      return restarting ? say("ui.machine.restart_done") : null;
    });

  async function look({ keeps = false } = {}) {
    try {
      const before = state.about?.address;
      const about = await get("/api/machine");
      const moved = before !== undefined && before !== about.address ? state.moved + 1 : state.moved;
      change({ about, moved, done: null, ...(keeps ? {} : { error: null }) });
    } catch (error) {
      if (!state.done) change({ error });
    }
  }
  await look();
  setInterval(() => look({ keeps: state.error?.status !== undefined }), AGAIN);
}
