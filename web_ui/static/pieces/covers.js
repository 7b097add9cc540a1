// The boxes as they stand on the shelf. Each has its own poster beside its board; one that has none gets a plain lid.
import { isThere } from "../addresses.js";
import { Component, html, upTo } from "../html.js";

/** A fan of rays from a middle; without more, half a sun. */
export const rays = (x, y, inner, outer, count, from = 180, sweep = 180) =>
  upTo(count).map((i) => {
    const a = ((from + (sweep / count) * i) * Math.PI) / 180;
    const b = ((from + (sweep / count) * (i + 0.5)) * Math.PI) / 180;
    const p = (r, t) => `${(x + r * Math.cos(t)).toFixed(1)} ${(y + r * Math.sin(t)).toFixed(1)}`;
    return html`<path d=${`M${p(inner, a)}L${p(outer, a)}L${p(outer, b)}L${p(inner, b)}Z`} />`;
  });

const plain = () => html`
  <rect width="300" height="380" fill="#7a5a34" />
  <rect x="24" y="24" width="252" height="332" fill="none" stroke="#e9c78b" stroke-width="6" />
  <path d="M60 290L150 110L240 290Z" fill="#e9c78b" />
  <path d="M150 110L240 290H166Z" fill="#c99653" />
`;

const posters = new Map();

/** The poster of a box, fetched once. */
function posterOf(box) {
  if (!posters.has(box)) {
    posters.set(
      box,
      isThere(`/static/boards/${box}/cover.js`)
        ? import(`../boards/${box}/cover.js`).then((poster) => poster.cover)
        : Promise.resolve(plain),
    );
  }
  return posters.get(box);
}

/** The picture of a box; `slice` fills whatever frame it is put in. */
export class Cover extends Component {
  componentDidMount() {
    posterOf(this.props.box).then((cover) => this.setState({ cover }));
  }

  render(_, { cover }) {
    return html`
      <svg class="cover-art" viewBox="0 0 300 380" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        ${cover?.()}
      </svg>
    `;
  }
}
