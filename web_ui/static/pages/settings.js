// What this screen's owner likes: language, theme, size, motion, sound, short keys.
import { html } from "../html.js";
import { like, likes } from "../likes.js";
import { LANGUAGES, learn, say, spoken } from "../words.js";
import { sayCornerStop } from "../chrome/big_stop.js";
import { alive } from "../chrome/frame.js";
import { Choice } from "../chrome/press.js";
import { sound } from "../sound.js";
import { dozes } from "../wakelock.js";

const CHOICES = {
  theme: ["lamplight", "day"],
  text: ["normal", "big"],
  motion: ["on", "off"],
  sound: ["on", "off"],
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

async function speak(language, change) {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is for secure pages only
  document.cookie = `language=${language}; path=/; max-age=${YEAR}; samesite=lax`;
  await learn(language);
  document.documentElement.lang = language;
  document.title = `${say("ui.settings.title")} · Digside`;
  sayCornerStop();
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
                value=${likes()[each]}
                options=${values.map((value) => [value, say(`ui.settings.${each}_${value}`)])}
                onChange=${(value) => {
                  like(each, value);
                  if (each === "sound") sound("token");
                  change({});
                }}
              />
            <//>
          `,
        )}
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
