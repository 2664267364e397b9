// A game as the curve of its chances, with the moves that cost most, from each of which it can be tried again.
"use strict";

import {_, button, made, ngettext, percent} from "./words.js";

const [WIDTH, HEIGHT] = [600, 200];
const SVG = "http://www.w3.org/2000/svg";

/** Fill a dialog with the review of the game on the table. */
export async function review(page, dialog, close) {
  const {game, at, length} = page.table;
  const ending = new AbortController();
  dialog.addEventListener("close", () => ending.abort(), {once: true});
  const curve = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "curve"})) {
    curve.setAttribute(key, value);
  }
  const bar = made("progress", {max: 1, value: 0, "aria-label": _("The review is made")});
  const slider = made("input", {type: "range", min: 0, max: length, value: at, "aria-label": _("Number of moves")});
  const where = made("p.where", {role: "status"});
  const turns = made("ul.turns");
  const truth = made("p");
  const again = button(_("Try again from here"), async () => {
    close();
    await page.open({do: "again", game, at: Number(slider.value)});
  });
  let points = []; // in order, as they become known
  let lost = null;

  function choose() {
    const place = Number(slider.value);
    const point = points.find((known) => known.at === place);
    where.textContent = said(place, point);
    mark(curve, length, place, lost);
  }

  function draw(told) {
    const known = new Map([...points, ...told.points].map((point) => [point.at, point]));
    points = [...known.values()].sort((a, b) => a.at - b.at);
    bar.value = points.length / told.of;
    trace(curve, points, length, told.turns);
    curve.setAttribute("aria-label", _("The chance from the beginning to the end of the game"));
    choose();
  }

  slider.addEventListener("input", choose);
  curve.addEventListener("click", (event) => {
    const {x} = new DOMPoint(event.clientX, event.clientY).matrixTransform(curve.getScreenCTM().inverse());
    slider.value = Math.round((x / WIDTH) * length);
    choose();
  });
  const peek = button(_("Peek: from where on was it lost?"), async () => {
    const told = await page.ask({do: "lost_at", game}, {signal: ending.signal});
    lost = told.lost_at;
    if (lost !== null) slider.value = Math.max(0, lost - 1);
    truth.textContent = lostSaid(lost);
    choose();
  });
  dialog.append(
    made("p", {}, _("How likely it was that the game could still be won, for somebody who has seen what you had seen.")),
    bar,
    curve,
    slider,
    where,
    made("p.buttons", {}, again, peek),
    truth,
    made("h3", {}, _("Turning points")),
    turns,
  );
  try {
    const told = await page.ask({do: "review", game}, {onStep: draw, signal: ending.signal});
    draw(told);
    bar.remove();
    const items = told.turns.map((turn) => {
      const go = button(turnSaid(turn), () => {
        slider.value = turn.at;
        choose();
        slider.focus();
      });
      return made("li", {}, go);
    });
    turns.replaceChildren(...(items.length ? items : [made("li", {}, _("No move of yours has cost much."))]));
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
}

function said(at, point) {
  const after = ngettext("After {number} move", "After {number} moves", at);
  if (!point) return after;
  const chance = point.lost ? _("lost for sure") : percent(point);
  return `${after}: ${chance}`;
}

function lostSaid(lost) {
  if (lost === null) return _("By all cards, it can be won to the end.");
  if (lost === 0) return _("By all cards, this deal could never be won.");
  return _("By all cards, it was lost with move {number}.", {number: lost});
}

function turnSaid({at, cost, name, best}) {
  const points = Math.round(100 * cost);
  return ngettext(
    "Move {place}: {move}. Better by {number} point: {best}.",
    "Move {place}: {move}. Better by {number} points: {best}.",
    points,
    {place: at + 1, move: name, best},
  );
}

// The curve

function at(point, length) {
  return [(WIDTH * point.at) / Math.max(length, 1), 10 + (HEIGHT - 20) * (1 - (point.rate ?? 0))];
}

function shape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function trace(curve, points, length, turns) {
  const places = points.map((point) => at(point, length).map((number) => number.toFixed(1)));
  const grid = [0, 0.25, 0.5, 0.75, 1].map((rate) => {
    const y = 10 + (HEIGHT - 20) * (1 - rate);
    return shape("line", {x1: 0, x2: WIDTH, y1: y, y2: y, class: "grid"});
  });
  const line = shape("polyline", {points: places.map((place) => place.join(",")).join(" "), class: "chance"});
  const marks = turns.map((turn) => {
    const [x, y] = at(points.find((point) => point.at === turn.at), length);
    return shape("circle", {cx: x, cy: y, r: 7, class: "turn"});
  });
  curve.replaceChildren(...grid, line, ...marks);
}

function mark(curve, length, place, lost) {
  curve.querySelectorAll(".here, .lost").forEach((old) => old.remove());
  const x = (WIDTH * place) / Math.max(length, 1);
  curve.append(shape("line", {x1: x, x2: x, y1: 0, y2: HEIGHT, class: "here"}));
  if (lost) {
    const from = (WIDTH * (lost - 0.5)) / Math.max(length, 1);
    curve.prepend(shape("rect", {x: from, y: 0, width: WIDTH - from, height: HEIGHT, class: "lost"}));
  }
}
