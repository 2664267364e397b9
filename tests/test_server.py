"""`perno play` is for the user who started it, and loses no game."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from perno_solver import Deal, Game, solve
from perno_solver.cli import main
from perno_solver.web import server
from perno_solver.web.folder import Folder
from perno_solver.web.kept import read
from perno_solver.web.pages import FILES

PORT, SECRET = 4711, "a-secret"
AT = f"http://127.0.0.1:{PORT}"
JSON = {"content-type": "application/json"}


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path / "games")


@pytest.fixture
def client(folder):
    return TestClient(server.application(folder, PORT, SECRET), base_url=AT)


def asked(client, **message):
    answer = client.post(f"/{SECRET}/answer", json=message)
    assert answer.status_code == 200
    return json.loads(answer.text.splitlines()[-1])


# Who may ask


def test_the_page_is_served_to_who_knows_the_secret(client):
    for name in ("", *FILES):
        answer = client.get(f"/{SECRET}/{name}")
        assert answer.status_code == 200
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
    assert asked(client, do="new", seed="42")["dealt"] == "seed 42"


@pytest.mark.parametrize(
    "path", ["/", "/index.html", "/answer", "/another/", "/another/answer", f"/{SECRET[:-1]}/", "//"]
)
def test_nothing_is_there_without_the_secret(client, path):
    assert client.get(path).status_code == 404
    assert client.post(path, json={"do": "list"}).status_code == 404


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:80", ""])
def test_another_host_is_refused(client, host):
    assert client.get(f"/{SECRET}/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", f"https://127.0.0.1:{PORT}", "http://127.0.0.1:80", ""]
)
def test_another_origin_is_refused(client, folder, origin):
    answer = client.post(f"/{SECRET}/answer", json={"do": "new", "seed": "1"}, headers={"origin": origin})
    assert answer.status_code == 403
    assert len(folder) == 0


def test_another_site_may_send_its_reader_here_but_embed_nothing(client):
    from_elsewhere = {"sec-fetch-site": "cross-site"}
    assert client.get(f"/{SECRET}/", headers={**from_elsewhere, "sec-fetch-mode": "navigate"}).status_code == 200
    assert client.get(f"/{SECRET}/page.js", headers={**from_elsewhere, "sec-fetch-mode": "no-cors"}).status_code == 403
    assert client.get(f"/{SECRET}/", headers={"origin": AT, "sec-fetch-site": "same-origin"}).status_code == 200


@pytest.mark.parametrize(
    "path", ["..%2f..%2fpyproject.toml", "answer.py", "%2e%2e/server.py", "games/x.game", "/etc/passwd"]
)
def test_no_other_file_can_be_read(client, path):
    assert client.get(f"/{SECRET}/{path}").status_code == 404


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "..", ".", "", "a/b", "x\0", "x" * 99, "X", "x.game"])
def test_no_name_leads_out_of_the_folder(client, folder, name):
    folder.path.mkdir()
    (folder.path.parent / "secret.game").write_text(str(Game(Deal.from_seed(1))))
    assert "expected a game that is kept" in asked(client, do="open", game=name)["error"]
    assert name not in folder
    for act in (folder.__getitem__, folder.__delitem__, lambda name: folder.__setitem__(name, "")):
        with pytest.raises(KeyError):
            act(name)
    assert [path.name for path in folder.path.parent.iterdir()] == ["games", "secret.game"] or len(folder) == 0


def test_sizes_and_kinds_are_limited(client):
    path = f"/{SECRET}/answer"
    assert client.post(path, content=b" " * (server.MOST_BYTES + 1), headers=JSON).status_code == 413
    assert client.post(path, content="{}", headers={"content-type": "text/plain"}).status_code == 415
    assert client.get(path).status_code in {404, 405}
    assert "error" in json.loads(client.post(path, content=b"\xff\xfe", headers=JSON).text)


def test_it_is_bound_to_this_machine():
    with server.bound(0) as taken:
        host, port = taken.getsockname()
        assert host == "127.0.0.1"
        assert taken.proto == socket.IPPROTO_TCP  # by which asyncio sees that small answers are to be sent at once
        with pytest.raises(OSError, match="in use"):
            server.bound(port)


# What is kept


def test_games_are_kept_in_a_folder_that_only_its_user_sees(client, folder):
    game = asked(client, do="new", seed="2")["game"]
    (path,) = folder.path.iterdir()
    assert path.name == f"{game}.game"
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    asked(client, do="move", game=game, move="T")
    assert Game.from_text(path.read_text()).moves == Game(Deal.from_seed(2), moves="T").moves


def test_other_files_in_the_folder_are_left_alone(client, folder):
    folder.path.mkdir()
    for name in ("notes.txt", ".x.perno", "Mine.game"):
        (folder.path / name).write_text("mine")
    (folder.path / "20260101-000000-00000000.game").mkdir()
    assert asked(client, do="list")["games"] == []
    asked(client, do="new", seed="2")
    assert len(asked(client, do="list")["games"]) == 1
    assert (folder.path / "Mine.game").read_text() == "mine"


def test_a_spoilt_record_is_told_in_words(client, folder):
    folder.path.mkdir()
    (folder.path / "x.game").write_bytes(b"\xff\x00game:")
    assert "error" in asked(client, do="open", game="x")
    assert len(asked(client, do="list")["games"]) == 1


def test_a_game_that_cannot_be_written_is_told_and_stays(client, folder, monkeypatch):
    game = asked(client, do="new", seed="2")["game"]
    before = folder[game]

    def full(*_args, **_kwargs):
        raise OSError(28, "No space left on device", str(folder.path))

    monkeypatch.setattr("perno_solver.web.folder.replaced", full)
    assert "No space left" in asked(client, do="move", game=game, move="T")["error"]
    assert folder[game] == before


def test_a_game_that_is_gone_is_told(client, folder):
    game = asked(client, do="new", seed="2")["game"]
    del folder[game]
    assert "expected a game that is kept" in asked(client, do="move", game=game, move="T")["error"]
    with pytest.raises(KeyError):
        del folder[game]
    with pytest.raises(KeyError):
        folder[game]


def test_several_windows_may_play_at_a_time(client, folder):
    """Each plays a game of its own, and all of them play one together, where no move is lost or played twice."""
    line = [str(move) for move in solve(Deal.from_seed(11), evidence=False).line[:30]]
    shared = asked(client, do="new", seed="11")["game"]
    played = []

    def window():
        mine = asked(client, do="new", seed="11")
        for move in line:
            mine = asked(client, do="move", game=mine["game"], move=move, tag=mine["tag"])
        table = asked(client, do="open", game=shared)
        while table["at"] < len(line):
            table = asked(client, do="move", game=shared, move=line[table["at"]], tag=table["tag"])
            played.append(not table.get("went_on"))

    windows = [threading.Thread(target=window) for _ in range(3)]
    for one in windows:
        one.start()
    for one in windows:
        one.join()
    assert sum(played) == len(line)
    assert [[str(move) for move in read(folder[game]).game.moves] for game in folder] == [line] * 4


# The command


def play(tmp_path, *args):
    """Start `perno play`; return the process and its address."""
    code = "from perno_command import main; main()"
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", code, "play", "--no-browser", *args],
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    return process, process.stdout.readline().strip()


def post(address, **message):
    request = Request(  # noqa: S310
        f"{address.partition('#')[0]}answer", json.dumps(message).encode(), JSON
    )
    with urlopen(request, timeout=60) as answer:  # noqa: S310
        return json.loads(answer.read().splitlines()[-1])


@pytest.mark.skipif(sys.platform != "linux", reason="where the folder is, and SIGKILL")
def test_killed_at_any_moment_no_game_is_lost_beyond_its_last_move(tmp_path):
    process, address = play(tmp_path, "--seed", "11")
    game = address.partition("#game=")[2]
    line = [str(move) for move in solve(Deal.from_seed(11), evidence=False).line]
    for round_ in range(3):
        at = post(address, do="open", game=game)["at"]
        killer = threading.Timer(0.05 + 0.07 * round_, process.send_signal, [signal.SIGKILL])
        killer.start()
        try:
            while True:
                at = post(address, do="move", game=game, move=line[at])["at"]
        except Exception:  # noqa: BLE001 - however it is that nobody answers
            process.wait()
        killer.join()
        process.stdout.close()
        process.stderr.close()
        folder = Folder(tmp_path / "perno_solver" / "games")
        kept = read(folder[game])
        assert at <= kept.at <= at + 1
        assert [str(move) for move in kept.game.moves] == line[: kept.at]
        process, address = play(tmp_path)
    post(address, do="open", game=game)  # so that it serves, and knows what Ctrl-C means
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130


def run(tmp_path, monkeypatch, *args):
    """Run the command up to where it would serve; return what it printed, and the games that are kept."""
    served = []
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(server, "serve", lambda games, taken, secret: (served.append((games, secret)), taken.close()))
    result = CliRunner().invoke(main, ["play", *args])
    return result, served


def test_the_command_begins_a_game_and_prints_an_address_with_a_secret(tmp_path, monkeypatch):
    first, ((games, secret),) = run(tmp_path, monkeypatch, "--seed", "42", "--rules", "eagle-wing", "--no-browser")
    address = first.stdout.strip()
    assert address.startswith("http://127.0.0.1:")
    assert f"/{secret}/#game=" in address
    assert len(secret) == 32
    kept = read(games[address.partition("#game=")[2]])
    assert (str(kept.game.rules), kept.dealt) == ("eagle-wing", "seed 42")
    _, ((_, another),) = run(tmp_path, monkeypatch, "--level", "easy", "--no-browser")
    assert another != secret
    assert len(games) == 2


@pytest.mark.parametrize(
    "text",
    [
        str(Game(Deal.from_seed(2), moves="T T T F:AH")),
        str(Deal.from_seed(2)),
        str(Game(Deal.from_seed(2), moves="T T T").state()),
    ],
)
def test_the_command_goes_on_with_a_file(tmp_path, monkeypatch, text):
    path = tmp_path / "file.txt"
    path.write_text(text)
    result, ((games, _),) = run(tmp_path, monkeypatch, "--file", str(path), "--no-browser")
    (game,) = games
    assert f"#game={game}" in result.stdout
    assert read(games[game]).at == text.count("F:AH") * 4


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "nothing in it"),
        (f"{Deal.from_seed(1)}\n{Deal.from_seed(2)}", "2 games in"),
        (str(Game(Deal.from_seed(2)).view()), "unseen cards"),
    ],
)
def test_a_file_that_is_no_game_is_refused(tmp_path, monkeypatch, text, error):
    path = tmp_path / "file.txt"
    path.write_text(text)
    result, served = run(tmp_path, monkeypatch, "--file", str(path))
    assert result.exit_code == 2
    assert error in result.stderr
    assert served == []


def test_wrong_options_are_told_in_a_line(tmp_path, monkeypatch):
    with server.bound(0) as taken:
        port = str(taken.getsockname()[1])
        assert f"port {port}: Address already in use" in run(tmp_path, monkeypatch, "--port", port)[0].stderr
    assert "give one of" in run(tmp_path, monkeypatch, "--seed", "1", "--level", "easy")[0].stderr
    assert "number of a deal" in run(tmp_path, monkeypatch, "--seed", "-1")[0].stderr
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    assert "pip install 'perno_solver[play]'" in run(tmp_path, monkeypatch)[0].stderr


def test_the_page_begins_with_rules_and_in_the_language_that_are_asked_for(tmp_path, monkeypatch):
    result, _ = run(tmp_path, monkeypatch, "--rules", "perno", "--redeals", "3", "--lang", "it", "--no-browser")
    assert result.stdout.strip().endswith("/#rules=perno%2Credeals%3D3&lang=it")
    assert "Le partite" in result.stderr


def test_the_port_is_always_the_same_if_it_is_free(tmp_path, monkeypatch):
    with server.bound(0) as other:
        free = other.getsockname()[1]
    monkeypatch.setattr("perno_solver.cli.play.PORT", free)
    assert f":{free}/" in run(tmp_path, monkeypatch, "--no-browser")[0].stdout
    with server.bound(free):
        refused, _ = run(tmp_path, monkeypatch, "--no-browser", "--seed", "5", "--port", str(free))
        assert (refused.exit_code, refused.stderr) == (2, f"Error: port {free}: Address already in use\n")
        assert not list(Folder(tmp_path / "perno_solver" / "games"))  # no game was begun
        result, _ = run(tmp_path, monkeypatch, "--no-browser")
        assert result.exit_code == 0
        assert f":{free}/" not in result.stdout


def test_the_address_is_given_to_the_browser_in_a_file_for_its_user_alone(tmp_path, monkeypatch):
    opened = []

    def browse(address):
        path = Path(address.removeprefix("file://"))
        opened.append((path, stat.S_IMODE(path.stat().st_mode), path.read_text()))

    monkeypatch.setattr("webbrowser.open", browse)
    result, _ = run(tmp_path, monkeypatch)
    ((path, mode, page),) = opened
    assert mode == 0o600
    assert f'url={result.stdout.strip()}"' in page
    assert not path.exists()


def test_the_server_speaks_http_alone_at_its_own_port(folder, monkeypatch):
    served = []
    monkeypatch.setattr("uvicorn.Server.run", lambda self, sockets: served.append((self.config, sockets)))
    with server.bound(0) as taken:
        server.serve(folder, taken, SECRET)
        ((config, sockets),) = served
        assert sockets == [taken]
        at = f"http://127.0.0.1:{taken.getsockname()[1]}"
    assert (config.ws, config.lifespan, config.access_log) == ("none", "off", False)
    assert TestClient(config.app, base_url=at).get(f"/{SECRET}/").status_code == 200


def test_it_serves_until_ctrl_c(tmp_path):
    process, address = play(tmp_path, "--level", "easy")
    assert post(address, do="list")["games"]
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert "Traceback" not in told
    assert "Games are kept in" in told


def test_a_request_that_breaks_off_is_no_mishap(folder):
    sent = []

    async def receive():
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    headers = [(b"host", f"127.0.0.1:{PORT}".encode()), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": f"/{SECRET}/answer", "query_string": b"", "headers": headers}
    asyncio.run(server.application(folder, PORT, SECRET)({**scope, "root_path": ""}, receive, send))
    assert sent[0]["status"] == 400


@pytest.mark.parametrize("path", ["", "*", "foo", "?x", "evil:80"])
def test_paths_that_are_none_are_refused(folder, path):
    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "root_path": ""}
    headers = [(b"host", f"127.0.0.1:{PORT}".encode())]
    asyncio.run(server.application(folder, PORT, SECRET)({**scope, "headers": headers}, None, send))
    assert sent[0]["status"] == 404
    assert (b"x-content-type-options", b"nosniff") in sent[0]["headers"]


def test_who_connects_and_says_nothing_shuts_nobody_out(tmp_path):
    process, address = play(tmp_path, "--seed", "11")
    try:
        port = int(address.partition("127.0.0.1:")[2].partition("/")[0])
        with contextlib.ExitStack() as stack:
            for _ in range(150):
                stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            assert post(address, do="list")["games"]
    finally:
        process.kill()
        process.communicate(timeout=60)
