"""Two windows of the app and a command line that write at once for a minute: nothing is lost, nothing is there
twice."""

import subprocess
import threading
import time

from harness import expect

SECONDS = 60
BIRTHDAY = "2028-02-29"


def three_writers(app, windows, run, seconds=SECONDS):
    """`windows` take turns; `run` runs a command line beside them. Returns how many subscriptions were added."""
    end = time.monotonic() + seconds
    by_command, failures = [], []

    def command_line():
        while time.monotonic() < end:
            name = f"Commande {len(by_command)} é"
            done = subprocess.run(
                [run, "add", "--name", name, "--amount", "12.34", "--currency", "EUR", "--cycle", "monthly",
                    "--next", BIRTHDAY],
                env=app.environment, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                failures.append(done.stderr)
                return
            by_command.append(name)

    writer = threading.Thread(target=command_line)
    writer.start()
    by_window = []
    while time.monotonic() < end:
        number = len(by_window)
        page, name = windows[number % len(windows)].page, f"Fenêtre {number} “é”"
        page.goto(f"http://127.0.0.1:{app.port}/add?name={number}")
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Amount", exact=True).fill("12.34")
        page.get_by_label("Currency").fill("EUR")
        page.get_by_role("button", name="Add", exact=True).click()
        page.locator(".annual").first.wait_for()
        by_window.append(name)
    writer.join()
    expect(not failures, f"a command was refused: {failures}")
    stored = app.run("list", "--json")
    for name in by_command + by_window:
        expect(stored.count(f'"name":"{name}"') == 1, f"{name} is there {stored.count(name)} times")
    expect(len(by_command) > 5 and len(by_window) > 5, f"too few: {len(by_command)} and {len(by_window)}")
    return len(by_command) + len(by_window)
