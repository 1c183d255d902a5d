"""Study APIs on FastAPI, one for each form: a JSON object of forms is the only argument.

Prints the URL of each form as one line of JSON, and ends when its stdin is closed. `GET /__received` of a form
returns its calls so far, each with the bytes of its body as text.
"""

import asyncio
import json
import os
import socket
import sys
import threading
from datetime import datetime
from typing import Any, Optional
from uuid import UUID

import uvicorn
from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, conint, create_model

Count = conint(ge=0)
Objects = list[dict[str, Any]]
PROGRESS = {"total": Count, "completed": Count, "failed": Count}
EDITED = {
    "description": str, "projectId": UUID, "createdAt": datetime, "bookmarked": bool, "language": str,
    "audiences": list[str], "files": list[str], "progress": PROGRESS, "status": str,
    "knowledgeGraphs": list[str], "strategy": str, "interviewCount": Count, "interviews": list[str],
}
CREATED = {**EDITED, "problems": list[str], "solutionId": UUID, "researchGoalId": UUID}
STUDY = {
    "id": UUID, **CREATED, "audiencesObj": Objects, "problemsObj": Objects, "planId": str,
    "solution": dict[str, Any], "researchGoal": dict[str, Any], "summaries": list[str],
}
REQUIRED = "id projectId audiences audiencesObj problems problemsObj files interviews summaries".split()
# What no request writes. The names inside these objects belong to their authors: no rule may translate them.
ADDED = {
    "audiencesObj": [{"displayName": "a", "display_name": "b", "projectId": "c"}],
    "problemsObj": [{"kg_ids": 1, "knowledgeGraphs": 2}],
    "planId": "plan-7",
    "solution": {"created_at": "never", "createdAt": {"done": 1, "total": 2}},
    "researchGoal": {"research_goal": None, "researchGoal": True},
    "summaries": ["summary-1"],
    **{name: [] for name in ["audiences", "problems", "files", "interviews"]},
}


def to_wire(naming: Any, name: str) -> str:
    if naming == "snake_case":
        return "".join("_" + c.lower() if c.isupper() else c for c in name)
    return (naming or {}).get(name, name)


def to_model(title: str, naming: Any, fields: dict[str, Any], required: list[str], absent: list[str] = []) -> Any:
    """Makes a model whose fields have the names of the reference, and the aliases of the wire."""

    class Named(BaseModel):
        class Config:
            alias_generator = lambda name: to_wire(naming, name)  # noqa: E731
            # No request may use the names of the reference.
            allow_population_by_field_name = title.startswith("Study")

    made = {}
    for name, kind in fields.items():
        if isinstance(kind, dict):
            kind = to_model(title + "Progress", naming, kind, list(kind))
        if name not in absent:
            made[name] = (kind, ...) if name in required else (Optional[kind], None)
    return create_model(title, __base__=Named, **made)


def to_problem(request: Request, error: RequestValidationError) -> JSONResponse:
    places = [("#/" + "/".join(map(str, one["loc"][1:])), one["msg"]) for one in error.errors()]
    errors = [{"pointer": pointer, "detail": text} for pointer, text in places]
    body = {"type": "about:blank", "title": "Unprocessable", "status": 422, "errors": errors}
    return JSONResponse(body, 422, media_type="application/problem+json")


def to_app(form: dict[str, Any]) -> FastAPI:
    asked, shown, lists = form.get("request"), form.get("answer"), form.get("list", {})
    around, items, first = form.get("around"), lists.get("items", "items"), lists.get("first", 1)
    refused, absent = form.get("refused", []), form.get("absent", [])
    CreateStudy = to_model("CreateStudy", asked, CREATED, form.get("required", []), refused)
    EditStudy = to_model("EditStudy", asked, EDITED, [], refused)
    Study = to_model("Study", shown, STUDY, REQUIRED, absent)
    numbers = {name: (int, ...) for name in ("total", "page", "size", "pages")}
    StudyPage = create_model("StudyPage", **{items: (list[Study], ...)}, **numbers)
    ok = {"ok": (bool, True)} if form.get("ok") else {}
    StudyAnswer = create_model("StudyAnswer", **ok, **{around: (Study, ...)}) if around else Study
    PageAnswer = create_model("PageAnswer", **ok, **{around: (StudyPage, ...)}) if around else StudyPage
    studies: dict[str, dict[str, Any]] = {}
    received: list[dict[str, str]] = []

    async def receive(request: Request) -> None:
        query = f"?{request.url.query}" if request.url.query else ""
        body = (await request.body()).decode()
        received.append({"call": f"{request.method} {request.url.path}{query}", "body": body})

    def answer(request: Request, content: Any, status: int = 200) -> Any:
        # The token `say-409` gets status 409, whatever was stored; `refuse` gets a refusal with the usual status.
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        said = int(token.removeprefix("say-")) if token.startswith("say-") else status
        if said >= 400:
            return JSONResponse({"error": {"text": "No such project."}}, said)
        if token == "refuse":
            return JSONResponse({"ok": False, "error": {"text": "The project is closed."}}, said)
        content = {around: content} if around else content
        return JSONResponse({"ok": True, **content} if ok else content, said)

    def store(study_id: str, body: BaseModel) -> dict[str, Any]:
        before = studies.get(study_id, {"id": study_id, "projectId": study_id, **ADDED})
        studies[study_id] = {**before, **json.loads(body.json(exclude_unset=True))}
        return show(studies[study_id])

    def show(study: dict[str, Any]) -> dict[str, Any]:
        return json.loads(Study(**study).json(by_alias=True, exclude_unset=True))

    router = APIRouter(dependencies=[Depends(receive)])

    @router.post("/studies", status_code=201, response_model=StudyAnswer)
    async def create_study(request: Request, body: CreateStudy) -> Any:
        return answer(request, store(f"00000000-0000-4000-8000-{len(studies) + 1:012d}", body), 201)

    @router.patch(form.get("edit", "/studies/{study_id}"), response_model=StudyAnswer)
    async def edit_study(request: Request, study_id: UUID, body: EditStudy) -> Any:
        return answer(request, store(str(study_id), body))

    async def get_study(request: Request, study_id: UUID) -> Any:
        return answer(request, show(studies[str(study_id)]))

    async def list_studies(
        request: Request,
        page: int = Query(first, ge=first, alias=lists.get("page", "page")),
        size: int = Query(50, ge=1, le=100, alias=lists.get("size", "size")),
        project: Optional[str] = Query(None, alias=to_wire(asked, "projectId")),
    ) -> Any:
        found = [show(one) for one in studies.values() if not project or one["projectId"] in project]
        begin, pages = (page - first) * size, -(-len(found) // size)
        counts = {"total": len(found), "page": page, "size": size, "pages": pages}
        return answer(request, {items: found[begin : begin + size], **counts})

    if form.get("reads", True):
        router.get("/studies/{study_id}", response_model=StudyAnswer)(get_study)
        router.get("/studies", response_model=PageAnswer)(list_studies)
    app = FastAPI()
    app.include_router(router)
    app.get("/__received", include_in_schema=False)(lambda: received)
    if form.get("problem"):
        app.add_exception_handler(RequestValidationError, to_problem)
    outer = FastAPI(openapi_url=None)
    outer.mount(form.get("base", ""), app)
    return outer if "base" in form else app


def end_with_stdin() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


async def main() -> None:
    urls, serving = {}, []
    for name, form in json.loads(sys.argv[1]).items():
        listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        urls[name] = f"http://127.0.0.1:{listener.getsockname()[1]}{form.get('base', '')}"
        config = uvicorn.Config(to_app(form), http="h11", log_level="warning", access_log=False)
        serving.append(uvicorn.Server(config).serve(sockets=[listener]))
    threading.Thread(target=end_with_stdin, daemon=True).start()
    print(json.dumps(urls), flush=True)
    await asyncio.gather(*serving)


asyncio.run(main())
