// Which table has the rig, the lift that is under way at it, and giving the rig to another.
import { html } from "../../html.js";
import { say, title } from "../../words.js";
import { Button } from "../../chrome/press.js";
import { SeatSign } from "../../pieces/marker.js";

const Named = ({ table }) => html`
  <span class="table-name">
    <b>${title(table.box)}</b> <small>${say(`ui.mode.${table.mode}`)}</small>
    <span class="names">
      ${table.seats.map(
        (seat, i) => html`
          <span key=${i}>
            <${SeatSign} seat=${seat} size=${18} /> ${seat.name}
          </span>
        `,
      )}
    </span>
  </span>
`;

const Lift = ({ lift, table }) => html`
  <p class="notice" role="status">
    ${
      table &&
      html`
        <b>${say("ui.rig.tables.lift", { name: table.seats[lift.seat]?.name ?? "" })}</b>${" "}
      `
    }
    ${say(`ui.shovel.lift.${lift.state}`)}
  </p>
`;

function Has({ rig, table, act, mine }) {
  if (rig.table === null) return html`<p>${say(rig.put_by ? "ui.rig.tables.put_by" : "ui.rig.tables.free")}</p>`;
  return html`
    <p>${say("ui.rig.tables.has")}</p>
    <div class="lend-row">
      ${table && html`<${Named} table=${table} />`}
      <span class="lend-tools">
        <a class="button" href=${`/table/${rig.table}`}>
          ${say("ui.rig.tables.go")}
        </a>
        ${
          mine.includes(rig.table) &&
          html`
            <${Button} can=${act.canLend} onPress=${() => act.leave(rig.table)}>
              ${say("ui.rig.tables.leave")}
            <//>
          `
        }
      </span>
    </div>
  `;
}

export function Tables({ rig, tables, hands, act, refusal }) {
  const mine = hands?.tables ?? [];
  const others = tables.filter((table) => mine.includes(table.table) && table.table !== rig.table);
  const has = tables.find((table) => table.table === rig.table);
  return html`
    <section class="card tables-card" aria-label=${say("ui.rig.tables.title")}>
      <h2>${say("ui.rig.tables.title")}</h2>
      <${Has} rig=${rig} table=${has} act=${act} mine=${mine} />
      ${rig.waiting && html`<${Lift} lift=${rig.waiting} table=${has} />`}
      ${rig.mishap && html`<p class="refusal">${say(rig.mishap)}</p>`}
      ${
        others.length > 0 &&
        html`
          <h3>${say("ui.rig.tables.others")}</h3>
          <ul class="lend-list">
            ${others.map(
              (table) => html`
                <li key=${table.table} class="lend-row">
                  <${Named} table=${table} />
                  <${Button} can=${act.canLend} onPress=${() => act.give(table.table)}>
                    ${say("ui.rig.tables.give")}
                  <//>
                </li>
              `,
            )}
          </ul>
        `
      }
      ${
        refusal &&
        html`
          <p class="refusal" role="alert">
            ${refusal.message}
          </p>
        `
      }
    </section>
  `;
}
