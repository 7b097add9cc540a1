// "The table shows otherwise": the host puts things right or throws a pinch into the luck.
import { Component, html } from "../html.js";
import { get } from "../api.js";
import { keyHere, name, factText } from "../words.js";
import { Refused } from "./choosing.js";
import { Button, Choice } from "./press.js";
import { Dialog } from "./dialog.js";

const FEW = 6; // so many are buttons; more are a list

const typeOf = (form) => form.properties.type.const ?? form.properties.type.enum[0];
const fieldsOf = (form) => Object.entries(form.properties).filter(([field]) => field !== "type");
const kinds = (shape) => (shape.anyOf ? shape.anyOf.map((each) => each.type) : [shape.type]).flat();

const titleOf = (act, type) => {
  const key = keyHere(`correction.${type}`);
  return key ? act.say(key) : type;
};

/** What a field can say once those before it have spoken; null where anything may be said. */
function offered(tables, field, values) {
  const here = tables.filter((table) => table.fields.includes(field));
  if (here.length === 0) return null;
  const lists = here.map(({ fields, rows }) => {
    const at = fields.indexOf(field);
    const fits = rows.filter((row) =>
      fields.every((other, i) => i === at || !(other in values) || values[other] === row[i]),
    );
    return [...new Set(fits.map((row) => row[at]))];
  });
  return lists.reduce((all, list) => all.filter((value) => list.includes(value)));
}

/** How a thing stands now, as far as it has been said which: what is put right begins there. */
const standing = (rows, values) =>
  rows.find((row) => Object.entries(values).every(([field, value]) => !(field in row) || row[field] === value));

/** Every field of a form with what it can say and what it says now, in order: a later one follows the earlier ones. */
function filled(form, sheet, chosen, view) {
  const values = {};
  const tables = sheet.tables[typeOf(form)] ?? [];
  const stands = sheet.stands[typeOf(form)] ?? [];
  return fieldsOf(form).map(([field, shape]) => {
    const seated = sheet.seats[typeOf(form)].includes(field);
    const options = offered(tables, field, values) ?? plainly(seated, shape, view);
    const wished = [chosen[field], standing(stands, values)?.[field], options ? options[0] : first(shape)];
    const value = wished.find((each) => each !== undefined && (!options || options.includes(each)));
    if (value !== undefined) values[field] = value;
    return { field, shape, options, value, seated };
  });
}

/** What can be said where the game tells nothing of a field. */
function plainly(seated, shape, view) {
  if (seated) return view.seats.map((_, seat) => seat);
  if (shape.enum) return shape.enum;
  return kinds(shape).includes("boolean") ? [true, false] : null;
}

const first = (shape) => shape.default ?? (kinds(shape).includes("integer") ? (shape.minimum ?? 0) : undefined);

/** The corrections that can be made: those that still have something to say in each field. */
const possible = (sheet) =>
  sheet.corrections.filter((form) => (sheet.tables[typeOf(form)] ?? []).every((table) => table.rows.length > 0));

export class CorrectionDialog extends Component {
  state = { sheet: null, type: null, chosen: {}, failed: false, sent: null };

  componentDidMount() {
    this.read();
  }

  /** What was refused may be said otherwise; what was put right is over. */
  componentDidUpdate({ view: { played } }) {
    const { view, act, onClose } = this.props;
    const { sent } = this.state;
    if (sent !== null && act.refusal) this.setState({ sent: null });
    else if (sent !== null && view.played > sent) return onClose();
    if (view.played !== played) this.read();
  }

  /** What can be said as the table stands. */
  read() {
    get(`/api/tables/${this.props.view.table}/corrections`).then(
      (sheet) => this.setState({ sheet }),
      () => this.setState({ failed: true }),
    );
  }

  put = (type, fields) => {
    const values = fields
      .filter(({ value }) => value !== undefined && value !== null)
      .map(({ field, value }) => [field, value]);
    this.setState({ sent: this.props.view.played });
    this.props.act.correct({ type, ...Object.fromEntries(values) });
  };

  render({ view, act, onClose }, { sheet, type, chosen, failed }) {
    return html`
      <${Dialog} title=${act.say("ui.nav.mend")} onClose=${onClose}>
        <p>${act.say("ui.mend.how")}</p>
        ${
          failed &&
          html`
            <p class="refusal" role="alert">
              ${act.say("ui.link.unsent")}
            </p>
          `
        }
        ${
          sheet &&
          !view.over &&
          html`
            <${Form}
              sheet=${sheet}
              type=${type}
              chosen=${chosen}
              view=${view}
              act=${act}
              onType=${(other) => this.setState({ type: other, chosen: {} })}
              onField=${(field, value) => this.setState({ chosen: { ...chosen, [field]: value } })}
              onPut=${this.put}
            />
          `
        }
        <${Refused} act=${act} />
        <${Rest} view=${view} act=${act} />
      <//>
    `;
  }
}

/** The pinch for the luck. */
const Rest = ({ view, act }) => html`
  <details class="rest">
    <summary>${act.say("ui.mend.rest")}</summary>
    <p>${act.say("ui.mend.stir_how")}</p>
    <${Button} look="quiet" can=${act.ready && !view.over} onPress=${() => act.stir()}>
      ${act.say("ui.mend.stir")}
    <//>
  </details>
`;

/** What is different, and in which way: the corrections there are, and the fields of the one that is chosen. */
function Form({ sheet, type, chosen, view, act, onType, onField, onPut }) {
  const forms = possible(sheet);
  if (forms.length === 0) return html`<p class="hint">${act.say("ui.mend.none")}</p>`;
  const form = forms.find((each) => typeOf(each) === type) ?? forms[0];
  const fields = filled(form, sheet, chosen, view);
  return html`
    <div class="form">
      <label class="field">
        <span>${act.say("ui.mend.what")}</span>
        <select value=${typeOf(form)} onChange=${(event) => onType(event.target.value)}>
          ${forms.map(
            (each) => html`
              <option key=${typeOf(each)} value=${typeOf(each)}>
                ${titleOf(act, typeOf(each))}
              </option>
            `,
          )}
        </select>
      </label>
      ${fields.filter(saysSomething).map(
        (each) => html`
          <${Field}
            key=${`${typeOf(form)}.${each.field}`}
            ...${each}
            names=${sheet.names}
            view=${view}
            act=${act}
            onChange=${(value) => onField(each.field, value)}
          />
        `,
      )}
      <${Button} look="main" can=${act.ready} onPress=${() => onPut(typeOf(form), fields)}>
        ${act.say("ui.mend.put")}
      <//>
    </div>
  `;
}

/** Whether a field leaves anything to say: not one that can only stay as it is. */
const saysSomething = ({ options }) => options?.length !== 1 || options[0] !== null;

/** A value in words: a player, a place, a card by what it is. */
function saying({ field, seated, value, names, view, act }) {
  const known = names[`${field}=${value}`] ?? names[value];
  if (known) return factText(known);
  if (value === null) return act.say("ui.mend.as_is");
  if (typeof value === "boolean") return act.say(value ? "ui.yes" : "ui.no");
  if (typeof value === "number") return seated ? view.seats[value]?.name : String(value);
  return name(value);
}

function Field({ field, shape, seated, options, value, names, view, act, onChange }) {
  const label = act.say(keyHere(`field.${field}`) ?? `ui.field.${field}`);
  const choices = options?.map((each) => [each, saying({ field, seated, value: each, names, view, act })]);
  if (!choices) return html`<${Free} label=${label} shape=${shape} value=${value} onChange=${onChange} />`;
  if (choices.length <= FEW) {
    return html`
      <div class="field">
        <span aria-hidden="true">${label}</span>
        <${Choice} label=${label} value=${value} options=${choices} onChange=${onChange} />
      </div>
    `;
  }
  return html`
    <label class="field">
      <span>${label}</span>
      <select value=${options.indexOf(value)} onChange=${(event) => onChange(options[Number(event.target.value)])}>
        ${choices.map(
          ([each, text], i) => html`
            <option key=${String(each)} value=${i}>
              ${text}
            </option>
          `,
        )}
      </select>
    </label>
  `;
}

function Free({ label, shape, value, onChange }) {
  const number = kinds(shape).includes("integer");
  return html`
    <label class="field">
      <span>${label}</span>
      <input
        type=${number ? "number" : "text"}
        inputmode=${number ? "numeric" : "text"}
        value=${value}
        onInput=${(event) => onChange(number ? Number(event.target.value) : event.target.value)}
      />
    </label>
  `;
}
