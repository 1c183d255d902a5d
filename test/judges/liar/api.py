"""A Study API made from the interface document alone. It is honest; `lies` replaces its stages, which are attributes.

Studies are stored under the names of the public reference. `request_names` and `answer_names` have the names on the
wire, and `progress.total` is the name of a part of a progress.
"""

from __future__ import annotations

import re
import uuid
from typing import Any, Optional

UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")
STRATEGIES = (
    "solution_feedback problem_exploration custom_script dynamic_interview ethnographic_research concept_study"
).split()

EDITED = {
    "description": "text", "projectId": "uuid", "createdAt": "date", "bookmarked": "boolean", "language": "text",
    "audiences": "texts", "files": "texts", "progress": "progress", "status": "text", "knowledgeGraphs": "texts",
    "strategy": "text", "interviewCount": "integer", "interviews": "texts",
}
CREATED = {**EDITED, "problems": "texts", "solutionId": "uuid", "researchGoalId": "uuid"}
FIELDS = {"create": CREATED, "edit": EDITED}
# In the order of the answer in the document, with the fields that only the reference names.
ANSWERED = (
    "id description projectId createdAt bookmarked language audiences audiencesObj problems problemsObj files planId "
    "progress status solutionId solution researchGoalId researchGoal knowledgeGraphs strategy interviewCount interviews "
    "summaries"
).split()
NULLABLE = "description planId progress solutionId solution researchGoalId researchGoal interviewCount".split()
PARTS = ("total", "completed", "failed")
PROJECTS = [f"0000000{n}-aaaa-4aaa-8aaa-00000000000{n}" for n in (1, 2, 3)]


def fits(kind: str, value: Any) -> bool:
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "texts":
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    if kind == "progress":
        return isinstance(value, dict) and all(fits("integer", value.get(part)) for part in PARTS)
    pattern = {"uuid": UUID, "date": DATE_TIME}.get(kind)
    return isinstance(value, str) and (pattern is None or pattern.fullmatch(value) is not None)


class Reply:
    """An answer: `content` becomes JSON unless `raw` has the bytes. `cut` ends the connection in the middle of them."""

    def __init__(self, status: int, content: Any = None, headers: Optional[dict[str, str]] = None) -> None:
        self.status, self.content, self.headers = status, content, headers or {}
        self.media_type = "application/json"
        self.raw: Optional[bytes] = None
        self.cut = False
        self.wait_s = 0.0


class Call:
    """A request. `body` is the parsed JSON, or None; `op` is create, edit, read or list."""

    def __init__(self, method: str, path: str, query: dict[str, list[str]], headers: Any, body: Any) -> None:
        self.method, self.path, self.query, self.headers, self.body = method, path, query, headers, body
        self.op = ""
        self.id = ""


def make_study(number: int) -> dict[str, Any]:
    """Makes a study with a value for every field. No two texts of a study are equal."""
    own = f"{number:012d}"
    return {
        "id": f"5eed0000-0000-4000-8000-{own}",
        "description": f"Why do people leave? {number}",
        "projectId": PROJECTS[number % 3],
        "createdAt": f"2026-03-{1 + number % 28:02d}T09:30:00.12345{number % 10}+01:00",
        "bookmarked": number % 2 == 0,
        "language": ["English", "German", "Japanese"][number % 3],
        "audiences": [f"nurses {number}", "teachers"],
        "audiencesObj": [{"name": f"nurses {number}"}],
        "problems": [f"long shifts {number}"],
        "problemsObj": [{"title": f"long shifts {number}"}],
        "files": [f"notes-{number}.pdf"],
        "planId": f"plan-{number}",
        "progress": {"total": number + 9, "completed": number, "failed": 1},
        "status": ["draft", "running", "done"][number % 3],
        "solutionId": f"5e100000-0000-4000-8000-{own}",
        "solution": {"title": f"shorter shifts {number}"},
        "researchGoalId": f"90a10000-0000-4000-8000-{own}",
        "researchGoal": {"text": f"find reasons {number}"},
        "knowledgeGraphs": [f"graph-{number}"],
        "strategy": STRATEGIES[number % 6],
        "interviewCount": 20 + number,
        "interviews": [f"interview-{number}"],
        "summaries": [f"summary-{number}"],
    }


class Api:
    def __init__(self, base: str, token: str) -> None:
        self.base, self.token = base, token
        self.url = self.other_url = ""
        self.reads = True
        self.request_names: dict[str, str] = {}
        self.answer_names: dict[str, str] = {}
        self.required: dict[str, list[str]] = {"create": [], "edit": []}
        self.status = {"create": 200, "edit": 200, "read": 200, "list": 200}
        self.first_page, self.default_size, self.largest_size = 1, 50, 100
        self.parameters = {"page": "page", "size": "size", "projectId": "projectId"}
        self.keys: dict[str, Any] = {}
        self.honours_keys = self.repeats_projects = False
        self.studies = {one["id"]: one for one in map(make_study, range(12))}

    # From bytes to a stored study

    def allow(self, call: Call) -> Optional[Reply]:
        given = call.headers.get("authorization", "")
        return None if given == f"Bearer {self.token}" else self.refuse(401, "Invalid token")

    def find_operation(self, call: Call) -> Optional[Reply]:
        """Sets the operation of a call and the id in its path."""
        path = call.path.removeprefix(self.base)
        one = re.fullmatch(r"/studies/([^/]+)", path)
        if not call.path.startswith(self.base) or not (one or path == "/studies"):
            return self.refuse(404, "Not Found")
        call.id = one[1] if one else ""
        ops = {"PATCH": "edit", "GET": "read"} if one else {"POST": "create", "GET": "list"}
        call.op = ops.get(call.method, "")
        if not call.op or (call.method == "GET" and not self.reads):
            return self.refuse(405, "Method Not Allowed")
        return None

    def answer(self, call: Call) -> Reply:
        lost = self.find_operation(call) or self.allow(call)
        if lost:
            return lost
        if call.id and not self.is_id(call.id):
            return self.refuse(422, [("path", "study_id", "value is not a valid uuid")])
        return getattr(self, call.op)(call)

    def is_id(self, text: str) -> bool:
        return UUID.fullmatch(text) is not None

    def new_id(self) -> Any:
        return str(uuid.uuid4())

    def take(self, body: dict[str, Any], op: str) -> dict[str, Any]:
        """Reads the known names of a body. Others are ignored, as FastAPI does."""
        known = {self.request_names.get(name, name): name for name in FIELDS[op]}
        taken = {known[name]: value for name, value in body.items() if name in known}
        if isinstance(taken.get("progress"), dict):
            parts = {self.request_names.get(f"progress.{part}", part): part for part in PARTS}
            taken["progress"] = {parts[k]: v for k, v in taken["progress"].items() if k in parts}
        return taken

    def check(self, body: Any, fields: dict[str, Any], op: str) -> list[tuple[str, str, str]]:
        """Returns the problems of a body: its place, its name on the wire, a text."""
        named = self.request_names
        missing = [name for name in self.required[op] if name not in fields]
        wrong = [
            name for name, value in fields.items()
            if not (value is None and name in NULLABLE) and not fits(FIELDS[op][name], value)
        ]
        return [("body", named.get(name, name), "field required") for name in missing] + [
            ("body", named.get(name, name), f"value is not a valid {FIELDS[op][name]}") for name in wrong
        ]

    def clean(self, fields: dict[str, Any], op: str) -> dict[str, Any]:
        """Changes values before they are stored."""
        return fields

    def merge(self, before: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
        return {**before, **changes}

    def defaults(self) -> dict[str, Any]:
        return {
            **{name: None for name in ANSWERED},
            **{name: [] for name in ANSWERED if name.endswith("Obj")},
            "projectId": PROJECTS[2], "createdAt": "2026-03-01T09:30:00.123456+01:00", "bookmarked": False,
            "language": "English", "audiences": [], "problems": [], "files": [], "status": "draft",
            "knowledgeGraphs": [], "strategy": STRATEGIES[0], "interviews": [], "summaries": [],
        }

    # The operations

    def create(self, call: Call) -> Reply:
        key = call.headers.get("idempotency-key") if self.honours_keys else None
        if key in self.keys:
            return self.succeed(self.show(self.studies[self.keys[key]], call.op), call)
        fields, refused = self.read_fields(call)
        if refused:
            return refused
        study = {**self.defaults(), **self.clean(fields, call.op), "id": self.new_id()}
        self.studies[str(study["id"])] = study
        if key:
            self.keys[key] = str(study["id"])
        return self.succeed(self.show(study, call.op), call)

    def edit(self, call: Call) -> Reply:
        fields, refused = self.read_fields(call)
        if refused:
            return refused
        before = self.studies.get(call.id)
        if before is None:
            return self.refuse(404, "Study not found")
        self.studies[call.id] = self.merge(before, self.clean(fields, call.op))
        return self.succeed(self.show(self.studies[call.id], call.op), call)

    def read_fields(self, call: Call) -> tuple[dict[str, Any], Optional[Reply]]:
        if not isinstance(call.body, dict):
            return {}, self.refuse(422, [("body", "", "value is not a valid dict")])
        fields = self.take(call.body, call.op)
        problems = self.check(call.body, fields, call.op)
        return fields, self.refuse(422, problems) if problems else None

    def read(self, call: Call) -> Reply:
        study = self.studies.get(call.id)
        if study is None:
            return self.refuse(404, "Study not found")
        return self.succeed(self.show(study, call.op), call)

    def list(self, call: Call) -> Reply:
        numbers = {"page": self.first_page, "size": self.default_size}
        limits = {"page": (self.first_page, 10**9), "size": (1, self.largest_size)}
        for name, (least, most) in limits.items():
            for text in call.query.get(self.parameters[name], []):
                if not re.fullmatch(r"-?\d+", text) or not least <= int(text) <= most:
                    return self.refuse(422, [("query", self.parameters[name], f"value is not from {least} to {most}")])
                numbers[name] = int(text)
        given = call.query.get(self.parameters["projectId"], [])
        projects = given if self.repeats_projects else [one for text in given for one in text.split(",")]
        if not all(UUID.fullmatch(one) for one in projects):
            return self.refuse(422, [("query", self.parameters["projectId"], "value is not a valid uuid")])
        found = self.sort([one for one in self.studies.values() if self.matches(one, projects)])
        return self.turn(call, found, numbers["page"], numbers["size"])

    def matches(self, study: dict[str, Any], projects: list[str]) -> bool:
        return not projects or study["projectId"] in projects

    def sort(self, studies: list[Any]) -> list[Any]:
        return studies

    def turn(self, call: Call, found: list[Any], page: int, size: int) -> Reply:
        begin = (page - self.first_page) * size
        items = [self.show(one, call.op) for one in found[begin : begin + size]]
        return self.succeed(self.page(items, len(found), page, size), call)

    # From a study to bytes

    def page(self, items: Any, total: int, page: int, size: int) -> Any:
        return {"items": items, "total": total, "page": page, "size": size, "pages": -(-total // size)}

    def show(self, study: dict[str, Any], op: str) -> dict[str, Any]:
        named, progress = self.answer_names, study.get("progress")
        if isinstance(progress, dict):
            parts = {named.get(f"progress.{part}", part): value for part, value in progress.items()}
            study = {**study, "progress": parts}
        return {named.get(name, name): value for name, value in study.items()}

    def wrap(self, content: Any, op: str) -> Any:
        """Puts a study or a page into its envelope."""
        return content

    def succeed(self, content: Any, call: Call) -> Reply:
        return Reply(self.status[call.op], self.wrap(content, call.op))

    def refuse(self, status: int, reason: Any) -> Reply:
        """Refuses with a text, or with problems: place, name, text."""
        if isinstance(reason, str):
            return Reply(status, {"detail": reason})
        detail = [{"loc": [place, name], "msg": text, "type": "value_error"} for place, name, text in reason]
        return Reply(status, {"detail": detail})

    def finish(self, reply: Reply, call: Call) -> Reply:
        """Sees every answer last."""
        return reply
