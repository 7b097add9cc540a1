// Cards that lie open in a row, each kind once and how often it is there.
import { html } from "../../html.js";
import { Face } from "./cards.js";

const counted = (ids) => [...new Set(ids)].map((id) => [id, ids.filter((each) => each === id).length]);

export const Faces = ({ view, act, ids }) => html`
  <ul class="tr-faces">
    ${counted(ids).map(
      ([id, n]) => html`
        <li key=${id}>
          <span class="unseen">${act.name(id)}${n > 1 && ` × ${n}`}</span>
          <${Face} view=${view} act=${act} id=${id} />
          ${n > 1 && html`<b class="tr-times" aria-hidden="true">×${n}</b>`}
        </li>
      `,
    )}
  </ul>
`;
