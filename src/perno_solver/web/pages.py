"""The page's own files, the same in both ways to reach it but for one word: `server` or `worker`."""

from importlib.resources import files

SCRIPTS = ("page.js", "table.js", "panels.js", "review.js", "talk.js", "words.js")
FILES = ("index.html", "page.css", "icon.svg", "cards.js", *SCRIPTS)
"""What every way to reach the page serves."""

TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'"
)


def page_file(name: str, way: str) -> bytes:
    """Return one of the page's files.

    Args:
        name: its name, one of `FILES` or another in the folder `page`.
        way: how the page reaches Python: `server` or `worker`.
    """
    folder = files("perno_solver").joinpath("show" if name == "cards.js" else "web/page")
    data = folder.joinpath(name).read_bytes()
    if name != "index.html":
        return data
    return data.decode().replace("$way", way).replace("$policy", POLICY).encode()
