"""What schemathesis cannot know of a request that it makes up: see contract.py."""

import os
import pathlib
import uuid

import schemathesis

TOKEN = pathlib.Path(os.environ["SUBGUARD_CONTRACT_TOKEN_FILE"])


def whole(value):
    """The same with 30.0 as 30: to JSON Schema both are integers, the server takes a number without a fraction only."""
    if isinstance(value, dict):
        return {name: whole(member) for name, member in value.items()}
    if isinstance(value, list):
        return [whole(element) for element in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


@schemathesis.hook
def before_call(context, case, kwargs):
    """Of requests that shall be taken: cursors and tokens are opaque, nobody may build them; and a key that comes again
    with another request is refused, so each request has its own."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if case.query:
        for name in ("cursor", "since"):
            case.query.pop(name, None)
    if case.headers and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    case.body = whole(case.body)


@schemathesis.auth(refresh_interval=None)
class Token:
    """The token of the role that is played; none for nobody, who has no file."""

    def get(self, case, context):
        return TOKEN.read_text().strip() if TOKEN.exists() else None

    def set(self, case, data, context):
        if data:
            case.headers = case.headers or {}
            case.headers["Authorization"] = f"Bearer {data}"
