// "The table shows otherwise": the host puts things right, throws a pinch into the luck, or ends the table.
import { Component, html } from "../html.js";
import { get } from "../api.js";
import { Button, Twice } from "./press.js";
import { Dialog } from "./dialog.js";

const said = (act, view, type) => {
  const key = `correction.${view.mode === "toolbox" ? "toolbox" : view.box}.${type}`;
  return act.knows(key) ? act.say(key) : type;
};

/** The fields of a correction, from the schema the service gives for it. */
export class Mend extends Component {
  state = { forms: null, chosen: 0, values: {}, failed: false };

  componentDidMount() {
    get(`/api/tables/${this.props.view.table}/corrections`).then(
      (told) => this.setState({ forms: told.corrections }),
      () => this.setState({ failed: true }),
    );
  }

  put = () => {
    const form = this.state.forms[this.state.chosen];
    const correction = { type: form.properties.type.const ?? form.properties.type.enum[0] };
    for (const [field, shape] of fieldsOf(form)) {
      const value = this.state.values[field] ?? first(this.props.view, field, shape);
      if (value !== "") correction[field] = value;
    }
    this.props.act.correct(correction);
    this.props.onClose();
  };

  render({ view, act, onClose }, { forms, chosen, values, failed }) {
    const form = forms?.[chosen];
    return html`<${Dialog} title=${act.say("ui.nav.mend")} onClose=${onClose}>
      <p>${act.say("ui.mend.how")}</p>
      ${failed && html`<p class="refusal" role="alert">${act.say("ui.link.unsent")}</p>`}
      ${forms?.length > 0 && html`<div class="form">
        <label class="field"><span>${act.say("ui.mend.what")}</span>
          <select value=${chosen} onChange=${(event) => this.setState({ chosen: Number(event.target.value), values: {} })}>
            ${forms.map((each, i) => html`<option key=${i} value=${i}>${said(act, view, each.properties.type.const ?? each.properties.type.enum[0])}</option>`)}
          </select></label>
        ${fieldsOf(form).map(([field, shape]) => html`<${Field} key=${field} field=${field} shape=${shape} view=${view} act=${act}
          value=${values[field] ?? first(view, field, shape)} onChange=${(value) => this.setState({ values: { ...values, [field]: value } })} />`)}
        <${Button} look="main" can=${act.ready} onPress=${this.put}>${act.say("ui.mend.put")}<//>
      </div>`}
      <hr />
      <p>${act.say("ui.mend.stir_how")}</p>
      <${Button} look="quiet" can=${act.ready && !view.over} onPress=${() => act.stir(String(performance.now()))}>${act.say("ui.mend.stir")}<//>
      <hr />
      <p>${act.say("ui.mend.end_how")}</p>
      <${Twice} look="danger" can=${act.ready && !view.over} sure=${act.say("ui.mend.end_sure")} onPress=${() => (act.end(), onClose())}>${act.say("ui.mend.end")}<//>
    <//>`;
  }
}

const fieldsOf = (form) => (form ? Object.entries(form.properties).filter(([field]) => field !== "type") : []);

const kinds = (shape) => (shape.anyOf ? shape.anyOf.map((each) => each.type) : [shape.type]).flat();

function first(view, field, shape) {
  if (shape.default !== undefined && shape.default !== null) return shape.default;
  if (shape.enum) return shape.enum[0];
  if (kinds(shape).includes("boolean")) return true;
  return kinds(shape).includes("integer") ? (field === "seat" ? 0 : shape.minimum ?? 1) : "";
}

function Field({ field, shape, view, act, value, onChange }) {
  const label = act.say(`ui.field.${field}`);
  if (field === "seat") return choose(label, view.seats.map((seat, i) => [i, seat.name]), value, onChange);
  if (shape.enum) return choose(label, shape.enum.map((each) => [each, act.name(String(each))]), value, onChange);
  if (kinds(shape).includes("boolean")) return choose(label, [[true, act.say("ui.yes")], [false, act.say("ui.no")]], value, onChange);
  const number = kinds(shape).includes("integer") && !kinds(shape).includes("string");
  return html`<label class="field"><span>${label}</span><input type=${number ? "number" : "text"} inputmode=${number ? "numeric" : "text"} value=${value}
    onInput=${(event) => onChange(number ? Number(event.target.value) : plain(event.target.value, shape))} /></label>`;
}

// Where a place is either a seat's number or a name, digits are a number.
const plain = (text, shape) => (kinds(shape).includes("integer") && /^\d+$/.test(text) ? Number(text) : text);

const choose = (label, options, value, onChange) => html`<label class="field"><span>${label}</span>
  <select value=${options.findIndex(([each]) => each === value)} onChange=${(event) => onChange(options[Number(event.target.value)][0])}>
    ${options.map(([each, said], i) => html`<option key=${String(each)} value=${i}>${said}</option>`)}
  </select></label>`;
