"""The routes of docs/openapi.json with their examples, and the credentials tried on each of them."""

import dataclasses
import json
import pathlib
import re

DOCUMENT = pathlib.Path(__file__).resolve().parents[3] / "docs/openapi.json"

SENTRY_KEY = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
POSTHOG_KEY = "phc_check_abuse"
PROJECT = "1"
# Well-formed but unknown: the prefix and 43 characters of base64url.
UNKNOWN_TOKEN = "sgt_" + "A" * 42 + "E"
UNKNOWN_SESSION = "sga_" + "A" * 42 + "E"

# Values of path parameters that are well-formed but refer to nothing.
PARAMETERS = {"code": "not_found", "file": f"{'0' * 64}.png", "project_id": PROJECT}
ANY_ID = "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b"


@dataclasses.dataclass(frozen=True)
class Credential:
    """Header fields of a request, and the project key for bodies that contain one."""

    name: str
    fields: tuple = ()
    key: str = POSTHOG_KEY


@dataclasses.dataclass(frozen=True)
class Route:
    method: str
    template: str
    security: str  # open, AccessToken, SessionToken, sentry or posthog
    media: dict  # media type to example body; empty if the document defines no body

    @property
    def name(self):
        return f"{self.method} {self.template}"

    @property
    def path(self):
        return re.sub(r"\{(\w+)\}", lambda found: PARAMETERS.get(found[1], ANY_ID), self.template)

    def credentials(self, tokens):
        """`tokens` maps roles to tokens of this server."""
        def bearer(name, token):
            return Credential(name, (("Authorization", f"Bearer {token}"),))

        def sentry(name, key):
            return Credential(name, (("X-Sentry-Auth", f"Sentry sentry_key={key}, sentry_version=7"),))

        none = Credential("none")
        if self.security == "sentry":
            return [none, sentry("wrong key", "f" * 32), sentry("right key", SENTRY_KEY)]
        if self.security == "posthog":
            return [Credential("wrong key", key="phc_another"), Credential("right key")]
        if self.security == "SessionToken":
            return [none, bearer("unknown token", UNKNOWN_SESSION)]
        if self.security == "AccessToken":
            known = [bearer(role, token) for role, token in tokens.items()]
            return [none, bearer("unknown token", UNKNOWN_TOKEN), *known]
        return [none]


def security_of(template, operation):
    if template.startswith("/ingest/"):
        return "sentry"
    if template == "/batch/":
        return "posthog"
    required = [name for option in operation.get("security", []) for name in option]
    return required[0] if required else "open"


def example_of(content):
    """The first example in the document."""
    for example in content.get("examples", {}).values():
        if "value" in example:
            return example["value"]
    return ""


def read_routes():
    routes = []
    for template, item in json.loads(DOCUMENT.read_text(encoding="utf-8"))["paths"].items():
        for method, operation in item.items():
            if method not in ("get", "post", "put", "patch", "delete"):
                continue
            content = operation.get("requestBody", {}).get("content", {})
            media = {name: example_of(value) for name, value in content.items()}
            routes.append(Route(method.upper(), template, security_of(template, operation), media))
    return routes
