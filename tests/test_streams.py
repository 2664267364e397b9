"""Whatever the standard streams are: a result is written whole, or the exit code says that it is not; no tracebacks."""

import errno
import io
import os
import re
import runpy
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import perno_command
from perno_solver import PERNO, Deal, EngineInfo, State, cli
from perno_solver.cli import deal as deal_module
from perno_solver.cli import setting, shared
from perno_solver.survey.chunks import decide
from perno_solver.survey.store import Store

PERNO_COMMAND = [sys.executable, "-m", "perno_solver"]
OBLIGED = "--rules perno-obliged"
COMMANDS = {  # with their exit codes; F is evidence, S a store, D decks
    "--help": 0,
    "--version": 0,
    "solve --help": 0,
    "deal 42": 0,
    "deal 42 --table": 0,
    "deal --won": 0,
    f"solve --seed 11 --show {OBLIGED}": 0,
    f"solve --seed 1 {OBLIGED}": 1,
    "solve --seed 2 --max-states 1": 3,
    f"solve --seeds 1:4 {OBLIGED}": 0,
    f"solve --seeds 1:4 {OBLIGED} --json": 0,
    f"solve --file D {OBLIGED}": 0,
    f"annotate T --seed 1 {OBLIGED}": 1,
    "check F": 0,
    "rules": 0,
    "survey --seeds 0:9": 0,
    "survey --seeds 0:9 --json": 0,
    f"compare --rules perno {OBLIGED} --seeds 0:9 --list": 0,
    "results S": 0,
    "results S --csv": 0,
    "results S --json": 0,
    "results S --list lost": 0,
    "results S --check": 0,
    f"hint --seed 11 {OBLIGED} --worlds 200": 0,
    f"hint --seed 11 {OBLIGED} --worlds 200 --json": 0,
    "survey --seeds 0:9 --player greedy": 0,
}
FAILING = {
    "solve": "Usage: ",
    "solve --seed x": "Usage: ",
    "solve --seed -1": "Error: seed -1 is out of range",
    "solve --deck 7♠": "Error: --deck, line 1: expected 52",
    "nothing": "Usage: ",
    "results F": "Error: ",
}


@pytest.fixture(autouse=True)
def threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have surveys done by threads, which start at once."""
    monkeypatch.setattr("perno_solver.survey.run.engine_info", lambda: EngineInfo(compiled=True))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("streams")
    run(f"solve --seed 11 {OBLIGED} --evidence {path / 'F'}")
    with Store(path / "S") as file:
        file.add(decide(PERNO, range(20)))
    (path / "D").write_text(f"{Deal.from_seed(1)} # 7♠ – é\n{Deal.from_seed(11)}\n", encoding="utf-8")
    return path


def run(command: str, folder: Path = Path()) -> int:
    """Run a command in this process and return its exit code."""
    args = [str(folder / word) if word in {"F", "S", "D"} else word for word in command.split()]
    with pytest.raises(SystemExit) as exit_:
        cli.main.main(args, "perno")
    return exit_.value.code  # type: ignore[return-value]


def text_stream(encoding: str = "utf-8") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding)


def written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode(stream.encoding)  # type: ignore[attr-defined]


def full() -> io.TextIOWrapper:
    return open("/dev/full", "w", encoding="utf-8")  # noqa: PTH123 - as Python opens its own


def unread() -> io.TextIOWrapper:
    reading, writing = os.pipe()
    os.close(reading)
    return os.fdopen(writing, "w", encoding="utf-8")


def closed() -> None:
    """Give what Python makes of a stream that was closed before it began."""


# Standard output, standard error


@pytest.mark.parametrize(
    ("stream", "code", "message"),
    [
        (full, 2, "Error: standard output: No space left on device\n"),
        (closed, 2, "Error: standard output is closed\n"),
        (unread, 141, ""),
    ],
)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_result_that_cannot_be_written_is_no_verdict(
    command: str,
    stream: Callable[[], io.TextIOWrapper | None],
    code: int,
    message: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out, err = stream(), text_stream()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    assert (run(command, folder), written(err)) == (code, message)
    if out is not None:
        out.close()  # as Python does at its end: nothing is left that cannot be written


@pytest.mark.parametrize("stream", [full, closed, unread])
@pytest.mark.parametrize(("command", "code"), [*COMMANDS.items(), *((command, 2) for command in FAILING)])
def test_exit_codes_need_no_standard_error(
    command: str,
    code: int,
    stream: Callable[[], io.TextIOWrapper | None],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    err = stream()
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setattr(sys, "stdout", text_stream())
    assert run(command, folder) == code
    if err is not None:
        err.close()


@pytest.mark.parametrize("stream", [full, closed, unread])
def test_neither_can_be_written(stream: Callable[[], io.TextIOWrapper | None], monkeypatch: pytest.MonkeyPatch) -> None:
    streams = {"stdout": stream(), "stderr": stream()}
    for name, broken in streams.items():
        monkeypatch.setattr(sys, name, broken)
    assert run(f"solve --seed 1 {OBLIGED}") in {2, 141}
    for broken in streams.values():
        if broken is not None:
            broken.close()


@pytest.mark.parametrize("redirected", [">/dev/full", "2>/dev/full", ">&-", "2>&-", ">/dev/full 2>&1", ">&- 2>&-"])
@pytest.mark.parametrize(("command", "code"), [("--help", 0), ("solve --seed x", 2), (f"solve --seed 1 {OBLIGED}", 1)])
def test_as_a_program(command: str, code: int, redirected: str) -> None:
    shell = f"{' '.join(PERNO_COMMAND)} {command} {redirected}"
    done = subprocess.run(["/bin/sh", "-c", shell], check=False, capture_output=True)  # noqa: S603
    assert done.returncode == (code if redirected.startswith("2") else 2)
    assert done.stderr.count(b"\n") <= (4 if code == 2 else 1)
    assert b"Traceback" not in done.stderr


def test_a_closed_pipe_ends_it_silently() -> None:
    with subprocess.Popen([*PERNO_COMMAND, "deal", "0:100000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:  # noqa: S603
        assert run.stdout is not None
        assert run.stderr is not None
        assert run.stdout.readline().split() == str(Deal.from_seed(0)).encode().split()
        run.stdout.close()
        assert run.stderr.read() == b""
    assert run.returncode == 141


@pytest.mark.parametrize("args", ["solve --file -", "annotate - --seed 2", "check -"])
def test_a_closed_standard_input_is_said_to_be(args: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(sys, "stderr", text_stream())
    assert run(args) == 2
    assert written(sys.stderr) == "Error: standard input is closed\n"  # type: ignore[arg-type]


# Encodings

ENCODINGS = ["ascii", "latin-1", "cp1252", "cp437", "cp850", "cp932", "gbk", "cp1251", "cp949", "utf-16"]
LETTERS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "–": "-", "…": "...", "é": "\\xe9"}


def plain(text: str, encoding: str) -> str:
    """Write a text as an encoding can: suits all in symbols, or all in letters."""
    lacking = [char for char in LETTERS if char not in char.encode(encoding, "ignore").decode(encoding)]
    if set("♣♦♥♠") & set(lacking):
        lacking += "♣♦♥♠"
    for char in lacking:
        text = text.replace(char, LETTERS[char])
    return text


def timeless(text: str) -> str:
    """Leave out how long it took."""
    return re.sub(r"[\d.]+(?= s\b)|(?<=\"seconds\": )[^,}]+", "0", text)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("command", [*COMMANDS, *FAILING])
def test_no_encoding_loses_a_result(command: str, encoding: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outputs = []
    for name in ("utf-8", encoding):
        monkeypatch.setattr(sys, "stdout", text_stream(name))
        monkeypatch.setattr(sys, "stderr", text_stream(name))
        code = run(command, folder)
        outputs.append((code, *(timeless(written(stream)) for stream in (sys.stdout, sys.stderr))))  # type: ignore[arg-type]
    (code, out, err), other = outputs
    if command.startswith("solve --deck"):  # in a message what was typed is spelled, and no letters are read into it
        assert other[0] == 2
        return
    assert other == (code, plain(out, encoding), plain(err, encoding))


def test_a_table_in_letters_is_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", text_stream("ascii"))
    run("deal 42 --table")
    assert written(sys.stdout).splitlines()[1] == "#    QD   TS   JD   7S   [10]     8H   9S   7C   QC"  # type: ignore[arg-type]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_progress_needs_no_encoding_either(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setting, "on_terminal", lambda error=False: error)
    monkeypatch.setattr(shared, "on_terminal", lambda error=False: error)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(sys, "stdout", text_stream(encoding))
    monkeypatch.setattr(sys, "stderr", text_stream(encoding))
    for columns, shown in ((40, "11.111 % won"), (80, "perno"), (140, "deals/s")):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys, "stderr", text_stream(encoding))
        assert run("survey --seeds 0:9") == 0
        assert shown in written(sys.stderr)  # type: ignore[arg-type]
    with shared.Waiting(3, started=-1e9) as waiting:
        waiting.next()
    assert "1/3" in written(sys.stderr)  # type: ignore[arg-type]


def test_what_steers_a_terminal_is_spelled_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", text_stream())
    name = "a\x1b[31m\nb\udcff\u202e"
    with pytest.raises(SystemExit):
        cli.main.main(["check", str(tmp_path / name)], "perno")
    assert written(sys.stderr) == (  # type: ignore[arg-type]
        f"Error: {tmp_path}/a\\x1b[31m\\x0ab\\udcff\\u202e: No such file or directory\n"
    )
    assert shared.printable("7♠ – é\n") == "7♠ – é\n"


def test_other_errors_of_codecs_stay_what_they_are() -> None:
    shared.write_in_any_encoding()
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("utf-8", "perno")


# Terminals

PROSE = [command for command in COMMANDS if not {"--json", "--csv", "--version", "--help"} & set(command.split())]


def on_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """Make standard output pass for a terminal, one without colours."""
    for module in (shared, deal_module):
        monkeypatch.setattr(module, "on_terminal", lambda error=False: not error)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.mark.parametrize("columns", [40, 59, 80])
@pytest.mark.parametrize("command", PROSE)
def test_what_is_written_fits_a_terminal(
    command: str, columns: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = []
    monkeypatch.chdir(folder)  # so that no name is longer than a line
    for width in (1000, columns):
        on_terminal(monkeypatch, width)
        monkeypatch.setattr(sys, "stdout", text_stream())
        run(command)
        outputs.append(written(sys.stdout))  # type: ignore[arg-type]
    words = [{*timeless(text).replace("...", " ").split()} for text in outputs]
    assert max(map(len, outputs[1].splitlines())) <= columns
    assert words[0] == words[1]


def test_what_was_wrapped_is_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(monkeypatch, 40)
    deal = Deal.from_seed(42)
    for start in (deal, State.start(deal)):
        monkeypatch.setattr(sys, "stdout", text_stream())
        shared.say(str(start))
        assert len(written(sys.stdout).splitlines()) > 3  # type: ignore[arg-type]
        assert type(start).from_text(written(sys.stdout)) == start  # type: ignore[arg-type]


def test_errors_are_wrapped_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "on_terminal", lambda error=False: error)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys, "stderr", text_stream())
    assert run("deal 42 --rules x") == 2
    lines = written(sys.stderr).splitlines()  # type: ignore[arg-type]
    assert len(lines) > 3
    assert max(map(len, lines)) <= 40


@pytest.mark.parametrize(
    ("settings", "terminal", "coloured"),
    [
        ({}, False, False),
        ({}, True, True),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": ""}, False, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, False, True),
    ],
)
def test_users_decide_on_colours(
    settings: dict[str, str], *, terminal: bool, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ({"TERM": "xterm"} | settings).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(shared, "on_terminal", lambda: terminal)
    monkeypatch.setattr(sys, "stdout", text_stream())
    shared.say("this deal can be won: 7♥ 7♠ (7S)")
    expected = "this deal \x1b[1;38;5;28mcan be won\x1b[0m: \x1b[1;38;5;160m7♥\x1b[0m \x1b[1m7♠\x1b[0m (7S)\n"
    assert written(sys.stdout) == (expected if coloured else "this deal can be won: 7♥ 7♠ (7S)\n")  # type: ignore[arg-type]


def test_colours_can_be_read_on_black_and_on_white() -> None:
    def light(colour: int) -> float:
        """Return the relative luminance of a colour of the 6x6x6 cube, as WCAG 2 defines it."""
        levels = [(0, 95, 135, 175, 215, 255)[(colour - 16) // size % 6] / 255 for size in (36, 6, 1)]
        linear = [level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in levels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    colours = [int(number) for style in shared.STYLES.values() for number in re.findall(r"color\((\d+)\)", style)]
    assert len(colours) == 5
    for colour in colours:
        assert (light(colour) + 0.05) / 0.05 > 3.8  # more than the 3 to 1 that WCAG 2 wants of bold text
        assert 1.05 / (light(colour) + 0.05) > 3.8
    assert (light(226) + 0.05) / 0.05 > 15  # yellow, which cannot be read on white
    assert 1.05 / (light(226) + 0.05) < 1.1


@pytest.mark.parametrize("command", ["--help", "deal --help", "survey --help"])
def test_help_fits_a_terminal(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys, "stdout", text_stream())
    run(command)
    _, _, options = written(sys.stdout).partition("\nOptions:")  # type: ignore[arg-type]
    assert 30 < max(map(len, options.splitlines())) <= 40


# What ends a command


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (OSError(errno.EIO, "Input/output error"), 2, "Error: Input/output error\n"),
        (OSError(errno.EIO, "Input/output error", "file"), 2, "Error: file: Input/output error\n"),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), 141, ""),
        (BrokenPipeError(errno.EPIPE, "Broken pipe", "file"), 2, "Error: file: Broken pipe\n"),
        (OSError("odd"), 2, "Error: odd\n"),
        (ModuleNotFoundError("rich"), 2, "Error: the command perno needs click and rich: pip install"),
        (MemoryError(), 2, "Error: the machine's memory is used up\n"),
        (RecursionError(), 2, "Error: this is a bug in perno: RecursionError ("),
        (KeyError("x"), 2, f"Error: this is a bug in perno: KeyError: 'x' ({__file__}, line "),
        (AssertionError("no\nway"), 2, "Error: this is a bug in perno: AssertionError: no\\x0away ("),
        (KeyboardInterrupt(), 130, ""),
    ],
)
@pytest.mark.parametrize("place", ["say", "make_context"])
def test_whatever_happens_is_told_in_a_line(
    error: BaseException, code: int, message: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr(sys, "stderr", text_stream())
    monkeypatch.setattr(*((deal_module, "say", fail) if place == "say" else (cli.main, "make_context", fail)))
    assert run("deal 42") == code
    told = written(sys.stderr)  # type: ignore[arg-type]
    assert told.startswith(message)
    assert told.count("\n") == bool(message)


def test_ctrl_c_ends_it_without_a_traceback() -> None:
    args = [*PERNO_COMMAND, "solve", "--seeds", "0:1000"]
    with subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:  # noqa: S603
        assert run.stdout is not None
        assert run.stderr is not None
        assert b"lost" in run.stdout.readline()
        run.send_signal(signal.SIGINT)
        assert run.stderr.read() == b""
    assert run.returncode in {3, 130}  # within a search, or between two


@pytest.mark.parametrize("module", ["perno_solver", "perno_solver.game.rules", "click", "perno_solver.cli.deal"])
def test_ctrl_c_while_modules_are_loaded(module: str) -> None:
    code = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(name, *_):\n"
        f"        if name == {module!r}: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder)\n"
        "sys.argv[1:] = ['deal', '42']\n"
        "from perno_command import main\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)  # noqa: S603
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


# Where it begins


def test_the_command_is_a_module_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["perno", "deal", "42"])
    for _ in range(2):
        with pytest.raises(SystemExit) as exit_:
            runpy.run_module("perno_solver", run_name="__main__")
        assert (exit_.value.code, capsys.readouterr().out) == (0, f"{Deal.from_seed(42)}\n")
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in a job in the background, which stays so
    assert signal.signal(signal.SIGINT, signal.default_int_handler) is signal.SIG_IGN


def test_ctrl_c_before_and_after_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(**_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "main", interrupted)
    monkeypatch.setattr(os, "_exit", sys.exit)
    with pytest.raises(SystemExit) as exit_:
        perno_command.main()
    assert exit_.value.code == 130
    with pytest.raises(SystemExit) as exit_:
        signal.raise_signal(signal.SIGINT)
    assert exit_.value.code == 130
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_without_click_it_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "click", None)
    monkeypatch.delitem(sys.modules, "perno_solver.cli")
    with pytest.raises(SystemExit) as exit_:
        perno_command.main()
    assert exit_.value.code == 2
    error = "Error: the command perno needs click and rich: pip install 'perno_solver[cli]'\n"
    assert capfd.readouterr().err == error
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_shells_can_complete_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_PERNO_COMPLETE", "bash_source")
    monkeypatch.setattr(sys, "stdout", text_stream())
    assert run("") == 0
    assert "_PERNO_COMPLETE=bash_complete" in written(sys.stdout)  # type: ignore[arg-type]
