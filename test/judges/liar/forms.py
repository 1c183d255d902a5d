"""Honest forms that a Study API may have, beside the one of the public reference."""

import re
from typing import Any, Callable

from liar.api import ANSWERED, CREATED, PARTS, Api, Call, Reply

Naming = Callable[[str], str]
forms: dict[str, Callable[[Api], None]] = {"reference": lambda api: None}


def form(put: Callable[[Api], None]) -> Callable[[Api], None]:
    forms[put.__name__.strip("_").replace("_", "-")] = put
    return put


def snake(name: str) -> str:
    return re.sub(r"(?=[A-Z])", "_", name).lower()


def kebab(name: str) -> str:
    return snake(name).replace("_", "-")


def pascal(name: str) -> str:
    return name[0].upper() + name[1:]


def name_all(naming: Naming) -> dict[str, str]:
    parts = {f"progress.{part}": naming(part) for part in PARTS}
    return {**{name: naming(name) for name in {*ANSWERED, *CREATED}}, **parts}


def refuse_with_problem(status: int, reason: Any) -> Reply:
    """RFC 9457."""
    problem: dict[str, Any] = {"type": "about:blank", "title": "Refused", "status": status}
    if isinstance(reason, str):
        problem["detail"] = reason
    else:
        problem["errors"] = [{"pointer": f"#/{name}", "detail": text} for _, name, text in reason]
    reply = Reply(status, problem)
    reply.media_type = "application/problem+json"
    return reply


def to_text(reason: Any) -> str:
    return reason if isinstance(reason, str) else "; ".join(f"{name}: {text}" for _, name, text in reason)


@form
def writes_only(api: Api) -> None:
    api.reads = False


@form
def snake_case(api: Api) -> None:
    api.request_names = api.answer_names = name_all(snake)
    api.parameters["projectId"] = "project_id"
    api.status["create"] = 201


@form
def kebab_case(api: Api) -> None:
    api.request_names = api.answer_names = name_all(kebab)
    api.reads = False


@form
def pascal_case(api: Api) -> None:
    """As ASP.NET can be told to: the list's own names are unchanged."""
    api.request_names = api.answer_names = name_all(pascal)
    api.refuse = refuse_with_problem
    api.status["create"] = 201


@form
def snake_answers(api: Api) -> None:
    api.answer_names = name_all(snake)


@form
def envelope(api: Api) -> None:
    """JSON:API's members around studies, lists and numbers."""

    def page(items: Any, total: int, page: int, size: int) -> Any:
        return {"data": items, "meta": {"total": total, "page": page, "size": size, "pages": -(-total // size)}}

    api.page = page
    api.wrap = lambda content, op: content if op == "list" else {"data": content}
    api.refuse = lambda status, reason: Reply(status, {"errors": [{"detail": to_text(reason)}]})


@form
def spring(api: Api) -> None:
    """Spring Data's page, counted from 0."""

    def page(items: Any, total: int, page: int, size: int) -> Any:
        pages = -(-total // size)
        return {"content": items, "totalElements": total, "totalPages": pages, "number": page, "size": size}

    api.page, api.first_page, api.default_size = page, 0, 20
    api.refuse = lambda status, reason: Reply(status, {"status": status, "message": to_text(reason)})


@form
def says_no_with_200(api: Api) -> None:
    api.wrap = lambda content, op: {"success": True, "data": content}
    api.refuse = lambda status, reason: Reply(
        status if status in (401, 404, 405) else 200, {"success": False, "error": {"text": to_text(reason)}}
    )


@form
def idempotency_keys(api: Api) -> None:
    api.honours_keys = True


@form
def bare_list(api: Api) -> None:
    """All studies as an array, whatever the query is."""
    api.turn = lambda call, found, page, size: api.succeed([api.show(one, call.op) for one in found], call)
    api.list = lambda call: api.turn(call, list(api.studies.values()), 1, 1)


@form
def required(api: Api) -> None:
    api.required["create"] = ["projectId", "description", "language"]


@form
def repeated_projects(api: Api) -> None:
    api.repeats_projects = True


@form
def sparse(api: Api) -> None:
    """Never sends what both sources leave optional, and one field that the reference requires."""
    hidden = {"planId", "solution", "researchGoal", "interviewCount"}
    shows = api.show
    api.show = lambda study, op: shows({k: v for k, v in study.items() if k not in hidden}, op)


OWN_NAMES = {
    "id": "studyRef", "description": "abstract", "projectId": "workspace", "createdAt": "opened", "bookmarked": "starred",
    "language": "tongue", "audiences": "crowds", "problems": "pains", "files": "papers", "progress": "state",
    "progress.total": "all", "progress.completed": "done", "progress.failed": "lost", "status": "phase",
    "solutionId": "answerRef", "researchGoalId": "aimRef", "knowledgeGraphs": "maps", "strategy": "approach",
    "interviewCount": "talks", "interviews": "talkRefs", "planId": "scheme", "solution": "answerBody",
    "researchGoal": "aimBody", "audiencesObj": "crowdBodies", "problemsObj": "painBodies", "summaries": "digests",
}


@form
def literal_document(api: Api) -> None:
    """The two operations of the document, with names of its own in the answers, and nothing else."""
    api.reads = False
    api.answer_names = OWN_NAMES
    api.refuse = refuse_with_problem
    api.wrap = lambda content, op: {"data": content}
    api.status["create"] = 201
    order = [api.answer_names[name] for name in ANSWERED]
    shows = api.show

    def show(study: dict[str, Any], op: str) -> dict[str, Any]:
        shown = shows(study, op)
        return {name: shown[name] for name in order}

    api.show = show
