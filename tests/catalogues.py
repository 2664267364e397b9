"""The catalogues of words: `python tests/catalogues.py` brings them up to date with the sources and compiles them.

What is new in them is to be translated by hand then, and compiled by another run.
"""

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

PACKAGE = Path(__file__).parent.parent / "src" / "perno_solver"
LANGUAGES = ("it",)

_METHODS = [("**.py", "python"), ("**.js", "javascript")]
_KEYWORDS = {
    "_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "counted": (2, 3),
}


def path(lang: str, end: str) -> Path:
    return PACKAGE / "locale" / lang / "LC_MESSAGES" / f"perno_solver.{end}"


def extracted() -> Catalog:
    """Collect all words of the sources."""
    catalogue = Catalog(charset="utf-8")
    for _file, _line, message, _comments, context in sorted(
        extract_from_dir(PACKAGE, method_map=_METHODS, keywords=_KEYWORDS), key=lambda found: found[:2]
    ):
        catalogue.add(message, context=context)
    return catalogue


def read(lang: str) -> Catalog:
    with path(lang, "po").open("rb") as file:
        return read_po(file, locale=lang)


def compiled(text: bytes) -> bytes:
    file, catalogue = BytesIO(), read_po(BytesIO(text))
    catalogue.creation_date = catalogue.revision_date = datetime(
        2026, 1, 1, tzinfo=UTC
    )  # the same words, the same file
    write_mo(file, catalogue)
    return file.getvalue()


def updated(lang: str) -> Catalog:
    """Take all words of the sources, translated as far as they were."""
    before = read(lang) if path(lang, "po").exists() else Catalog()
    after = Catalog(
        locale=lang,
        header_comment=f"# The words of perno_solver, {lang}; made by tests/catalogues.py but for the translations",
        fuzzy=False,
    )
    after.mime_headers = [
        ("Plural-Forms", "nplurals=2; plural=(n != 1);")
    ]  # as all languages here have it, millions aside
    for message in extracted():
        if message.id:
            known = before.get(message.id, message.context)
            after.add(message.id, known.string if known else None, context=message.context, flags=message.flags)
    return after


def text(catalogue: Catalog) -> bytes:
    file = BytesIO()
    write_po(file, catalogue, width=120, no_location=True)
    lines = file.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(_UNSAID))


_UNSAID = tuple(f'"{name}'.encode() for name in ("Project", "Report", "POT", "PO-", "Last", "Language-T", "Generated"))


if __name__ == "__main__":
    for lang in LANGUAGES:
        words = text(updated(lang))
        path(lang, "po").write_bytes(words)
        path(lang, "mo").write_bytes(compiled(words))
