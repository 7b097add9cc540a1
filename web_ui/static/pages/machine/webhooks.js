// Addresses of the owner's that are told what happens: which, what they are sent, what came of the last tries.
import { Component, html } from "../../html.js";
import { get, post } from "../../api.js";
import { format, say } from "../../words.js";
import { Line, Refusal } from "../../chrome/frame.js";
import { Button, Choice, Twice } from "../../chrome/press.js";

const EVENTS = ["turn", "call", "end", "fault"];
const FRESH = { id: null, url: "", events: EVENTS, send: "text", body: "", token: false, signed: false, sign: "not" };
const SOON = 1500; // by then an address has answered, if it does
const AGAIN = 10_000;
const PATH = "/api/machine/webhooks";

const at = (when) => format(Intl.DateTimeFormat, { dateStyle: "short", timeStyle: "medium" }).format(when);
const called = (event) => say(`evening.hooks.${event === "test" ? "test_sent" : event}`);

const last = ([newest]) => (newest ? `${called(newest.event)}: ${newest.message}` : say("evening.hooks.untried"));

const Tries = ({ tries }) => html`
  <details class="hook-tries">
    <summary>${last(tries)}</summary>
    ${
      tries.length > 0 &&
      html`
        <h3>${say("evening.hooks.tries")}</h3>
        <ol>
          ${tries.map((each) => html`<li key=${each.at}>${at(each.at)} · ${called(each.event)} · ${each.message}</li>`)}
        </ol>
      `
    }
  </details>
`;

const Hook = ({ hook, fixed, onTest, onChange, onRemove }) => html`
  <li>
    <p class="hook-said">
      <b class="address">${hook.url}</b>
      <span>
        ${hook.events.map(called).join(", ")}${hook.signed && ` · ${say("evening.hooks.signed")}`}
        ${hook.waiting > 0 && ` · ${say("evening.hooks.waiting", { n: hook.waiting })}`}
      </span>
    </p>
    <${Tries} tries=${hook.tries} />
    <div class="owner-tools">
      <${Button} look="quiet" label=${say("evening.hooks.test_of", { url: hook.url })} onPress=${() => onTest(hook.id)}>
        ${say("evening.hooks.test")}
      <//>
      ${
        !fixed &&
        html`
          <${Button}
            look="quiet"
            label=${say("evening.hooks.change_of", { url: hook.url })}
            onPress=${() => onChange({ ...hook, sign: "kept" })}
          >
            ${say("evening.hooks.change")}
          <//>
          <${Twice}
            look="quiet"
            sure=${say("evening.hooks.sure")}
            label=${say("evening.hooks.remove_of", { url: hook.url })}
            onPress=${() => onRemove(hook.id)}
          >
            ${say("evening.hooks.remove")}
          <//>
        `
      }
    </div>
  </li>
`;

/** What is typed and chosen of one address. */
const Form = ({ form, onForm, onKeep, onCancel }) => {
  const chosen = (event) => form.events.includes(event);
  const others = (event) => EVENTS.filter((each) => chosen(each) !== (each === event));
  const signs = form.signed ? ["kept", "new", "not"] : ["new", "not"];
  const options = (names, prefix = "") => names.map((each) => [each, say(`evening.hooks.${prefix}${each}`)]);
  return html`
    <form class="fields" onSubmit=${onKeep}>
      <${Line}
        id="hook-url"
        label=${say("evening.hooks.url")}
        name="url"
        maxlength="500"
        inputmode="url"
        autocapitalize="off"
        spellcheck=${false}
        placeholder="https://ntfy.sh/…"
        defaultValue=${form.url}
      />
      <span>${say("evening.hooks.what")}</span>
      <div class="choice" role="group" aria-label=${say("evening.hooks.what")}>
        ${EVENTS.map(
          (each) => html`
            <${Button}
              key=${each}
              look="segment"
              pressed=${chosen(each)}
              can=${others(each).length > 0}
              onPress=${() => onForm({ events: others(each) })}
            >
              ${called(each)}
            <//>
          `,
        )}
      </div>
      <span>${say("evening.hooks.send")}</span>
      <${Choice}
        label=${say("evening.hooks.send")}
        value=${form.send}
        options=${options(["text", "json"])}
        onChange=${(send) => onForm({ send })}
      />
      <span>${say("evening.hooks.sign")}</span>
      <${Choice}
        label=${say("evening.hooks.sign")}
        value=${form.sign}
        options=${options(signs, "sign_")}
        onChange=${(sign) => onForm({ sign })}
      />
      <${Line}
        id="hook-token"
        label=${say("evening.hooks.token")}
        name="token"
        type="password"
        maxlength="500"
        autocomplete="new-password"
        placeholder=${form.token ? say("evening.hooks.token_kept") : ""}
      />
      <${Line}
        id="hook-body"
        label=${say("evening.hooks.body")}
        name="body"
        maxlength="2000"
        autocapitalize="off"
        spellcheck=${false}
        placeholder='{"on": true}'
        defaultValue=${form.body}
      />
      <div class="owner-tools">
        <button type="submit" class="button">${say("evening.hooks.keep")}</button>
        <${Button} look="quiet" onPress=${onCancel}>${say("evening.hooks.cancel")}<//>
      </div>
    </form>
  `;
};

export class Webhooks extends Component {
  componentDidMount() {
    this.look();
    this.clock = setInterval(() => this.look(), AGAIN);
  }

  componentWillUnmount() {
    clearInterval(this.clock);
  }

  async ask(doing, also = {}) {
    try {
      const told = await doing();
      this.setState({ told, error: null, ...also });
      return told;
    } catch (error) {
      this.setState({ error });
      return null;
    }
  }

  look = () => this.ask(() => get(PATH));

  test = async (id) => {
    await this.ask(() => post(`${PATH}/test`, { id }));
    setTimeout(this.look, SOON);
  };

  remove = (id) => this.ask(() => post(`${PATH}/remove`, { id }), { form: null, secret: null });

  keep = async (event) => {
    event.preventDefault();
    const { url, token, body } = Object.fromEntries(new FormData(event.target));
    const { id, events, send, sign } = this.state.form;
    const asked = { url: url.trim(), body, events, send, sign, ...(id && { id }), ...(token && { token }) };
    const told = await this.ask(() => post(PATH, asked));
    if (told) this.setState({ form: null, secret: told.secret });
  };

  edit = (form) => this.setState({ form, secret: null, error: null });

  form = (part) => this.setState(({ form }) => ({ form: { ...form, ...part } }));

  render(_, { told, form, secret, error }) {
    if (!told) return html`<${Refusal} error=${error?.status === 401 ? null : error} />`;
    const { webhooks, most, fixed } = told;
    return html`
      <section class="card webhooks">
        <h2>${say("evening.hooks.title")}</h2>
        <p>${say(fixed ? "evening.hooks.fixed" : "evening.hooks.hint")}</p>
        ${webhooks.length === 0 && html`<p>${say("evening.hooks.none")}</p>`}
        <ul class="backup-list">
          ${webhooks.map(
            (hook) => html`
              <${Hook}
                key=${hook.id}
                hook=${hook}
                fixed=${fixed}
                onTest=${this.test}
                onChange=${this.edit}
                onRemove=${this.remove}
              />
            `,
          )}
        </ul>
        ${
          secret &&
          html`
            <p class="notice" role="status">
              ${say("evening.hooks.secret")} <code class="address">${secret}</code> ${say("evening.hooks.copy_hint")}
            </p>
          `
        }
        ${
          form
            ? html`<${Form}
                key=${form.id}
                form=${form}
                onForm=${this.form}
                onKeep=${this.keep}
                onCancel=${() => this.edit(null)}
              />`
            : !fixed &&
              webhooks.length < most &&
              html`
                <div class="owner-tools">
                  <${Button} onPress=${() => this.edit(FRESH)}>${say("evening.hooks.add")}<//>
                </div>
              `
        }
        <${Refusal} error=${error} />
      </section>
    `;
  }
}
