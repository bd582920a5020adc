"""Point the unmodified SDKs of Sentry and PostHog at the server, check the results in the admin API, and search the
database and the log for the personal data that was sent."""

import json
import os
import warnings

from harness import Refusal, Server, debug_binary, main

KEY = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
MAIL = "zoe.plantee+tag@courriel-plante.example"
ADDRESS = "203.0.113.77"
ADDRESS6 = "2001:db8:77::beef:1"
TOKEN = "ghp_PlantedPlantedPlanted0123456789abcd"
PASSWORD = "hunter2-planted"
USER = "zoe-plantee"
PERSON = "distinct-plantee-17"
SESSION_USER = "did-plantee-18"
PLANTED = [MAIL, ADDRESS, ADDRESS6, TOKEN, PASSWORD, USER, PERSON, SESSION_USER, "planted-breadcrumb", "planted-tag",
           "planted-local", "planted-query", "planted-note"]

failures = []


def expect(what, found, wanted):
    if found != wanted:
        failures.append(f"{what}: {found!r}, and not {wanted!r}")


def send_reports(dsn):
    import sentry_sdk
    from sentry_sdk import sessions

    for release, crashes in (("app@1.2.3", True), ("app@1.3.0", False)):
        sentry_sdk.init(dsn, release=release, send_default_pii=True, server_name="planted-note",
                        _experiments={"transport_compression_algo": "gzip" if crashes else "br"})
        scope = sentry_sdk.get_isolation_scope()
        scope.set_user({"id": SESSION_USER, "email": MAIL, "ip_address": ADDRESS})
        scope.set_tag("planted-tag", MAIL)
        scope.set_extra("planted-note", TOKEN)
        # As SDKs of phones attach screenshots: random bytes, which do not compress.
        scope.add_attachment(bytes=os.urandom(3 << 20), filename="screenshot.png")
        scope.add_breadcrumb(message=f"planted-breadcrumb {ADDRESS}")
        with sessions.track_session(scope, session_mode="application"):
            for number in range(2):
                planted_local = "planted-local"
                try:
                    fail_with(planted_local, crashes)
                except ZeroDivisionError as error:
                    error.args = (f"{error} for {MAIL} at {ADDRESS} and {ADDRESS6}, token={TOKEN}, "
                                  f"https://u:{PASSWORD}@h.example/x?planted-query={number}",)
                    sentry_sdk.capture_exception(error)
                except KeyError:
                    pass
            sentry_sdk.capture_message(f"cannot read /home/{USER}/data for {MAIL}, attempt {len(release)}")
        sentry_sdk.flush(10)
        sentry_sdk.get_client().close(10)


def fail_with(planted_local, crashes):
    if crashes:
        return len(planted_local) / 0
    return {}[planted_local]


def send_events(base):
    from posthog import Posthog

    for compressed in (True, False):
        client = Posthog("phc_check", host=base, gzip=compressed, on_error=lambda error, _: failures.append(str(error)))
        client.capture("app_downloaded", distinct_id=PERSON, properties={"platform": "linux", "planted-note": MAIL})
        client.capture("subscription_added", distinct_id=PERSON, properties={"amount": "12.34", "locale": "fr-FR"})
        client.capture("not_in_the_registry", distinct_id=PERSON, properties={"planted-note": MAIL})
        client.shutdown()


def check_answers(server, token):
    def figures(path):
        return server.json("GET", path, token=token)[1]

    groups = figures("/api/v1/admin/crashes")["items"]
    exceptions = [group for group in groups if group["title"].startswith("ZeroDivisionError")]
    messages = [group for group in groups if group["title"].startswith("cannot read")]
    expect("groups of exceptions", len(exceptions), 1)
    expect("groups of messages", len(messages), 1)
    expect("groups", len(groups), 2)
    if failures:
        return
    expect("count of the exception", exceptions[0]["count"], 2)
    expect("its culprit", exceptions[0]["culprit"], "__main__ in fail_with")
    expect("its versions", [v["release"] for v in exceptions[0]["versions"]], ["app@1.2.3"])
    expect("versions of the message", sorted(v["release"] for v in messages[0]["versions"]), ["app@1.2.3", "app@1.3.0"])
    expect("level of the message", messages[0]["level"], "info")
    releases = figures("/api/v1/admin/crashes/releases")["items"]
    expect("sessions", {r["release"]: (r["sessions"], r["errored"], r["crashed"]) for r in releases},
           {"app@1.2.3": (1, 1, 0), "app@1.3.0": (1, 0, 0)})
    dashboard = figures("/api/v1/admin/dashboard")
    expect("crash-free sessions", dashboard["crash_free_sessions"]["value"], 100.0)
    expect("users", dashboard["total_users"]["value"], 1)
    expect("subscriptions", dashboard["subscriptions_tracked"]["value"], 2)
    metrics = server.call("GET", "/metrics")[1].decode().splitlines()
    expect("events dropped", [line for line in metrics if 'code="unknown_event"' in line],
           ['subguard_ingest_rejected_events_total{code="unknown_event"} 2'])
    send_by_hand(server)
    expect("crash-free sessions after a crash", figures("/api/v1/admin/dashboard")["crash_free_sessions"]["value"],
        66.7)


def send_by_hand(server):
    """Sends what no SDK sends on purpose: a crashed session, and unknown keys."""
    from datetime import datetime, timezone

    started = datetime.now(timezone.utc).isoformat().replace("+00:00", "Z")
    session = json.dumps({"sid": "7c7b6585-f901-4351-bf8d-02711b721929", "did": SESSION_USER, "init": True,
                          "started": started, "status": "crashed", "errors": 0,
                          "attrs": {"release": "app@1.3.0", "ip_address": ADDRESS}})
    envelope = f'{{"dsn": "http://{KEY}@h/ingest/42"}}\n{{"type": "session"}}\n{session}\n'.encode()
    path = "/ingest/api/42/envelope/"
    for _ in range(2):
        expect("a crashed session", server.call("POST", path, envelope)[0], 200)
    for what, fields in (("a foreign key", {"X-Sentry-Auth": "Sentry sentry_key=other, sentry_version=7"}),
            ("no key", {})):
        status, body, answered = server.call("POST", path, b"{}\n", fields)
        expect(what, (status, sorted({"detail", "causes"} & set(json.loads(body)))), (403, ["causes", "detail"]))
        expect("its X-Sentry-Error", bool(answered["X-Sentry-Error"]), True)
    expect("zstd", server.call("POST", path, envelope, {"Content-Encoding": "zstd"})[0], 415)
    expect("what is not Brotli", server.call("POST", path, envelope, {"Content-Encoding": "br"})[0], 400)
    for spelling in ("/batch", "/batch/"):
        status, body, _ = server.call("POST", spelling, b'{"api_key":"phc_check","batch":[]}')
        expect(spelling, (status, json.loads(body)), (200, {"status": 1}))
    expect("the envelope without the final slash", server.call("POST", path.rstrip("/"), envelope)[0], 200)
    expect("a foreign api_key", server.call("POST", "/batch/", b'{"api_key":"x","batch":[]}')[0], 401)


def check_nothing_personal_is_kept(server):
    """After the end of the server, all data is in the database file."""
    for path in [*server.folder.glob("subguard.sqlite*"), server.log_path]:
        kept = path.read_bytes().lower()
        for planted in PLANTED:
            if planted.lower().encode() in kept:
                failures.append(f"{planted!r} is in {path.name}")
    # Verify that the search works: it finds data that may be kept.
    if b"ZeroDivisionError" not in server.store.read_bytes():
        failures.append("the store does not hold the exception")


def check(folder):
    warnings.simplefilter("ignore", DeprecationWarning)
    settings = {"INGEST_SENTRY_KEY": KEY, "INGEST_PROJECT_ID": "42", "INGEST_POSTHOG_KEY": "phc_check"}
    with Server(debug_binary("subguardd"), folder, settings) as server:
        send_reports(f"http://{KEY}@127.0.0.1:{server.port}/ingest/42")
        send_events(server.url)
        check_answers(server, server.token("analyst"))
    check_nothing_personal_is_kept(server)
    if failures:
        raise Refusal("\n".join(failures))
    return "exceptions, messages, sessions and events arrive as they should, and nothing personal is on the disk"


main("sdks", check)
