"""Run the parts of `make test` or `make check` concurrently, and print only what matters: a line when a part ends, the
failures, and the time of each part. The full output of each part goes to a log.

A part belongs to a lane. The parts of a lane start in the order given, as many at once as the lane allows; parts of the
lane ALONE run one by one after all others, because they measure.

With CI=true a failed part runs once more, alone. If it then passes, it depends on timing: it is reported as FLAKY with
the reasons of its first failure, and does not fail the run. It is a defect nevertheless.
"""

import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALONE = "alone"
END_GRACE_SECONDS = 15  # between SIGTERM and SIGKILL, so that a part can stop what it started
FAILURE_LINES = 60  # printed for all failed parts together
TAIL_LINES = 30  # of the log of a part that failed without a recognised reason
FIRST_LINES = 6  # of the reasons, printed as soon as a part fails

REASON = re.compile(r"✘ .* recorded an issue|✘ .*(Time limit|Caught error)"
                    r"|\berror: |\bFAILED\b|^\w*(Error|Refusal)\b|^Fatal|"
                    r"\*\*\* (Signal|Program crashed)|^Crash: ")
DETAIL = re.compile(r"^\s*(↳|└)")


@dataclasses.dataclass(frozen=True, eq=False)
class Part:
    name: str
    command: tuple
    lane: str
    summary: str = ""
    minutes: float = 10
    environment: dict = dataclasses.field(default_factory=dict)
    nice: int = 0  # how far it yields the cores to others
    is_repeated: bool = False


@dataclasses.dataclass(frozen=True)
class Result:
    part: Part
    status: str  # "" if it passed
    seconds: float
    cpu_seconds: float  # of its processes, without those that it left behind
    log: pathlib.Path


def reasons(log):
    """The lines of a log that state the failures, each with its context; else the end of the log."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    found, follows = [], False
    for line in lines:
        follows = bool(REASON.search(line)) or follows and bool(DETAIL.match(line))
        if follows and line not in found:
            found.append(line)
    return found or lines[-TAIL_LINES:]


class Run:
    """One run of several parts; `rooms` is the number of concurrent parts of each lane."""

    def __init__(self, parts, rooms, folder):
        self.waiting = list(parts)
        self.rooms = dict(rooms)
        self.folder = ROOT / ".build/logs" / folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.running = {}
        self.results = []
        self.change = threading.Condition()
        self.is_stopping = False

    def perform(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.stop)
        with self.change:
            while self.waiting or self.running:
                while part := self.startable():
                    self.waiting.remove(part)
                    self.running[part] = None
                    threading.Thread(target=self.follow, args=(part,), daemon=True).start()
                self.change.wait(1)
        return self.results

    def startable(self):
        lanes = [part.lane for part in self.running]
        for part in self.waiting:
            if part.lane == ALONE:
                if not self.running and all(other.lane == ALONE for other in self.waiting):
                    return part
            elif ALONE not in lanes and lanes.count(part.lane) < self.rooms[part.lane]:
                return part
        return None

    def follow(self, part):
        log = self.folder / f"{part.name.replace(' ', '-').replace('/', 'of')}.log"
        began = time.monotonic()
        try:
            status, cpu_seconds = self.run(part, log)
        except OSError as error:
            log.write_text(f"error: {error}\n", encoding="utf-8")
            status, cpu_seconds = "it did not start", 0
        result = Result(part, status, time.monotonic() - began, cpu_seconds, log)
        with self.change:
            del self.running[part]
            self.results.append(result)
            if not self.is_stopping:
                say(f"{'FAILED' if status else 'passed'} {part.name:<24} {result.seconds:5.0f} s  {note(result)}")
                for line in reasons(log)[:FIRST_LINES] if status else ():
                    say(f"    {line[:400]}")
            if status and not part.is_repeated and os.environ.get("CI") == "true":
                self.waiting.append(dataclasses.replace(part, name=f"{part.name} again", lane=ALONE, is_repeated=True))
            self.change.notify()

    def run(self, part, log):
        with log.open("wb") as output:
            process = subprocess.Popen(
                part.command, cwd=ROOT, env={**os.environ, **part.environment}, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True)
            self.running[part] = process
            give_way(process, part.nice)
            late = threading.Event()
            timers = [threading.Timer(part.minutes * 60, lambda: (late.set(), end(process, signal.SIGTERM))),
                      threading.Timer(part.minutes * 60 + END_GRACE_SECONDS, end, (process, signal.SIGKILL))]
            for timer in timers:
                timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            for timer in timers:
                timer.cancel()
            end(process, signal.SIGKILL)  # what remains would disturb the next part
            cpu_seconds = usage.ru_utime + usage.ru_stime
            if late.is_set():
                return f"ended after {part.minutes:g} minutes", cpu_seconds
            return f"status {process.returncode}" if process.returncode else "", cpu_seconds

    def stop(self, number, _):
        self.is_stopping = True
        for process in self.running.values():
            if process:
                end(process, signal.SIGTERM)
        time.sleep(1)
        for process in self.running.values():
            if process:
                end(process, signal.SIGKILL)
        os._exit(128 + number)


def end(process, number):
    """Signals the process and its descendants."""
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass


def give_way(process, nice):
    """Lets other parts have the cores first. Linux weighs sessions against each other, processes only within one."""
    if not nice:
        return
    try:
        pathlib.Path(f"/proc/{process.pid}/autogroup").write_text(str(nice), encoding="ascii")
    except OSError:
        os.setpriority(os.PRIO_PGRP, process.pid, nice)  # a kernel without groups of processes by session


def note(result):
    """Swift Testing's summary, or the description of the part."""
    if result.status:
        return f"{result.status}; {result.log.relative_to(ROOT)}"
    found = re.findall(r"Test run with (\d+ tests?) in", result.log.read_text(encoding="utf-8", errors="replace"))
    return found[-1] if found else result.part.summary


def say(text=""):
    print(text, flush=True)


def print_failures(results, flaky):
    """Prints the reasons of all failed parts, up to the maximum number of lines."""
    failed = [result for result in results if result.status]
    for result in failed:
        word = "flaky" if result.part.name in flaky else "failed"
        say(f"\n== {word}: {result.part.name} ({result.status}); the whole log: {result.log.relative_to(ROOT)}")
        share = max(5, FAILURE_LINES // len(failed))
        found = reasons(result.log)
        for line in found[:share]:
            say(f"    {line[:400]}")
        if len(found) > share:
            say(f"    … and {len(found) - share} more lines")


def perform(parts, rooms, folder, more=lambda: None):
    """Runs the parts, then prints their times, `more`, and finally the failures. Returns True if all passed."""
    began = time.monotonic()
    results = Run(parts, rooms, folder).perform()
    passed = {result.part.name for result in results if not result.status}
    flaky = {result.part.name for result in results if result.status and f"{result.part.name} again" in passed}

    def word(result):
        return "passed" if not result.status else "FLAKY" if result.part.name in flaky else "FAILED"

    say(f"\n{len(results)} parts after {time.monotonic() - began:.0f} s, slowest first:")
    for result in sorted(results, key=lambda result: -result.seconds):
        say(f"  {result.part.name:<24} {result.seconds:5.0f} s, {result.cpu_seconds:5.0f} s of CPU  {word(result)}")
    more()
    print_failures(results, flaky)
    return all(not result.status or result.part.name in flaky for result in results)

