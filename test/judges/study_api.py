"""A Study API on FastAPI under `/api/v1`, for pydantic 1 and 2. It keeps studies, and a ledger of calls, in memory.

Prints its port as the first line, and ends when its stdin is closed. `GET /ledger` needs no token. The token
`test-token` may do everything, `stranger` nothing. A create in the language `hold` is stored and never answered.
"""

import asyncio
import os
import socket
import sys
import threading
from datetime import datetime
from typing import Any, Optional
from uuid import UUID, uuid4

import uvicorn
from fastapi import APIRouter, Depends, FastAPI, HTTPException, Query, Request
from fastapi.security import HTTPBearer
from pydantic import create_model

ledger, studies = [], {}
Progress = create_model("Progress", total=(int, ...), completed=(int, ...), failed=(int, ...))
text, texts, uuid, object_ = ((Optional[kind], None) for kind in (str, list[str], UUID, dict[str, Any]))
edit = dict(description=text, projectId=uuid, createdAt=(Optional[datetime], None), bookmarked=(Optional[bool], None))
edit |= dict(language=text, audiences=texts, files=texts, progress=(Optional[Progress], None), status=text)
edit |= dict(knowledgeGraphs=texts, strategy=text, interviewCount=(Optional[int], None), interviews=texts)
create = dict(problems=texts, solutionId=uuid, researchGoalId=uuid)
answer = dict(id=(UUID, ...), projectId=(UUID, UUID(int=0)), planId=text, solution=object_, researchGoal=object_)
answer |= dict.fromkeys(("audiences", "problems", "files", "interviews", "summaries"), (list[str], []))
answer |= dict.fromkeys(("audiencesObj", "problemsObj"), (list[dict[str, Any]], []))
EditStudy = create_model("EditStudy", **edit)
CreateStudy = create_model("CreateStudy", **edit, **create)
Study = create_model("Study", **{**edit, **create, **answer})
numbers = dict.fromkeys(("total", "page", "size", "pages"), (int, ...))
Page = create_model("Page", items=(list[Study], ...), **numbers)


async def record(request: Request) -> None:
    target = str(request.url).removeprefix(str(request.base_url))
    ledger.append(f"{request.method} /{target} {(await request.body()).decode()}")


def check(bearer: Any = Depends(HTTPBearer())) -> None:
    if bearer.credentials != "test-token":
        raise HTTPException(403 if bearer.credentials == "stranger" else 401)


def find(study_id: UUID) -> Any:
    if study_id not in studies:
        raise HTTPException(404, "Study not found")
    return studies[study_id]


def store(old: Any, body: Any) -> Any:
    """Stores what was sent; `null` brings back the default. No double holds the numbers of the objects."""
    study = {name: value for name, value in {**old, **body.dict(exclude_unset=True)}.items() if value is not None}
    objects = [{"name": name, "size": 2**70 + 1, "low": -0.0} for name in study.get("audiences", [])]
    studies[study["id"]] = {**study, "audiencesObj": objects, "solution": {"costs": [12345678901234567890, 0.1]}}
    return studies[study["id"]]


async def create_study(body: CreateStudy) -> Any:
    study = store({"id": uuid4()}, body)
    return await asyncio.Event().wait() if body.language == "hold" else study


def edit_study(study_id: UUID, body: EditStudy) -> Any:
    return store(find(study_id), body)


def list_studies(page: int = Query(1, ge=1), size: int = Query(50, ge=1, le=100), projectId: str = "") -> Any:
    projects = [UUID(project) for project in projectId.split(",") if project]
    found = [study for study in studies.values() if not projects or study.get("projectId") in projects]
    items = found[(page - 1) * size : page * size]
    return dict(items=items, total=len(found), page=page, size=size, pages=-(-len(found) // size))


app = FastAPI()
api = APIRouter(prefix="/api/v1/studies", dependencies=[Depends(record), Depends(check)])
api.post("", response_model=Study)(create_study)
api.patch("/{study_id}", response_model=Study)(edit_study)
api.get("/{study_id}", response_model=Study)(find)
api.get("", response_model=Page)(list_studies)
app.include_router(api)
app.get("/ledger")(lambda: ledger)

listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
