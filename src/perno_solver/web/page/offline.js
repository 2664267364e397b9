// Keeps the page's own files, so that it opens without a network; a new version takes their place as a whole.
"use strict";

const VERSION = "perno-$version";
const FILES = $files;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("perno-") && name !== VERSION;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))));
});

self.addEventListener("fetch", (event) => {
  const kept = caches.open(VERSION).then((cache) => cache.match(event.request, {ignoreSearch: true}));
  event.respondWith(kept.then((response) => response ?? fetch(event.request)));
});
