"""Corrections of generated requests that schemathesis cannot infer from the document: see contract.py."""

import datetime
import os
import pathlib
import uuid

import schemathesis

LONGEST_RANGE = datetime.timedelta(days=1000)
TOKEN = pathlib.Path(os.environ["SUBGUARD_CONTRACT_TOKEN_FILE"])


def whole(value):
    """Converts 30.0 to 30: JSON Schema treats both as integers, the server accepts only numbers without a fraction."""
    if isinstance(value, dict):
        return {name: whole(member) for name, member in value.items()}
    if isinstance(value, list):
        return [whole(element) for element in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def drop_impossible_range(query):
    """A schema cannot say that a range of days ends after it begins, and not years later."""
    try:
        first = datetime.date.fromisoformat(str(query["from"]))
        last = datetime.date.fromisoformat(str(query["to"])) if "to" in query else datetime.date.today()
    except (KeyError, ValueError):
        return
    if not datetime.timedelta(0) <= last - first <= LONGEST_RANGE:
        del query["from"]


@schemathesis.hook
def before_call(context, case, kwargs):
    """For valid requests: cursors and tokens are opaque, so none can be generated; and reusing an idempotency key with
    another request is an error, so each request gets its own."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if case.query:
        for name in ("cursor", "since"):
            case.query.pop(name, None)
        drop_impossible_range(case.query)
    if case.headers and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    case.body = whole(case.body)


@schemathesis.auth(refresh_interval=None)
class Token:
    """The token of the current role, read from a file; there is no file for the pass without a token."""

    def get(self, case, context):
        return TOKEN.read_text().strip() if TOKEN.exists() else None

    def set(self, case, data, context):
        if data:
            case.headers = case.headers or {}
            case.headers["Authorization"] = f"Bearer {data}"
