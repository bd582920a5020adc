"""Compare every call with docs/openapi.json by schemathesis: generated requests, both valid and invalid according to
the document, with a token of each role and with none.

Usage: Scripts/check contract [-- SECONDS [--quick]]      (240 s in all by default, half of them as the owner)

--quick is for CI: it uses the same data each time and no chains of requests, so that a change does not fail for
unrelated reasons. Otherwise every run tries new data. Scripts/checks/schemathesis.toml lists exceptions with reasons.
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
    # Thousands of requests come from one client.
    "RATE_LIMIT_ENABLED": "false", "LOG_LEVEL": "warning",
    # Enables these calls. Apple is never contacted: no generated request gets that far.
    "INGEST_SENTRY_KEY": "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "INGEST_POSTHOG_KEY": "phc_contract",
    "APPLE_CLIENT_IDS": "app.example", "APPLE_KEYS_URL": "http://127.0.0.1:9/keys",
    "APP_STORE_BUNDLE_ID": "app.example"}


def play(role, seconds, kind, server, folder):
    """One pass. Returns whether all calls match the document. The token is read from a file, to keep it out of `ps`."""
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
        # Schemathesis cannot detect a failure in the log after a correct response.
        found = re.search(r"^.* (error|critical) .*$", server.log(), re.MULTILINE)
        expect(not found, f"the server logged a failure: {found and found[0]}")
    if failed:
        raise Refusal(f"the calls differ from the document, as {', '.join(failed)}")
    return "every call is what the document says"


main("contract", check)
