"""What schemathesis cannot know of a request that it makes up: see Scripts/contract-test."""

import os
import pathlib
import uuid

import schemathesis

TOKEN = pathlib.Path(os.environ["SUBGUARD_CONTRACT_TOKEN_FILE"])


@schemathesis.hook
def before_call(context, case, kwargs):
    """Of requests that shall be taken: cursors and tokens are opaque, nobody may build them; and a key that comes again
    with another request is refused, so each request has its own."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if case.query and case.path != "/api/v1/admin/audit":
        for name in ("cursor", "since"):
            case.query.pop(name, None)
    if case.headers and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


@schemathesis.serializer("application/x-sentry-envelope")
def envelope(context, value):
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.serializer("text/csv", "image/png", "image/jpeg", "image/webp")
def plain(context, value):
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.auth(refresh_interval=None)
class Token:
    """The token of the role that is played; none for nobody, who has no file."""

    def get(self, case, context):
        return TOKEN.read_text().strip() if TOKEN.exists() else None

    def set(self, case, data, context):
        if data:
            case.headers = case.headers or {}
            case.headers["Authorization"] = f"Bearer {data}"
