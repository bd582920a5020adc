"""The table of the checks and how each is started. Used by Scripts/check."""

import os
import pathlib
import sys

import parts
from harness import toolchain
from parts import ALONE, ROOT, Part

HERE = pathlib.Path(__file__).resolve().parent
BUILT = pathlib.Path(toolchain("debug_binary ."))
PROGRAM = str(BUILT / "subguardPackageTests.xctest")
VENV = str(ROOT / ".build/venv/bin/python")
BACKEND = "ServerAccess|Telemetry|Catalogue|Accounts|Operations|EventLog"
POSTGRES = rf"^({BACKEND})Tests\.|Postgre|MigrateStore|StoreContract|SQLDatabaseURL"
POSTGRES_HTTP = r"^BackendHTTPTests\."
HISTORIES = (r"DiscardHistory|FigureHistory|CatalogueSnapshot|EngineOracle|RebuildProperty|UndoTrace|UndoProperty"
    r"|StoreMerge|StatementCorpus|StatementDetection|StarterCatalogue|EventExportInterruption|Durability|GracefulStop"
    r"|FiguresRebuildCommand|KillTests")

# Lanes: parts of BUILD and WORK keep the cores busy, parts of BROWSER and WAIT often wait, PURGE waits minutes for a
# server's first purge. More at once would make each slower, and what depends on time fail. WORK yields the cores to
# the release build, for which other parts wait.
BUILD, WORK, BROWSER, WAIT, PURGE = "build", "work", "browser", "wait", "purge"
NICE = {WORK: 5}


def script(name, lane, minutes, summary, *arguments, system_python=False, file=None, **environment):
    """A check implemented by a script in this folder, of its own name unless `file` names another one, with its
    arguments and variables in `make check`."""
    python = sys.executable if system_python else VENV
    file = file or name
    path = HERE / (file if file == "abuse" else f"{file}.py")
    return command(name, lane, minutes, summary, python, "-B", str(path), *arguments, **environment)


def tests(name, lane, minutes, summary, chosen, **environment):
    """Swift tests run again in another configuration."""
    return command(name, lane, minutes, summary, sys.executable, "-B", str(HERE / "swift_tests.py"), PROGRAM, name,
        chosen, **environment)


def command(name, lane, minutes, summary, *words, **environment):
    return Part(name, words, lane, summary, minutes, environment, nice=NICE.get(lane, 0))


# Parts of a lane start in this order. `run` makes the release build, which `image` uses and for which `abuse` waits.

# What every change must pass: `make check`.
EVERY_CHANGE = [
    script("run", BUILD, 35, "make run on an empty store, stopped and started again"),
    script("image", BUILD, 15, "the Dockerfile built by buildah, and the result started",
        "--built", system_python=True),
    tests("postgres", WORK, 25, "features again, on PostgreSQL", POSTGRES, SUBGUARD_TEST_DATABASE="postgres"),
    script("contract", WORK, 6, "every call against the OpenAPI document", "90", "--quick"),
    script("engine", WORK, 12, "subguard against python-dateutil, icalendar and beancount"),
    script("app", BROWSER, 16, "the app in Chromium"),
    script("app_widths", BROWSER, 2, "every page of the app at eight widths, in both languages"),
    script("evening", BROWSER, 3, "a household's first evening with the app, compared with what is true",
           file="app_evening"),
    script("console", BROWSER, 14, "the console in Chromium"),
    script("monday", BROWSER, 3, "an operator's Monday in the console, by keyboard, within three minutes",
        file="console_monday"),
    script("tls", WAIT, 5, "testssl.sh, the quick part", "--quick", system_python=True),
    script("server", WAIT, 5, "OpenAPI document and metrics against openapi-spec-validator and promtool"),
    script("sdks", WAIT, 5, "SDKs of Sentry and PostHog"),
    script("apple", WAIT, 5, "Apple's own library and PyJWT"),
    script("symbols", WAIT, 10, "names of functions in crashes against llvm-symbolizer, and a list of 20 MB",
        "--brief"),
    script("proxies", WAIT, 3, "nginx, HAProxy and Caddy with the recipes of the documentation, paths and sockets",
        system_python=True),
    script("sink", WAIT, 15,
        "events in ClickHouse: 18.16 alone and as a cluster, and a current engine, while they fail", "--no-purge"),
    script("abuse", WAIT, 30, "hostile bodies on every route: CPU and answer bytes", "--only", "table",
        system_python=True),
]

# What a release, and a change of what they cover, must pass as well: `make check-all`.
BEFORE_A_RELEASE = [
    script("budget", BUILD, 10, "allocations per request", system_python=True),
    script("package", BUILD, 30, "the packages built twice; the Debian package in a bare Debian", system_python=True),
    script("demo", BUILD, 35, "make demo beside a server, started again, removed, and sent to a server",
        system_python=True),
    command("fuzz", BUILD, 15, "fuzz targets, thirty seconds each", "Scripts/fuzz", "30"),
    script("example", WORK, 15, "the program for app developers, built as a package of its own"),
    tests("http-tls", WORK, 10, "HTTP tests again, through TLS", r"^HTTPServerTests\.", SUBGUARD_TEST_TLS="1"),
    tests("postgres-http", WORK, 25, "the HTTP face again, on PostgreSQL", POSTGRES_HTTP,
        SUBGUARD_TEST_DATABASE="postgres"),
    tests("histories", WORK, 40, "random histories, all seeds", HISTORIES, SUBGUARD_TEST_THOROUGH="1"),
    tests("merges", WORK, 12, "2,000 times three devices, merged in any order", "MergeProperty",
        SUBGUARD_TEST_THOROUGH="1"),
    script("engine-full", WORK, 40, "the same with 300 random stores", file="engine", SUBGUARD_CHECK_LIVES="300"),
    script("flights", WORK, 20, "figures of a real log against pandas in five time zones, on SQLite and PostgreSQL"),
    command("worst-hour", WAIT, 10, "an hour of the worst traffic that the limits allow",
        str(BUILT / "worst-hour")),
    script("load-tool", WAIT, 3, "subguard-load against a server of known delay, a second program and HdrHistogram",
        file="load_tool"),
    script("alerts", WAIT, 10, "alerts against an SMTP server and an HTTP receiver"),
    script("oidc", WAIT, 3, "sign-in to the console by OpenID Connect, in Chromium"),
    script("generators", WAIT, 5, "Python clients generated from the OpenAPI document, and ten calls of one"),
    script("symbols-full", WAIT, 10, "the same with a list of 200 MB", file="symbols"),
    script("scaling", WAIT, 10, "three servers on one PostgreSQL, while they and it fail", system_python=True),
    script("failover", WAIT, 15, "PostgreSQL on three nodes under Patroni, while nodes and disks fail", "--goal", "90",
        system_python=True),
    script("upgrade", WAIT, 5, "two neighbouring releases on one PostgreSQL, replaced under load", "--goal", "90",
        system_python=True),
    script("compose", WAIT, 5, "the cluster's compose file without Docker, while a node and servers are killed"),
    script("pooler", WAIT, 6, "PgBouncer by session, under load, and by transaction, refused", system_python=True),
    script("sink-purge", PURGE, 20, "the event sink again, with a server's first purge", file="sink"),
    script("abuse-full", ALONE, 20,
        "the attacks again, with hostile crowds and unfinished requests: memory, and the wait of others",
        system_python=True, file="abuse"),
    script("tls-full", ALONE, 15, "testssl.sh, in full", system_python=True, file="tls"),
]

TABLE = EVERY_CHANGE + BEFORE_A_RELEASE


def main(arguments):
    named = {part.name: part for part in TABLE}
    if arguments == ["--list"]:
        for part in TABLE:
            parts.say(f"{part.name:<14} {'every change' if part in EVERY_CHANGE else 'release':<13} {part.summary}")
        return 0
    is_release = "--all" in arguments
    arguments = [word for word in arguments if word != "--all"]
    only_names = arguments[:1] == ["--names"]
    arguments = arguments[only_names:]
    own = None
    if "--" in arguments:
        place = arguments.index("--")
        arguments, own = arguments[:place], arguments[place + 1:]
    for name in arguments:
        if name not in named:
            sys.exit(f"error: '{name}' is not a check. The checks are: {' '.join(named)}.")
    if own is not None and len(arguments) != 1:
        sys.exit("error: arguments behind -- are for one check.")
    if only_names:
        return 0
    if own is not None:
        part = named[arguments[0]]
        # Arguments in the table are for the shorter run in `make check`.
        fixed = 3 if part.command[1] == "-B" and not part.command[2].endswith("swift_tests.py") else len(part.command)
        os.chdir(ROOT)
        os.environ.update(part.environment)
        os.execvp(part.command[0], [*part.command[:fixed], *own])
    chosen = BEFORE_A_RELEASE if is_release else EVERY_CHANGE
    if arguments:
        chosen = [part for part in TABLE if part.name in arguments]
    return 0 if parts.perform(chosen, {BUILD: 1, WORK: 1, BROWSER: 1, WAIT: 1, PURGE: 1}, "check") else 1


sys.exit(main(sys.argv[1:]))
