// Linen bags that give up their tokens one by one, and face-down piles where nobody may count.
import { html, upTo, classes } from "../html.js";
import { disc, siteSign } from "./tokens.js";

function Sack({ colour, sign, full }) {
  const slack = (1 - full) * 16;
  const body = `M52 62C30 ${84 + slack} 18 ${118 + slack} 26 146C34 166 126 166 134 146
    C142 ${118 + slack} 130 ${84 + slack} 108 62Z`;
  return html`
    <g>
      <ellipse cx="82" cy="160" rx="62" ry="11" class="shade" />
      <path d=${body} fill=${colour} />
      <path d=${body} fill="url(#weave)" />
      <path d=${body} fill="url(#fold)" />
      <path d="M70 66C60 96 58 124 62 152M90 66C104 96 106 122 100 152" class="crease" />
      <path
        d="M48 36C58 44 64 52 62 62H98C96 52 104 44 112 36C104 40 98 30 90 37C84 29 76 30 71 37C63 30 56 41 48 36Z"
        fill=${colour}
      />
      <path
        d="M48 36C58 44 64 52 62 62H98C96 52 104 44 112 36C104 40 98 30 90 37C84 29 76 30 71 37C63 30 56 41 48 36Z"
        fill="url(#fold)"
      />
      <path d="M56 63C70 58 92 58 106 63" class="cord" />
      <path d="M98 61C112 66 110 78 118 82M97 62C104 72 100 80 106 88" class="cord thin" />
      <circle cx="80" cy="112" r="31" class="patch" />
      <path
        d=${siteSign(sign)}
        transform="translate(80 113)"
        class="patch-sign"
        stroke=${colour}
      />
    </g>
  `;
}

function Pile({ colour, sign }) {
  return html`
    <g>
      <ellipse cx="82" cy="156" rx="58" ry="10" class="shade" />
      ${upTo(4).map(
        (i) => html`
          <g
            transform=${`translate(${80 + (i % 2 ? 1.5 : -1)} ${104 - i * 4}) rotate(${[-2.5, 1.5, -1, 0.5][i]})`}
          >
            <rect
              x="-41"
              y="-58"
              width="82"
              height="116"
              rx="9"
              fill=${colour}
              class="card-back"
            />
            ${
              i === 3 &&
              html`
                <rect x="-33" y="-50" width="66" height="100" rx="6" class="card-frame" />
                <circle r="25" class="patch" />
                <path d=${siteSign(sign)} class="patch-sign" stroke=${colour} />
              `
            }
          </g>
        `,
      )}
    </g>
  `;
}

/** One bag with what is left in it; a pile shows no number. */
export function Bag({ bag, open }) {
  const hidden = bag.left === null;
  return html`
    <svg
      class=${classes("bag", open && "open")}
      viewBox="0 20 164 152"
      aria-hidden="true"
      data-piece=${`bag:${bag.bag}`}
    >
      ${
        hidden
          ? html`<${Pile} colour=${bag.colour} sign=${bag.bag} />`
          : html`
            <${Sack}
              colour=${bag.colour}
              sign=${bag.bag}
              full=${bag.start ? bag.left / bag.start : 1}
            />
          `
      }
    </svg>
  `;
}

/**
 * The cloth on which drawn tokens are laid, with a place for each that is still to come.
 * @param id tells one draw from the next, so that the tokens of each come out of their bag.
 */
export function Cloth({ drawing, id, colours, house, say, name }) {
  const high = Math.ceil(drawing.of / 6);
  const wide = Math.ceil(drawing.of / high);
  const names = drawing.drawn.map(name);
  return html`
    <svg
      class="cloth"
      viewBox=${`0 0 ${wide * 76 + 24} ${high * 76 + 20}`}
      role="img"
      aria-label=${say("ui.bags.drawn", {
        bag: name(drawing.bag),
        n: drawing.drawn.length,
        of: drawing.of,
        tokens: names,
      })}
    >
      <rect
        x="2"
        y="2"
        width=${wide * 76 + 20}
        height=${high * 76 + 16}
        rx="14"
        class="linen"
      />
      <rect
        x="2"
        y="2"
        width=${wide * 76 + 20}
        height=${high * 76 + 16}
        rx="14"
        fill="url(#weave)"
      />
      ${upTo(drawing.of).map(
        (i) => html`
          <g
            transform=${`translate(${50 + (i % wide) * 76} ${47 + Math.floor(i / wide) * 76})`}
          >
            <circle r="29" class="empty-place" />
            ${
              i < drawing.drawn.length &&
              html`
                <g
                  key=${`${id}:${i}`}
                  data-piece=${`drawn:${id}:${i}`}
                  data-from=${`bag:${drawing.bag}`}
                >
                  ${disc(drawing.drawn[i], drawing.bag, colours, house)}
                </g>
              `
            }
          </g>
        `,
      )}
    </svg>
  `;
}
