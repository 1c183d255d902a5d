"""Lies about values: as they are shown, as they are stored, and what an edit makes of them."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, timezone
from typing import Any

from liar.api import FIELDS, NULLABLE, PARTS, STRATEGIES, Api, Call, Reply, fits
from liar.lies import add, lie, on_stored, on_value

# Values as they are shown


def no_offset(text: str) -> str:
    return re.sub(r"([Zz]|[+-]\d\d:\d\d)$", "", text)


def to_instant(text: str) -> datetime:
    text = re.sub(r"(\.\d{6})\d+", r"\1", text.upper().replace("Z", "+00:00"))
    return datetime.fromisoformat(text)


SHOWN = {
    "dates-without-offset": ("createdAt", no_offset),
    "dates-truncated": ("createdAt", lambda text: re.sub(r"(\.\d{3})\d+", r"\1", text)),
    "dates-to-seconds": ("createdAt", lambda text: re.sub(r"\.\d+", "", text)),
    "dates-in-utc": ("createdAt", lambda text: to_instant(text).astimezone(timezone.utc).isoformat()),
    "dates-are-numbers": ("createdAt", lambda text: int(to_instant(text).timestamp() * 1000)),
    "dates-rfc-822": ("createdAt", lambda text: to_instant(text).strftime("%a, %d %b %Y %H:%M:%S GMT")),
    "progress-parts-null": ("progress", lambda progress: progress and {**progress, "failed": None}),
    "progress-parts-missing": ("progress", lambda progress: progress and {"total": progress["total"]}),
    "progress-percent": ("progress", lambda progress: progress and 40),
    "bookmarked-number": ("bookmarked", int),
    "count-text": ("interviewCount", lambda count: count if count is None else str(count)),
    "count-fraction": ("interviewCount", lambda count: count if count is None else count + 0.5),
    "count-64-bit": ("interviewCount", lambda count: count if count is None else count + 2**40),
    "texts-joined": ("audiences", ",".join),
    "texts-as-objects": ("files", lambda texts: [{"name": text} for text in texts]),
    "texts-sorted": ("audiences", sorted),
    "empty-list-null": ("audiences", lambda texts: texts or None),
    "audiences-null": ("audiences", lambda texts: None),
    "language-null": ("language", lambda text: None),
    "project-id-short": ("projectId", lambda text: text[:8]),
    "project-id-number": ("projectId", lambda text: int(text[:8], 16)),
    "objects-as-texts": ("problemsObj", lambda objects: [one["title"] for one in objects] or ["none"]),
    "solution-text": ("solution", lambda value: "shorter shifts"),
    "strategy-closed-case": ("strategy", str.upper),
    "text-escaped": ("description", lambda text: text and text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&#34;")),
}
for name, (field, change) in SHOWN.items():
    add(name, lambda api, field=field, change=change: on_value(api, field, change))

# Values as they are stored


def map_texts(change: Any) -> Any:
    def to_value(value: Any) -> Any:
        if isinstance(value, list):
            return [to_value(one) for one in value]
        return change(value) if isinstance(value, str) else value

    free = ("description", "language", "audiences", "problems", "files")
    return lambda fields, op: {name: to_value(value) if name in free else value for name, value in fields.items()}


STORED = {
    "text-trimmed": map_texts(str.strip),
    "text-normalized": map_texts(lambda text: unicodedata.normalize("NFC", text)),
    "text-latin": map_texts(lambda text: text.encode("latin-1", "replace").decode("latin-1")),
    "text-without-astral": map_texts(lambda text: re.sub("[\U00010000-\U0010ffff]", "", text)),
    "text-lower-case": map_texts(str.lower),
    "text-255": map_texts(lambda text: text[:255]),
    "empty-list-null-stored": lambda fields, op: {
        name: None if value == [] else value for name, value in fields.items()},
    "empty-text-null": lambda fields, op: {name: None if value == "" else value for name, value in fields.items()},
    "null-does-not-clear": lambda fields, op: {
        name: value for name, value in fields.items() if value is not None or op == "create"},
    "created-at-own": lambda fields, op: {**fields, "createdAt": "2026-04-01T00:00:00Z"} if op == "create" else fields,
    "created-at-not-edited": lambda fields, op: {
        name: value for name, value in fields.items() if op == "create" or name != "createdAt"},
    "count-as-double": lambda fields, op: {
        name: float(value) if name == "interviewCount" and value is not None else value for name, value in fields.items()},
    "strategy-default": lambda fields, op: {
        name: STRATEGIES[0] if name == "strategy" else value for name, value in fields.items()},
}
for name, change in STORED.items():
    add(name, lambda api, change=change: on_stored(api, change))


@lie
def edit_replaces(api: Api) -> None:
    api.merge = lambda before, changes: {**api.defaults(), "id": before["id"], "projectId": before["projectId"], **changes}


@lie
def edit_deep_merges(api: Api) -> None:
    """Members of a progress that an edit leaves out stay."""
    checks = api.check

    def check(body: Any, fields: dict[str, Any], op: str) -> Any:
        parts = fields.get("progress")
        is_part = op == "edit" and isinstance(parts, dict) and all(fits("integer", one) for one in parts.values())
        whole = {**dict.fromkeys(PARTS, 0), **parts} if is_part else parts
        return checks(body, {**fields, "progress": whole} if "progress" in fields else fields, op)

    api.check = check
    api.merge = lambda before, changes: {
        **before, **changes,
        **({"progress": {**(before["progress"] or {}), **changes["progress"]}} if changes.get("progress") else {}),
    }


@lie
def edit_answers_before(api: Api) -> None:
    """The answer to an edit is the study as it was."""
    edits = api.edit

    def edit(call: Call) -> Reply:
        before = api.studies.get(call.id)
        reply = edits(call)
        return api.succeed(api.show(before, call.op), call) if before and reply.status < 300 else reply

    api.edit = edit


@lie
def edit_stores_nothing(api: Api) -> None:
    """The answer shows the change, and a later read does not."""
    edits = api.edit

    def edit(call: Call) -> Reply:
        before = api.studies.get(call.id)
        reply = edits(call)
        if before:
            api.studies[call.id] = before
        return reply

    api.edit = edit


@lie
def create_stores_nothing(api: Api) -> None:
    creates = api.create

    def create(call: Call) -> Reply:
        before = dict(api.studies)
        reply = creates(call)
        api.studies = before
        return reply

    api.create = create


@lie
def create_stores_two(api: Api) -> None:
    creates = api.create

    def create(call: Call) -> Reply:
        creates(call)
        return creates(call)

    api.create = create


@lie
def unknown_stored(api: Api) -> None:
    takes = api.take
    api.take = lambda body, op: {**{name: value for name, value in body.items() if name not in FIELDS["create"]}, **takes(body, op)}
    checks = api.check
    api.check = lambda body, fields, op: checks(body, {k: v for k, v in fields.items() if k in FIELDS[op]}, op)


@lie
def unknown_refused(api: Api) -> None:
    checks = api.check

    def check(body: Any, fields: dict[str, Any], op: str) -> Any:
        unknown = [name for name in body if name not in {api.request_names.get(one, one) for one in FIELDS[op]}]
        return checks(body, fields, op) + [("body", name, "extra fields not permitted") for name in unknown]

    api.check = check


def check_field(api: Api, is_wrong: Any, field: str, text: str, *ops: str) -> None:
    checks = api.check
    api.check = lambda body, fields, op: checks(body, fields, op) + (
        [("body", field, text)] if field in fields and (not ops or op in ops) and is_wrong(fields[field]) else []
    )


LIMITS = {
    "strategy-closed": (lambda value: value not in STRATEGIES, "strategy", "value is not a valid enumeration member"),
    "strategy-only-two": (lambda value: value not in STRATEGIES[:2], "strategy", "value is not a valid enumeration member"),
    "null-refused": (lambda value: value is None, "description", "none is not an allowed value"),
    "dates-need-utc": (lambda value: not str(value).endswith("Z"), "createdAt", "value must end with Z"),
    "dates-only-milliseconds": (
        lambda value: re.search(r"\.\d{4}", str(value)) is not None, "createdAt", "at most three digits"),
    "empty-list-refused": (lambda value: value == [], "audiences", "ensure this value has at least 1 item"),
    "language-iso-codes": (lambda value: not re.fullmatch("[a-z]{2}", str(value)), "language", "unknown language"),
}
for name, limit_of in LIMITS.items():
    add(name, lambda api, limit_of=limit_of: check_field(api, *limit_of))
add("anything-goes", lambda api: setattr(api, "check", lambda body, fields, op: []))


@lie
def nullable_null(api: Api) -> None:
    """The studies that are there have null wherever null is allowed."""
    api.studies = {key: {**one, **dict.fromkeys(NULLABLE)} for key, one in api.studies.items()}
