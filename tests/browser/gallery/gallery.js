// Draws one view made by hand with the table's own page.
import { learn } from "/static/words.js";
import { draw } from "/static/pages/table.js";

const { view: name } = document.documentElement.dataset;
await learn(document.documentElement.lang);
const view = await (await fetch(`/views/${name}`)).json();
const plug = await import(view.mode === "toolbox" ? "/static/boards/toolbox.js" : `/static/boards/${view.box}.${view.mode}.js`);
const rig = { kind: "sim", shovel: { state: "off", fault: null } };
const state = { view, before: null, plug, link: { up: true, since: 0 }, busy: null, refusal: null, rig, ui: {}, now: 0 };
const root = document.getElementById("root");
const change = (part) => (Object.assign(state, part), draw(root, state, tools));
const show = (next) => change({ before: state.view, view: next });
const tools = { change, show };
change({});
window.gallery = { state, change, show };
