// The map with its routes, the figures on it, the way of the trip that is planned, and the five sites to be dug.
import { classes, html } from "../../html.js";
import { Hit } from "../../pieces/hit.js";
import { siteSign } from "../../pieces/tokens.js";
import { HIGH, land, PLACES, way, WIDE } from "./land.js";
import { outline } from "../../pieces/marker.js";
import { lacksBook } from "./stamps.js";

const figure = (seat) => html`
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

const APART = 22;
const SITE = 1.2; // a site is larger than a city: it is what one looks for
const LONG = 11; // letters of a name that has room in large ones
export const PURSE = "M-20-10C-24-2-24 14-12 15H12C24 14 24-2 20-10L11-14 15-19H-15L-11-14Z";

const line = (places) => `M${places.map((place) => PLACES[place].map((n) => n.toFixed(1)).join(" ")).join("L")}`;

const City = ({ city, name, home, goal }) => {
  const [x, y] = PLACES[city];
  return html`
    <g transform=${`translate(${x} ${y})`} class=${classes("city", goal && "goal")}>
      ${goal && html`<circle r="21" class="goal-ring" />`}
      <circle r="11" class="city-dot" />
      ${home ? html`<path d="M-5 4V-2L0-6L5-2V4Z" class="city-sign" />` : html`<circle r="4" class="city-sign" />`}
      <text y="31" class="place-name">
        ${name(city)}
      </text>
    </g>
  `;
};

/** A site by its sign and its name. */
function Site({ site, good, label, goal, onPress, name }) {
  const [x, y] = PLACES[site.id];
  const long = name(site.id).length > LONG;
  return html`
    <g
      transform=${`translate(${x} ${y}) scale(${SITE})`}
      class=${classes("site", !good && "used", goal && "goal")}
      data-lit=${`site:${site.id}`}
    >
      <g aria-hidden="true">
        ${goal && html`<circle r="35" class="goal-ring" />`}
        <circle r="27" cy="3" class="under" />
        <circle r="27" fill=${site.colour} class="medal" />
        <circle r="20.5" fill="url(#papyrus)" />
        <path
          d=${siteSign(site.id)}
          class="site-sign"
          stroke=${site.colour}
          fill=${site.colour}
          transform="scale(.86)"
        />
        <text y=${long ? 53 : 57} class=${classes("place-name", long && "long")}>
          ${name(site.id)}
        </text>
      </g>
      ${
        onPress &&
        html`
          <${Hit} can=${true} label=${label} onPress=${onPress}>
            <circle r="45" />
          <//>
        `
      }
    </g>
  `;
}

/**
 * What counts at a site, above the figures on it: whether the permit of the seat that is looked at is good, how
 * much that seat knows, edged in its colour, how many tokens are left in the bag, and the find that lies open. What
 * does not help to dig for want of a book is grey.
 */
function SiteFigures({ site, holder, left, colour }) {
  const [x, y] = PLACES[site.id];
  const good = holder.permits[site.id];
  const known = holder.knowledge[site.id];
  const lacks = lacksBook(known);
  return html`
    <g transform=${`translate(${x} ${y}) scale(${SITE})`} class="site-figures" aria-hidden="true">
      <g transform="translate(-31 -8)" class=${classes("permit", good ? "good" : "gone", lacks && "lacks")}
          data-sign=${good ? (lacks ? "permit_lacks" : "permit_good") : "permit_gone"}>
        <circle r="11" />
        <path d=${good ? "M-5 0L-1 4L5-4" : "M-4-4L4 4M4-4L-4 4"} />
      </g>
      <g transform="translate(28 -20)" class=${classes("knows", lacks && "lacks")}
          data-sign=${lacks ? "knows_lacks" : "knows"}>
        <path d="M-16-15H13A3 3 0 0 1 16-12V15H-13A3 3 0 0 1-16 12Z" style=${`stroke:${colour}`} />
        <text dy=".34em">${known.total}</text>
      </g>
      <g transform="translate(-9 25)" class="bag-count" data-sign="bag">
        <path d=${PURSE} fill=${site.colour} />
        <text y="1" dy=".34em">${left}</text>
      </g>
      ${
        site.first_find &&
        html`
          <g transform="translate(30 19)" class="first-find" data-sign="first_find">
            <circle r="15" fill=${site.colour} />
            <text dy=".34em">${site.first_find.split(":")[1]}</text>
          </g>
        `
      }
    </g>
  `;
}

/** Figures in one place stand side by side. */
function standing(figures) {
  return figures.map((place, seat) => {
    const here = figures.flatMap((other, i) => (other === place ? [i] : []));
    const [x, y] = PLACES[place];
    return [x + (here.indexOf(seat) - (here.length - 1) / 2) * APART, y - 4];
  });
}

function trail(routes, from, to, [x, y]) {
  if (!from || from === to) return "";
  const between = way(routes, from, to)
    .slice(1, -1)
    .map((place) => PLACES[place]);
  return between.map(([u, v]) => `${(u - x).toFixed(1)},${(v - 4 - y).toFixed(1)}`).join(" ");
}

/**
 * @param looked the seat whose permits and knowledge are shown; `goal` the place of the planned trip;
 * @param siteSaid what a site is called in full; `onSite` what a touch of it does, if it does something.
 */
export function Lands({ view, act, looked, goal, siteSaid, onSite }) {
  const { map, seats, bags } = view.board;
  const spots = standing(map.figures);
  const left = Object.fromEntries(bags.map((bag) => [bag.bag, bag.left]));
  const trip = goal && way(map.routes, map.figures[looked], goal);
  const before = act.before?.board.map?.figures;
  return html`
    <svg
      class="jmap"
      viewBox=${`0 0 ${WIDE} ${HIGH}`}
      preserveAspectRatio="xMidYMid meet"
      role="group"
      aria-label=${act.say("jenseits.page.map", { where: whereText(view, act) })}
    >
      ${land}
      <path d=${map.routes.map(line).join("")} class="route-bed" />
      <path d=${map.routes.map(line).join("")} class="route" />
      ${trip?.length > 1 && html`<path d=${line(trip)} class="trip" />`}
      ${map.cities.map(
        (city) => html`
          <${City}
            key=${city}
            city=${city}
            name=${act.name}
            home=${city === map.home}
            goal=${city === goal}
          />
        `,
      )}
      ${map.sites.map(
        (site) => html`
          <${Site}
            key=${site.id}
            site=${site}
            good=${seats[looked].permits[site.id]}
            name=${act.name}
            goal=${site.id === goal}
            label=${siteSaid(site.id)}
            onPress=${onSite && (() => onSite(site.id))}
          />
        `,
      )}
      ${map.figures.map(
        (place, seat) => html`
          <g
            key=${`figure:${seat}`}
            transform=${`translate(${spots[seat].join(" ")})`}
            data-piece=${`figure:${seat}`}
            data-trail=${trail(map.routes, before?.[seat], place, spots[seat])}
            class=${classes("on-map", seat === looked && "looked")}
          >
            ${figure(view.seats[seat])}
          </g>
        `,
      )}
      ${map.sites.map(
        (site) =>
          html`
            <${SiteFigures}
              key=${`of:${site.id}`}
              site=${site}
              holder=${seats[looked]}
              left=${left[site.id]}
              colour=${view.seats[looked].colour}
            />
          `,
      )}
    </svg>
  `;
}

const whereText = (view, act) =>
  view.board.map.figures.map((place, seat) => act.say("jenseits.page.stands", { name: view.seats[seat].name, place }));
