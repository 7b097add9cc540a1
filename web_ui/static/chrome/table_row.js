// A table in a list: what is played, who sits there, when, and once it is over who won with how many points.
import { html, classes } from "../html.js";
import { day, number, person, say, title } from "../words.js";
import { Cover } from "../pieces/covers.js";
import { SeatSign } from "../pieces/marker.js";

const People = ({ table: { seats, totals, winners, me } }) => html`
  <ul class="names">
    ${seats.map(
      (seat, i) => html`
        <li key=${i} class=${classes(winners?.includes(i) && "won", me?.seat === i && "own")}>
          <${SeatSign} seat=${seat} size=${20} /> ${person(seat.name)} ${totals && html`<b>${number(totals[i])}</b>`}
        </li>
      `,
    )}
  </ul>
`;

/** Who won, in a sentence; nothing where nobody did. */
const won = ({ seats, winners }) =>
  winners?.length > 0 &&
  say("ui.over.won", { n: winners.length, names: winners.map((seat) => seats[seat]?.name ?? "?") });

/** @param children what can be done with it. @param more what else is told of it. */
export const TableRow = ({ table, more, children }) => html`
  <li class="card table-row">
    <span class="thumb">
      <${Cover} box=${table.box} />
    </span>
    <div>
      <h2>
        ${title(table.box)} <small>${say(`ui.mode.${table.mode}`)}</small>
      </h2>
      <${People} table=${table} />
      <p>
        ${won(table) && html`<b class="winner-said">${won(table)}</b>${" "}`}
        ${day(table.played_at)}${more && ` · ${more}`}
      </p>
    </div>
    <div class="row-tools">${children}</div>
  </li>
`;
