"""A Study API on FastAPI whose names and forms are given as JSON, in the first argument.

Prints its URL as the first line, and ends when its stdin is closed.
"""

import json
import os
import socket
import sys
import threading
from datetime import datetime
from typing import Any, Optional
from uuid import UUID, uuid4

import uvicorn
from fastapi import APIRouter, FastAPI, HTTPException, Query, Request
from pydantic import create_model

form = json.loads(sys.argv[1])
first = form.get("firstPage", 1)
sent_names = form.get("request", {})
shown_names = form.get("answer", {})


def to_model(name: str, names: dict[str, str], types: dict[str, Any], required: list[str]) -> Any:
    """Makes a model whose fields have the API's names. A field that is not required may be null."""
    fields = {}
    for field, kind in types.items():
        is_required = field in required
        fields[names.get(field, field)] = (kind if is_required else Optional[kind], ... if is_required else None)
    return create_model(name, **fields)


parts = ("total", "completed", "failed")
edit_types = {
    "description": str,
    "projectId": UUID,
    "createdAt": datetime,
    "bookmarked": bool,
    "language": str,
    "audiences": list[str],
    "files": list[str],
    "progress": to_model("Progress", {}, dict.fromkeys(parts, int), list(parts)),
    "status": str,
    "knowledgeGraphs": list[str],
    "strategy": str,
    "interviewCount": int,
    "interviews": list[str],
}
create_types = {**edit_types, "problems": list[str], "solutionId": UUID, "researchGoalId": UUID}
study_types = {
    "id": UUID,
    **edit_types,
    "audiencesObj": list[dict[str, Any]],
    "problems": list[str],
    "problemsObj": list[dict[str, Any]],
    "planId": str,
    "solutionId": UUID,
    "solution": dict[str, Any],
    "researchGoalId": UUID,
    "researchGoal": dict[str, Any],
    "summaries": list[str],
}
always = ["id", "projectId", "audiences", "audiencesObj", "problems", "problemsObj", "files"]
always += ["interviews", "summaries"]
study_types = {name: study_types[name] for name in study_types if name not in form.get("absent", [])}

Create = to_model("CreateStudy", sent_names, create_types, form.get("required", []))
Edit = to_model("EditStudy", sent_names, edit_types, [])
Study = to_model("Study", shown_names, study_types, always)
around = form.get("around")
Answer = create_model("Answer", **{around: (Study, ...)}) if around else Study
Page = create_model(
    "Page",
    **{form.get("items", "items"): (list[Study], ...)},
    **{name: (int, ...) for name in ("total", "page", "size", "pages")},
)

bodies: list[str] = []
studies: dict[UUID, dict[str, Any]] = {}
app = FastAPI()
router = APIRouter()


def show(study: dict[str, Any]) -> dict[str, Any]:
    """Returns a stored study by the API's names."""
    lists = {name: study.get(name) or [] for name in always if name not in ("id", "projectId")}
    whole = {name: {**study, **lists}.get(name) for name in study_types}
    return {shown_names.get(name, name): value for name, value in whole.items()}


def wrap(study: dict[str, Any]) -> dict[str, Any]:
    return {around: show(study)} if around else show(study)


async def read(request: Request, model: Any) -> dict[str, Any]:
    """Returns the fields of a body by the names of the document."""
    bodies.append((await request.body()).decode())
    own = {api: name for name, api in sent_names.items()}
    return {own.get(api, api): value for api, value in model.dict(exclude_unset=True).items()}


@router.post("/studies", response_model=Answer)
async def create_study(body: Create, request: Request) -> Any:
    study = {"id": uuid4(), **await read(request, body)}
    studies[study["id"]] = study
    return wrap(study)


@router.patch("/studies/{study_id}", response_model=Answer)
async def edit_study(study_id: UUID, body: Edit, request: Request) -> Any:
    studies[study_id] = {**studies[study_id], **await read(request, body)}
    return wrap(studies[study_id])


if form.get("reads", True):

    @router.get("/studies/{study_id}", response_model=Answer)
    async def get_study(study_id: UUID) -> Any:
        if study_id not in studies:
            raise HTTPException(404, "Study not found")
        return wrap(studies[study_id])

    @router.get("/studies", response_model=Page)
    async def list_studies(
        page: int = Query(first, ge=first),
        size: int = Query(50, ge=1, le=100),
        projectId: Optional[str] = None,
    ) -> Any:
        found = list(studies.values())
        begin = (page - first) * size
        items = [show(study) for study in found[begin : begin + size]]
        numbers = {"total": len(found), "page": page, "size": size, "pages": -(-len(found) // size)}
        return {form.get("items", "items"): items, **numbers}


@app.get("/_bodies", include_in_schema=False)
async def get_bodies() -> list[str]:
    return bodies


def end_with_stdin() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    app.include_router(router, prefix=form.get("prefix", ""))
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    threading.Thread(target=end_with_stdin, daemon=True).start()
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(app, http="h11", loop="asyncio", log_level="warning", access_log=False)
    uvicorn.Server(config).run(sockets=[listener])
