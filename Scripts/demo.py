"""Send the parts of the demo that are no events: suggestions, crashes of two releases, sessions, and an alert rule.
Started by Scripts/demo with the server's URL; SUBGUARD_TOKEN is a token of an owner."""

import json
import os
import pathlib
import sys
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent / "checks"))
from console_data import CRASH_RULE, NAMES, send_crashes  # noqa: E402
from harness import Refusal, expect  # noqa: E402

CRASHES = ["EXC_BAD_ACCESS", "NSInvalidArgumentException", "NSRangeException", "Swift runtime failure"]
RULE_EXISTS = 409


class Target:
    """A server by its URL, called as the checks call theirs."""

    def __init__(self, url, token):
        self.url, self.token = url.rstrip("/"), token

    def json(self, method, path, body=None, token=None):
        """(status, value, fields) of a JSON response."""
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), method=method)
        request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.loads(answer.read() or b"null"), answer.headers
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"null"), error.headers


def fill(target):
    # The same ids each time, so that a second run adds nothing.
    for number, name in enumerate(NAMES * 3):
        suggestion = {"id": f"0190b5d2-7c1e-7abc-8def-{number:012d}", "name": name}
        status, answer, _ = target.json("POST", "/api/v1/suggestions", suggestion)
        expect(status < 300, f"suggestion {name}: {answer}")
    send_crashes(target, CRASHES)
    status, answer, _ = target.json("POST", "/api/v1/admin/alerts/rules", CRASH_RULE, token=target.token)
    expect(status in (201, RULE_EXISTS), f"alert rule: {answer}")


try:
    fill(Target(sys.argv[1], os.environ["SUBGUARD_TOKEN"]))
    print("sent suggestions, crashes of two releases, sessions and an alert rule")
except (Refusal, OSError) as error:
    sys.exit(f"error: {error}")
