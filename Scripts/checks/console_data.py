"""What the checks and pictures of the console show: an owner, a history of devices, suggestions, roles, backups."""

import datetime

from console_browser import HOSTILE
from harness import expect

NAMES = ["Netfix", "Spotfy Family", "Dysney Plus", "Le Mondé", "Зоe Music", "Crème & Co <b>", "Wordpad Plus"]
CRASH_RULE = {"name": "Crashes", "figure": "crash_free_sessions", "comparison": "below", "value": 99, "window": "24h",
              "minimum_sample": 10}


def fill(server, hostile=True):
    """Returns the token of an owner that every check may use."""
    server.token("owner")
    owner = server.token("owner")
    server.run("load", "--history", "--devices", "150", "--weeks", "6", "--url", server.url, "--seed", "7",
               "--token", server.token("analyst"))
    names = NAMES * 3 + ([HOSTILE] if hostile else [])
    for number, name in enumerate(names):
        identifier = f"0190b5d2-7c1e-7abc-8def-{number:012d}"
        status = server.call("POST", "/api/v1/suggestions", {"id": identifier, "name": name})[0]
        expect(status < 300, f"suggestion {name}: status {status}")
    roles = [{"name": "support", "permissions": ["catalogue.read", "suggestions.moderate", "audit.read"]}]
    _, present, fields = server.json("GET", "/api/v1/admin/roles", token=owner)
    status, answer, _ = server.json("PUT", "/api/v1/admin/roles", {"items": present["items"] + roles},
                                    {"If-Match": fields["ETag"]}, token=owner)
    expect(status == 200, f"roles: {answer}")
    people = [("Zoé, support", "support"), ("weekly report", "analyst"), ("catalogue sync", "editor")]
    for name, role in people + ([(HOSTILE, "moderator")] if hostile else []):
        status = server.call("POST", "/api/v1/admin/tokens", {"name": name, "role": role}, token=owner)[0]
        expect(status == 201, f"token {name}: status {status}")
    status, answer, _ = server.json("POST", "/api/v1/admin/alerts/rules", CRASH_RULE, token=owner)
    expect(status == 201, f"alert rule: {answer}")
    server.run("backup")
    send_crashes(server, ["EXC_BAD_ACCESS", "NSInvalidArgumentException"] + ([HOSTILE] if hostile else []))
    return owner


def send_crashes(server, types):
    """Three of each, in two releases, and session counts of four weeks."""
    now = datetime.datetime.now(datetime.timezone.utc)
    crashes = []
    for number, (kind, times) in enumerate((kind, times) for kind in types for times in range(3)):
        crashes.append({
            "id": f"01934f0e-7c2a-7d3e-9b1a-{number:012d}", "type": kind,
            "timestamp": (now - datetime.timedelta(hours=times)).isoformat(), "app_version": f"1.{times % 2}.0",
            "app_build": "217", "platform": "ios", "os_version": "18.1",
            "device_model": "iPhone15,2", "handled": False,
            "frames": [{"function": f"{kind}.body", "module": "SubGuard", "line": 42, "in_app": True}],
        })
    sessions = [{
        "id": f"01934f0e-7c2a-7d3e-9b1b-{day * 2 + minor:012d}",
        "started_at": (now - datetime.timedelta(days=day, hours=1)).isoformat(), "app_version": f"1.{minor}.0",
        "total": 200 + day * (9 if minor == 0 else -5), "crashed": (day * 7 + minor) % 5,
    } for day in range(28) for minor in (0, 1)]
    status, answer, _ = server.json(
        "POST", "/api/v1/crashes", {"sent_at": now.isoformat(), "crashes": crashes, "sessions": sessions})
    expect(status < 300, f"crashes: {answer}")


def link(server):
    return server.run("console", "link").strip()
