// Sentences in the reader's language: the server's own catalogue, filled and counted as the server does it.
import { addressOf } from "./addresses.js";

let language = "en";
let words = {};
let scope = [];
let plurals = new Intl.PluralRules("en");
let untyped = []; // what makes a name that nobody typed, and how it is known

export const LANGUAGES = { en: "English", fr: "Français", it: "Italiano", de: "Deutsch" };

/** Whose words come first where a box is played so; who stands last tells the log and asks for the draws. */
export const scopeOf = (box, mode) => (mode === "toolbox" ? [box, "toolbox"] : [box]);

/** Learns what this page says: at a table, the words of its game too. */
export async function learn(wanted) {
  const { box, mode } = document.documentElement.dataset;
  const plain = box ? `/words/${wanted}/${box}/${mode}.json` : `/words/${wanted}.json`;
  const answer = await fetch(addressOf(plain));
  if (!answer.ok) throw new Error(`words ${answer.status}`);
  speak(wanted, await answer.json(), box ? scopeOf(box, mode) : []);
}

/** Learns what is said only now and then: of an evening's end, of its story, the first time here. */
export async function learnLater() {
  const { box, mode } = document.documentElement.dataset;
  const about = box ? `/words/${language}/${box}/${mode}` : `/words/${language}`;
  const answer = await fetch(addressOf(`${about}/evening.json`));
  if (!answer.ok) throw new Error(`words ${answer.status}`);
  words = { ...words, ...(await answer.json()) };
}

export function speak(wanted, catalogue, of = []) {
  language = wanted;
  words = catalogue;
  scope = of;
  plurals = new Intl.PluralRules(wanted);
  untyped = Object.entries(catalogue.untyped ?? {}).map(([key, made]) => [key, namesOf(made)]);
}

// Names that nobody typed, as every language makes them: "Player 1", "Person 1".
const namesOf = (made) => new RegExp(`^(?:${made.join("|")})$`.replaceAll("{n}", "([1-9][0-9]?)"));

export const spoken = () => language;
export const known = (key) => key in words;

/** A key as the nearest of these scopes has it, or as all share it; undefined where nobody does. */
export const nearest = (key, of) => [...of.map((each) => `${each}.${key}`), key].find(known);

/** A key as it is said at this table: by its referee or its toolbox, or by all. */
export const keyHere = (key) => nearest(key, scope.slice(-1));

/** What a box is called. */
export const title = (box) => say(`${box}.title`);

/**
 * The sentence of a key, filled with facts; `n` chooses between its one and its other form. A box may say what all
 * share in words of its own.
 */
export function say(key, facts = {}) {
  let sentence = words[`${scope[0]}.${key}`] ?? words[key];
  if (sentence === undefined) return key;
  if (typeof sentence === "object") sentence = isOne(facts.n ?? 0) ? sentence.one : sentence.other;
  const of = [...scope, key.split(".")[0]];
  return sentence.replace(SLOT, (slot, fact, one, other, gap = "", at) => {
    const value = facts[fact];
    if (value === undefined) return slot;
    if (one !== undefined) return (isOne(value) ? one : other) + gap;
    // A count and what is counted stay on one line.
    if (typeof value === "number") return number(value) + gap.replace(" ", "\u00a0");
    const each = [value].flat().map((one) => (PEOPLE.has(fact) ? person(String(one)) : factTextIn(of, one)));
    const listed = each.length < 2 || /[:(]\s*$/.test(sentence.slice(0, at));
    return (listed ? each.join(", ") : joined(each)) + gap;
  });
}

// `{n}`, a fact; `{n:card|cards}`, a word that it bends.
const SLOT = /\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}( (?=[\p{L}{]))?/gu;
const isOne = (count) => plurals.select(Math.abs(count)) === "one";

// Somebody called "star" or "red" is called so in every language.
const PEOPLE = new Set(["name", "names", "who", "whose", "seat", "player"]);

/** What a player is called: as they typed it, and a name that nobody typed in this language. */
export function person(name) {
  for (const [key, made] of untyped) {
    const n = made.exec(name)?.slice(1).find(Boolean);
    if (n) return say(key, { n: Number(n) });
  }
  return name;
}

const named = new WeakMap(); // by the seats that were sent: these stay the same ones until somebody changes them
const sent = new WeakMap();

function inWords(seats) {
  if (!named.has(seats)) {
    const said = seats.map((seat) => ({ ...seat, name: person(seat.name) }));
    named.set(seats, said.some(({ name }, i) => name !== seats[i].name) ? said : seats);
  }
  return named.get(seats);
}

/** A view with its names as this screen reads them; whatever else was answered, as it is. */
export function asRead(view) {
  if (!view?.board || !view.seats || inWords(view.seats) === view.seats) return view;
  const shown = { ...view, seats: inWords(view.seats) };
  sent.set(shown, view);
  return shown;
}

/** A view as it was sent: that is what changes are told of. */
export const asSent = (view) => sent.get(view) ?? view;

/** Several, as a part of a sentence. */
function joined(each) {
  const parts = { all: each.slice(0, -1).join(", "), last: each.at(-1) };
  return words["list.and"].replace(/\{(\w+)\}/g, (_, part) => parts[part]);
}

/** A fact in words: a thing's name where the catalogue has one. */
export const factText = (fact) => factTextIn(scope, fact);

function factTextIn(of, fact) {
  if (Array.isArray(fact)) return fact.map((each) => factTextIn(of, each)).join(", ");
  if (typeof fact === "number") return number(fact);
  return nameIn(of, String(fact));
}

export const name = (thing) => nameIn(scope, thing);

/** What a thing is called in the scopes of another table. */
export function nameIn(of, thing) {
  const found = words[nearest(`name.${thing}`, of)];
  if (found === undefined) return token(of, thing);
  return typeof found === "object" ? found.one : found;
}

// "object:4" is an object of value 4, "treasure-sobek-9" a treasure of Sobek: what nobody has named whole is said
// by its kind's name and what follows.
function token(of, thing) {
  const [kind, ...parts] = thing.split(/[-:]/);
  if (/^[a-z]+(_[a-z]+)+$/.test(thing)) return thing.replaceAll("_", " ");
  if (parts.length === 0 || !nearest(`name.${kind}`, of)) return person(thing); // something lies before a seat
  return [kind, ...parts].map((part) => nameIn(of, part)).join(" ");
}

const formats = new Map(); // what writes a number is dear to make, and made once

/** The language that is spoken as one's own region writes it: a date is not the same in London and in New York. */
const regional = () => navigator.languages?.find((each) => each.split("-")[0] === language) ?? language;

/** What writes numbers, or dates, so in the language that is spoken; a date as one's own region does. */
export function format(Format, how) {
  const key = JSON.stringify([language, Format.name, how]);
  const at = Format === Intl.DateTimeFormat ? regional() : language;
  if (!formats.has(key)) formats.set(key, new Format(at, how));
  return formats.get(key);
}

// A year is four digits, without a mark between them.
const figure = (n, how) => format(Intl.NumberFormat, how).format(n).replace("-", "−");
export const number = (n) => figure(n, { useGrouping: "min2" });
export const signed = (n) => figure(n, { signDisplay: "exceptZero" });
export const percent = (share) =>
  format(Intl.NumberFormat, { style: "percent", maximumFractionDigits: share < 0.1 ? 1 : 0 }).format(share);
// Our letters have no narrow space that does not break.
const time = (at, how) =>
  format(Intl.DateTimeFormat, { timeStyle: "short", ...how })
    .format(at)
    .replaceAll("\u202f", "\u00a0");
export const day = (at) => time(at, { dateStyle: "medium" });
export const clock = (at) => time(at);
