"""Do what a newcomer does with `make demo`: start it beside a server of one's own, look at what it shows, stop it,
start it again, remove it; then send the same to a server that was named. Until then that server must not change."""

import os
import signal
import subprocess

from harness import (
    ROOT, STOP_SECONDS, Server, debug_binary, eventually, expect, expect_one_sign_in, free_port, main, release_binary)

START_SECONDS = 1800  # a first start builds in release mode
DEVICES = 1100  # more than the first threshold
DEMO = ROOT / "Scripts/demo"


class Demo:
    """One start of Scripts/demo, in a session of its own, as from a terminal."""

    def __init__(self, environment, log, *arguments):
        self.log = log
        with log.open("wb") as output:
            self.process = subprocess.Popen([DEMO, "--devices", str(DEVICES), *arguments], cwd="/", env=environment,
                                            stdout=output, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT,
                                            start_new_session=True)

    def link(self):
        def printed():
            expect(self.process.poll() is None, f"Scripts/demo ended early:\n{self.log.read_text()[-4000:]}")
            return [line.strip() for line in self.log.read_text().splitlines() if "/console/link/" in line]
        return eventually(printed, "the link is printed", START_SECONDS, pause=0.1)[0]

    def stop(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        expect(self.process.wait(STOP_SECONDS) == 0, f"after SIGTERM the status is {self.process.returncode}")

    def kill(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def run(environment, *arguments, status=0):
    done = subprocess.run([DEMO, *arguments], cwd="/", env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    expect(done.returncode == status, f"{' '.join(arguments)}: status {done.returncode}: {done.stdout[-4000:]}")
    return done.stdout


def expect_filled(server):
    """Everything that the demo promises."""
    token = server.token("owner")

    def get(path):
        status, answer, _ = server.json("GET", f"/api/v1/admin/{path}", token=token)
        expect(status == 200, f"{path}: {answer}")
        return answer

    users = get("dashboard")["total_users"]
    expect(users["value"] == DEVICES and users["last_week"] > 0, f"the dashboard counts {users}")
    expect(get("alerts/thresholds")["thresholds"][0]["fired_at"], "no threshold was reached")
    expect(get("alerts/rules")["items"], "there is no alert rule")
    expect(get("suggestions")["items"], "there are no suggestions")
    items = server.json("GET", "/api/v1/catalogue?limit=500")[1]["items"]
    expect(any(item["logo_url"] for item in items), "there are no logos")
    releases = {version["release"] for group in get("crashes")["items"] for version in group["versions"]}
    expect(len(releases) == 2, f"crashes of the releases {releases}")


def play(folder, starts):
    mine = folder / "mine"
    mine.mkdir()
    (mine / "file").touch()
    refused = run(os.environ, "--folder", str(mine), "--remove", status=1)
    expect("not the folder of a demo" in refused and (mine / "file").exists(), f"another folder is removed: {refused}")
    own = Server(debug_binary("subguardd"), folder / "own").prepare().start().wait_until_ready()
    place = folder / "démo one"
    # The settings of the server of one's own are in the environment, as they may be.
    environment = {**os.environ, **own.environment}
    port = free_port()
    here = ("--folder", str(place), "--port", str(port))

    def start(name):
        starts.append(Demo(environment, folder / f"{name}.log", *here))
        return starts[-1]

    first = start("first")
    expect_one_sign_in(first.link())
    expect("rate limit" not in first.log.read_text(), "the demo exceeds the limits of the server")
    demo = Server(release_binary("subguardd"), place, name="demo")
    demo.port = port
    expect_filled(demo)
    expect("running" in run(environment, *here, status=1), "a second demo is not refused")
    expect("running" in run(environment, *here, "--remove", status=1), "a running demo is removed")
    first.stop()

    again = start("again")
    expect_one_sign_in(again.link())
    expect_filled(demo)
    again.stop()
    run(environment, *here, "--remove")
    expect(not place.exists(), "the demo is left after its removal")

    token = own.token("owner")
    status, before, _ = own.json("GET", "/api/v1/admin/dashboard", token=token)
    users = before["total_users"]
    expect(status == 200 and users["value"] == 0, f"the demo changed another server: {users}")
    refused = run({**environment, "SUBGUARD_TOKEN": ""}, "--into", own.url, status=1)
    expect("SUBGUARD_TOKEN" in refused, "no token is needed")
    run({**environment, "SUBGUARD_TOKEN": token}, "--into", own.url, "--devices", str(DEVICES))
    expect_filled(own)
    own.stop()


def check(folder):
    starts = []
    try:
        play(folder, starts)
    finally:
        for start in starts:
            start.kill()
    return "filled, kept by a second start and removed; another server changes only when it is named"


main("demo", check)
