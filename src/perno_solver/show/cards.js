// Draws scenes (`scene_as_json`) into an <svg> and moves the cards from one to the next. The symbols of `faces()` have
// to be in the document. Nothing here knows a rule of the game.
"use strict";

const CARD_WIDTH = 60;
const CARD_HEIGHT = 84;

class CardTable {
  /**
   * @param svg an empty <svg> element
   * @param options duration: of a move, in milliseconds; decorate(element, card): called for every card that is drawn
   */
  constructor(svg, {duration = 260, decorate = () => {}} = {}) {
    this.svg = svg;
    this.duration = duration;
    this.decorate = decorate;
    this.scene = null;
    this.cards = new Map(); // elements by the ids of their cards
    this.leaving = new Set();
    [this.places, this.layer, this.counts, this.marks] = ["places", "cards", "counts", "marks"].map((name) =>
      svg.appendChild(element("g", {class: name})),
    );
  }

  /** Draw a scene; where there was one before, its cards move, unless that is not wanted. */
  draw(scene, {animate = true} = {}) {
    const before = this.scene;
    const moves = animate && before && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.scene = scene;
    this.svg.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
    this.svg.setAttribute("aria-label", scene.description);
    this.places.replaceChildren(...scene.places.map(drawPlace));
    this.counts.replaceChildren(...scene.counts.map(drawCount));
    this.marks.replaceChildren(...(scene.highlight ? drawHighlight(scene.highlight) : []));
    for (const old of this.leaving) old.remove();
    this.leaving.clear();

    const focused = document.activeElement;
    const found = new Map(before ? before.cards.map((card) => [card.id, card]) : []);
    const drawn = new Map();
    const moving = [];
    for (const card of scene.cards) {
      const there = this.cards.get(card.id) ?? drawCard(card);
      there.setAttribute("transform", `translate(${card.x} ${card.y})`);
      name(there, card);
      there.dataset.pile = card.pile;
      drawn.set(card.id, there);
      const from = moves && (found.get(card.id) ?? source(before, card));
      if (from && (from.x !== card.x || from.y !== card.y)) moving.push([there, from, card]);
      this.decorate(there, card);
    }
    const back = [];
    for (const [id, old] of this.cards) {
      if (drawn.has(id)) continue;
      const card = found.get(id);
      if (!moves || !card.card) {
        old.remove();
        continue;
      }
      this.leaving.add(old); // covered now, or on its way into a heap
      const end = () => (old.remove(), this.leaving.delete(old));
      const to = target(before, scene, card);
      if (to) back.push([old, card, to, end]);
      else setTimeout(end, this.duration);
    }
    this.cards = drawn;
    this.sort();
    for (const [there, from, to] of moving) {
      if (travels(from, to)) this.layer.append(there); // above all others, while it is on its way
      this.move(there, from, to).finished.then(
        () => this.sort(),
        () => {},
      );
    }
    for (const [old, card, to, end] of back) {
      this.layer.append(old);
      this.move(old, card, to).finished.then(end, end);
    }
    if (focused && focused !== document.activeElement && focused.isConnected) focused.focus();
  }

  move(what, from, to) {
    what.getAnimations().forEach((animation) => animation.cancel());
    const frames = [from, to].map(({x, y}) => ({transform: `translate(${x}px, ${y}px)`}));
    return what.animate(frames, {duration: this.duration, easing: "cubic-bezier(.3, .1, .2, 1)"});
  }

  /** Put the cards in the order of the scene, moving as few elements as that takes: who is moved loses focus. */
  sort() {
    const focused = document.activeElement;
    const rest = [...this.layer.children].filter((there) => !this.leaving.has(there));
    const order = [...this.cards.values()];
    if (rest.length === order.length && rest.every((there, at) => there === order[at])) return;
    let next = rest[0];
    for (const there of order) {
      if (there === next) do next = next.nextSibling;
        while (next && this.leaving.has(next));
      else this.layer.insertBefore(there, next ?? null);
    }
    if (focused && focused !== document.activeElement && focused.isConnected) focused.focus();
  }
}

function element(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function drawCard(card) {
  const face = card.card ? `#card-${card.card}` : "#card-back";
  const made = element("g", {class: card.card ? "card" : "card face-down"}, use(face));
  made.dataset.id = card.id;
  if (card.card) made.dataset.card = card.card;
  return made;
}

function drawPlace(place) {
  const symbol = place.sign === "redeal" ? "#redeal" : place.sign ? `#place-${place.sign}` : "#place";
  const made = element("g", {class: "place", transform: `translate(${place.x} ${place.y})`}, use(symbol));
  made.dataset.pile = place.pile;
  made.dataset.empty = place.is_empty;
  return name(made, place);
}

function drawCount(count) {
  const made = element("g", {class: "count", transform: `translate(${count.x} ${count.y})`});
  const isRedeals = count.of === "redeals";
  if (isRedeals) made.append(element("use", {href: "#redeal-sign", x: -14, y: 0.5, width: 12, height: 12}));
  made.append(element("text", {x: isRedeals ? 2 : 0, y: 11, "text-anchor": isRedeals ? "start" : "middle"}, count.text));
  made.dataset.of = count.of;
  return name(made, count);
}

function drawHighlight({start, end}) {
  const frame = ([x, y], name) =>
    element("rect", {class: name, x: x - 1.5, y: y - 1.5, width: CARD_WIDTH + 3, height: CARD_HEIGHT + 3, rx: 7.5});
  return [frame(start, "mark from"), frame(end, "mark to")];
}

/** Give an element the name of what it shows, where the scene has names. */
function name(made, shown) {
  if (shown.name) {
    if (!made.hasAttribute("role")) made.setAttribute("role", "img");
    made.setAttribute("aria-label", shown.name);
  }
  return made;
}

function use(href) {
  return element("use", {href, width: CARD_WIDTH, height: CARD_HEIGHT});
}

/** Say whether a card goes to another pile, rather than aside in its own. */
function travels(from, to) {
  return from.pile !== to.pile;
}

function last(scene, pile) {
  return scene.cards.findLast((card) => card.pile === pile);
}

function count(scene, pile) {
  return Number(scene.counts.find((found) => found.of === pile)?.text ?? 0);
}

/** Return the heap that a card which was not to be seen has come from, if any. */
function source(before, card) {
  if (!card.card) return null;
  if (card.pile === "waste") return last(before, "stock");
  if (card.pile.startsWith("cell")) return last(before, "pivot");
  return null;
}

/** Return the heap into which a card has gone that is no longer to be seen, if any. */
function target(before, after, card) {
  const heap = card.pile === "waste" ? "stock" : card.pile.startsWith("cell") ? "pivot" : null;
  return heap && count(after, heap) > count(before, heap) ? last(after, heap) : null;
}
