// A seat's marker: a wooden piece in the seat's colour AND shape, so that neither alone has to be told apart.
import { html } from "../html.js";

const polygon = (corners, r, turn = -90) =>
  Array.from({ length: corners }, (_, i) => {
    const angle = ((turn + (360 / corners) * i) * Math.PI) / 180;
    return `${(r * Math.cos(angle)).toFixed(2)},${(r * Math.sin(angle)).toFixed(2)}`;
  }).join(" ");

function star(r) {
  return Array.from({ length: 10 }, (_, i) => {
    const angle = ((-90 + 36 * i) * Math.PI) / 180;
    const reach = i % 2 ? r * 0.56 : r * 1.12;
    return `${(reach * Math.cos(angle)).toFixed(2)},${(reach * Math.sin(angle)).toFixed(2)}`;
  }).join(" ");
}

/** The outline of a shape round the origin, as a drawing element; of one that is not known here, a circle. */
export function outline(shape, r, attributes) {
  const points = {
    square: () => polygon(4, r * 1.2, -45),
    triangle: () => polygon(3, r * 1.28),
    diamond: () => polygon(4, r * 1.24),
    hexagon: () => polygon(6, r * 1.1),
    star: () => star(r),
  }[shape];
  if (!points) return html`<circle r=${r} ...${attributes} />`;
  return html`<polygon points=${points()} stroke-linejoin="round" ...${attributes} />`;
}

/** A marker standing on the table: its side, its top, and a rim of light. */
export function standing(seat, { r = 17, thick = 9 } = {}) {
  return html`
    <g>
      <ellipse cx="2" cy=${thick + 5} rx=${r * 1.1} ry=${r * 0.8} class="shade" />
      <g transform=${`translate(0 ${thick})`}>
        ${outline(seat.shape, r, { fill: seat.colour, stroke: seat.colour, "stroke-width": 4 })}
        ${outline(seat.shape, r, { class: "side", "stroke-width": 4 })}
      </g>
      ${outline(seat.shape, r, { fill: seat.colour, stroke: seat.colour, "stroke-width": 4 })}
      ${outline(seat.shape, r, { class: "rim", "stroke-width": 2 })}
      ${outline(seat.shape, r * 0.45, { class: "inlay" })}
    </g>
  `;
}

/** The small sign of a seat beside its name. */
export const SeatSign = ({ seat, size = 26 }) => html`
  <svg class="seat-sign" viewBox="-24 -24 48 48" width=${size} height=${size} aria-hidden="true">
    ${outline(seat.shape, 16, { fill: seat.colour, stroke: seat.colour, "stroke-width": 4 })}
    ${outline(seat.shape, 16, { class: "rim", "stroke-width": 2.5 })}
  </svg>
`;
