// The vacuum as a live line over the last half minute, with the thresholds it is judged by. It is drawn on a canvas
// that keeps its size, so nothing on the page is measured or moved while it runs.
import { Component, html } from "../../html.js";
import { isAnimated } from "../../preferences.js";
import { say } from "../../words.js";
import { SPAN } from "./history.js";
import { tenths } from "./units.js";

const LAG = 0.15; // seconds the line stays behind, so that a new reading grows in instead of jumping
const FRAME = 30;
const REST = 1000;
const LEFT = 34;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 24;
const LEAST_TOP = 16;
const COLOURS = { held: "--good", lost: "--bad", clear: "--link" };

/** @param source returns `{history, thresholds, now, until}` as they are at the moment of drawing. */
export class Line extends Component {
  componentDidMount() {
    this.canvas = this.base;
    this.drawn = -Infinity;
    this.sizes = new ResizeObserver(([{ contentRect }]) => this.resize(contentRect));
    this.sizes.observe(this.canvas);
    this.themes = new MutationObserver(() => this.readColours());
    this.themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    this.readColours();
    this.frame = requestAnimationFrame(this.turn);
  }

  componentWillUnmount() {
    cancelAnimationFrame(this.frame);
    this.sizes.disconnect();
    this.themes.disconnect();
  }

  resize({ width, height }) {
    const sharp = Math.min(2, devicePixelRatio || 1);
    this.width = width;
    this.height = height;
    this.canvas.width = Math.round(width * sharp);
    this.canvas.height = Math.round(height * sharp);
    this.brush = this.canvas.getContext("2d");
    this.brush.scale(sharp, sharp);
    this.drawn = -Infinity;
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    const read = (name) => style.getPropertyValue(name).trim();
    this.colours = {
      line: read("--accent"),
      soft: read("--text-soft"),
      grid: read("--line"),
      text: read("--text"),
    };
    for (const [name, token] of Object.entries(COLOURS)) this.colours[name] = read(token);
    this.drawn = -Infinity;
  }

  turn = (time) => {
    this.frame = requestAnimationFrame(this.turn);
    const seen = this.props.source();
    const still = !isAnimated() || seen.history.flat(seen.now - SPAN);
    if (time - this.drawn < (still ? REST : FRAME) && this.newest === seen.history.points().at(-1)) return;
    if (time - this.drawn < FRAME || !this.brush) return;
    this.drawn = time;
    this.newest = seen.history.points().at(-1);
    this.paint(seen);
  };

  paint({ history, thresholds, now, until }) {
    const top = Math.max(LEAST_TOP, Math.ceil((Math.max(history.highest(), thresholds?.held ?? 0) * 1.15) / 4) * 4);
    const end = now - LAG;
    const place = {
      x: (at) => LEFT + ((at - end + SPAN) / SPAN) * (this.width - LEFT - RIGHT),
      y: (kpa) => this.height - BOTTOM - (Math.max(0, kpa) / top) * (this.height - TOP - BOTTOM),
    };
    this.brush.clearRect(0, 0, this.width, this.height);
    this.brush.font = '500 14px "Alegreya Sans", sans-serif';
    this.grid(place.y, top);
    if (thresholds) this.thresholds(place, thresholds);
    this.curve(place, history.points(), Math.min(end, until));
  }

  grid(y, top) {
    const { brush, colours } = this;
    brush.lineWidth = 1;
    brush.textBaseline = "middle";
    brush.textAlign = "right";
    for (let kpa = 0; kpa <= top; kpa += top > 24 ? 10 : 4) {
      brush.strokeStyle = colours.grid;
      brush.globalAlpha = kpa === 0 ? 1 : 0.45;
      this.stroke([
        [LEFT, y(kpa)],
        [this.width - RIGHT, y(kpa)],
      ]);
      brush.globalAlpha = 1;
      brush.fillStyle = colours.soft;
      brush.fillText(String(kpa), LEFT - 7, y(kpa));
    }
    brush.textBaseline = "alphabetic";
    const end = this.width - RIGHT;
    for (const ago of [30, 20, 10]) {
      brush.textAlign = ago === 30 ? "left" : "center";
      brush.fillText(say("ui.rig.line.seconds", { n: -ago }), end - (ago / SPAN) * (end - LEFT), this.height - 6);
    }
  }

  thresholds({ y }, thresholds) {
    const { brush, colours } = this;
    brush.textAlign = "left";
    brush.textBaseline = "bottom";
    brush.lineWidth = 1.5;
    for (const name of Object.keys(COLOURS)) {
      brush.strokeStyle = brush.fillStyle = colours[name];
      brush.setLineDash([7, 5]);
      this.stroke([
        [LEFT, y(thresholds[name])],
        [this.width - RIGHT, y(thresholds[name])],
      ]);
      brush.setLineDash([]);
      brush.fillText(say(`ui.rig.line.${name}`), LEFT + 6, y(thresholds[name]) - 1);
    }
  }

  curve({ x, y }, points, end) {
    for (const stretch of stretches(points, end)) {
      const way = stretch.map(({ at, kpa }) => [x(at), y(kpa)]);
      this.clipped(() => {
        this.area(way, y(0));
        this.brush.strokeStyle = this.colours.line;
        this.brush.lineWidth = 3;
        this.brush.lineJoin = this.brush.lineCap = "round";
        this.stroke(way);
      });
      if (stretch.at(-1).at >= end) this.dot(way.at(-1));
    }
  }

  clipped(draw) {
    this.brush.save();
    this.brush.beginPath();
    this.brush.rect(LEFT, 0, this.width - LEFT, this.height);
    this.brush.clip();
    draw();
    this.brush.restore();
  }

  area(way, ground) {
    const { brush } = this;
    brush.globalAlpha = 0.2;
    brush.fillStyle = this.colours.line;
    brush.beginPath();
    brush.moveTo(way[0][0], ground);
    for (const [x, y] of way) brush.lineTo(x, y);
    brush.lineTo(way.at(-1)[0], ground);
    brush.fill();
    brush.globalAlpha = 1;
  }

  dot([x, y]) {
    this.brush.fillStyle = this.colours.text;
    this.brush.beginPath();
    this.brush.arc(x, y, 5, 0, 2 * Math.PI);
    this.brush.fill();
  }

  stroke(way) {
    this.brush.beginPath();
    for (const [x, y] of way) this.brush.lineTo(x, y);
    this.brush.stroke();
  }

  render({ kpa }) {
    const now = kpa === null ? say("ui.rig.line.unknown") : say("ui.rig.line.now", { kpa: tenths(kpa) });
    return html`<canvas class="vacuum-line" role="img" aria-label=${say("ui.rig.line.label", { now })}></canvas>`;
  }
}

/** The readings up to a time, cut where nothing was read; the last one holds until then. */
function stretches(points, end) {
  const found = [];
  let stretch = [];
  const cut = () => {
    if (stretch.length) found.push(stretch);
    stretch = [];
  };
  for (const [i, point] of points.entries()) {
    if (point.at > end) continue;
    if (point.kpa === null) {
      cut();
      continue;
    }
    stretch.push(point);
    const next = points[i + 1];
    if (!next) stretch.push({ at: end, kpa: point.kpa });
    else if (next.at > end) stretch.push({ at: end, kpa: between(point, next, end) });
  }
  cut();
  return found;
}

const between = (a, b, at) => (b.kpa === null ? a.kpa : a.kpa + ((b.kpa - a.kpa) * (at - a.at)) / (b.at - a.at));
