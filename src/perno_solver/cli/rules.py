"""perno rules: lists the readings that have names."""

import click

from perno_solver.cli.shared import columns, padded, say
from perno_solver.game.rules import PERNO, READINGS


@click.command("rules")
def rules_command() -> None:
    """List the readings of the rules that have names, with every field.

    Names and values are what --rules and the options of the other commands read.

    \b
    Examples:
      perno rules
      perno solve --seed 42 --rules perno-packed
      perno solve --seed 42 --rules eagle-wing --redeals unlimited
      perno solve --seed 42 --rules eagle-wing,redeals=unlimited
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    width = columns()
    labels = ["", *(key for key, _ in PERNO.spelled())]
    rows = padded(labels)
    for name, rules in READINGS.items():
        values = padded([name, *(value for _, value in rules.spelled())])
        if len(rows[0]) + 2 + len(values[0]) > width:  # the rest goes below
            say("\n".join(row.rstrip() for row in rows) + "\n")
            rows = padded(labels)
        rows = [f"{row}  {value}" for row, value in zip(rows, values, strict=True)]
    say("\n".join(row.rstrip() for row in rows))
