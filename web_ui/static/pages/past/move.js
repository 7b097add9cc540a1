// A table goes to another Digside, is sent there again, or is taken back: for the owner.
import { Component, html } from "../../html.js";
import { Refused } from "../../api.js";
import { say } from "../../words.js";
import { Dialog } from "../../chrome/dialog.js";
import { Line, Refusal } from "../../chrome/frame.js";
import { Button } from "../../chrome/press.js";

/** It takes as long as two machines take. */
async function ask(body) {
  const answer = await fetch("/api/owner/move", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const moved = await answer.json();
  if (!answer.ok) throw new Refused(answer.status, moved.error);
  return moved;
}

/** @param onDone is told what became of it, or with nothing that it may be otherwise now. */
export class Move extends Component {
  state = { address: this.props.table.elsewhere?.address ?? "", key: "", busy: false, error: null };

  send = async (back) => {
    if (this.state.busy || !this.state.address.trim()) return;
    this.setState({ busy: true, error: null });
    const { address, key } = this.state;
    try {
      const moved = await ask({
        table: this.props.table.table,
        address: address.trim(),
        key: key.trim() || null,
        back,
      });
      this.props.onDone(say(moved.address ? "evening.move.gone" : "evening.move.returned", { address: moved.address }));
    } catch (error) {
      this.setState({ busy: false, error });
      this.props.onDone(null);
    }
  };

  submit = (event) => {
    event.preventDefault();
    this.send(false);
  };

  render({ table, onClose }, { address, key, busy, error }) {
    return html`
      <${Dialog} title=${say("evening.move.open")} onClose=${onClose}>
        <p>${say("evening.move.lead")}</p>
        <form onSubmit=${this.submit}>
          <div class="fields">
            <${Line}
              id="move-address"
              label=${say("evening.move.address")}
              inputmode="url"
              autocapitalize="off"
              spellcheck=${false}
              placeholder="http://192.168.1.20:8765"
              value=${address}
              onInput=${(event) => this.setState({ address: event.target.value })}
            />
            <${Line}
              id="move-key"
              label=${say("evening.move.key")}
              type="password"
              aria-describedby="move-how"
              value=${key}
              onInput=${(event) => this.setState({ key: event.target.value })}
            />
          </div>
          <p id="move-how" class="caption">${say("evening.move.key_how")}</p>
          <p role="status">${busy && say("evening.move.going")}</p>
          <${Refusal} error=${error} />
          <p class="row-tools">
            <button type="submit" class="button main" aria-disabled=${busy ? "true" : undefined}>
              ${say(table.elsewhere ? "evening.move.again" : "evening.move.go")}
            </button>
            ${
              table.elsewhere &&
              html`<${Button} can=${!busy} onPress=${() => this.send(true)}>${say("evening.move.back")}<//>`
            }
          </p>
        </form>
      <//>
    `;
  }
}
