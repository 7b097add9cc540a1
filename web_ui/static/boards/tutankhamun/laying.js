// Laying a layer in secret: the tablet is handed over, the screen opens under a held finger, and nothing of what lies
// is on the page while it is covered.
import { classes, Component, html } from "../../html.js";
import { Button, Hold } from "../../chrome/press.js";
import { SeatSign } from "../../pieces/marker.js";
import { begun, Table } from "./laying_table.js";

const isDue = (view, layer) => view.board.laying?.layer === layer;
const lying = (view, layer, laid) => (laid ? "lies" : isDue(view, layer) ? "due" : "to_come");

const Strata = ({ view, act }) => html`
  <ol class="tut-strata" aria-label=${act.say("tutankhamun.page.strata")}>
    ${[...view.board.layers].reverse().map(
      ({ layer, owner, laid }) => html`
        <li
          key=${layer}
          class=${classes(`earth-${layer}`, laid && "laid", isDue(view, layer) && "due")}
        >
          <span>${layer}</span> ${view.seats[owner].name}${" "}
          <small>
            ${act.say(`tutankhamun.page.${lying(view, layer, laid)}`)}
          </small>
        </li>
      `,
    )}
  </ol>
`;

/** The companion lays and turns by itself; there is nothing to press. */
export const Dealing = ({ view, act }) => html`
  <div class="tut-laying">
    <div class="tut-cover">
      <h2>${act.say("tutankhamun.page.dealing")}</h2>
      <${Strata} view=${view} act=${act} />
    </div>
  </div>
`;

/** One layer, while it is due: what is laid out for it goes with it, so that taking it back opens nothing. */
export const Laying = ({ view, act }) => html`<${Due} key=${view.board.laying.layer} view=${view} act=${act} />`;

// What is laid out so far outlives a page that is loaded anew: in this window alone, until the layer is laid.
const placeOf = ({ table, board }) => `digside-laying-${table}-${board.laying.layer}`;

function kept(view) {
  try {
    const draft = JSON.parse(sessionStorage.getItem(placeOf(view)));
    return draft?.cards?.length === view.board.tray.squares.length ? draft : null;
  } catch {
    return null;
  }
}

function put(view, draft) {
  try {
    if (draft) sessionStorage.setItem(placeOf(view), JSON.stringify(draft));
    else sessionStorage.removeItem(placeOf(view));
  } catch {
    // A private window keeps nothing: what is laid out lasts as long as the page.
  }
}

class Due extends Component {
  constructor({ view }) {
    super();
    this.state = { open: false, draft: kept(view) ?? begun(view.board.tray.squares.length) };
  }

  componentDidMount() {
    document.addEventListener("visibilitychange", this.hide);
  }

  componentWillUnmount() {
    document.removeEventListener("visibilitychange", this.hide);
    put(this.props.view, null);
  }

  hide = () => document.hidden && this.cover();

  open = () => this.setState({ open: true });

  keep = (draft) => {
    put(this.props.view, draft);
    this.setState({ draft });
  };

  cover = () => {
    this.setState({ open: false });
    this.props.act.forget();
  };

  render({ view, act }, { open, draft }) {
    const { layer, seat } = view.board.laying;
    const { name } = view.seats[seat];
    const deal = () => act.move({ type: "deal" }, { sound: "token" });
    const own = act.role === "seat";
    return html`
      <div class="tut-laying">
        <div class="tut-cover">
          <p class="tut-who">
            <${SeatSign} seat=${view.seats[seat]} size=${52} />
          </p>
          <h2>
            ${
              act.mayMove
                ? act.say(own ? "tutankhamun.page.lay.yours" : "tutankhamun.page.lay.hand_over", { name })
                : act.say("tutankhamun.page.lay.wait", { name, n: layer })
            }
          </h2>
          <p class="ask-line">
            ${act.say("tutankhamun.page.lay.layer", { n: layer, of: view.board.tray.layers })}${" "}
            ${act.mayMove && act.say("tutankhamun.page.lay.look_away", { name })}
          </p>
          ${
            act.mayMove &&
            html`
              <div class="tut-cover-hands">
                <${Hold} can=${act.can} onOpen=${this.open}>
                  ${act.say("tutankhamun.page.lay.hold")}
                <//>
                <${Button} look="quiet" can=${act.can} onPress=${deal}>
                  ${act.say("tutankhamun.page.lay.deal")}
                <//>
              </div>
            `
          }
          <${Strata} view=${view} act=${act} />
        </div>
        ${
          act.mayMove &&
          open &&
          html`
            <${Table}
              view=${view}
              act=${act}
              draft=${draft}
              onDraft=${this.keep}
              onCover=${this.cover}
              onDeal=${deal}
            />
          `
        }
      </div>
    `;
  }
}
