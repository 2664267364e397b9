"""perno compare: readings of the rules on the same deals."""

import json
from itertools import combinations

import click

from perno_solver.cli.figures import interval, percent, spelled, table
from perno_solver.cli.setting import SEEDS, Setting, setting_options, survey_seeds
from perno_solver.cli.shared import say
from perno_solver.game.rules import Rules
from perno_solver.survey.figures import Comparison, Pair
from perno_solver.survey.run import compare


@click.command("compare")
@click.option("--rules", "names", metavar="RULES", multiple=True, help="A reading, or one with changes; give several.")
@SEEDS
@setting_options
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for any two readings.")
@click.option("--list", "listed", is_flag=True, help="Also list the seeds whose verdicts differ.")
def compare_command(*, names: tuple[str, ...], seeds: str, setting: Setting, as_json: bool, listed: bool) -> None:
    """Try readings of the rules on the same deals, and find out how often it matters.

    For any two readings: the deals won under one alone, and the difference of the win rates with its 95 % interval
    for paired proportions. Deals that are unknown under either count in none of this.

    \b
    Examples:
      perno compare --rules perno --rules perno-tens --seeds 0:100000
      perno compare --rules perno --rules perno,redeals=3 --seeds 0:1000 --list
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    readings = list(dict.fromkeys(map(Rules.from_text, names)))
    if len(readings) < 2:
        msg = "give --rules two times or more, with different rules"
        raise click.UsageError(msg)
    wanted = survey_seeds(seeds)
    with setting.open(wanted) as run:
        comparison = compare(readings, wanted, run=lambda rules, _seeds: run(rules))
    pairs = {(first, second): comparison.pair(first, second) for first, second in combinations(readings, 2)}
    if as_json:
        for (first, second), pair in pairs.items():
            values = _pair_values(first, second, wanted, pair)
            if listed:
                values["differing"] = [seed for seed, *_ in comparison.differing(first, second)]
            click.echo(json.dumps(values))
        return
    rows = [["first", "second", "both won", "first only", "second only", "both lost", "unknown", "difference", "95 %"]]
    for (first, second), pair in pairs.items():
        numbers = (pair.both, pair.first_only, pair.second_only, pair.neither, pair.undecided)
        figures = [f"{number:,}" for number in numbers]
        rows.append([str(first), str(second), *figures, percent(pair.difference), interval(*pair.interval)])
    say(table(rows))
    if listed:
        for first, second in pairs:
            _say_differing(comparison, first, second)


def _pair_values(first: Rules, second: Rules, seeds: range, pair: Pair) -> dict[str, object]:
    low, high = pair.interval
    return {
        "rules": [str(first), str(second)],
        "seeds": spelled([seeds]),
        "both": pair.both,
        "first_only": pair.first_only,
        "second_only": pair.second_only,
        "neither": pair.neither,
        "unknown": pair.undecided,
        "difference": pair.difference,
        "low": low,
        "high": high,
    }


def _say_differing(comparison: Comparison, first: Rules, second: Rules) -> None:
    say(f"\nseed  {first}  {second}")
    for seed, one, other in comparison.differing(first, second):
        say(f"{seed}  {one.value}  {other.value}")
