"""Prints the OpenAPI document of a Study API on FastAPI whose names and forms are given as JSON, in the first argument."""

import json
import sys
from datetime import datetime
from typing import Any, Optional
from uuid import UUID

from fastapi import FastAPI, Query
from pydantic import create_model

form = json.loads(sys.argv[1])
first = form.get("firstPage", 1)
around = form.get("around")


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
    **create_types,
    "audiencesObj": list[dict[str, Any]],
    "problemsObj": list[dict[str, Any]],
    "planId": str,
    "solution": dict[str, Any],
    "researchGoal": dict[str, Any],
    "summaries": list[str],
}
study_types = {name: kind for name, kind in study_types.items() if name not in form.get("absent", [])}

Create = to_model("CreateStudy", form.get("request", {}), create_types, form.get("required", []))
Edit = to_model("EditStudy", form.get("request", {}), edit_types, [])
Study = to_model("Study", form.get("answer", {}), study_types, ["id", "projectId", "audiences"])
Answer = create_model("Answer", **{around: (Study, ...)}) if around else Study
Page = create_model(
    "Page",
    **{form.get("items", "items"): (list[Study], ...)},
    **{name: (int, ...) for name in ("total", "page", "size", "pages")},
)

app = FastAPI()


@app.post("/studies", response_model=Answer)
def create_study(body: Create) -> Any: ...


@app.patch("/studies/{study_id}", response_model=Answer)
def edit_study(study_id: UUID, body: Edit) -> Any: ...


@app.get("/studies/{study_id}", response_model=Answer)
def get_study(study_id: UUID) -> Any: ...


@app.get("/studies", response_model=Page)
def list_studies(
    page: int = Query(first, ge=first),
    size: int = Query(50, ge=1, le=100),
    projectId: Optional[str] = None,
) -> Any: ...


print(json.dumps(app.openapi()))
