"""Lies about names, envelopes and lists."""

from __future__ import annotations

import itertools
from typing import Any

from liar.api import PROJECTS, Api, Call, Reply, make_study
from liar.forms import kebab, name_all, pascal, snake
from liar.lies import add, lie, on_numbers, on_stored, on_study, on_success, on_value

# Names


def rename(api: Api, side: str, names: dict[str, str]) -> None:
    attribute = f"{side}_names"
    setattr(api, attribute, {**getattr(api, attribute), **names})


for side in ("answer", "request"):
    for title, naming in (("snake", snake), ("kebab", kebab), ("pascal", pascal)):
        add(f"{side}-{title}", lambda api, side=side, naming=naming: rename(api, side, name_all(naming)))

FOREIGN = {
    "summaries": "digests", "language": "locale", "planId": "scheme", "bookmarked": "starred", "createdAt": "opened",
    "interviewCount": "talks", "projectId": "workspace", "id": "_id", "progress.completed": "done", "files": "papers",
    "researchGoalId": "aim", "problemsObj": "pains",
}
for field, other in FOREIGN.items():
    add(f"answer-{snake(field)}".replace("_", "-").replace(".", "-"), lambda api, f=field, o=other: rename(api, "answer", {f: o}))
for field in ("language", "interviewCount", "createdAt", "audiences", "progress.completed"):
    name = f"request-{kebab(field)}".replace(".", "-")
    add(name, lambda api, f=field: rename(api, "request", {f: FOREIGN.get(f, "crowds")}))

for one, two in (("solutionId", "researchGoalId"), ("audiences", "problems"), ("language", "description"),
                 ("files", "interviews"), ("audiencesObj", "problemsObj")):
    add(f"swap-{kebab(one)}-{kebab(two)}", lambda api, one=one, two=two: rename(api, "answer", {one: two, two: one}))
add("swap-in-requests", lambda api: rename(api, "request", {"files": "interviews", "interviews": "files"}))
add("swap-progress-parts", lambda api: rename(api, "answer", {"progress.completed": "failed", "progress.failed": "completed"}))


def without(*names: str) -> Any:
    return lambda study: {name: value for name, value in study.items() if name not in names}


for name in ("audiences", "planId", "bookmarked", "projectId", "summaries", "status", "description"):
    add(f"omit-{kebab(name)}", lambda api, name=name: on_study(api, without(name)))


def refuse_field(api: Api, op: str, field: str) -> None:
    checks = api.check
    api.check = lambda body, fields, at: checks(body, fields, at) + (
        [("body", field, "extra fields not permitted")] if at == op and field in fields else []
    )


add("create-refuses-knowledge-graphs", lambda api: refuse_field(api, "create", "knowledgeGraphs"))
add("create-refuses-files", lambda api: refuse_field(api, "create", "files"))
add("edit-refuses-interviews", lambda api: refuse_field(api, "edit", "interviews"))
add("edit-refuses-project-id", lambda api: refuse_field(api, "edit", "projectId"))


def require(api: Api, op: str, *names: str) -> None:
    api.required = {**api.required, op: [*api.required[op], *names]}


add("create-requires-language", lambda api: require(api, "create", "language"))
add("create-requires-two", lambda api: require(api, "create", "audiences", "strategy"))
add("edit-requires-language", lambda api: require(api, "edit", "language"))
add("extra-field", lambda api: on_study(api, lambda study: {**study, "summaryV2": "short"}))


@lie
def strategies_in_graphs(api: Api) -> None:
    """Entry 16 of the document taken at its word: one array of strategies."""
    on_study(api, lambda study: without("strategy")({**study, "knowledgeGraphs": [study["strategy"]]}))


# Envelopes


def wrap(api: Api, change: Any, *ops: str) -> None:
    wraps = api.wrap
    api.wrap = lambda content, op: change(wraps(content, op)) if op in ops else wraps(content, op)


add("envelope-of-one", lambda api: wrap(api, lambda content: {"data": content}, "create", "edit", "read"))
add("envelope-of-list", lambda api: wrap(api, lambda content: {"data": content}, "list"))
add("envelope-of-all", lambda api: wrap(api, lambda content: {"data": content}, "create", "edit", "read", "list"))
add("envelope-deep", lambda api: wrap(api, lambda content: {"result": {"study": content}}, "create", "edit", "read"))
add("envelope-of-create", lambda api: wrap(api, lambda content: {"study": content}, "create"))
add("study-in-array", lambda api: wrap(api, lambda content: [content], "create", "edit", "read"))
add("create-answers-id", lambda api: on_study(api, lambda study: {"id": study["id"]}, "create"))
add("edit-answers-ok", lambda api: wrap(api, lambda content: {"success": True}, "edit"))
add("list-at-results", lambda api: on_numbers(api, lambda page: {"results": page.pop("items"), **page}))
add("list-bare", lambda api: on_numbers(api, lambda page: page["items"]))
add("list-numbers-in-meta", lambda api: on_numbers(api, lambda page: {"items": page.pop("items"), "meta": page}))
add("list-null", lambda api: on_numbers(api, lambda page: {**page, "items": None}))
add("list-of-ids", lambda api: on_numbers(api, lambda page: {**page, "items": [one["id"] for one in page["items"]]}))
add("list-of-short", lambda api: on_study(
    api, lambda study: {name: study[name] for name in ("id", "projectId", "description")}, "list"))

# Lists


@lie
def pages_from_0(api: Api) -> None:
    api.first_page = 0


@lie
def pages_from_0_unsaid(api: Api) -> None:
    """The parameter counts from 0, the number in the answer from 1."""
    api.first_page = 0
    on_numbers(api, lambda page: {**page, "page": page["page"] + 1})


@lie
def page_ignored(api: Api) -> None:
    turns = api.turn
    api.turn = lambda call, found, page, size: turns(call, found, 1, size)


@lie
def second_page_is_first(api: Api) -> None:
    """The answer says that it is page 2, and has the items of page 1."""

    def turn(call: Call, found: list[Any], page: int, size: int) -> Reply:
        items = [api.show(one, "list") for one in found[:size]]
        return api.succeed(api.page(items, len(found), page, size), call)

    api.turn = turn


@lie
def size_ignored(api: Api) -> None:
    turns = api.turn
    api.turn = lambda call, found, page, size: turns(call, found, page, 50)


@lie
def items_beyond_size(api: Api) -> None:
    """One more item than the size, which the answer repeats."""

    def turn(call: Call, found: list[Any], page: int, size: int) -> Reply:
        items = [api.show(one, "list") for one in found[(page - 1) * size : page * size + 1]]
        return api.succeed(api.page(items, len(found), page, size), call)

    api.turn = turn


@lie
def order_unstable(api: Api) -> None:
    """Each list begins five studies further on."""
    turn = itertools.count()

    def rotate(studies: list[Any]) -> list[Any]:
        begin = next(turn) * 5 % max(len(studies), 1)
        return studies[begin:] + studies[:begin]

    api.sort = rotate


add("total-wrong", lambda api: on_numbers(api, lambda page: {**page, "total": page["total"] + 7}))
add("total-of-page", lambda api: on_numbers(api, lambda page: {**page, "total": len(page["items"])}))
add("total-text", lambda api: on_numbers(api, lambda page: {**page, "total": str(page["total"])}))
add("pages-wrong", lambda api: on_numbers(api, lambda page: {**page, "pages": page["pages"] + 1}))


@lie
def filter_ignored(api: Api) -> None:
    api.matches = lambda study, projects: True


@lie
def filter_first_id(api: Api) -> None:
    api.matches = lambda study, projects: not projects or study["projectId"] == projects[0]


@lie
def filter_refuses_several(api: Api) -> None:
    lists = api.list

    def refuse_several(call: Call) -> Reply:
        if any("," in text for text in call.query.get("projectId", [])):
            return api.refuse(422, [("query", "projectId", "value is not a valid uuid")])
        return lists(call)

    api.list = refuse_several


@lie
def filter_repeated(api: Api) -> None:
    api.repeats_projects = True


@lie
def filter_never_matches(api: Api) -> None:
    api.matches = lambda study, projects: not projects


@lie
def parameter_names(api: Api) -> None:
    api.parameters = {"page": "p", "size": "per_page", "projectId": "project"}


@lie
def beyond_is_404(api: Api) -> None:
    turns = api.turn
    api.turn = lambda call, found, page, size: (
        turns(call, found, page, size) if (page - 1) * size < max(len(found), 1) else api.refuse(404, "No such page")
    )


@lie
def default_size_20(api: Api) -> None:
    api.default_size = 20
    api.studies.update({one["id"]: one for one in map(make_study, range(12, 45))})


@lie
def default_size_200(api: Api) -> None:
    api.default_size = 200
    api.studies.update({one["id"]: one for one in map(make_study, range(12, 250))})


@lie
def study_added_meanwhile(api: Api) -> None:
    """Another client stores a study before each list, in front of all others: the total shows it."""
    lists, number = api.list, itertools.count(900)

    def add_one(call: Call) -> Reply:
        study = make_study(next(number))
        api.studies = {study["id"]: study, **api.studies}
        return lists(call)

    api.list = add_one


@lie
def list_missing(api: Api) -> None:
    api.list = lambda call: api.refuse(404, "Not Found")


@lie
def read_missing(api: Api) -> None:
    api.read = lambda call: api.refuse(405, "Method Not Allowed")


@lie
def many_and_slow(api: Api) -> None:
    """100,000 studies: each page takes 0.4 s, and nothing limits the size."""
    api.studies = {one["id"]: one for one in map(make_study, range(100_000))}
    api.largest_size = 10**9

    def wait(reply: Reply) -> None:
        reply.wait_s = 0.4

    on_success(api, wait, "list")


@lie
def no_studies(api: Api) -> None:
    api.studies = {}


@lie
def project_replaced(api: Api) -> None:
    on_stored(api, lambda fields, op: {**fields, "projectId": PROJECTS[1]} if op == "create" else fields)


@lie
def field_not_stored(api: Api) -> None:
    on_stored(api, lambda fields, op: without("bookmarked")(fields))


@lie
def field_not_stored_by_edit(api: Api) -> None:
    on_stored(api, lambda fields, op: without("audiences")(fields) if op == "edit" else fields)


add("bookmarked-inverted", lambda api: on_value(api, "bookmarked", lambda value: not value))
