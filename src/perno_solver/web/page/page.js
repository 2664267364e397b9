// The page: it asks, shows what it is told, and puts what is done into words.
"use strict";

import {Board} from "./table.js";
import {dress, panels} from "./panels.js";
import {reach} from "./talk.js";
import {_, button, language, made, ngettext, percent, sign, speak} from "./words.js";

const NARROW = "(max-width: 640px), (max-aspect-ratio: 4/5)";
const lang = language();
const way = document.documentElement.dataset.way;
document.documentElement.lang = lang;

const settings = {
  get: (name) => localStorage.getItem(name) === "yes",
  set: (name, value) => localStorage.setItem(name, value ? "yes" : "no"),
};

const page = {lang, way, settings, table: null, ask, open, show, fail, titled};
dress(page);
let reachPython;
let board;
let parts;
let turns = Promise.resolve(); // moves are made one after another
let back = []; // where each change began, so that undo takes back a whole run
let asking = new AbortController(); // what is no longer wanted once the table has changed

/** Ask Python; an error is thrown in words. */
async function ask(message, options) {
  const told = await reachPython({lang, ...message}, options);
  if (told.error === "unreachable") throw new Error(_("Nobody answers. Is perno still running?"));
  if (told.error) throw new Error(told.error);
  return told;
}

function view() {
  return {narrow: matchMedia(NARROW).matches};
}

// The table

/** Do something to the game that is on the table, after whatever is being done to it. */
function change(message) {
  const done = turns.then(async () => {
    if (!page.table) return;
    const {game, tag, at} = page.table;
    const told = await ask({...message, ...view(), game, tag});
    if (told.at > at) back.push(at);
    show(told);
    const said = told.said.map((move) => `${move[0].toUpperCase()}${move.slice(1)}.`);
    if (told.went_on) report(_("The game went on in another window."));
    else if (said.length) report(said.slice(-4).join(" "));
    else report(ngettext("After {number} move.", "After {number} moves.", told.at));
  });
  turns = done.catch(fail);
  return turns;
}

function play(move) {
  return change({do: "move", move, auto: settings.get("auto")});
}

function undo() {
  if (!page.table?.at) return;
  while (back.length && back.at(-1) >= page.table.at) back.pop();
  return change(back.length ? {do: "goto", at: back.pop()} : {do: "undo"});
}

async function open(message, options) {
  await turns;
  try {
    const told = await ask({...message, ...view()}, options);
    back = [];
    show(told, {animate: false});
    history.replaceState(null, "", `#game=${told.game}`);
    report(_("A game is on the table."));
    say(`${_("A game is on the table.")} ${told.scene.description}`);
    return true;
  } catch (error) {
    if (error.name !== "AbortError") fail(error);
    return false;
  }
}

/** Show a table. */
function show(table, options) {
  asking.abort();
  asking = new AbortController();
  page.table = table;
  board.draw(table, options);
  parts.title.textContent = titled(table);
  parts.undo.disabled = !table.at;
  parts.redo.disabled = table.at === table.length;
  parts.run.disabled = !table.moves.some((move) => !move.card);
  parts.hint.disabled = !table.moves.length;
  parts.moves.replaceChildren(...table.moves.map((move) => made("li", {}, button(move.name, () => play(move.move)))));
  parts.advice.replaceChildren();
  parts.chances.replaceChildren();
  end(table.end);
  if (table.moves.length && settings.get("chances")) chances();
  if (table.moves.length && settings.get("over")) over();
}

function titled({dealt, rules, name}) {
  const [kind, ...rest] = dealt.split(" ");
  const number = rest.at(-1);
  const from = {
    day: () => _("Deal of {day}", {day: rest[0]}),
    easy: () => _("Easy deal {number}", {number}),
    medium: () => _("Medium deal {number}", {number}),
    hard: () => _("Hard deal {number}", {number}),
    seed: () => _("Deal {number}", {number}),
    won: () => _("Deal {number}, which can be won", {number}),
    again: () => (number ? _("Deal {number}, tried again", {number}) : _("A game tried again")),
  }[kind]?.();
  return [name || from || _("A game on record"), rules === "perno" ? null : rules].filter(Boolean).join(" · ");
}

/** Say how a game has ended, and what can be done now. */
function end(how) {
  const said = {
    won: _("Won! All 52 cards are on the foundations."),
    stuck: _("No move is left."),
    lost: _("This game is lost for sure, wherever the hidden cards lie."),
  }[how];
  parts.end.hidden = !said;
  if (!said) return parts.end.replaceChildren();
  parts.end.replaceChildren(
    made("p", {}, made("strong", {}, said)),
    made(
      "p.buttons",
      {},
      how === "won" ? null : button(_("Take back"), undo),
      button(_("Review"), () => panel.review()),
      button(_("New game"), () => panel.begin()),
    ),
  );
  say(said);
}

// Advice

async function hint() {
  const {game} = page.table;
  const {signal} = asking;
  const step = (told) => {
    if (signal.aborted) return;
    board.showOdds(told.moves, told.best);
    parts.advice.replaceChildren(...advice(told));
    const odds = new Map(told.moves.map((move) => [move.move, move]));
    for (const [at, move] of page.table.moves.entries()) {
      const there = parts.moves.children[at].firstChild;
      const share = odds.get(move.move);
      there.textContent = `${move.name}: ${percent(share)}`;
      there.classList.toggle("best", move.move === told.best);
    }
  };
  try {
    const told = await ask({do: "hint", game}, {onStep: step, signal});
    step(told);
    say(told.reason);
  } catch (error) {
    if (error.name !== "AbortError") fail(error);
  }
}

function advice(told) {
  const reason = told.reason.replaceAll(" %", "\u00a0%"); // a share is one word
  return [made("p", {}, made("strong", {}, reason)), made("p.faint", {}, tried(told))];
}

/** Say what odds rest on. */
function tried({worlds, exact, unseen, low, high}) {
  if (!unseen) return _("You have seen all cards, so this is certain.");
  const hidden = ngettext("{number} card is hidden from you.", "{number} cards are hidden from you.", unseen);
  const number = worlds.toLocaleString(lang);
  const ways = exact
    ? _("All {ways} ways in which they can lie were tried.", {ways: number})
    : _("{ways} ways in which they can lie were tried: {low} to {high} % can be won.", {ways: number, low, high});
  return `${hidden} ${ways}`;
}

async function chances() {
  const {game} = page.table;
  const {signal} = asking;
  const step = (told) => {
    if (signal.aborted) return;
    const said = told.lost
      ? _("This game is lost for sure, wherever the hidden cards lie.")
      : _("It can still be won in {share} of the ways in which the hidden cards can lie.", {share: percent(told)});
    const known = told.unseen ? said : told.won ? _("It can still be won, for sure.") : said;
    parts.chances.replaceChildren(
      made("meter", {min: 0, max: 1, value: told.rate ?? 0, "aria-label": _("Chance")}),
      made("span", {}, known),
      told.unseen && !told.lost ? button(_("Peek: the truth"), peek, {title: _("This looks at the hidden cards.")}) : "",
    );
    return known;
  };
  try {
    say(step(await ask({do: "chances", game}, {onStep: step, signal})));
  } catch (error) {
    if (error.name !== "AbortError") fail(error);
  }
}

async function peek() {
  const {signal} = asking;
  const {verdict} = await ask({do: "truth", game: page.table.game}, {signal});
  const said = {
    won: _("By all cards, it can still be won."),
    lost: _("By all cards, it cannot be won any more."),
    unknown: _("That could not be found out in time."),
  }[verdict];
  parts.chances.replaceChildren(made("strong", {}, said));
  say(said);
}

async function over() {
  const {signal} = asking;
  try {
    const told = await ask({do: "is_lost", game: page.table.game}, {signal});
    if (told.lost) end("lost");
  } catch (error) {
    if (error.name !== "AbortError") fail(error);
  }
}

// Words

/** Have something read out to those who do not see it. */
function say(text) {
  parts.live.textContent = text;
}

/** Say what was done, for all. */
function report(text) {
  parts.said.textContent = text;
  say(text);
}

function fail(error) {
  console.info(error.message);
  parts.failed.textContent = error.message;
  parts.failed.hidden = false;
  clearTimeout(fail.timer);
  fail.timer = setTimeout(() => (parts.failed.hidden = true), 8000);
}

/** Show a message over the page for a while. */
function tell(text) {
  fail({message: text});
}

// The page itself

let panel;

function build() {
  const run = () => change({do: "run"});
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "table");
  svg.setAttribute("role", "group");
  board = new Board(svg, play);
  panel = panels(page);
  parts = {
    title: made("h1", {}),
    undo: signed("↶", _("Undo"), undo),
    redo: signed("↷", _("Redo"), () => change({do: "redo"})),
    run: button(_("Turn"), run, {disabled: true}),
    hint: button(_("Hint"), hint, {disabled: true}),
    moves: made("ul.moves", {"aria-label": _("Moves")}),
    advice: made("div.advice"),
    chances: made("div.chances"),
    said: made("p.said"),
    live: made("p.aside", {role: "status", "aria-live": "polite"}),
    failed: made("p.failed", {role: "alert", hidden: true}),
    end: made("section.end", {hidden: true, "aria-label": _("The end")}),
  };
  parts.run.title = _("Turn cards until one can be played");
  document.title = "Perno Variabile";
  document.querySelector("header").append(
    made("nav", {"aria-label": _("Game")}, button(_("New"), () => panel.begin(), {title: _("New game")}), parts.undo, parts.redo, parts.run, parts.hint, panel.menu({
      chances,
      restart: () => change({do: "goto", at: 0}),
      link,
    })),
  );
  const side = made("section.side", {"aria-label": _("Advice")}, parts.advice, parts.chances, parts.moves);
  document.querySelector("main").replaceChildren(parts.title, parts.end, made("div.felt", {}, svg), parts.said, side, parts.live, parts.failed);
  document.addEventListener("keydown", (event) => keys(event, run));
  matchMedia(NARROW).addEventListener("change", () => {
    if (page.table) open({do: "open", game: page.table.game});
  });
}

/** Make a button that has only a sign where there is little room. */
function signed(text, word, does) {
  const result = button("", does, {disabled: true, title: word});
  result.append(sign(text), made("span.word", {}, word));
  return result;
}

function keys(event, run) {
  const control = event.ctrlKey || event.metaKey;
  if (event.altKey || document.querySelector("dialog[open]") || event.target.closest("input, select, textarea")) return;
  if (!control && settings.get("no-keys")) return;
  const key = event.key.toLowerCase();
  const does = control
    ? {z: event.shiftKey ? () => change({do: "redo"}) : undo, y: () => change({do: "redo"})}[key]
    : {
        t: () => turnOne(),
        r: run,
        u: undo,
        y: () => change({do: "redo"}),
        h: hint,
        n: () => panel.begin(),
        c: chances,
        "?": () => panel.keys(),
      }[key];
  if (!does || !page.table) return;
  event.preventDefault();
  does();
}

function turnOne() {
  const turn = page.table.moves.find((move) => !move.card);
  if (turn) play(turn.move);
}

/** Copy a link to the deal that is on the table. */
async function link() {
  const {dealt, rules} = page.table;
  const number = dealt.split(" ").at(-1);
  if (!number) return tell(_("This game has no number."));
  const address = `${location.href.split("#")[0]}#deal=${number}&rules=${encodeURIComponent(rules)}`;
  try {
    await navigator.clipboard.writeText(address);
    tell(_("The link to this deal is copied."));
  } catch {
    tell(address);
  }
}

/** Begin with what the address says, or go on with the last game, or let the user choose. */
async function begin() {
  const wanted = asked();
  if (wanted.has("deal")) {
    const deal = {do: "new", seed: wanted.get("deal"), rules: wanted.get("rules") ?? "perno"};
    if (await open(deal)) return;
  }
  if (wanted.has("game") && (await open({do: "open", game: wanted.get("game")}))) return;
  if (wanted.has("rules")) return panel.begin(wanted.get("rules"));
  const {games} = await ask({do: "list"});
  const last = games.find((game) => !game.is_won);
  if (last && !wanted.has("game") && (await open({do: "open", game: last.game}))) return;
  panel.begin();
}

/** What the address asks for, behind its #. */
function asked() {
  return new URLSearchParams(location.hash.slice(1));
}

function progress(part) {
  const bar = document.querySelector("#wait progress");
  if (bar) bar.value = part;
}

async function start() {
  const loading = {en: "The table is being set …", it: "Si prepara il tavolo …"}[lang];
  document.querySelector("#wait p").textContent = loading;
  document.querySelector("#wait progress").setAttribute("aria-label", loading);
  try {
    reachPython = await reach(way, progress);
    const {words, faces} = await ask({do: "words"});
    speak(words);
    document.body.insertAdjacentHTML("beforeend", `<svg class="faces" aria-hidden="true"><defs>${faces}</defs></svg>`);
    build();
    await begin();
    if (way === "worker") navigator.serviceWorker?.register("offline.js").catch(() => {}); // it can do without
  } catch (error) {
    document.querySelector("main").append(made("p.failed", {role: "alert"}, error.message));
  }
}

addEventListener("hashchange", () => {
  if (asked().has("deal")) begin();
});
globalThis.perno = page; // for those who try the page
await start();
