"""Deals as rows of a table, for data tools."""

import csv
import functools
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from perno_solver.cli.setting import optional
from perno_solver.cli.shared import Failure
from perno_solver.files import replaced
from perno_solver.survey.chunks import VERDICTS, Chunk


def writer(path: Path) -> Callable[[Path, Iterator[Chunk]], None]:
    """Choose by a file's name how to write it."""
    if path.suffix == ".csv":
        return _write_csv
    if path.suffix == ".parquet":
        return functools.partial(_write_parquet, optional("pyarrow", "parquet"), optional("pyarrow.parquet", "parquet"))
    msg = f"{path}: expected a name that ends in .csv or .parquet"
    raise Failure(msg)


def _write_csv(path: Path, chunks: Iterator[Chunk]) -> None:
    with replaced(path) as binary, io.TextIOWrapper(binary, encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("rules", "seed", "verdict"))
        for chunk in chunks:
            rules = str(chunk.rules)
            table.writerows(
                (rules, seed, VERDICTS[code].value) for seed, code in zip(chunk.seeds, chunk.codes(), strict=True)
            )


def _write_parquet(arrow: Any, parquet: Any, path: Path, chunks: Iterator[Chunk]) -> None:  # noqa: ANN401 - modules
    words = arrow.array([verdict.value for verdict in VERDICTS])
    text = arrow.dictionary(arrow.int32(), arrow.string())
    schema = arrow.schema([("rules", text), ("seed", arrow.int64()), ("verdict", text)])
    with replaced(path) as binary, parquet.ParquetWriter(binary, schema) as file:
        for chunk in chunks:
            rules = arrow.DictionaryArray.from_arrays(arrow.array([0] * chunk.deals, arrow.int32()), [str(chunk.rules)])
            seeds = arrow.array(chunk.seeds, arrow.int64())
            verdicts = arrow.DictionaryArray.from_arrays(arrow.array(list(chunk.codes()), arrow.int32()), words)
            file.write_table(arrow.table([rules, seeds, verdicts], schema=schema))
