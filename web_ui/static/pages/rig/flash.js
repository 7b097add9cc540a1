// Writing the firmware that comes with Digside to a Nano plugged into this very device, and the way back.
import { Component, html } from "../../html.js";
import { say } from "../../words.js";
import { Button } from "../../chrome/press.js";
import { readHex, writeHex } from "./hexfile.js";
import { flash, FlashFailed } from "./stk500.js";

const IMAGES = "/static/firmware/images.json";
const STAGES = ["connect", "keep", "write", "verify"];

async function shipped() {
  const images = await (await fetch(IMAGES)).json();
  return images.find((image) => image.board === "nano");
}

const Progress = ({ stage, share }) => html`
  <ol class="flash-stages">
    ${STAGES.map(
      (each, i) => html`
        <li key=${each} aria-current=${each === stage ? "step" : undefined}>
          <span>${say(`ui.rig.flash.${each === "write" ? "writing" : each}`)}</span>
          <progress max="1" value=${each === stage ? share : STAGES.indexOf(stage) > i ? 1 : 0} />
        </li>
      `,
    )}
  </ol>
`;

const Kept = ({ url }) =>
  url &&
  html`
    <p>
      <a class="button" href=${url} download="nano-before.hex">
        ${say("ui.rig.flash.save")}
      </a>
    </p>
  `;

/** What this page cannot do for want of the browser, the terminal can. */
const Without = () => html`
  <p>${say("ui.rig.flash.no_serial")}</p>
  <p>
    <code>digside flash</code>
  </p>
`;

export class Flash extends Component {
  state = { image: null, stage: null, share: 0, chip: null, failed: null, before: null };

  async componentDidMount() {
    this.setState({ image: await shipped().catch(() => null) });
  }

  componentWillUnmount() {
    if (this.state.before) URL.revokeObjectURL(this.state.before);
  }

  keep = (before) => {
    if (!before.length) return;
    if (this.state.before) URL.revokeObjectURL(this.state.before);
    this.setState({ before: URL.createObjectURL(new Blob([writeHex(before)], { type: "text/plain" })) });
  };

  /** The browser asks which port; whoever closes that question has changed their mind. */
  write = async (firmware) => {
    if (this.state.stage) return;
    const port = await navigator.serial.requestPort().catch(() => null);
    if (!port) return;
    this.setState({ stage: "connect", share: 0, chip: null, failed: null });
    const progress = (stage, share) => this.setState({ stage, share });
    try {
      this.setState({ chip: await flash(port, firmware, { progress, keep: this.keep }) });
    } catch (error) {
      const failed = error instanceof FlashFailed ? error : new FlashFailed("port", error.message);
      this.setState({ failed });
    } finally {
      this.setState({ stage: null });
    }
  };

  writeShipped = async () => {
    const text = await (await fetch(`/static/firmware/${this.state.image.file}`)).text();
    await this.write(readHex(text));
  };

  writeFile = async (event) => {
    const file = event.target.files[0];
    event.target.value = "";
    const firmware = file && readHex(await file.text());
    if (firmware) await this.write(firmware);
    else if (file) this.setState({ failed: new FlashFailed("file") });
  };

  render({ live }, { image, stage, share, chip, failed, before }) {
    const can = live && !stage;
    return html`
      <section class="card flash-card" aria-label=${say("ui.rig.flash.title")}>
        <h2>${say("ui.rig.flash.title")}</h2>
        ${
          "serial" in navigator
            ? html`
              <p>${say("ui.rig.flash.lead", { version: image?.version ?? "" })}</p>
              <p class="row-tools">
                <${Button} look="main" can=${can && image} onPress=${this.writeShipped}>
                  ${say("ui.rig.flash.begin")}
                <//>
                <label class="button" aria-disabled=${can ? undefined : "true"}>
                  ${say("ui.rig.flash.own")}
                  <input class="unseen" type="file" accept=".hex" disabled=${!can} onChange=${this.writeFile} />
                </label>
              </p>
              ${stage && html`<${Progress} stage=${stage} share=${share} />`}
              <p role="status">${chip && say("ui.rig.flash.done", { chip })}</p>
              ${
                failed &&
                html`
                  <p class="refusal" role="alert">
                    ${say(`ui.rig.flash.failed_${failed.why}`, { reason: failed.reason })}
                  </p>
                `
              }
              <${Kept} url=${before} />
            `
            : html`<${Without} />`
        }
        <p class="caption">${say("ui.rig.flash.pico")}</p>
        <p class="row-tools">
          <a
            class="button quiet"
            href=${live ? "/static/firmware/pico.uf2" : undefined}
            aria-disabled=${live ? undefined : "true"}
            download
          >
            ${say("ui.rig.flash.pico_file")}
          </a>
        </p>
      </section>
    `;
  }
}
