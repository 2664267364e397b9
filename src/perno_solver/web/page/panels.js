// What opens over the table: a new game, the review, rules, games, statistics, settings, keys; and the menu to them.
"use strict";

import {review} from "./review.js";
import {_, LANGUAGES, button, made, ngettext, sign} from "./words.js";

export function panels(page) {
  const show = (title, fill) => opened(page, title, fill);
  const all = {
    begin: (rules) => show(_("New game"), (dialog, close) => begin(page, dialog, close, rules)),
    review: () => show(_("Review"), (dialog, close) => review(page, dialog, close)),
    rules: () => show(_("Rules"), (dialog) => told(page, dialog, "rules")),
    well: () => show(_("How to play well"), (dialog) => told(page, dialog, "well")),
    games: () => show(_("Games"), (dialog, close) => games(page, dialog, close)),
    statistics: () => show(_("Statistics"), (dialog) => statistics(page, dialog)),
    settings: () => show(_("Settings"), (dialog) => settings(page, dialog)),
    keys: () => show(_("Keys"), keys),
  };
  return {...all, menu: (does) => menu(page, all, does)};
}

function opened(page, title, fill) {
  const dialog = made("dialog", {"aria-label": title});
  const close = () => dialog.close();
  dialog.append(made("h2", {}, title), button("×", close, {"aria-label": _("Close"), class: "close"}));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && close()); // beside it
  document.body.append(dialog);
  const filled = Promise.resolve(fill(dialog, close));
  dialog.showModal();
  filled.catch((error) => {
    if (error.name !== "AbortError") dialog.append(made("p.failed", {role: "alert"}, error.message));
  });
}

function menu(page, all, {chances, restart, link}) {
  const list = made("ul");
  const details = made("details.menu", {}, made("summary", {title: _("More")}, sign("☰"), made("span.word", {}, _("More"))), list);
  const entries = [
    [_("Can it still be won?"), chances],
    [_("Review"), all.review],
    [_("Start again"), restart],
    [_("Link to this deal"), link],
    [_("Games"), all.games],
    [_("Statistics"), all.statistics],
    [_("Rules"), all.rules],
    [_("How to play well"), all.well],
    [_("Settings"), all.settings],
    [_("Keys"), all.keys],
  ];
  const needsTable = new Set([chances, all.review, restart, link]);
  for (const [name, does] of entries) {
    const go = () => {
      details.open = false;
      if (page.table || !needsTable.has(does)) does();
    };
    list.append(made("li", {}, button(name, go)));
  }
  const close = (event) => {
    if (event.type === "keydown" ? event.key === "Escape" : !details.contains(event.target)) details.open = false;
  };
  document.addEventListener("click", close);
  document.addEventListener("keydown", close);
  return details;
}

// A new game

const READINGS = {
  perno: () => _("Perno Variabile"),
  "perno-tens": () => _("Perno by tens"),
  "perno-obliged": () => _("Perno, obliged"),
  "perno-packed": () => _("Perno, packed"),
  "eagle-wing": () => "Eagle Wing",
  "eagle-wing-packed": () => _("Eagle Wing, packed"),
};

function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

function begin(page, dialog, close, wanted = localStorage.getItem("rules") ?? "perno") {
  const rules = made("select", {id: "rules"});
  for (const [value, name] of Object.entries(READINGS)) rules.append(made("option", {value}, name()));
  if (!(wanted in READINGS)) rules.append(made("option", {value: wanted}, wanted)); // a house rule
  rules.value = wanted;
  const number = made("input", {id: "number", inputmode: "numeric", pattern: "[0-9]{1,20}", size: 12, autocomplete: "off"});
  const waiting = made("p", {role: "status"});
  const ending = new AbortController();
  dialog.addEventListener("close", () => ending.abort());
  const deal = async (message) => {
    localStorage.setItem("rules", rules.value);
    waiting.textContent = _("A deal is looked for …");
    const onStep = ({looked_at}) => {
      if (looked_at) waiting.textContent = ngettext("{number} deal looked at …", "{number} deals looked at …", looked_at);
    };
    const begun = await page.open({do: "new", rules: rules.value, ...message}, {onStep, signal: ending.signal});
    waiting.textContent = "";
    if (begun) close();
  };
  const levels = {easy: _("Easy"), medium: _("Medium"), hard: _("Hard"), won: _("Any that can be won")};
  const form = made(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        deal({seed: number.value.trim()});
      },
    },
    made("label", {for: "number"}, _("Deal number")),
    number,
    made("button", {type: "submit"}, _("Deal")),
  );
  dialog.append(
    made("p", {}, made("label", {for: "rules"}, _("Rules")), " ", rules),
    made("h3", {}, _("A deal that can be won")),
    made("p.buttons.levels", {}, ...Object.entries(levels).map(([level, name]) =>
        button(name, () => deal({level}), {autofocus: level === "easy"}))),
    made("p.buttons", {}, button(_("Today's deal"), () => deal({day: today()}))),
    made("h3", {}, _("By its number")),
    form,
    made("p.faint", {}, _("Of all deals of Perno Variabile one in eight can be won.")),
    waiting,
  );
}

// Texts

async function told(page, dialog, what) {
  const found = await page.ask({do: "rules", rules: page.table?.rules ?? "perno"});
  const paragraphs = found[what].map((text) => made(what === "rules" ? "p" : "li", {}, text));
  dialog.append(what === "rules" ? made("div", {}, ...paragraphs) : made("ol", {}, ...paragraphs));
}

function keys(dialog) {
  const rows = [
    ["Tab, ← →", _("from one card that can move to the next")],
    [_("Enter"), _("plays it")],
    ["R", _("turns cards until one can be played")],
    ["T", _("turns one card")],
    ["U", _("takes a move back; Ctrl+Z, too")],
    ["Y", _("plays it again; Ctrl+Y, too")],
    ["H", _("shows a hint")],
    ["C", _("says whether it can still be won")],
    ["N", _("begins a new game")],
    ["?", _("shows these keys")],
  ];
  const list = made("dl", {}, ...rows.flatMap(([key, does]) => [made("dt", {}, key), made("dd", {}, does)]));
  dialog.append(list);
}

// What is kept

async function games(page, dialog, close) {
  const list = made("ul.games");
  const file = made("input", {type: "file", accept: ".txt,.game,text/plain", id: "import", hidden: true});
  file.addEventListener("change", async () => {
    try {
      const {games} = await page.ask({do: "import", text: await file.files[0].text()});
      await page.open({do: "open", game: games.at(-1)});
      close();
    } catch (error) {
      page.fail(error);
    }
  });
  dialog.append(
    made("p.buttons", {}, button(_("Import a file"), () => file.click()), button(_("Export all"), () => save(page, {}))),
    file,
    list,
  );
  const {games} = await page.ask({do: "list"});
  for (const game of games.slice(0, MOST_LISTED)) list.append(entry(page, game, close));
  if (!games.length) list.append(made("li", {}, _("No game is kept yet.")));
  if (games.length > MOST_LISTED) {
    const more = games.length - MOST_LISTED;
    list.append(made("li", {}, ngettext("and {number} older game", "and {number} older games", more)));
  }
}

const MOST_LISTED = 100;

function entry(page, known, close) {
  const {game, name, rules, dealt, moves, is_won} = known;
  const said = [page.titled({name, rules, dealt}), ngettext("{number} move", "{number} moves", moves)];
  if (is_won) said.push(_("won"));
  const row = made("li");
  const open = async () => {
    if (await page.open({do: "open", game})) close();
  };
  const remove = async () => {
    await page.ask({do: "delete", game});
    row.remove();
  };
  const title = said.join(", ");
  row.append(
    button(title, open, {class: "game"}),
    button(_("Export"), () => save(page, {game}), {"aria-label": `${_("Export")}: ${title}`}),
    button(_("Delete"), remove, {"aria-label": `${_("Delete")}: ${title}`}),
  );
  return row;
}

/** Save records as a file of the user's. */
async function save(page, which) {
  const {text} = await page.ask({do: "export", ...which});
  const address = URL.createObjectURL(new Blob([text], {type: "text/plain"}));
  made("a", {href: address, download: `${which.game ?? "perno"}.txt`}).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

async function statistics(page, dialog) {
  const {rows} = await page.ask({do: "statistics"});
  if (!rows.length) return dialog.append(made("p", {}, _("No game has been played yet.")));
  const levels = {
    easy: _("easy"),
    medium: _("medium"),
    hard: _("hard"),
    won: _("can be won"),
    day: _("of a day"),
    seed: _("by number"),
    again: _("tried again"),
    "": _("other"),
  };
  const heads = [_("Rules"), _("Deals"), _("Played"), _("Won")];
  const cells = rows.map(({rules, level, played, won}) => [rules, levels[level] ?? level, played, won]);
  dialog.append(
    made(
      "table",
      {},
      made("thead", {}, made("tr", {}, ...heads.map((head) => made("th", {scope: "col"}, head)))),
      made("tbody", {}, ...cells.map((row) => made("tr", {}, ...row.map((cell) => made("td", {}, String(cell)))))),
    ),
  );
}

// Settings

function settings(page, dialog) {
  const choices = {
    auto: _("Play by itself what cannot be wrong: proved, whatever the hidden cards are"),
    chances: _("Say after each move how likely it can still be won"),
    over: _("Say when a game is lost for sure"),
    "two-colours": _("Suits in two colours instead of four"),
    "no-keys": _("Letters are no keys"),
  };
  for (const [name, text] of Object.entries(choices)) {
    const box = made("input", {type: "checkbox", id: name, checked: page.settings.get(name)});
    box.addEventListener("change", () => {
      page.settings.set(name, box.checked);
      dress(page);
      if (page.table) page.show(page.table);
    });
    dialog.append(made("p.choice", {}, box, made("label", {for: name}, text)));
  }
  dialog.append(select("theme", _("Colours"), {"": _("as the system has them"), light: _("light"), dark: _("dark")}, () => dress(page)));
  dialog.append(select("lang", _("Language"), LANGUAGES, () => location.reload(), page.lang));
  dialog.append(
    made(
      "p.faint",
      {},
      page.way === "server"
        ? _("Games are kept in a folder of yours, settings in this browser.")
        : _("Games and settings are kept in this browser, and nothing leaves it."),
    ),
  );
}

function select(name, title, options, then, value = localStorage.getItem(name) ?? "") {
  const chosen = made("select", {id: name});
  for (const [key, text] of Object.entries(options)) chosen.append(made("option", {value: key}, text));
  chosen.value = value;
  chosen.addEventListener("change", () => {
    localStorage.setItem(name, chosen.value);
    then();
  });
  return made("p", {}, made("label", {for: name}, title), " ", chosen);
}

/** Give the page the colours that are set. */
export function dress({settings}) {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  document.documentElement.classList.toggle("two-colours", settings.get("two-colours"));
}
