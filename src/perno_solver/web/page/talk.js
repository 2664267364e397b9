// How the page reaches Python: a server on this machine, or a worker in this browser. Either takes a message and gives
// answers, the last of which is done.
"use strict";

/** A function that asks and returns the last answer; `onStep` sees those before it, and `signal` ends the asking. */
export async function reach(way, onProgress) {
  return way === "server" ? askServer : await startWorker(onProgress);
}

async function askServer(message, {onStep = () => {}, signal} = {}) {
  let response;
  try {
    response = await fetch("answer", {
      method: "POST",
      headers: {"Content-Type": "application/json"},
      body: JSON.stringify(message),
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    return {error: "unreachable"};
  }
  if (!response.ok) return {error: (await response.text()).trim()};
  let rest = "";
  for await (const chunk of lines(response.body)) {
    rest += chunk;
    const whole = rest.split("\n");
    rest = whole.pop();
    for (const line of whole) {
      const told = JSON.parse(line);
      if (told.done) return told;
      onStep(told);
    }
  }
  return {error: "unreachable"};
}

async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    yield value;
  }
}

async function startWorker(onProgress) {
  const worker = new Worker("worker.js", {type: "module"});
  const asked = new Map();
  let number = 0;
  await new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message || "the worker cannot be started"));
    worker.onmessage = ({data}) => {
      if (data.failed) reject(new Error(data.failed));
      else if (data.ready) resolve();
      else onProgress(data.progress);
    };
  });
  worker.onmessage = ({data: {id, text}}) => asked.get(id)?.(JSON.parse(text));
  return (message, {onStep = () => {}, signal} = {}) =>
    new Promise((resolve, reject) => {
      const id = ++number;
      const stop = () => {
        asked.delete(id);
        worker.postMessage({id, cancel: true});
        reject(signal.reason);
      };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener("abort", stop, {once: true});
      asked.set(id, (told) => {
        if (!told.done) return onStep(told);
        asked.delete(id);
        signal?.removeEventListener("abort", stop);
        resolve(told);
      });
      worker.postMessage({id, message});
    });
}
