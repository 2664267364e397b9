"""The page on this machine: what `perno play` serves, to nobody but the user who started it.

The server is bound to 127.0.0.1, which every user of the machine can reach. So the address has a secret in it, without
which there is nothing; requests that come from other sites, or under another name than the server's, as after DNS
rebinding, are refused; and what is served is the page's own files, read beforehand, and answers about games.
"""

import json
import secrets
import socket
import threading
from collections.abc import Iterator

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import iterate_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from perno_solver.web.answer import answer
from perno_solver.web.folder import Folder
from perno_solver.web.pages import FILES, POLICY, TYPES, page_file

HOST = "127.0.0.1"

MOST_BYTES = 1 << 20
"""Of a message: games that are imported are some hundred bytes each."""

_HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}


def application(games: Folder, port: int, secret: str) -> ASGIApp:
    """Make the application that serves the page.

    Args:
        games: where games are kept.
        port: where it will be reached, at 127.0.0.1.
        secret: what the path of each request begins with.
    """
    lock = threading.Lock()  # several windows may ask at a time
    pages = {name: page_file(name, "server") for name in FILES}

    async def page(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        if name not in pages:
            return _refused(404, "there is no such file")
        return Response(pages[name], media_type=TYPES[name.rpartition(".")[2]])

    async def answers(request: Request) -> Response:
        if request.headers.get("content-type") != "application/json":
            return _refused(415, "expected application/json")
        message = b""
        try:
            async for chunk in request.stream():
                message += chunk
                if len(message) > MOST_BYTES:
                    return _refused(413, f"expected at most {MOST_BYTES} bytes")
        except ClientDisconnect:
            return _refused(400, "expected a whole message")
        steps = iterate_in_threadpool(_told(message.decode("utf-8", "replace"), games, lock))
        return StreamingResponse(steps, media_type="application/x-ndjson")

    inside = [Route("/", page), Route("/answer", answers, methods=["POST"]), Route("/{name}", page)]
    return _guarded(Starlette(routes=[Mount(f"/{secret}", routes=inside)]), port, secret)


def _told(message: str, games: Folder, lock: threading.Lock) -> Iterator[str]:
    """Yield answers, a line each, one at a time in the whole server, so that none reads a game while it changes."""
    answers = answer(message, games)
    while True:
        with lock:
            try:
                text = next(answers, None)
            except OSError as error:
                text = json.dumps({"error": f"{error.filename}: {error.strerror}", "done": True})
        if text is None:
            return
        yield f"{text}\n"


def _guarded(app: ASGIApp, port: int, secret: str) -> ASGIApp:
    """Refuse what does not come from the page itself, and give every answer the headers that keep it safe."""
    hosts = {f"{name}:{port}" for name in (HOST, "localhost")}

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        given = scope["path"].removeprefix("/").split("/")[0].encode()

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        to: ASGIApp = app
        if headers.get("host") not in hosts:
            to = _refused(421, "this is another host")
        elif (origin is not None and origin.removeprefix("http://") not in hosts) or _is_embedded(headers):
            to = _refused(403, "expected a request of the page itself")
        elif not secrets.compare_digest(given, secret.encode()):
            to = _refused(404, "expected the whole address, as it was printed")
        await to(scope, receive, with_headers)

    return guarded


def _is_embedded(headers: Headers) -> bool:
    """Whether another site asks for a part of the page, rather than a user to go there."""
    others = headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}
    return others and headers.get("sec-fetch-mode") != "navigate"


def _refused(status: int, why: str) -> PlainTextResponse:
    return PlainTextResponse(f"perno: {why}\n", status)


def bound(port: int) -> socket.socket:
    """Take a port of this machine that nobody else can reach; 0 is any that is free.

    Raises:
        OSError: it is taken.
    """
    # Named as TCP, or else asyncio would not have small answers sent at once, but wait 40 ms for what might follow.
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        taken.bind((HOST, port))
        taken.listen()  # so that who reads the address can come at once
    except OSError:
        taken.close()
        raise
    return taken


def serve(games: Folder, taken: socket.socket, secret: str) -> None:
    """Serve the page until Ctrl-C."""
    port = taken.getsockname()[1]
    config = uvicorn.Config(
        application(games, port, secret),
        lifespan="off",
        ws="none",  # nothing but HTTP is spoken
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    uvicorn.Server(config).run(sockets=[taken])
