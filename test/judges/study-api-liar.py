"""Starts Study APIs that tell the truth or lie.

    study-api-liar.py [--form <form>] [--lie <lie>]… [--token <token>]   starts one
    study-api-liar.py --serve    starts one for each line of JSON on stdin: {"form": "…", "lies": ["…"], "token": "…"}
    study-api-liar.py --list     prints all forms and lies

Prints a line of JSON for each, with its `url` and the `other` host to which it may redirect, and ends with its stdin.
`GET /__received` of either returns the requests so far, and `GET /__stored` of the API the studies stored since its
start. Standard library only.
"""

from __future__ import annotations

import argparse
import json
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from liar import lies_of_answers, lies_of_forms, lies_of_values
from liar.api import Api, Call, Reply
from liar.forms import forms
from liar.lies import lies

BASE = "/api/v1"
assert lies_of_forms and lies_of_answers and lies_of_values


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, api: Any) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.api = api
        self.received: list[dict[str, Any]] = []
        self.lock = threading.Lock()
        self.seeded = set(api.studies) if api else set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def find_stored(self) -> list[dict[str, Any]]:
        """Returns the id and the description of each study that a request stored."""
        own = self.seeded | {key for key in self.api.studies if key.startswith("5eed0000")}
        stored = [study for key, study in self.api.studies.items() if key not in own]
        return [{"id": str(study["id"]), "description": str(study["description"])} for study in stored]

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def respond(self) -> None:
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if parts.path == "/__received":
            return self.write(Reply(200, self.server.received))
        if parts.path == "/__stored":
            return self.write(Reply(200, self.server.find_stored()))
        seen = {"method": self.command, "path": self.path, "authorization": self.headers.get("authorization")}
        with self.server.lock:
            self.server.received.append({**seen, "body": body.decode("utf-8", "replace"), "atMs": time.time() * 1000})
            self.write(self.answer(parts, body))

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = do_HEAD = do_OPTIONS = respond

    def answer(self, parts: Any, body: bytes) -> Reply:
        api = self.server.api
        if api is None:
            return Reply(200, {"id": "5eed0000-0000-4000-8000-000000000001"})
        call = Call(self.command, unquote(parts.path), parse_qs(parts.query, True), self.headers, None)
        try:
            call.body = json.loads(body) if body else None
        except ValueError:
            return api.refuse(400, "The body is not JSON")
        return api.finish(api.answer(call), call)

    def write(self, reply: Reply) -> None:
        time.sleep(reply.wait_s)
        content = json.dumps(reply.content).encode() if reply.raw is None else reply.raw
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.status != 204:
            self.send_header("Content-Type", reply.media_type)
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if reply.cut else content)
        if reply.cut:
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        pass


def start(form: str, names: list[str], token: str) -> None:
    api = Api(BASE, token)
    forms[form](api)
    for name in names:
        lies[name](api)
    servers = [Server(api), Server(None)]
    host, other = (f"http://127.0.0.1:{server.server_address[1]}" for server in servers)
    api.url, api.other_url = host, other
    print(json.dumps({"url": host + BASE, "other": other}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--form", default="reference", choices=sorted(forms))
    parser.add_argument("--lie", action="append", default=[], choices=sorted(lies))
    parser.add_argument("--token", default="judge-token")
    parser.add_argument("--serve", action="store_true")
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    if asked.list:
        print(json.dumps({"forms": sorted(forms), "lies": sorted(lies)}))
        return
    if not asked.serve:
        start(asked.form, asked.lie, asked.token)
    for line in sys.stdin:
        if asked.serve:
            one = json.loads(line)
            start(one["form"], one["lies"], one["token"])


main()
