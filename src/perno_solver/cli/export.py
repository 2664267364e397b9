"""Deals as rows of a table, for data tools."""

import csv
import functools
import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from perno_solver.cli.setting import optional
from perno_solver.cli.shared import Failure
from perno_solver.files import replaced
from perno_solver.survey.chunks import VERDICTS, levels
from perno_solver.survey.deals import Deals

COLUMNS = ("rules", "seed", "verdict", "base", "states", "moves", "passes", "level")


def writer(path: Path) -> Callable[[Path, Iterable[Deals]], None]:
    """Choose by a file's name how to write it."""
    if path.suffix == ".csv":
        return _write_csv
    if path.suffix == ".parquet":
        return functools.partial(_write_parquet, optional("pyarrow", "parquet"), optional("pyarrow.parquet", "parquet"))
    msg = f"{path}: expected a name that ends in .csv or .parquet"
    raise Failure(msg)


def _levels(deals: Deals) -> list[str | None]:
    """Name the levels of deals."""
    found = levels(deals.rules, deals.seeds, bytes(row[0] for row in deals.rows))
    return [None if level is None else level.value for level in found]


def _write_csv(path: Path, found: Iterable[Deals]) -> None:
    with replaced(path) as binary, io.TextIOWrapper(binary, encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for deals in found:
            rules = str(deals.rules)
            table.writerows(
                (rules, seed, VERDICTS[code].value, base, states, moves or None, passes or None, level)
                for seed, (code, base, states, moves, passes), level in zip(
                    deals.seeds, deals.rows, _levels(deals), strict=True
                )
            )


def _write_parquet(arrow: Any, parquet: Any, path: Path, found: Iterable[Deals]) -> None:  # noqa: ANN401 - modules
    words = arrow.array([verdict.value for verdict in VERDICTS])
    text = arrow.dictionary(arrow.int32(), arrow.string())
    kinds = (text, arrow.int64(), text, arrow.int8(), arrow.int64(), arrow.int32(), arrow.int32(), text)
    schema = arrow.schema(list(zip(COLUMNS, kinds, strict=True)))
    with replaced(path) as binary, parquet.ParquetWriter(binary, schema) as file:
        for deals in found:
            codes, bases, states, moves, passes = zip(*deals.rows, strict=True)
            names = arrow.array([0] * len(deals.rows), arrow.int32())
            columns = [
                arrow.DictionaryArray.from_arrays(names, [str(deals.rules)]),
                arrow.array(deals.seeds, arrow.int64()),
                arrow.DictionaryArray.from_arrays(arrow.array(codes, arrow.int32()), words),
                arrow.array(bases, arrow.int8()),
                arrow.array(states, arrow.int64()),
                *(arrow.array([number or None for number in column], arrow.int32()) for column in (moves, passes)),
                arrow.array(_levels(deals), arrow.string()).dictionary_encode(),
            ]
            file.write_table(arrow.table(columns, schema=schema))
