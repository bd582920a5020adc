"""Kill -9 of the server in the middle of a form, and the file that leads a browser to the address with its code."""

import os
import pathlib
import re
import signal
import socket
import stat
import subprocess
import time

from console_browser import Visitor
from harness import debug_binary, expect

# What a browser reports when a server is away, or has no session for it.
AWAY = ("ERR_", "Failed to load", "401")

FAKE = """#!/bin/sh
# Stands for the program that opens a browser: notes the file and who may read it.
tr '\\0' '\\n' </proc/$PPID/cmdline >"$SEEN.caller"
stat -c %a "$1" "$(dirname "$1")" >"$SEEN.modes"
echo "$1" >"$SEEN.part"
mv "$SEEN.part" "$SEEN"
"""


def names(app):
    return set(re.findall(r'"name":"([^"]*)"', app.run("list", "--json")))


def remembered(browser, app):
    """A remembered browser goes on after a kill as if nothing had happened, once the page has noticed it."""
    visitor = Visitor(browser, app)
    visitor.url = f"http://127.0.0.1:{app.port}"
    page = visitor.page
    visitor.open("/launch")
    page.locator("#code").fill(app.another_address())
    page.get_by_label("Remember this browser").check()
    page.keyboard.press("Enter")
    page.locator(".masthead").wait_for()
    before = names(app)
    visitor.open("/add?name=Typed")
    page.get_by_label("Amount", exact=True).fill("9,99")
    page.wait_for_timeout(300)
    app.stop(signal.SIGKILL)
    began = time.monotonic()
    page.locator("#away").wait_for(timeout=5000)
    expect(time.monotonic() - began < 2, "the page notices late that the server is away")
    expect("subguard open" in page.locator("#away").inner_text(), "the page does not say how to start the app")
    page.get_by_label("Currency").fill("EUR")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#away").evaluate("banner => banner === document.activeElement"),
        "the banner is not pointed at")
    expect(page.get_by_label("Amount", exact=True).input_value() == "9,99",
        "typed text is lost while the server is away")
    app.start()
    page.locator("#away").wait_for(state="hidden", timeout=10_000)
    page.get_by_role("button", name="Add", exact=True).click()
    page.wait_for_url("**done=*")
    expect(names(app) == before | {"Typed"}, "the kill lost something, or the form was not sent")
    # The page follows changes again.
    page.wait_for_timeout(1500)
    app.run("add", "Wieder 7 €/mois")
    page.get_by_role("link", name="Wieder").wait_for(timeout=5000)
    visitor.close(expected=AWAY)


def forgotten(browser, app, enter, script):
    """Without a remembered session, what was typed comes back after the code, to be checked and sent."""
    visitor = enter(browser, app, script=script)
    page, name, notes = visitor.page, f"Reprise “{script}” <b>", "L'été\n“26” & 🎉"
    before = app.run("list")
    visitor.open("/add?name=x")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Amount", exact=True).fill("12,34")
    page.get_by_label("Currency").fill("EUR")
    page.get_by_text("Trial, contract, notes").click()
    page.get_by_label("Notes", exact=True).fill(notes)
    app.stop(signal.SIGKILL)
    if script:
        page.locator("#away").wait_for()
    app.start()
    if script:
        # The page says that the session has ended, and keeps what is in it. One that has not noticed sends it anyway.
        page.locator("#away", has_text="session").wait_for(timeout=10_000)
        page.evaluate("document.querySelector('form[data-draft]').submit()")
    else:
        page.get_by_role("button", name="Add", exact=True).click()
    page.locator("#code").wait_for()
    expect("What you typed is kept" in page.locator("main").inner_text(), "the page does not say that the form is kept")
    expect(app.run("list") == before, "a form without a session was carried out")
    if script:
        # Another tab lets the browser in.
        other = visitor.new_page()
        other.goto(app.another_address())
        other.locator(".masthead").wait_for()
        page.get_by_role("button", name="It is already open in another tab").click()
    else:
        page.locator("#code").fill(app.another_address())
        page.locator("#code").press("Enter")
    page.get_by_text("Not sent yet.").wait_for()
    expect(app.run("list") == before, "the form was carried out without being checked")
    found = page.get_by_label("Name", exact=True).input_value(), page.get_by_label("Amount", exact=True).input_value()
    expect(found == (name, "12,34"), f"the form came back with {found}")
    expect(page.get_by_label("Notes", exact=True).is_visible(), "the notes are hidden")
    expect(page.get_by_label("Notes", exact=True).input_value() == notes, "the notes did not come back")
    visitor.fits("a form that came back")
    page.get_by_role("button", name="Add", exact=True).click()
    page.wait_for_url("**done=*")
    expect(name in names(app), f"the form was not sent: {page.url}")
    visitor.close(expected=AWAY)


def half_open(visitor, app, count=300):
    """Connections of another program that never finish their request delay no other."""
    waiting = [socket.create_connection(("127.0.0.1", app.port)) for _ in range(count)]
    for connection in waiting:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127")
    began = time.monotonic()
    visitor.open("/")
    expect(time.monotonic() - began < 5,
        f"with {count} unfinished requests a page takes {time.monotonic() - began:.1f} s")
    for connection in waiting:
        connection.close()


def launched(browser, app):
    """The browser is opened with a file that only the user reads, which is deleted once the code was used."""
    folder = pathlib.Path(app.environment["SUBGUARD_STORE"]).parent
    programs = folder / "programs"
    programs.mkdir()
    (programs / "xdg-open").write_text(FAKE)
    (programs / "xdg-open").chmod(0o755)
    session = folder / "session"
    session.mkdir(mode=0o700)
    seen = folder / "seen"
    environment = {**app.environment, "PATH": f"{programs}:{os.environ['PATH']}", "SEEN": str(seen),
                   "XDG_RUNTIME_DIR": str(session)}
    with subprocess.Popen([debug_binary("subguard"), "open", "--port", str(app.port)], env=environment, text=True,
                          stdout=subprocess.PIPE) as process:
        address = process.stdout.readline().strip()
        for _ in range(100):
            if seen.exists():
                break
            time.sleep(0.1)
        file = pathlib.Path(seen.read_text().strip())
        code = address.split("#")[1]
        expect(code in file.read_text(), "the file does not lead to the address")
        expect(pathlib.Path(f"{seen}.modes").read_text().split() == ["600", "700"], "others may read the file")
        expect(stat.S_IMODE(session.stat().st_mode) == 0o700 and session in file.parents, f"the file is at {file}")
        for listed in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                expect(code.encode() not in listed.read_bytes(), f"the code is in the command line of {listed}")
            except OSError:
                pass
        visitor = Visitor(browser, app)
        visitor.page.goto(f"file://{file}")
        visitor.page.wait_for_url(f"http://127.0.0.1:{app.port}/*")
        visitor.page.locator(".masthead").wait_for()
        expect("#" not in visitor.page.url, "the code stays in the address")
        expect(process.wait(10) == 0, "the command has failed")
    expect(not list(session.iterdir()), "the file is still there")
    visitor.close()
