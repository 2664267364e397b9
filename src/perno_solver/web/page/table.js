// The table: cards that can be clicked, dragged, touched, or reached by keyboard. Which moves there are, the answers
// say; nothing here knows a rule of the game.
"use strict";

import {_, percent} from "./words.js";

const NEAR = 30; // how far from a place a card may be dropped, in units of the scene
const SVG = "http://www.w3.org/2000/svg";

export class Board {
  /** @param play called with the text of a move */
  constructor(svg, play) {
    this.svg = svg;
    this.play = play;
    this.moves = [];
    this.drag = null;
    this.cards = new CardTable(svg, {decorate: (there, card) => this.name(there, card.name, this.movesOf(card))});
    this.odds = svg.appendChild(document.createElementNS(SVG, "g"));
    this.odds.setAttribute("class", "odds");
    this.odds.setAttribute("aria-hidden", "true");
    svg.addEventListener("pointerdown", (event) => this.take(event));
    svg.addEventListener("pointermove", (event) => this.pull(event));
    svg.addEventListener("pointerup", (event) => this.drop(event));
    svg.addEventListener("pointercancel", () => this.release());
    svg.addEventListener("keydown", (event) => this.press(event));
  }

  draw(table, options) {
    this.release();
    const focused = this.focused();
    this.moves = table.moves;
    this.svg.classList.toggle("is-won", table.end === "won");
    this.cards.draw(table.scene, options);
    for (const place of this.svg.querySelectorAll(".place")) {
      this.name(place, place.getAttribute("aria-label"), place.dataset.empty === "true" ? this.movesAt(place.dataset.pile) : []);
      if (place.dataset.empty !== "true") place.setAttribute("aria-hidden", "true");
    }
    for (const count of this.svg.querySelectorAll(".count")) count.setAttribute("role", "img");
    this.showOdds([]);
    if (focused) this.focus(focused);
  }

  /** Show how often each move wins, on its card. */
  showOdds(options, best) {
    const shown = new Map();
    for (const option of options) {
      const move = this.moves.find((known) => known.move === option.move);
      const at = move && this.spot(move);
      if (!at) continue;
      const key = `${at.x} ${at.y}`;
      if (!shown.has(key)) shown.set(key, badge(at, percent(option), option.move === best));
    }
    this.odds.replaceChildren(...shown.values());
    this.svg.append(this.odds);
  }

  /** Where a move begins: at its card, on the stock, or where the stock was. */
  spot(move) {
    const {cards, places} = this.cards.scene;
    if (move.card) return cards.find((card) => card.card === move.card);
    return cards.findLast((card) => card.pile === "stock") ?? places.find((place) => place.pile === "stock");
  }

  movesOf(card) {
    if (card.pile === "stock") return this.movesAt("stock");
    return card.card ? this.moves.filter((move) => move.card === card.card) : [];
  }

  movesAt(pile) {
    return pile === "stock" ? this.moves.filter((move) => !move.card) : [];
  }

  /** Say what an element is, and whether it can be pressed. */
  name(there, name, moves) {
    const isButton = moves.length > 0;
    const between = _(", or: ");
    there.setAttribute("role", isButton ? "button" : "img");
    there.setAttribute("aria-label", isButton ? `${name}. ${moves.map((move) => move.name).join(between)}` : name);
    there.classList.toggle("can-move", isButton);
    if (isButton) there.setAttribute("tabindex", "0");
    else there.removeAttribute("tabindex");
    there.moves = moves;
  }

  // Keyboard

  press(event) {
    const there = event.target.closest(".can-move");
    if (!there) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      this.play(there.moves[0].move);
    }
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    if (step) {
      event.preventDefault();
      const all = [...this.svg.querySelectorAll(".can-move")];
      all[(all.indexOf(there) + step + all.length) % all.length].focus();
    }
  }

  focused() {
    const there = document.activeElement?.closest?.("svg.table .can-move");
    return there ? {id: there.dataset.id, pile: there.dataset.pile} : null;
  }

  /** Focus what was focused before, or else something else that can be pressed. */
  focus({id, pile}) {
    const all = [...this.svg.querySelectorAll(".can-move")];
    const next = all.find((there) => there.dataset.id === id) ?? all.find((there) => there.dataset.pile === pile) ?? all[0];
    next?.focus({preventScroll: true});
  }

  // Pointers

  take(event) {
    const there = event.target.closest(".can-move");
    if (!there || event.button) return;
    const {x, y} = this.point(event);
    this.drag = {there, x, y, moved: false, at: this.cards.scene.cards.find((card) => card.id === there.dataset.id)};
    this.svg.setPointerCapture(event.pointerId);
  }

  pull(event) {
    const drag = this.drag;
    if (!drag?.at || !drag.there.moves[0].card) return;
    const {x, y} = this.point(event);
    const [right, down] = [x - drag.x, y - drag.y];
    if (!drag.moved && Math.hypot(right, down) < 6) return;
    if (!drag.moved) {
      drag.moved = true;
      drag.there.classList.add("dragged");
      drag.there.parentNode.append(drag.there);
      const targets = new Set(drag.there.moves.map((move) => move.to));
      for (const place of this.svg.querySelectorAll("[data-pile]")) {
        place.classList.toggle("target", targets.has(place.dataset.pile));
      }
    }
    drag.there.getAnimations().forEach((animation) => animation.cancel());
    drag.there.setAttribute("transform", `translate(${drag.at.x + right} ${drag.at.y + down})`);
    drag.right = right;
    drag.down = down;
  }

  drop() {
    const drag = this.drag;
    if (!drag) return;
    let move = drag.there.moves[0];
    if (drag.moved) {
      const near = drag.there.moves.map((option) => [this.distance(drag, option.to), option]).sort((a, b) => a[0] - b[0]);
      move = near[0][0] < NEAR ? near[0][1] : null;
      if (move) this.cards.scene = moved(this.cards.scene, drag); // it comes from where it was dropped
    }
    this.release();
    if (move) this.play(move.move);
    else this.cards.draw(this.cards.scene);
  }

  release() {
    this.drag?.there.classList.remove("dragged");
    for (const place of this.svg.querySelectorAll(".target")) place.classList.remove("target");
    if (this.drag?.moved) {
      const {there, at} = this.drag;
      there.setAttribute("transform", `translate(${at.x} ${at.y})`);
      this.cards.sort();
    }
    this.drag = null;
  }

  /** How far a card that is dragged is from a pile; nothing where they touch by half. */
  distance({at, right, down}, pile) {
    const {cards, places} = this.cards.scene;
    const to = cards.findLast((card) => card.pile === pile && card.id !== at.id) ?? places.find((place) => place.pile === pile);
    const [x, y] = [Math.abs(at.x + right - to.x), Math.abs(at.y + down - to.y)];
    return Math.max(x - 30, y - 42, 0);
  }

  point(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }
}

/** A scene in which a card lies where it was dragged to. */
function moved(scene, {at, right, down}) {
  const there = (card) => (card === at ? {...card, x: at.x + right, y: at.y + down} : card);
  return {...scene, cards: scene.cards.map(there)};
}

function badge({x, y}, text, isBest) {
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", isBest ? "badge best" : "badge");
  group.setAttribute("transform", `translate(${x + 30} ${y + 71})`);
  const [box, words] = ["rect", "text"].map((tag) => document.createElementNS(SVG, tag));
  for (const [key, value] of Object.entries({x: -26, y: -11, width: 52, height: 20, rx: 10})) box.setAttribute(key, value);
  words.setAttribute("text-anchor", "middle");
  words.setAttribute("y", 4);
  words.textContent = isBest ? `★ ${text}` : text;
  group.append(box, words);
  return group;
}
