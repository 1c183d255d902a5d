"""All lies by name. A lie replaces stages of an honest API."""

from __future__ import annotations

from typing import Any, Callable

from liar.api import Api, Reply

Lie = Callable[[Api], None]
lies: dict[str, Lie] = {}


def lie(put: Lie) -> Lie:
    lies[put.__name__.strip("_").replace("_", "-")] = put
    return put


def add(name: str, put: Lie) -> None:
    lies[name] = put


def on_study(api: Api, change: Callable[[dict[str, Any]], Any], *ops: str) -> None:
    """Changes each study as it is shown, under the names on the wire."""
    shows = api.show
    api.show = lambda study, op: change(dict(shows(study, op))) if not ops or op in ops else shows(study, op)


def on_value(api: Api, field: str, change: Callable[[Any], Any], *ops: str) -> None:
    """Changes a field of each study as it is shown."""
    shows = api.show

    def show(study: dict[str, Any], op: str) -> Any:
        return shows({**study, field: change(study[field])} if not ops or op in ops else study, op)

    api.show = show


def on_stored(api: Api, change: Callable[[dict[str, Any], str], dict[str, Any]]) -> None:
    """Changes the fields of a write before they are stored."""
    cleans = api.clean
    api.clean = lambda fields, op: change(dict(cleans(fields, op)), op)


def on_reply(api: Api, change: Callable[[Reply, Any], Any]) -> None:
    """Changes each answer last. `change` may return another answer."""
    finishes = api.finish

    def finish(reply: Reply, call: Any) -> Reply:
        reply = finishes(reply, call)
        return change(reply, call) or reply

    api.finish = finish


def on_success(api: Api, change: Callable[[Reply], Any], *ops: str) -> None:
    """Changes each answer with a study or a list."""

    def change_success(reply: Reply, call: Any) -> Any:
        return change(reply) if reply.status < 300 and (not ops or call.op in ops) else None

    on_reply(api, change_success)


def on_numbers(api: Api, change: Callable[[dict[str, Any]], Any]) -> None:
    """Changes each page of the list."""
    pages = api.page
    api.page = lambda items, total, page, size: change(dict(pages(items, total, page, size)))
