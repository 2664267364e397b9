// Steps through the tables of a game, which the page has as data.

const data = JSON.parse(document.getElementById("data").textContent);
const get = (id) => document.getElementById(id);
const languages = {en: "English", it: "Italiano"};
const isNarrow = matchMedia("(max-width: 560px)");
const table = new CardTable(get("table"));
const states = [];
const total = data.steps.length - 1;
const lostAt = (data.verdicts ?? []).findIndex((verdict, at, all) => at && verdict === "lost" && all[at - 1] === "won");
let lang = data.lang ?? (navigator.language.startsWith("it") ? "it" : "en");
let at = 0;
let timer = null;

for (const step of data.steps) {
  const state = new Map(states.at(-1) ?? []);
  for (const [key, value] of Object.entries(step)) value === null ? state.delete(key) : state.set(key, value);
  states.push(state);
}

function say(words, values = {}) {
  return data.words[lang][words].replace(/\{(\w+)\}/g, (_all, name) => values[name]);
}

function sceneAt(number) {
  const narrow = isNarrow.matches ? 2 : 0;
  const state = states[number];
  const [width, height] = data.sizes[narrow ? 1 : 0];
  const places = data.places.map(([pile, sign, ...where]) => ({
    pile, sign: pile === "stock" ? state.get("sign") : sign, x: where[narrow], y: where[narrow + 1],
  }));
  const cards = [];
  const counts = [];
  const description = [];
  for (const [key, value] of state) {
    if (key[0] === "#") {
      counts.push({of: key.slice(1), text: value[0], x: value[1 + narrow], y: value[2 + narrow]});
    } else if (key.startsWith(lang)) {
      description[key.slice(lang.length)] = value;
    } else if (Array.isArray(value)) {
      const [pile, level, ...where] = value;
      const card = /^[A2-9TJQK][CDHS]$/.test(key) ? key : null;
      cards.push({id: key, card, pile, level, x: where[narrow], y: where[narrow + 1]});
    }
  }
  cards.sort((one, other) => (one.pile === other.pile ? one.level - other.level : one.pile < other.pile ? -1 : 1));
  return {width, height, places, cards, counts, highlight: null, description: description.join("; ")};
}

function wordsOf(number) {
  if (number) return data.moves[lang][number - 1];
  return data.isDeal ? say("The deal") : say("The position at the beginning");
}

/** Show a position, and tell it to who listens. */
function show(number, {animate = true, tell = true} = {}) {
  const near = Math.abs(number - at) === 1;
  at = number;
  table.draw(sceneAt(at), {animate: animate && near});
  const verdict = data.verdicts?.[at];
  get("number").textContent = say("{number} of {total}", {number: at, total});
  get("words").textContent = wordsOf(at);
  get("verdict").hidden = !verdict;
  if (verdict) {
    get("verdict").textContent = at === lostAt ? say("This move lost the game.") : say(verdict);
    get("verdict").className = `verdict ${verdict}`;
  }
  get("comments").replaceChildren(...(data.comments[at] ?? []).map((text) => made("li", {}, text)));
  get("slider").value = at;
  get("slider").setAttribute("aria-valuetext", spoken());
  get("first").disabled = get("backward").disabled = at === 0;
  get("last").disabled = get("forward").disabled = at === total;
  for (const row of document.querySelectorAll("#moves button")) {
    if (Number(row.dataset.at) === at) row.setAttribute("aria-current", "step");
    else row.removeAttribute("aria-current");
  }
  const list = document.querySelector("#moves ol");
  const row = list.children[at];
  if (row.offsetTop < list.scrollTop || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = row.offsetTop - list.clientHeight / 2;
  document.querySelector("#position pre").textContent = [...states[at]]
    .filter(([key]) => key[0] === "@")
    .map(([, line]) => `${line}\n`)
    .join("");
  if (tell) get("live").textContent = spoken();
}

function spoken() {
  const lost = at === lostAt ? ` ${say("This move lost the game.")}` : "";
  const won = data.won && at === total ? ` ${say("The game is won.")}` : "";
  if (!at) return wordsOf(0);
  return say("Move {number} of {total}: {words}", {number: at, total, words: wordsOf(at)}) + lost + won;
}

function go(number) {
  const to = Math.max(0, Math.min(total, number));
  if (to !== at) show(to);
  if (at === total) halt();
}

function halt() {
  clearInterval(timer);
  timer = null;
  document.body.classList.remove("playing");
  get("play").setAttribute("aria-label", say("Play"));
}

function play() {
  if (timer !== null) return halt();
  if (at === total) show(0);
  timer = setInterval(() => go(at + 1), 900);
  document.body.classList.add("playing");
  get("play").setAttribute("aria-label", say("Pause"));
}

function made(name, attributes, ...children) {
  const there = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) there.setAttribute(key, value);
  there.append(...children);
  return there;
}

/** Write all words in the language that is chosen. */
function speak() {
  document.documentElement.lang = lang;
  get("live").textContent = "";
  get("about").textContent = say("Rules {rules}, {total} moves", {rules: data.rules, total});
  for (const [id, words] of [["first", "Start"], ["backward", "Back"], ["forward", "Forward"], ["last", "End"]])
    get(id).setAttribute("aria-label", say(words));
  get("play").setAttribute("aria-label", say(timer === null ? "Play" : "Pause"));
  get("controls").setAttribute("aria-label", say("Play"));
  get("slider").setAttribute("aria-label", say("Move"));
  get("languages").setAttribute("aria-label", say("Language"));
  get("lost").textContent = say("Go to the move that lost");
  get("copy").textContent = say("Copy");
  get("keys").textContent = say("Keys: left and right, Home, End, space to play; swipe or tap the table.");
  document.querySelector("#moves summary").textContent = say("Moves");
  document.querySelector("#position summary").textContent = say("Position as text");
  document.querySelector("#moves ol").replaceChildren(
    ...states.map((_state, number) => {
      const verdict = data.verdicts?.[number];
      const told = made("span", {}, number === lostAt ? `${wordsOf(number)} – ${say("This move lost the game.")}` : wordsOf(number));
      const row = made("button", {type: "button", "data-at": number}, made("span", {class: "n"}, String(number)), told);
      if (verdict) row.append(made("span", {class: `verdict ${verdict}`}, say(verdict)));
      if (number === lostAt) row.classList.add("lost-here");
      return made("li", {}, row);
    }),
  );
  for (const button of get("languages").children) button.setAttribute("aria-pressed", button.lang === lang);
  show(at, {animate: false, tell: false});
}

async function copy() {
  const block = document.querySelector("#position pre");
  try {
    await navigator.clipboard.writeText(block.textContent);
  } catch {
    getSelection().selectAllChildren(block); // as a page in a file may not write to the clipboard
    document.execCommand("copy");
  }
  get("copy").textContent = get("live").textContent = say("Copied");
  setTimeout(() => (get("copy").textContent = say("Copy")), 2000);
}

for (const [code, name] of Object.entries(languages)) {
  const button = made("button", {type: "button", lang: code}, name);
  button.addEventListener("click", () => ((lang = code), speak()));
  get("languages").append(button);
}
const byHand = (number) => (halt(), go(number));
get("first").addEventListener("click", () => byHand(0));
get("backward").addEventListener("click", () => byHand(at - 1));
get("play").addEventListener("click", play);
get("forward").addEventListener("click", () => byHand(at + 1));
get("last").addEventListener("click", () => byHand(total));
get("slider").max = total;
get("slider").addEventListener("input", () => byHand(Number(get("slider").value)));
get("copy").addEventListener("click", copy);
document.querySelector("#moves ol").addEventListener("click", (event) => {
  const row = event.target.closest("button");
  if (row) byHand(Number(row.dataset.at));
});
if (lostAt > 0) {
  get("lost").hidden = get("mark").hidden = false;
  get("lost").addEventListener("click", () => byHand(lostAt));
  get("mark").style.left = `calc(8px + (100% - 16px) * ${lostAt / total})`;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target === get("slider")) return;
  const to = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: total}[event.key];
  const isBusy = event.target.closest("button, summary, pre");
  if (event.target.closest("pre")) return;
  if (to !== undefined) byHand(to);
  else if (event.key === " " && !isBusy) play();
  else return;
  event.preventDefault();
});

let touched = null;
get("table").addEventListener("pointerdown", (event) => (touched = event.clientX));
get("table").addEventListener("pointerup", (event) => {
  if (touched === null) return;
  const moved = event.clientX - touched;
  const box = get("table").getBoundingClientRect();
  touched = null;
  if (Math.abs(moved) > 30) byHand(at + (moved < 0 ? 1 : -1));
  else if (Math.abs(moved) < 8) byHand(at + (event.clientX > box.left + box.width / 3 ? 1 : -1));
});
get("table").addEventListener("pointercancel", () => (touched = null));
isNarrow.addEventListener("change", () => show(at, {animate: false, tell: false}));
speak();
