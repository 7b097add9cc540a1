// An archaeologist on the map: hat, coat and walking stick in the seat's colour, with the seat's sign on the base.
import { html } from "../../html.js";
import { outline } from "../../pieces/marker.js";

export const figure = (seat) => html`
  <g class="figure">
    <ellipse cx="1" cy="3" rx="19" ry="7.5" class="shade" />
    <path d="M-9 0C-11-12-10-24-6-30H6C10-24 11-12 9 0Z" fill=${seat.colour} class="coat" />
    <path d="M0-30V-2M-6-30L0-22L6-30M-10-14L-14-4M10-16L14-10" class="seam" />
    <path d="M14-16V2" class="stick" />
    <circle cy="-35" r="6.5" class="face" />
    <path d="M-12-38C-12-40-7-40-6-41C-6-49 6-49 6-41C7-40 12-40 12-38Z" class="hat" />
    <g transform="translate(0 1)">
      <circle r="9" class="base" />
      ${outline(seat.shape, 5.5, { fill: seat.colour, stroke: seat.colour, "stroke-width": 1 })}
    </g>
  </g>
`;
