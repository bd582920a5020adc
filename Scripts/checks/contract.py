"""Compare every call with docs/openapi.json by schemathesis: made-up requests that the document allows and such that it
forbids, with a token of each role and with none.

Usage: Scripts/check contract [-- SECONDS [--quick]]      (240 s in all by default, half of them as the owner)

--quick is for CI: the same data each time and no chains of requests, so that a change does not fail for what it did not
cause. Without it every run looks for something new. Scripts/checks/schemathesis.toml says what is passed over, and why.
"""

import os
import pathlib
import re
import subprocess
import sys

from harness import ROOT, Refusal, Server, debug_binary, expect, main, say

ROLES = ("owner", "editor", "moderator", "analyst", "nobody")
HERE = pathlib.Path(__file__).resolve().parent
SETTINGS = {
    # Thousands of requests of one client.
    "RATE_LIMIT_ENABLED": "false", "LOG_LEVEL": "warning",
    # So that these calls look at their bodies. Apple is never asked: nothing made up gets so far.
    "INGEST_SENTRY_KEY": "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "INGEST_POSTHOG_KEY": "phc_contract",
    "APPLE_CLIENT_IDS": "app.example", "APPLE_KEYS_URL": "http://127.0.0.1:9/keys", "APP_STORE_BUNDLE_ID": "app.example"}


def play(role, seconds, kind, server, folder):
    """One pass; whether all was as the document says. The token comes from a file, so that it is in no process list."""
    say(f"-- as {role}, {seconds} s")
    done = subprocess.run(
        [pathlib.Path(sys.executable).parent / "schemathesis", "--config-file", HERE / "schemathesis.toml", "run",
         "docs/openapi.json", "--url", server.url, *kind, "--max-time", str(seconds), "--no-color"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        env={**os.environ, "SUBGUARD_CONTRACT_TOKEN_FILE": str(folder / role),
             "SCHEMATHESIS_HOOKS": str(HERE / "contract_hooks.py")})
    if done.returncode:
        say(done.stdout)
    return done.returncode == 0


def check(folder):
    seconds = next((int(argument) for argument in sys.argv[1:] if argument.isdigit()), 240)
    expect(seconds >= 30, "30 seconds at least")
    kind = ["--phases", "examples,coverage,fuzzing,stateful"]
    if "--quick" in sys.argv:
        kind = ["--phases", "examples,coverage,fuzzing", "--seed", "29", "--generation-deterministic"]
    with Server(debug_binary("subguardd"), folder, SETTINGS) as server:
        for role in ROLES[:-1]:
            (folder / role).write_text(server.token(role), encoding="utf-8")
        failed = [role for role in ROLES
                  if not play(role, seconds // (2 if role == "owner" else 8), kind, server, folder)]
        server.expect_alive()
        # What schemathesis does not see: an answer that was right, and a failure in the log.
        found = re.search(r"^.* (error|critical) .*$", server.log(), re.MULTILINE)
        expect(not found, f"the server logged a failure: {found and found[0]}")
    if failed:
        raise Refusal(f"the calls differ from the document, as {', '.join(failed)}")
    return "every call is what the document says"


main("contract", check)
