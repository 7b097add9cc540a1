// What whoever looks at this screen likes: language, theme, size, motion, sound, short keys; and what is the owner's.
import { Component, html } from "../html.js";
import { get, post } from "../api.js";
import { setPreference, preferences } from "../preferences.js";
import { LANGUAGES, learn, say, spoken } from "../words.js";
import { alive, Refusal } from "../chrome/frame.js";
import { Button, Choice, Twice } from "../chrome/press.js";
import { sound } from "../sound.js";
import { dozes } from "../wakelock.js";

const CHOICES = {
  theme: ["lamplight", "day"],
  text: ["normal", "big"],
  motion: ["on", "off"],
  theatre: ["on", "off"],
  sound: ["on", "off"],
  voice: ["off", "on"],
  keys: ["on", "off"],
};
const YEAR = 31_536_000;

const Setting = ({ title, hint, children }) => html`
  <div class="setting">
    <div>
      <h2>${title}</h2>
      ${hint && html`<p>${hint}</p>`}
    </div>
    ${children}
  </div>
`;

/** What is the owner's; a guest is told that it is not theirs, and how it would be. */
class Owner extends Component {
  componentDidMount() {
    this.ask(() => get("/api/owner"));
  }

  async ask(doing, also = {}) {
    try {
      this.setState({ ...(await doing()), error: null, done: false, ...also });
    } catch (error) {
      this.setState({ error });
    }
  }

  lays = (guests_lay) => this.ask(() => post("/api/owner/choices", { guests_lay }));

  turnOut = () => this.ask(() => post("/api/owner/anew", {}), { done: true, code: 0 });

  leave = () => this.ask(() => post("/api/owner/leave", {}), { code: 0 });

  // Each time under another address: after the others were turned out the code is another.
  code = () => this.setState(({ code }) => ({ code: code ? 0 : performance.now() }));

  hands({ guests_lay: lay, code, done }) {
    return html`
      <${Setting} title=${say("ui.settings.guests_lay")} hint=${say("ui.settings.guests_lay_hint")}>
        <${Choice}
          label=${say("ui.settings.guests_lay")}
          value=${lay}
          options=${[[true, say("ui.settings.guests_yes")], [false, say("ui.settings.guests_no")]]}
          onChange=${this.lays}
        />
      <//>
      <div class="owner-tools">
        <${Button} pressed=${Boolean(code)} onPress=${this.code}>
          ${say(code ? "ui.settings.owner_hide" : "ui.settings.owner_code")}
        <//>
        <${Twice} sure=${say("ui.settings.turn_out_sure")} onPress=${this.turnOut}>${say("ui.settings.turn_out")}<//>
        <${Twice} look="quiet" sure=${say("ui.settings.owner_leave_sure")} onPress=${this.leave}>
          ${say("ui.settings.owner_leave")}
        <//>
      </div>
      ${
        code
          ? html`
            <figure class="owner-code">
              <img src=${`/api/owner/qr.svg?${code}`} alt=${say("ui.settings.owner_code")} width="220" height="220" />
              <figcaption>${say("ui.settings.owner_code_hint")}</figcaption>
            </figure>
          `
          : null
      }
      <p role="status">${done && say("ui.settings.turned_out")}</p>
    `;
  }

  render(_, state) {
    const { owner, error } = state;
    return html`
      <section class="card owner-card" aria-label=${say("ui.settings.owner")}>
        <h2>${say("ui.settings.owner")}</h2>
        ${owner === true && html`<p>${say("ui.settings.owner_yes")}</p>`}
        ${owner === true && this.hands(state)}
        ${
          owner === false &&
          html`
            <p>${say("ui.settings.owner_no")}</p>
            <p>
              <code>digside owner</code>
            </p>
          `
        }
        <${Refusal} error=${error} />
      </section>
    `;
  }
}

async function speak(language, change) {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is for secure pages only
  document.cookie = `language=${language}; path=/; max-age=${YEAR}; samesite=lax`;
  await learn(language);
  document.documentElement.lang = language;
  document.title = `${say("ui.settings.title")} · Digside`;
  dispatchEvent(new Event("languagechange"));
  change({});
}

export function start(root) {
  const change = alive(
    root,
    "settings",
    {},
    () => html`
      <section class="card">
        <${Setting} title=${say("ui.settings.language")}>
          <${Choice}
            label=${say("ui.settings.language")}
            value=${spoken()}
            options=${Object.entries(LANGUAGES)}
            onChange=${(language) => speak(language, change)}
          />
        <//>
        ${Object.entries(CHOICES).map(
          ([each, values]) => html`
            <${Setting} key=${each} title=${say(`ui.settings.${each}`)} hint=${say(`ui.settings.${each}_hint`)}>
              <${Choice}
                label=${say(`ui.settings.${each}`)}
                value=${preferences()[each]}
                options=${values.map((value) => [value, say(`ui.settings.${each}_${value}`)])}
                onChange=${(value) => {
                  setPreference(each, value);
                  if (each === "sound") sound("token");
                  change({});
                }}
              />
            <//>
          `,
        )}
      </section>
      <${Owner} />
      <section class="card">
        <h2>${say("ui.boxes.title")}</h2>
        <p>${say("ui.settings.boxes")}</p>
        <p>
          <a class="button" href="/boxes">
            ${say("ui.settings.to_boxes")}
          </a>
        </p>
      </section>
      <section class="card">
        <h2>${say("ui.machine.title")}</h2>
        <p>${say("ui.settings.machine")}</p>
        <p>
          <a class="button" href="/machine">
            ${say("ui.settings.to_machine")}
          </a>
        </p>
      </section>
      <section class="card">
        <p>${say("ui.settings.house")}</p>
        <p>
          <a class="button" href="/hall">
            ${say("ui.settings.to_house")}
          </a>
        </p>
      </section>
      <section class="card">
        <h2>${say("ui.certificate.title")}</h2>
        ${dozes() && html`<p class="notice">${say("ui.table.dozes")}</p>`}
        <p>${say("ui.settings.certificate")}</p>
        <p>
          <a class="button" href="/certificate">
            ${say("ui.settings.to_certificate")}
          </a>
        </p>
      </section>
      <p class="caption">${say("ui.settings.kept")}</p>
    `,
  );
}
