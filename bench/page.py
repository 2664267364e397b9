"""How soon the page answers in a real browser: over `perno play`, and as a static site with Python in the browser.

`python bench/page.py --pyodide pyodide-*.tgz`, with the extra `browser` and Debian's chromium. Times are those of the
page: from the key that asks to the table, or the odds, that are drawn.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

from perno_solver import Deal, solve
from perno_solver.web.site import write_site

LINE = [str(move) for move in solve(Deal.from_seed(11), evidence=False).line or ()]

MOVES = """async (line) => {
  const times = [];
  for (const move of line) {
    const at = perno.table.moves.findIndex((known) => known.move === move);
    const before = perno.table, began = performance.now();
    document.querySelectorAll(".moves button")[at].click();
    while (perno.table === before) await new Promise((resolve) => setTimeout(resolve));
    times.push(performance.now() - began);
  }
  return times;
}"""

HINTS = """async (places) => {
  const times = [];
  for (const at of places) {
    await perno.open({do: "again", game: perno.won, at});
    let first = null, longest = 0, last = performance.now(), going = true;
    const look = () => { longest = Math.max(longest, performance.now() - last); last = performance.now(); };
    const watch = setInterval(look);
    const began = performance.now();
    const onStep = () => { first ??= performance.now() - began; };
    await perno.ask({do: "hint", game: perno.table.game}, {onStep});
    times.push([first, performance.now() - began, longest]);
    clearInterval(watch);
  }
  return times;
}"""


@contextmanager
def served() -> Iterator[str]:
    """Run `perno play`."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "perno_solver", "play", "--no-browser", "--seed", "11"],
            env={**os.environ, "XDG_DATA_HOME": folder},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert process.stdout
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            process.communicate()


class Quiet(SimpleHTTPRequestHandler):
    """A plain web server."""

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@contextmanager
def static(pyodide: Path) -> Iterator[str]:
    """Serve the static site."""
    with tempfile.TemporaryDirectory() as folder:
        write_site(Path(folder), pyodide)
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/#deal=11"
        server.shutdown()


def measure(page: Page, address: str) -> None:
    """Print what the page's answers take."""
    began = time.perf_counter()
    page.goto(address)
    page.wait_for_selector("#wait progress, nav", state="attached")
    there = time.perf_counter() - began
    page.wait_for_function("() => globalThis.perno?.table", timeout=240_000)
    print(f"there after {there:.2f} s, playable after {time.perf_counter() - began:.2f} s")
    moves = page.evaluate(MOVES, LINE)
    print(f"a move: median {median(moves):.0f} ms, longest of {len(moves)} {max(moves):.0f} ms")
    page.evaluate("perno.won = perno.table.game")
    hints = page.evaluate(HINTS, list(range(0, len(LINE), 10)))
    firsts, wholes, pauses = zip(*hints, strict=True)
    print(f"a hint: median {median(wholes):.0f} ms, longest of {len(hints)} {max(wholes):.0f} ms,")
    print(f"  its first odds after {max(firsts):.0f} ms at most; the page itself paused {max(pauses):.0f} ms at most")


def main() -> None:
    """Measure both ways."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pyodide", type=Path)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        with served() as address:
            print("perno play")
            measure(browser.new_page(reduced_motion="reduce"), address)
        if options.pyodide:
            with static(options.pyodide) as address:
                print("static site")
                measure(browser.new_page(reduced_motion="reduce"), address)
        browser.close()


if __name__ == "__main__":
    main()
