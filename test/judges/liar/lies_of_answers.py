"""Lies about statuses, bodies, redirects, credentials, ids, keys and secrets."""

from __future__ import annotations

import gzip
import json
import re
from typing import Any

from liar.api import Api, Call, Reply
from liar.lies import add, lie, on_reply, on_study, on_success

HTML = b"<!doctype html><html><head><title>Sign in</title></head><body><form>Password</form></body></html>"


def to_bytes(reply: Reply) -> bytes:
    return json.dumps(reply.content).encode() if reply.raw is None else reply.raw


def raw(make: Any, media_type: str = "application/json", **headers: str) -> Any:
    """Replaces the bytes of an answer by what `make` makes of them."""

    def change(reply: Reply) -> None:
        reply.raw, reply.media_type = make(to_bytes(reply)), media_type
        reply.headers = {**reply.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}

    return change


# Statuses


def set_status(api: Api, op: str, status: int) -> None:
    api.status = {**api.status, op: status}


for op, status in (("create", 201), ("create", 202), ("create", 203), ("edit", 202), ("read", 203)):
    add(f"{op}-{status}", lambda api, op=op, status=status: set_status(api, op, status))


def without_body(api: Api, op: str, status: int) -> None:
    def empty(reply: Reply) -> None:
        reply.status, reply.raw = status, b""

    on_success(api, empty, op)


for op, status in (("create", 204), ("create", 201), ("edit", 204), ("edit", 200)):
    add(f"{op}-{status}-empty", lambda api, op=op, status=status: without_body(api, op, status))


@lie
def create_202_queued(api: Api) -> None:
    on_success(api, lambda reply: Reply(202, {"status": "queued", "job": "j-81"}), "create")


@lie
def refusals_with_200(api: Api) -> None:
    refuses = api.refuse

    def refuse(status: int, reason: Any) -> Reply:
        reply = refuses(status, reason)
        if status not in (401, 405):
            reply.status, reply.content = 200, {"ok": False, "error": reply.content}
        return reply

    api.refuse = refuse


def on_refusal(api: Api, of: tuple[int, ...], status: int, *ops: str) -> None:
    def change(reply: Reply, call: Call) -> None:
        if reply.status in of and (not ops or call.op in ops):
            reply.status = status

    on_reply(api, change)


add("unknown-id-200", lambda api: on_refusal(api, (404,), 200, "read", "edit"))
add("unknown-id-400", lambda api: on_refusal(api, (404,), 400, "read", "edit"))
add("unknown-id-403", lambda api: on_refusal(api, (404,), 403, "read", "edit"))
add("unknown-id-500", lambda api: on_refusal(api, (404,), 500, "read", "edit"))
add("validation-400", lambda api: on_refusal(api, (422,), 400))
add("validation-500", lambda api: on_refusal(api, (422,), 500, "create", "edit"))
add("wrong-token-403", lambda api: on_refusal(api, (401,), 403))
add("wrong-token-404", lambda api: on_refusal(api, (401,), 404))
add("wrong-token-200", lambda api: on_refusal(api, (401,), 200))


@lie
def edit_creates(api: Api) -> None:
    """PATCH of an unknown id stores a study."""
    edits = api.edit

    def edit(call: Call) -> Reply:
        api.studies.setdefault(call.id, {**api.defaults(), "id": call.id})
        return edits(call)

    api.edit = edit


@lie
def stored_and_500(api: Api) -> None:
    on_success(api, lambda reply: Reply(500, {"detail": "Internal Server Error"}), "create")


def limit(api: Api, most: int) -> None:
    seen: list[str] = []

    def change(reply: Reply, call: Call) -> Any:
        seen.extend([call.op] * (call.method in ("POST", "PATCH")))
        refused = Reply(429, {"detail": "Too many requests"}, {"Retry-After": "3600"})
        return refused if len(seen) > most and call.method in ("POST", "PATCH") else None

    on_reply(api, change)


add("too-many-at-once", lambda api: limit(api, 0))
add("too-many-after-7", lambda api: limit(api, 7))
add("retry-after-words", lambda api: on_reply(
    api, lambda reply, call: Reply(429, {"detail": "later"}, {"Retry-After": "in a minute"}) if call.id else None))

# Bodies

BROKEN = {
    "html": (lambda body: HTML, "text/html"),
    "cut": (lambda body: body, "application/json"),
    "empty": (lambda body: b"", "application/json"),
    "nan": (lambda body: re.sub(rb'("interviewCount": )\w+', rb"\1NaN", body), "application/json"),
    "utf-16": (lambda body: body.decode().encode("utf-16"), "application/json; charset=utf-16"),
    "not-gzip": (lambda body: body, "application/json"),
    "list": (lambda body: b"[" + body + b"]", "application/json"),
    "null": (lambda body: b"null", "application/json"),
    "trailing": (lambda body: body + b"\n</html>", "application/json"),
    "guarded": (lambda body: b")]}',\n" + body, "application/json"),
    "text-plain": (lambda body: body, "text/plain"),
    "octets": (lambda body: body, "application/octet-stream"),
}
for name, (make, media_type) in BROKEN.items():
    encoding = {"Content_Encoding": "gzip"} if name == "not-gzip" else {}

    def put(api: Api, change: Any = raw(make, media_type, **encoding), cuts: bool = name == "cut") -> None:
        def change_all(reply: Reply) -> None:
            change(reply)
            reply.cut = cuts

        on_success(api, change_all)

    add(f"body-{name}", put)
add("create-html", lambda api: on_success(api, raw(lambda body: HTML, "text/html"), "create"))
add("list-html", lambda api: on_success(api, raw(lambda body: HTML, "text/html"), "list"))
add("body-bomb", lambda api: on_success(api, raw(
    lambda body: gzip.compress(body[:-1] + b', "pad": "' + b"x" * 64_000_000 + b'"}', 1), Content_Encoding="gzip")))

# Redirects


def redirect(api: Api, status: int, to: Any, *methods: str) -> None:
    on_reply(api, lambda reply, call: Reply(status, None, {"Location": to(call)}) if call.method in methods else None)


add("redirect-slash", lambda api: redirect(api, 307, lambda call: f"{call.path}/", "GET", "POST", "PATCH"))
add("redirect-other-host", lambda api: redirect(
    api, 307, lambda call: f"{api.other_url}{call.path}", "GET", "POST", "PATCH"))
add("redirect-writes", lambda api: redirect(api, 308, lambda call: f"{api.other_url}{call.path}", "POST", "PATCH"))
add("redirect-after-create", lambda api: redirect(api, 303, lambda call: f"{api.base}/studies", "POST"))

# Credentials


@lie
def any_token(api: Api) -> None:
    allows = api.allow
    api.allow = lambda call: None if call.headers.get("authorization") else allows(call)


@lie
def no_token(api: Api) -> None:
    api.allow = lambda call: None


def forbid(api: Api, is_forbidden: Any) -> None:
    reads = api.read
    forbidden = [one for index, one in enumerate(api.studies) if is_forbidden(index)]
    api.read = lambda call: api.refuse(403, "Not yours") if call.id in forbidden else reads(call)


add("one-of-ten-forbidden", lambda api: forbid(api, lambda index: index == 4))
add("nine-of-ten-forbidden", lambda api: forbid(api, lambda index: index > 0))
add("one-of-ten-missing", lambda api: on_reply(
    api, lambda reply, call: api.refuse(404, "Study not found") if call.method == "GET" and call.id.endswith("004") else None))
add("token-of-another-scheme", lambda api: setattr(api, "allow", lambda call: (
    None if call.headers.get("x-api-key") == api.token else api.refuse(401, "Invalid token"))))

# Ids


def make_ids(api: Api, make: Any) -> None:
    """Gives each study another id, and takes all ids in paths."""
    studies = [{**one, "id": make(number)} for number, one in enumerate(api.studies.values(), 1)]
    api.studies = {str(one["id"]): one for one in studies}
    api.new_id = lambda: make(len(api.studies) + 1)
    api.is_id = lambda text: True


IDS = {
    "ids-numbers": lambda number: number,
    "ids-prefixed": lambda number: f"study_{number:04d}",
    "ids-dots": lambda number: f"../{number}" if number % 2 else "..",
    "ids-slash": lambda number: f"studies/{number}",
    "ids-half-surrogate": lambda number: f"{number}\ud83d",
    "ids-without-dashes": lambda number: f"{number:032x}",
    "ids-upper-case": lambda number: f"5EED0000-0000-4000-8000-{number:012X}",
    "ids-empty": lambda number: "" if number % 2 else f"{number}",
    "ids-long": lambda number: f"{number}" + "x" * 100_000,
}
for name, make in IDS.items():
    add(name, lambda api, make=make: make_ids(api, make))
add("edit-answers-another-id", lambda api: on_study(
    api, lambda study: {**study, "id": "5eed0000-0000-4000-8000-0000000000ff"}, "edit"))
add("read-answers-another-id", lambda api: on_study(
    api, lambda study: {**study, "id": "5eed0000-0000-4000-8000-0000000000ff"}, "read"))
add("ids-all-equal", lambda api: on_study(
    api, lambda study: {**study, "id": "5eed0000-0000-4000-8000-000000000001"}, "list"))

# Keys


@lie
def keys_honoured(api: Api) -> None:
    api.honours_keys = True


def demand(api: Api, header: str, status: int, text: str, *methods: str) -> None:
    answers = api.answer
    api.answer = lambda call: (
        api.refuse(status, text) if call.method in methods and not call.headers.get(header) else answers(call)
    )


add("keys-demanded", lambda api: demand(api, "idempotency-key", 400, "Idempotency-Key is missing", "POST"))
add("etags-demanded", lambda api: demand(api, "if-match", 428, "If-Match is missing", "PATCH"))


@lie
def keys_refuse_the_second(api: Api) -> None:
    """A second request with a key is refused as a duplicate."""
    api.honours_keys = True
    creates = api.create
    api.create = lambda call: (
        api.refuse(409, "Duplicate") if call.headers.get("idempotency-key") in api.keys else creates(call)
    )


# Secrets

add("field-named-token", lambda api: on_study(api, lambda study: {**study, api.token: "x"}))
add("field-named-email", lambda api: on_study(api, lambda study: {**study, "jane.doe@hospital.example": "x"}))
add("field-named-id", lambda api: on_study(api, lambda study: {**study, str(study["id"]): {"seen": True}}))
add("field-named-text", lambda api: on_study(api, lambda study: {**study, "Patient 17 said she wants to leave": 1}))
add("refusal-with-token", lambda api: on_reply(api, lambda reply, call: (
    Reply(reply.status, {"detail": f"bad {call.headers.get('authorization')}"}) if reply.status >= 400 else None)))
add("field-named-with-escape", lambda api: on_study(api, lambda study: {**study, "\x1b[2J\x1b]0;owned\x07": 1}))
