// What the signs on the board mean.
import { html } from "../../html.js";
import { Ankh, Level } from "./index.js";
import { Back, Face, GOD_COLOUR, sign } from "./printed.js";
import { figure, smallMummy } from "./table.js";
import { Pips } from "./turn.js";

const small = (children, box = "-18 -18 36 36") => html`<svg class="legend-sign" viewBox=${box}>${children}</svg>`;

/** Each sign by its key, as it is drawn, and in words. */
export function legend(view, act) {
  const drawn = {
    figure: small(figure(view.seats[0]), "-26 -32 52 64"),
    mummy: smallMummy,
    touch: small(html`<path d="M-13 0H13" class="hor-touch" />`),
    one_way: small(html`<g class="hor-one-way" transform="scale(1.4)"><path d="M-9 8L0-9L9 8Z" /></g>`),
    level: html`<${Level} n=${3} />`,
    actions: html`<${Pips} n=${3} />`,
    keeper: html`<${Ankh} />`,
    tomb: small(html`<g transform="scale(.9)">${sign("anubis", { fill: GOD_COLOUR.anubis })}</g>`),
    idol: html`<${Face} card=${{ kind: "idol", god: "horus", value: 10 }} size=${28} />`,
    cursed: small(html`<path d="M-14-10C-6-10-6-2 0-2S6 8 14 10" class="hor-chain-sign" />`),
    deck: html`<${Back} of="hededet" size=${26} />`,
    ...(view.board.house.length > 0 ? { house: small(html`<path d="M-14 0H14" class="hor-ours" />`) } : {}),
    pile: small(html`<rect x="-14" y="-13" width="28" height="26" rx="4" fill="url(#stone)" class="loose" />`),
  };
  return Object.entries(drawn).map(([key, what]) => [
    key,
    what,
    act.say(key === "house" ? "ui.house_sign" : `horus.page.sign.${key}`),
  ]);
}
