"""Gives the site the pages that stand elsewhere: README.md, the figures on speed, the examples and the changelog."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from pygments.formatters import HtmlFormatter

ROOT = Path(__file__).parent.parent
ELSEWHERE = {"index.md": "README.md", "speed.md": "bench/README.md", "changelog.md": "CHANGELOG.md"}
LINKS = {  # as they are where a page stands, and as they are on the site
    "](docs/": "](",
    "](../docs/": "](",
    "](bench/README.md": "](speed.md",
    "](../bench/README.md": "](speed.md",
    "](examples)": "](examples.md)",
    "](CHANGELOG.md)": "](changelog.md)",
}
STYLES = (("light", "default"), ("dark", "github-dark"))  # the theme's modes, and Pygments' styles for them


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages, and the colours of code."""
    pages = {page: (ROOT / source).read_text(encoding="utf-8") for page, source in ELSEWHERE.items()}
    examples = [(path.name, path.read_text(encoding="utf-8")) for path in sorted((ROOT / "examples").glob("*.py"))]
    pages["examples.md"] = "# Examples\n" + "".join(f"\n## {name}\n\n```python\n{code}```\n" for name, code in examples)
    styles = [HtmlFormatter(style=style).get_style_defs(f"[data-bs-theme={mode}] .highlight") for mode, style in STYLES]
    pages["site.css"] = "\n".join([*styles, ".doc-labels { font-size: 60% }"])
    for name, content in pages.items():
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, **_context: object) -> str:
    """Point links at the site's pages."""
    for there, here in LINKS.items():
        markdown = markdown.replace(there, here)
    return markdown
