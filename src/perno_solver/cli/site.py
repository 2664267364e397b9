"""perno site: the page to play at as a folder of static files."""

from pathlib import Path

import click

from perno_solver.cli.language import counted
from perno_solver.cli.shared import say
from perno_solver.web.site import write_site


@click.command("site")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--pyodide",
    metavar="PATH",
    required=True,
    type=click.Path(path_type=Path, exists=True),
    help="Python for the browser: the file that `npm pack pyodide` fetches, or the folder in it.",
)
def site_command(*, folder: Path, pyodide: Path) -> None:
    """Write the page to play at into a folder, for any web server.

    Nothing has to be installed by those who visit it: Python runs in their browser, which also keeps their games.
    Nothing leaves it, and once the page was opened it opens without a network, too.

    \b
    Examples:
      npm pack pyodide
      perno site public --pyodide pyodide-*.tgz
      python -m http.server --directory public
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    names = write_site(folder, pyodide)
    say(f"{counted(len(names), '{number} file', '{number} files')}: {folder}")
