// What things are made of: the gradients and textures that all drawings share. Made once: the same node at each
// drawing costs nothing.
import { html } from "../html.js";

const stops = (...classes) =>
  classes.map((name, i) => html`<stop offset=${i / (classes.length - 1)} class=${`m-${name}`} />`);

export const materials = html`
  <svg width="0" height="0" class="materials" aria-hidden="true">
    <defs>
      <linearGradient id="brass" x1="0" y1="0" x2="1" y2="1">
        ${stops("brass-light", "brass", "brass-deep", "brass")}
      </linearGradient>
      <linearGradient id="brass-ring" x1="0" y1="0" x2=".7" y2="1">
        ${stops("brass-light", "brass-mid", "brass")}
      </linearGradient>
      <radialGradient id="brass-dome" cx=".38" cy=".3" r=".8">
        ${stops("brass-light", "brass", "brass-deep")}
      </radialGradient>
      <radialGradient id="silver-dome" cx=".38" cy=".3" r=".8">
        ${stops("silver-light", "silver", "silver-deep")}
      </radialGradient>
      <linearGradient id="papyrus" x1="0" y1="0" x2=".6" y2="1">
        ${stops("papyrus-light", "papyrus", "papyrus-deep")}
      </linearGradient>
      <linearGradient id="stone" x1="0" y1="0" x2=".5" y2="1">
        ${stops("stone-light", "stone", "stone-deep")}
      </linearGradient>
      <linearGradient id="wood" x1="0" y1="0" x2="0" y2="1">
        ${stops("wood-light", "wood", "wood-deep")}
      </linearGradient>
      <linearGradient id="lapis" x1="0" y1="0" x2=".4" y2="1">
        ${stops("lapis-light", "lapis", "lapis-deep")}
      </linearGradient>
      <linearGradient id="slab" x1="0" y1="0" x2=".5" y2="1">
        ${stops("slab-light", "slab")}
      </linearGradient>
      <linearGradient id="dune" x1="0" y1="0" x2=".5" y2="1">
        ${stops("dune-light", "dune")}
      </linearGradient>
      <linearGradient id="pond" x1="0" y1="0" x2=".5" y2="1">
        ${stops("pond-light", "pond")}
      </linearGradient>
      <linearGradient id="earth" x1="0" y1="0" x2=".5" y2="1">
        ${stops("earth-light", "earth")}
      </linearGradient>
      <radialGradient id="glow" cx=".5" cy=".5" r=".5">
        <stop offset="0" class="m-glow" stop-opacity=".55" />
        <stop offset="1" class="m-glow" stop-opacity="0" />
      </radialGradient>
      <linearGradient id="fold" x1="0" y1="0" x2="1" y2="0">
        <stop offset="0" stop-color="#000" stop-opacity=".34" />
        <stop offset=".3" stop-color="#fff" stop-opacity=".16" />
        <stop offset=".62" stop-color="#000" stop-opacity=".06" />
        <stop offset="1" stop-color="#000" stop-opacity=".42" />
      </linearGradient>
      <pattern id="weave" width="6" height="6" patternUnits="userSpaceOnUse">
        <path d="M0 1.5H6M0 4.5H6M1.5 0V6M4.5 0V6" stroke="#000" stroke-opacity=".1" stroke-width=".8" />
      </pattern>
      <pattern id="sand" width="40" height="40" patternUnits="userSpaceOnUse">
        <path
          d="M4 8h1M17 3h1.4M31 11h1M9 22h1.2M25 19h1M36 29h1M14 34h1.2M27 36h1M3 31h1"
          stroke="#4a2f12"
          stroke-opacity=".35"
          stroke-width="1.2"
          stroke-linecap="round"
        />
      </pattern>
    </defs>
  </svg>
`;
