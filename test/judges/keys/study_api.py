"""A Study API with a ledger of every write that arrived, and of whether the write was carried out.

A study belongs to the account that created it: the part of the bearer token before the dot. The description of a write
is its mark. `PUT /_endings` says how the calls with a mark end, in order; `PUT /_reads` how the reads of a token end.
Prints its URL as the first line, and ends when its stdin is closed.
"""

import asyncio
import json
import os
import socket
import sys
import threading
from collections import defaultdict
from typing import Any, Optional
from uuid import UUID, uuid4

import uvicorn
from fastapi import Body, Depends, FastAPI, HTTPException, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel
from uvicorn.protocols.http.h11_impl import H11Protocol


class Ending(BaseModel):
    """How a call ends. `body` is study, none, broken, drift, other, success or refusal."""

    carries: bool = True
    status: int = 201
    body: str = "study"
    # Where the connection is cut: "request" (no answer), "answer" (within the body), or nowhere.
    cuts: str = ""
    # Whether the call waits for `POST /_release`: "before" or "after" it is carried out, or never.
    holds: str = ""
    delay: float = 0


class Write(BaseModel):
    method: str
    token: str
    requestId: Optional[str]
    key: Optional[str]
    carried: bool = False
    status: Optional[int] = None
    studyId: Optional[str] = None
    secret: Optional[str] = None


class Read(BaseModel):
    token: str
    studyId: str


class Connection(H11Protocol):
    """An HTTP connection that a call can cut."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.name = transport.get_extra_info("peername")
        connections[self.name] = (transport, asyncio.Event())

    def connection_lost(self, exc: Any) -> None:
        super().connection_lost(exc)
        connections.pop(self.name)[1].set()


connections: dict[tuple[str, int], tuple[Any, asyncio.Event]] = {}
studies: dict[str, dict[str, Any]] = {}
owners: dict[str, str] = {}
marks: dict[str, str] = {}
endings: dict[str, list[Ending]] = {}
read_endings: dict[str, Ending] = {}
writes: dict[str, list[Write]] = defaultdict(list)
reads: dict[str, list[Read]] = defaultdict(list)
releases: dict[str, asyncio.Event] = defaultdict(asyncio.Event)
changed = asyncio.Condition()
app = FastAPI()


async def to_token(credentials: HTTPAuthorizationCredentials = Depends(HTTPBearer())) -> str:
    return credentials.credentials


def to_body(ending: Ending, study: dict[str, Any]) -> bytes:
    if ending.body == "none":
        return b""
    if ending.body == "broken":
        return b'{"study": broken}'
    bodies: dict[str, Any] = {
        "study": study,
        "drift": {**study, "description": [5]},
        "other": {**study, "id": str(uuid4())},
        "success": {"success": True},
        "refusal": {"detail": [{"loc": ["body", "projectId"], "msg": "no", "type": "value_error"}]},
    }
    return json.dumps(bodies[ending.body]).encode()


async def answer(request: Request, ending: Ending, study: dict[str, Any]) -> Response:
    body = to_body(ending, study)
    headers = {"content-type": "application/json"} if body else {}
    if ending.cuts:
        transport, lost = connections[request.scope["client"]]
        if ending.cuts == "answer":
            head = f"HTTP/1.1 {ending.status} OK\r\ncontent-type: application/json\r\n"
            half = body[: len(body) // 2]
            transport.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + half)
            transport.close()
        else:
            transport.abort()
        await lost.wait()
    return Response(body, ending.status, headers)


def create(account: str, body: dict[str, Any]) -> dict[str, Any]:
    lists = ["audiences", "audiencesObj", "problems", "problemsObj", "files", "interviews"]
    study = {
        "id": str(uuid4()),
        "projectId": "123e4567-e89b-12d3-a456-426614174000",
        "createdAt": "2026-03-01T09:30:00.000Z",
        "bookmarked": False,
        "language": "en",
        "status": "draft",
        "strategy": "solution_feedback",
        "summaries": [],
        **{name: [] for name in lists},
        **body,
        "planId": f"secret-{uuid4()}",
    }
    studies[study["id"]] = study
    owners[study["id"]] = account
    return study


async def write(request: Request, token: str, body: dict[str, Any], study_id: Optional[str]) -> Any:
    mark = str(body.get("description"))
    header = request.headers.get
    entry = Write(
        method=request.method,
        token=token,
        requestId=header("x-request-id"),
        key=header("idempotency-key"),
    )
    queue = endings.get(mark)
    ending = queue.pop(0) if queue else Ending()
    writes[mark].append(entry)
    async with changed:
        changed.notify_all()
    if ending.holds == "before":
        await releases[mark].wait()
    account = token.split(".")[0]
    if study_id is not None and owners.get(study_id) != account:
        entry.status = 404
        raise HTTPException(404, "Study not found")
    study: dict[str, Any] = {}
    if ending.carries:
        if study_id is None:
            study = create(account, body)
        else:
            study = studies[study_id]
            study.update(body)
        marks[study["id"]] = mark
        entry.carried, entry.studyId, entry.secret = True, study["id"], study["planId"]
    async with changed:
        changed.notify_all()
    if ending.holds == "after":
        await releases[mark].wait()
    await asyncio.sleep(ending.delay)
    entry.status = None if ending.cuts == "request" else ending.status
    return await answer(request, ending, study)


@app.post("/studies")
async def create_study(
    request: Request, body: dict[str, Any] = Body(...), token: str = Depends(to_token)
) -> Any:
    return await write(request, token, body, None)


@app.patch("/studies/{study_id}")
async def edit_study(
    request: Request, study_id: UUID, body: dict[str, Any] = Body(...), token: str = Depends(to_token)
) -> Any:
    return await write(request, token, body, str(study_id))


@app.get("/studies/{study_id}")
async def get_study(request: Request, study_id: UUID, token: str = Depends(to_token)) -> Any:
    name = str(study_id)
    reads[marks.get(name, "")].append(Read(token=token, studyId=name))
    if owners.get(name) != token.split(".")[0]:
        raise HTTPException(404, "Study not found")
    ending = read_endings.get(token, Ending(status=200))
    await asyncio.sleep(ending.delay)
    return await answer(request, ending, studies[name])


@app.put("/_endings", status_code=204, response_class=Response)
async def put_endings(given: dict[str, list[Ending]]) -> None:
    endings.update(given)


@app.put("/_reads", status_code=204, response_class=Response)
async def put_reads(given: dict[str, Ending]) -> None:
    read_endings.update(given)


@app.post("/_release", status_code=204, response_class=Response)
async def release(given: list[str]) -> None:
    for mark in given:
        releases[mark].set()


@app.get("/_ledger")
async def get_ledger(mark: str, arrived: int = 0, carried: int = 0) -> Any:
    """Waits for so many calls that have arrived and so many that were carried out."""

    def is_there() -> bool:
        entries = writes[mark]
        return len(entries) >= arrived and sum(entry.carried for entry in entries) >= carried

    async with changed:
        await changed.wait_for(is_there)
    return {"writes": writes[mark], "reads": reads[mark]}


def end_with_stdin() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    threading.Thread(target=end_with_stdin, daemon=True).start()
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(
        app,
        http=Connection,
        loop="asyncio",
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        timeout_keep_alive=60,
    )
    uvicorn.Server(config).run(sockets=[listener])
