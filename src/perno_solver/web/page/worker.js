// Python in a worker of the browser: it answers the page from the games that are kept in this browser.
import {loadPyodide} from "./pyodide/pyodide.mjs";

const BYTES = $bytes; // of what is loaded
const cancelled = new Set();
let shelf;

// Storage

function promised(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

const storage = (() => {
  const opening = indexedDB.open("perno", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("games");
  return promised(opening);
})();

async function games(mode) {
  return (await storage).transaction("games", mode).objectStore("games");
}

/** Put the records on the shelf that a message is about: one, or all. */
async function load(name) {
  const kept = await games("readonly");
  const [names, texts] = name
    ? [[name], [(await promised(kept.get(name))) ?? null]]
    : await Promise.all([promised(kept.getAllKeys()), promised(kept.getAll())]);
  shelf.put(JSON.stringify(Object.fromEntries(names.map((key, at) => [key, texts[at]]))));
}

async function save() {
  const changes = Object.entries(JSON.parse(shelf.changes()));
  if (!changes.length) return;
  const kept = await games("readwrite");
  for (const [name, text] of changes) {
    if (text === null) kept.delete(name);
    else kept.put(text, name);
  }
  await new Promise((resolve, reject) => {
    kept.transaction.oncomplete = resolve;
    kept.transaction.onabort = () => reject(kept.transaction.error);
  });
}

// Answers

const later = () => new Promise((resolve) => setTimeout(resolve));

/** Answer step by step; between two steps other messages are read, so that the page stays live. */
async function respond(id, message) {
  const steps = shelf.answers(JSON.stringify(message));
  try {
    let step = steps.next();
    if (step.done) return;
    for (; !step.done && !cancelled.delete(id); step = steps.next()) {
      await save();
      postMessage({id, text: step.value});
      await later();
    }
  } finally {
    steps.destroy();
  }
}

let turn = Promise.resolve(); // games change one after another, in all windows

onmessage = ({data: {id, message, cancel}}) => {
  if (cancel) return cancelled.add(id);
  const begun = async () => {
    await load(message.game);
    await respond(id, message);
  };
  const fail = (error) => postMessage({id, text: JSON.stringify({error: error.message, done: true})});
  if (LONG.has(message.do)) turn.then(begun).catch(fail);
  else turn = turn.then(() => navigator.locks.request("perno", begun)).catch(fail);
};

const LONG = new Set(["hint", "chances", "review", "is_lost", "truth", "lost_at"]); // and change no game

// Beginning

function counted(response) {
  const counter = new TransformStream({
    transform(chunk, out) {
      counted.bytes += chunk.length;
      postMessage({progress: Math.min(0.85, (0.85 * counted.bytes) / BYTES)});
      out.enqueue(chunk);
    },
  });
  const {status, statusText, headers} = response;
  return new Response(response.body.pipeThrough(counter), {status, statusText, headers});
}
counted.bytes = 0;

try {
  const plain = self.fetch;
  self.fetch = async (...what) => {
    const response = await plain(...what);
    return response.ok && response.body ? counted(response) : response;
  };
  const [python, archive] = await Promise.all([
    loadPyodide({indexURL: new URL("pyodide/", location).href}),
    fetch("python.zip").then((response) => response.arrayBuffer()),
  ]);
  self.fetch = plain;
  python.unpackArchive(archive, "zip", {extractDir: "/perno"});
  postMessage({progress: 0.9});
  python.runPython("import sys; sys.path.insert(0, '/perno')");
  shelf = python.runPython("from perno_solver.web.shelf import Shelf; Shelf()");
  postMessage({ready: true});
} catch (error) {
  postMessage({failed: error.message});
}
