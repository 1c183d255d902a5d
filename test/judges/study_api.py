"""A Study API on FastAPI. It stores studies in memory, and lies to the bearer tokens that `PUT /_lies` names.

Prints its URL as the first line, and ends when its stdin is closed.
"""

import os
import socket
import sys
import threading
from collections import defaultdict
from datetime import datetime
from typing import Any, Optional
from uuid import UUID, uuid4

import uvicorn
from fastapi import Depends, FastAPI, HTTPException, Query, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, conint


class Progress(BaseModel):
    total: int
    completed: int
    failed: int


class EditStudy(BaseModel):
    description: Optional[str]
    projectId: Optional[UUID]
    createdAt: Optional[datetime]
    bookmarked: Optional[bool]
    language: Optional[str]
    audiences: Optional[list[str]]
    files: Optional[list[str]]
    progress: Optional[Progress]
    status: Optional[str]
    knowledgeGraphs: Optional[list[str]]
    strategy: Optional[str]
    interviewCount: Optional[conint(ge=0)]
    interviews: Optional[list[str]]


class CreateStudy(EditStudy):
    problems: Optional[list[str]]
    solutionId: Optional[UUID]
    researchGoalId: Optional[UUID]


class Study(BaseModel):
    id: UUID
    description: Optional[str] = None
    projectId: UUID = UUID("123e4567-e89b-12d3-a456-426614174000")
    createdAt: datetime = datetime.fromisoformat("2026-03-01T09:30:00.123456+01:00")
    bookmarked: bool = False
    language: str = "en"
    audiences: list[str] = []
    audiencesObj: list[dict[str, Any]] = []
    problems: list[str] = []
    problemsObj: list[dict[str, Any]] = []
    files: list[str] = []
    planId: Optional[str] = None
    progress: Optional[Progress] = None
    status: str = "draft"
    solutionId: Optional[UUID] = None
    solution: Optional[dict[str, Any]] = None
    researchGoalId: Optional[UUID] = None
    researchGoal: Optional[dict[str, Any]] = None
    knowledgeGraphs: list[str] = []
    strategy: str = "solution_feedback"
    interviewCount: Optional[int] = None
    interviews: list[str] = []
    summaries: list[str] = []


class Page(BaseModel):
    items: list[Study]
    total: int
    page: int
    size: int
    pages: int


class Lie(BaseModel):
    """The answer to every call with a token, and whether a write is stored before that answer."""

    stores: bool = False
    status: int = 200
    headers: dict[str, str] = {}
    body: str = ""


class Seen(BaseModel):
    """The calls that arrived with a token, and the ids of the studies that these calls stored."""

    calls: list[dict[str, str]] = []
    stored: list[UUID] = []


studies: dict[UUID, Study] = {}
lies: dict[str, Lie] = {}
seen: dict[str, Seen] = defaultdict(Seen)
app = FastAPI()


async def to_token(
    request: Request, credentials: HTTPAuthorizationCredentials = Depends(HTTPBearer())
) -> str:
    query = f"?{request.url.query}" if request.url.query else ""
    call = f"{request.method} {request.url.path}{query}"
    body = (await request.body()).decode()
    seen[credentials.credentials].calls.append({"request": call, "body": body})
    return credentials.credentials


def answer(token: str, truth: Any) -> Any:
    lie = lies.get(token)
    if lie is None:
        return truth
    # Without a media type, Starlette adds no content type.
    return Response(lie.body, lie.status, lie.headers)


def store(token: str, study: Study) -> Any:
    if token not in lies or lies[token].stores:
        studies[study.id] = study
        seen[token].stored.append(study.id)
    return answer(token, study)


def find(token: str, study_id: UUID) -> Study:
    if study_id not in studies and token not in lies:
        raise HTTPException(404, "Study not found")
    return studies.get(study_id, Study(id=study_id))


@app.post("/studies", response_model=Study)
async def create_study(body: CreateStudy, token: str = Depends(to_token)) -> Any:
    return store(token, Study(id=uuid4(), **body.dict(exclude_unset=True)))


@app.patch("/studies/{study_id}", response_model=Study)
async def edit_study(study_id: UUID, body: EditStudy, token: str = Depends(to_token)) -> Any:
    changes = body.dict(exclude_unset=True)
    return store(token, Study(**{**find(token, study_id).dict(), **changes}))


@app.get("/studies/{study_id}", response_model=Study)
async def get_study(study_id: UUID, token: str = Depends(to_token)) -> Any:
    return answer(token, find(token, study_id))


@app.get("/studies", response_model=Page)
async def list_studies(
    page: int = Query(1, ge=1),
    size: int = Query(50, ge=1, le=100),
    projectId: Optional[str] = None,
    token: str = Depends(to_token),
) -> Any:
    projects = {UUID(project) for project in projectId.split(",")} if projectId else None
    found = [one for one in studies.values() if not projects or one.projectId in projects]
    items = found[(page - 1) * size : page * size]
    pages = -(-len(found) // size)
    return answer(token, Page(items=items, total=len(found), page=page, size=size, pages=pages))


@app.put("/_lies", status_code=204, response_class=Response)
async def tell_lies(told: dict[str, Lie]) -> None:
    lies.update(told)


@app.get("/_seen")
async def get_seen(prefix: str) -> dict[str, Seen]:
    return {token: one for token, one in seen.items() if token.startswith(prefix)}


def end_with_stdin() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    threading.Thread(target=end_with_stdin, daemon=True).start()
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(app, http="h11", loop="asyncio", log_level="warning", access_log=False)
    uvicorn.Server(config).run(sockets=[listener])
