// The page's words in the language of its reader: English ones are replaced by those of a catalogue.
"use strict";

export const LANGUAGES = {en: "English", it: "Italiano"};

let catalogue = {};

/** The language that was chosen by hand, or else the browser's. */
export function language() {
  const asked = new URLSearchParams(location.hash.slice(1)).get("lang");
  if (asked in LANGUAGES) localStorage.setItem("lang", asked);
  const wanted = [localStorage.getItem("lang"), ...navigator.languages].map((name) => name?.slice(0, 2));
  return wanted.find((name) => name in LANGUAGES) ?? "en";
}

export function speak(words) {
  catalogue = words;
}

/** Say something, with values in the places that have their names in braces. */
export function _(text, values = {}) {
  return filled(catalogue[text] ?? text, values);
}

/** Say something of a number. */
export function ngettext(one, many, number, values = {}) {
  const forms = catalogue[one];
  const said = Array.isArray(forms) ? forms[number === 1 ? 0 : 1] : number === 1 ? one : many;
  return filled(said, {number, ...values});
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (place, name) => (name in values ? values[name] : place));
}

/** Make an element: a tag with classes, as in "p.faint"; attributes, or properties that begin with a point. */
export function made(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (typeof value === "boolean") element[key] = value;
    else if (value !== null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

export function button(text, onclick, attributes = {}) {
  return made("button", {type: "button", onclick, ...attributes}, text);
}

/** A sign that stands for a word where there is little room. */
export function sign(text) {
  return made("span.sign", {"aria-hidden": "true"}, text);
}

/** A share as whole percents; 0 and 100 stand for none and all. */
export function percent({rate}) {
  if (rate === null) return "–";
  const whole = Math.round(100 * rate);
  return rate > 0 && whole < 1 ? "<1 %" : rate < 1 && whole > 99 ? ">99 %" : `${whole} %`;
}
