"""Run the Swift tests in several concurrent processes, one test at a time in each.

    swift_tests.py PROGRAM [FOLDER [REGEX]]

PROGRAM is the result of `swift build --build-tests`, FOLDER is where logs go in .build/logs, REGEX selects tests by
`Target.Suite/test`. With all tests at once in one process, a waiting test resumes only after hundreds of later ones had
their turn, and exceeds its time limits meanwhile.
"""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import parts
from parts import Part

SLOWEST = 12
ROOM = 4 << 30  # bytes of memory for the files of all tests
# Targets that mostly wait, for the real programs or for connections, run concurrently with the others.
WAITING = ("subguarddTests", "subguardTests", "HTTPServerTests", "DeviceAppTests")
TESTS_PER_PROCESS = 90
WAITING_TESTS_PER_PROCESS = 30
# Suites of these targets are nested in one suite.
NESTED = re.compile(r"^\w+\.(ProgramTests|OnlineTests)/")
# They need PostgreSQL, and run only if SUBGUARD_TEST_DATABASE selects it.
ON_POSTGRES = re.compile(r"Postgre|MigrateStore|OnBothStores")
# The slowest targets start first, so that none runs alone at the end.
LONG = ("subguarddTests", "HTTPServerTests", "SubGuardStatementsTests", "TelemetryTests", "BackendHTTPTests",
        "SubGuardEngineTests", "EventLogTests", "LoadTesterTests")


def suites(program, chosen):
    """Maps suites (`Target.Suite`, nested ones by their outermost suite) to the number of their tests."""
    listed = subprocess.run([program, "--testing-library", "swift-testing", "--list-tests"], check=True,
                            capture_output=True, text=True).stdout
    found = {}
    on_postgres = os.environ.get("SUBGUARD_TEST_DATABASE") == "postgres"
    for line in listed.splitlines():
        if not on_postgres and ON_POSTGRES.search(line.rpartition("/")[0]):
            continue
        if re.match(r"\w+\.", line) and chosen.search(line):
            suite = "/".join(line.split("/")[:2]) if NESTED.match(line) else line.split("/")[0]
            found[suite] = found.get(suite, 0) + 1
    return found


def groups(found):
    """(target, name, suites) for each process: a target, or a part of a large one."""
    targets = {}
    for suite, count in found.items():
        targets.setdefault(suite.split(".")[0], []).append((count, suite))
    for target in sorted(targets, key=lambda name: (name not in LONG, name)):
        members = sorted(targets[target], reverse=True)
        most = WAITING_TESTS_PER_PROCESS if target in WAITING else TESTS_PER_PROCESS
        number = min(len(members), -(-sum(count for count, _ in members) // most))
        shares = [[0, []] for _ in range(number)]
        for count, suite in members:
            least = min(shares, key=lambda share: share[0])
            least[0] += count
            least[1].append(suite)
        for index, (_, names) in enumerate(shares):
            yield target, target if number == 1 else f"{target} {index + 1}/{number}", names


@contextlib.contextmanager
def temporary_files():
    """Lets the tests keep their databases in memory, where commits do not wait for a disk, if there is enough of it.
    PostgreSQL runs as another user, so its tests keep the ordinary folder."""
    memory = pathlib.Path("/dev/shm")
    on_postgres = os.environ.get("SUBGUARD_TEST_DATABASE") == "postgres"
    if on_postgres or "TMPDIR" in os.environ or not os.access(memory, os.W_OK) or shutil.disk_usage(memory).free < ROOM:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="subguard-tests-", dir=memory) as folder:
        os.chmod(folder, 0o755)
        os.environ["TMPDIR"] = folder
        try:
            yield
        finally:
            del os.environ["TMPDIR"]


def print_slowest(folder):
    """Prints the slowest tests by the logs. A process runs one test at a time, so the times are those of the tests."""
    times = []
    for log in (parts.ROOT / ".build/logs" / folder).glob("*.log"):
        for name, seconds in re.findall(r"Test (.*?) (?:with \d+ test cases )?(?:passed|failed) after ([\d.]+) seconds",
                                        log.read_text(encoding="utf-8", errors="replace")):
            if not name.startswith("run with"):
                times.append((float(seconds), name))
    slowest = ", ".join(f"{name} {seconds:.1f} s" for seconds, name in sorted(times, reverse=True)[:SLOWEST])
    parts.say(f"The slowest tests: {slowest}")


def main(program, folder="test", chosen=""):
    # Whoever starts a PostgreSQL server fails then.
    os.environ.setdefault("SUBGUARD_TEST_DATABASE", "sqlite")
    found = suites(program, re.compile(chosen))
    if not found:
        sys.exit(f"error: no test matches {chosen}")
    run = []
    for target, name, names in groups(found):
        pattern = f"^({'|'.join(re.escape(suite) for suite in names)})/"
        run.append(Part(
            name, (program, "--testing-library", "swift-testing", "--no-parallel", "--filter", pattern),
            "waiting" if target in WAITING else "in process"))
    for log in (parts.ROOT / ".build/logs" / folder).glob("*.log"):
        log.unlink()
    rooms = {"in process": max(2, os.cpu_count() or 2), "waiting": 3}
    with temporary_files():
        return 0 if parts.perform(run, rooms, folder, lambda: print_slowest(folder)) else 1


sys.exit(main(*sys.argv[1:]))
