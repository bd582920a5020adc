"""Check the server with third-party tools: its OpenAPI document with openapi-spec-validator, its metrics with promtool.
Also check that SIGTERM ends it with status 0."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import uuid

from harness import ROOT, Refusal, Server, debug_binary, expect, main


def sample_batch():
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    return {"events": [{"id": str(uuid.uuid4()), "name": "app_opened", "user_id": "0a" * 32, "timestamp": moment}]}


def perform(command, what, **options):
    done = subprocess.run(command, capture_output=True, check=False, **options)
    if done.returncode:
        raise Refusal(f"{what}:\n{done.stdout.decode()}{done.stderr.decode()}")


def check(folder):
    tools = os.environ["PATH"] + os.pathsep + str(ROOT / ".build/tools")
    promtool = shutil.which("promtool", path=tools)
    expect(promtool, "promtool is missing: Scripts/setup check fetches it")
    with Server(debug_binary("subguardd"), folder) as server:
        # Some traffic first, so that every kind of series has a value: success, client error, ingest, admin.
        for wanted, method, path, body, token in (
            (200, "GET", "/api/v1/catalogue?limit=5", None, None), (404, "GET", "/no-such-page", None, None),
            (202, "POST", "/api/v1/analytics", sample_batch(), None),
            (200, "GET", "/api/v1/admin/dashboard", None, server.token()),
        ):
            status = server.call(method, path, body, token=token)[0]
            expect(status == wanted, f"{method} {path} was answered {status}, not {wanted}")
        served = folder / "openapi.json"
        served.write_bytes(server.call("GET", "/api/v1/openapi.json")[1])
        expect(json.loads(served.read_text()) == json.loads((ROOT / "docs/openapi.json").read_text()),
               "the served OpenAPI document is not docs/openapi.json")
        perform([pathlib.Path(sys.executable).parent / "openapi-spec-validator", served], "the document is not valid")
        metrics = server.call("GET", "/metrics")[1]
        # promtool accepts an empty page.
        expect(re.search(rb"^# TYPE .* histogram$", metrics, re.MULTILINE), "/metrics holds no histogram")
        perform([promtool, "check", "metrics"], "promtool rejects /metrics", input=metrics)
    return "the OpenAPI document and the metrics are valid"


main("server", check)
