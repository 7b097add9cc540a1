// Sentences in the reader's language: the server's own catalogue, filled and counted as the server does it.

let language = "en";
let words = {};
let plurals = new Intl.PluralRules("en");

export const LANGUAGES = { en: "English", fr: "Français", it: "Italiano", de: "Deutsch" };

export async function learn(wanted) {
  const answer = await fetch(`/words/${wanted}.json`);
  if (!answer.ok) throw new Error(`words ${answer.status}`);
  speak(wanted, await answer.json());
}

export function speak(wanted, catalogue) {
  language = wanted;
  words = catalogue;
  plurals = new Intl.PluralRules(wanted);
}

export const spoken = () => language;
export const known = (key) => key in words;

/** The sentence of a key, filled with facts; `n` chooses between its one and its other form. */
export function say(key, facts = {}) {
  let sentence = words[key];
  if (sentence === undefined) return key;
  if (typeof sentence === "object") {
    sentence = plurals.select(Math.abs(facts.n ?? 0)) === "one" ? sentence.one : sentence.other;
  }
  return sentence.replace(/\{(\w+)\}/g, (slot, fact) =>
    fact in facts ? (PEOPLE.has(fact) ? called : told)(facts[fact]) : slot,
  );
}

// Somebody called "star" or "red" is called so in every language.
const PEOPLE = new Set(["name", "names", "who", "whose"]);
const called = (people) => [people].flat().join(", ");

/** A fact in words: a thing's name where the catalogue has one. */
export function told(fact) {
  if (Array.isArray(fact)) return fact.map(told).join(", ");
  if (typeof fact === "number") return number(fact);
  return name(String(fact));
}

export function name(thing) {
  const found = words[`name.${thing}`];
  if (found === undefined) return token(thing);
  return typeof found === "object" ? found.one : found;
}

// "object:4" is an object of value 4, "book:greece" a book about Greece: said by the kind's name and what follows.
function token(thing) {
  const [kind, of] = thing.split(":");
  if (of === undefined || !known(`name.${kind}`)) return thing;
  return `${name(kind)} ${name(of)}`;
}

// A year is four digits, without a mark between them.
export const number = (n) => new Intl.NumberFormat(language, { useGrouping: "min2" }).format(n);
export const signed = (n) => new Intl.NumberFormat(language, { signDisplay: "exceptZero" }).format(n).replace("-", "−");
export const percent = (share) =>
  new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: share < 0.1 ? 1 : 0 }).format(share);
// Our letters have no narrow space that does not break.
const time = (at, how) =>
  new Intl.DateTimeFormat(language, { timeStyle: "short", ...how }).format(at).replaceAll("\u202f", "\u00a0");
export const day = (at) => time(at, { dateStyle: "medium" });
export const clock = (at) => time(at);
