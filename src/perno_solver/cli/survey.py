"""perno survey: how often the game can be won."""

import json
import sys
import time
from contextlib import closing

import click

from perno_solver.cli.figures import spelled, summary, values
from perno_solver.cli.setting import SEEDS, Setting, player_option, setting_options, survey_seeds
from perno_solver.cli.shared import EXIT_OF, rules_options, say
from perno_solver.game.rules import PERNO, Rules
from perno_solver.proof import Verdict
from perno_solver.solve.players import PlayerName
from perno_solver.survey.chunks import asked
from perno_solver.survey.figures import Totals, joined


@click.command("survey")
@rules_options
@SEEDS
@player_option("Have the deals played by who does not see the hidden cards: greedy, careful, calculating, at-sight.")
@setting_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def survey_command(
    *, rules: Rules | None, seeds: str, player: PlayerName | None, setting: Setting, as_json: bool
) -> None:
    """Find out how often the game can be won: decide the deals of many seeds.

    The win rate has its 95 % Wilson interval, in which unknown deals count as lost below and as won above. With
    --store what is done is never done again, whatever ends the run: the same command goes on. A store holds as many
    readings and ranges of seeds as you like. Ctrl-C ends it with the figures of the deals that were decided by then.

    With --player the rate is that of a player who sees only what lies face-up: a greedy one plays whatever can be
    played, a careful one goes by rules of thumb, a calculating one by the odds of each move, with all that was ever
    seen in mind; at sight, by odds from what lies on the table alone.

    \b
    Examples:
      perno survey --seeds 0:100000
      perno survey --rules eagle-wing --seeds 0:1000000 --store survey.sqlite
      perno survey --redeals 3 --seeds 0:1000000 --store survey.sqlite --json
      perno survey --seeds 0:1000000 --player careful
      perno survey --seeds 0:1000000000 --store survey.sqlite --dask tcp://10.0.0.1:8786

    \b
    Exit codes:
      0 all decided, 3 not all, 2 bad input, 130 interrupted, 143 terminated
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    started = time.perf_counter()
    rules, wanted, totals, done = rules or PERNO, survey_seeds(seeds), Totals(), list[range]()

    def tell() -> None:
        seconds = time.perf_counter() - started
        if as_json:
            click.echo(json.dumps(values(rules, player, done, totals) | {"seconds": round(seconds, 6)}))
        else:
            say(f"{asked(rules, player)}, seeds {spelled(done)}, in {seconds:.2f} s\n{summary(totals, player)}")

    with setting.open(wanted, player) as run, closing(run(rules)) as chunks:
        try:
            for chunk in chunks:
                totals, done = totals + Totals.of(chunk), joined([*done, chunk.seeds])
        except KeyboardInterrupt:
            if done:
                tell()
            raise
    tell()
    sys.exit(EXIT_OF[Verdict.UNKNOWN] if totals.unknown else 0)
