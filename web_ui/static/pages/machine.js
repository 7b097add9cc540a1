// The computer Digside runs on, for its owner: how it is, what to keep of it, and how it is switched off.
import { html } from "../html.js";
import { get, post } from "../api.js";
import { wear } from "../sheets.js";
import { say, spoken } from "../words.js";
import { alive, Refusal } from "../chrome/frame.js";
import { Twice } from "../chrome/press.js";

const AGAIN = 10_000;
const SOON = 1500; // by then a broker has answered, if it does
const GIGA = 1e9;

const gigabytes = (bytes) =>
  new Intl.NumberFormat(spoken(), { style: "unit", unit: "gigabyte", maximumFractionDigits: 1 }).format(bytes / GIGA);
const degrees = (heat) =>
  new Intl.NumberFormat(spoken(), { style: "unit", unit: "celsius", maximumFractionDigits: 0 }).format(heat);
const on = (at) => new Intl.DateTimeFormat(spoken(), { dateStyle: "medium", timeStyle: "short" }).format(at);

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

const How = ({ told }) => html`
  <section class="card">
    <${Row} title=${say("ui.machine.version")}>Digside ${told.version}<//>
    ${told.update && html`<${Row} title=${say("ui.machine.update")}>${updateSaid(told.update)}<//>`}
    <${Row} title=${say("ui.machine.room")}>
      ${say("ui.machine.room_of", { free: gigabytes(told.machine.card.free), size: gigabytes(told.machine.card.size) })}
    <//>
    <${Row} title=${say("ui.machine.tables")}>${told.tables}<//>
    ${
      told.machine.temperature_c !== null &&
      html`<${Row} title=${say("ui.machine.heat")}>${degrees(told.machine.temperature_c)}<//>`
    }
    <${Row} title=${say("ui.machine.power")}>${strainSaid(told.machine)}<//>
    <${Row} title=${say("ui.machine.clock")}>${on(told.now)} · ${say(`ui.machine.clock_${told.machine.clock}`)}<//>
    ${told.machine.model && html`<${Row} title=${say("ui.machine.model")}>${told.machine.model}<//>`}
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
const House = ({ told, hub, error, onChoose }) => html`
  <section class="card">
    <h2>${say("ui.machine.mqtt")}</h2>
    <p>${say("ui.machine.mqtt_hint")}</p>
    <p role="status">${told.message}</p>
    ${hub && html`<p role="status">${hub}</p>`}
    ${
      !told.fixed &&
      html`
        <form class="broker-form" onSubmit=${onChoose}>
          <label for="broker">${say("ui.machine.mqtt_url")}</label>
          <input
            id="broker"
            name="url"
            type="text"
            maxlength="300"
            inputmode="url"
            autocapitalize="off"
            spellcheck=${false}
            placeholder="mqtt://homeassistant.local:1883"
            defaultValue=${told.broker}
          />
          <label for="broker-user">${say("ui.machine.mqtt_user")}</label>
          <input id="broker-user" name="user" type="text" maxlength="200" autocomplete="off" defaultValue=${told.user} />
          <label for="broker-password">${say("ui.machine.mqtt_password")}</label>
          <input
            id="broker-password"
            name="password"
            type="password"
            maxlength="200"
            autocomplete="new-password"
            placeholder=${told.broker && say("ui.machine.mqtt_kept")}
          />
          <div class="owner-tools">
            <button type="submit" class="button">${say("ui.machine.mqtt_keep")}</button>
            ${
              told.broker &&
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
  </section>
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
  await wear("style/house");
  const state = { told: null, error: null, done: null, moved: 0, refused: null };
  const change = alive(
    root,
    "machine",
    state,
    ({ told, error, done, moved, refused }) => html`
      ${told?.notices.map(
        ({ key, message }) => html`
          <p key=${key} class="refusal" role="status">
            ${message}
          </p>
        `,
      )}
      ${told && html`<${How} told=${told} />`}
      ${told && html`<${Where} address=${told.address} moved=${moved} />`}
      ${told && html`<${House} told=${told.mqtt} hub=${told.hub} error=${refused} onChoose=${choose} />`}
      ${told && html`<${Keep} />`}
      ${told && html`<${Switch} can=${told.can} done=${done} onDo=${ask} />`}
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
    const { url, user, password } = Object.fromEntries(new FormData(event.target));
    try {
      const asked = off ? { url: "" } : { url, user, ...(password && { password }) };
      const mqtt = await post("/api/machine/mqtt", asked);
      event.target.password.value = "";
      change({ told: { ...state.told, mqtt }, refused: null });
      setTimeout(look, SOON);
    } catch (refused) {
      change({ refused });
    }
  }

  async function look() {
    try {
      const before = state.told?.address;
      const told = await get("/api/machine");
      const moved = before !== undefined && before !== told.address ? state.moved + 1 : state.moved;
      change({ told, moved, error: null, done: null });
    } catch (error) {
      if (!state.done) change({ error });
    }
  }
  look();
  setInterval(look, AGAIN);
}
