"""HTML pages of one file, which need nothing from elsewhere and are not allowed to ask for it."""

from html import escape


def document(title: str, body: str, *, lang: str, style: str, script: str = "") -> str:
    """Write a page that may use its own style sheet and script, and nothing else.

    Args:
        title: its title.
        body: what is in its body, as HTML.
        lang: the code of its language.
        style: its style sheet.
        script: its script, which runs when the body is there.
    """
    allowed = [f"style-src {_hashed(style)}", *([f"script-src {_hashed(script)}"] if script else [])]
    policy = "; ".join(["default-src 'none'", *allowed, "base-uri 'none'", "form-action 'none'"])
    run = f"<script>{script}</script>" if script else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n{run}\n</body>\n</html>\n"
    )


def _hashed(text: str) -> str:
    """Name a text by its digest, as policies do."""
    from base64 import b64encode  # noqa: PLC0415 - not everybody who imports the package writes pages
    from hashlib import sha256  # noqa: PLC0415

    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
