"""Do what a newcomer does with `make run`: start it on an empty database, paste the printed calls, stop it, start it
again. The first start must print working calls, the second must keep the data, a signal must end it with status 0, and
no process may remain."""

import json
import os
import pathlib
import re
import signal
import subprocess
import time

from harness import ROOT, STOP_SECONDS, Refusal, eventually, expect, free_port, main, say

START_LIMIT_SECONDS = 1800  # a first start builds in release mode


class Start:
    """One start of Scripts/run, in its own session, so that remaining processes can be found."""

    def __init__(self, environment, log):
        self.log = log
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [ROOT / "Scripts/run"], cwd="/", env=environment, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT, start_new_session=True)

    def output(self):
        return self.log.read_text(errors="replace")

    def wait_for_calls(self):
        """The printed shell lines, in order."""
        def are_printed():
            expect(self.process.poll() is None, f"Scripts/run ended early with status {self.process.returncode}")
            return "/api/v1/admin/dashboard" in self.output()
        eventually(are_printed, "the calls are printed", START_LIMIT_SECONDS, pause=0.1)
        return re.findall(r"^(?:curl |SUBGUARD_TOKEN=).*$", self.output(), re.MULTILINE)

    def stop(self, number):
        self.process.send_signal(number)
        try:
            status = self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            raise Refusal(f"{number.name} did not stop the server within {STOP_SECONDS} s") from None
        expect(status == 0, f"after {number.name} the status is {status}, not 0")
        deadline = time.monotonic() + 2  # the watcher checks every 0.1 s whether the server is running
        while left := self.members():
            expect(time.monotonic() < deadline, f"processes stayed behind: {left}")
            time.sleep(0.05)

    def members(self):
        """Running processes of this start's session."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[3]) == self.process.pid:
                found.append(f"{entry.name} {(entry / 'comm').read_text().strip()}")
        return found

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


def paste(lines):
    """Runs the lines in one shell, as when pasted, and returns each response as JSON."""
    script = "\n".join(lines).replace("\ncurl", "\necho; echo ---; curl")
    answers = subprocess.run(
        ["bash", "-c", script], cwd="/", check=True, capture_output=True, text=True, timeout=60).stdout
    return [json.loads(answer) for answer in answers.split("\n---\n")]


def play(directory, starts):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("SUBGUARD_")}
    environment["SUBGUARD_PORT"] = str(free_port())
    environment["SUBGUARD_DATABASE_URL"] = f"sqlite:{directory}/subguard.sqlite"

    def start(name):
        starts.append(Start(environment, directory / f"{name}.log"))
        return starts[-1]

    first = start("first")
    calls = first.wait_for_calls()
    expect(len(calls) == 3, f"three calls should be printed, not {len(calls)}")
    search, analytics, dashboard = paste(calls)
    expect(search["items"], "the printed search finds nothing")
    expect(analytics["accepted"] == 1, f"the printed batch was answered {analytics}")
    expect(dashboard["total_users"]["value"] == 1, f"the dashboard counts {dashboard['total_users']}")

    rival = start("rival")
    expect(rival.process.wait(60) == 1, "a second start on the same port should end with status 1")
    expect("already taken" in rival.output(), "a second start on the same port does not say why it ends")
    first.stop(signal.SIGTERM)

    second = start("second")
    calls = second.wait_for_calls()
    expect("owner token, shown" not in second.output(), "the second start prints a token again")
    expect(len(calls) == 4, f"three calls and the making of a token should be printed, not {len(calls)} lines")
    again, analytics, dashboard = paste(calls)
    expect(again["items"] == search["items"], "the second start changed the catalogue")
    expect(dashboard["total_users"]["value"] == 2, f"the second start lost data: {dashboard['total_users']}")
    second.stop(signal.SIGINT)


def check(folder):
    starts = []
    try:
        play(folder, starts)
    except Exception:
        for start in starts:
            say(f"-- {start.log.name}\n{start.output()[-6000:]}")
        raise
    finally:
        for start in starts:
            start.kill()
    return "the printed calls work, a second start keeps the data, signals end it with status 0"


main("run", check)
