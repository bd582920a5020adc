"""Check the app in a real browser (Debian's chromium, driven by Playwright): a person's tasks with and without JavaScript
and by keyboard alone, every page in both languages, on narrow and wide screens, light and dark, changes of elsewhere, and
pages of other origins. Failures are: violations of the content security policy, errors of scripts, horizontal scrolling,
and whatever axe finds."""

import datetime
import http.server
import os
import pathlib
import signal
import subprocess
import threading
import time

from axe_playwright_python.sync_playwright import Axe
from console_browser import AXE, CHROMIUM, HOSTILE, Visitor
from harness import debug_binary, expect, free_port, main
from playwright.sync_api import sync_playwright

SUBGUARD = debug_binary("subguard")
# Width, dark, JavaScript.
LOOKS = [(1280, False, True), (1280, True, False), (320, False, True), (320, True, True)]


class App:
    """A running `subguard open` on a store of its own."""

    def __init__(self, folder):
        self.port = free_port()
        self.environment = {**os.environ, "SUBGUARD_STORE": str(pathlib.Path(folder, "app.sqlite")),
                            "SUBGUARD_PREMIUM": "true", "LANG": "C.UTF-8"}
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [SUBGUARD, "open", "--no-browser", "--port", str(self.port)], env=self.environment, text=True,
            stdout=subprocess.PIPE)
        self.address = self.process.stdout.readline().strip()
        expect(self.address.startswith(f"http://127.0.0.1:{self.port}/#"), f"not an address: {self.address}")

    def run(self, *arguments):
        done = subprocess.run([SUBGUARD, *arguments], env=self.environment, capture_output=True, text=True, check=False)
        expect(done.returncode == 0, f"{arguments}: {done.stderr}")
        return done.stdout.strip()

    def another_address(self):
        """What a second `subguard open` prints while the app is open."""
        return self.run("open", "--no-browser", "--port", str(self.port))

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait(20)


def enter(browser, app, **look):
    """A window that is let in."""
    visitor = Visitor(browser, app, **look)
    visitor.url = f"http://127.0.0.1:{app.port}"
    address = app.another_address()
    visitor.page.goto(address)
    if not look.get("script", True):
        visitor.page.get_by_label("Address or code").fill(address)
        visitor.page.keyboard.press("Enter")
    visitor.page.locator(".masthead").wait_for()
    expect("#" not in visitor.page.url, "the code stays in the address")
    return visitor


# The page that asks for the code is answered with 401, which the browser reports.
LOCKED = ("401",)


def tasks(browser, app):
    for script in (True, False):
        visitor = enter(browser, app, script=script)
        page, name = visitor.page, f"Été “{script}” 🎉"
        page.get_by_role("link", name="Add a subscription").first.click()
        page.get_by_label("Name of the service").fill(name)
        if not script:
            page.keyboard.press("Enter")
        page.get_by_role("link", name=name).click()
        page.get_by_label("Amount", exact=True).fill("abc")
        page.get_by_role("button", name="Add").click()
        page.get_by_role("alert").wait_for()
        expect(page.get_by_label("Amount", exact=True).input_value() == "abc", "what was typed is lost")
        page.get_by_label("Amount", exact=True).fill("12,34 €")
        page.get_by_label("Currency").fill("EUR")
        page.get_by_label("Next charge").fill(datetime.date.today().isoformat())
        page.get_by_role("button", name="Add").click()
        page.get_by_role("status").wait_for()
        expect("€12.34" in page.locator(".subscriptions").inner_text(), "it is not in the list")
        page.get_by_role("button", name="Undo").click()
        page.get_by_role("button", name="Redo").click()
        page.get_by_role("button", name="Undo").wait_for()
        page.get_by_role("link", name="To confirm").click()
        page.get_by_text("Paid differently").click()
        page.get_by_label("Amount in EUR").fill("11,99")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("status").wait_for()
        expect("Well done" in page.locator("main").inner_text(), "the charge is still open")
        page.get_by_role("link", name="Subscriptions").first.click()
        page.get_by_role("link", name=name).click()
        for button, word in (("Pause", "paused"), ("Resume", "active"), ("Cancel", "cancelled"), ("Delete", "")):
            page.get_by_role("button", name=button, exact=True).click()
            page.get_by_role("status").wait_for()
            expect(word in page.locator("main").inner_text(), f"{button} does not make it {word}")
        visitor.close(expected=(*LOCKED, "422"))


def keyboard(browser, app):
    app.run("add", "Clavier 5 €/mois", "--next", datetime.date.today().isoformat())
    visitor = enter(browser, app)
    page = visitor.page
    visitor.press(page.get_by_role("link", name="To confirm"))
    page.wait_for_url("**/due")
    visitor.press(page.get_by_role("button", name="Confirm: Clavier"))
    page.wait_for_url("**/due?done=*")
    # The focus is at what was done, so that undoing is one step away.
    visitor.tab_to(page.get_by_role("button", name="Undo"), most=2)
    visitor.press(page.get_by_role("link", name="Subscriptions").first, "Enter")
    page.wait_for_url(visitor.url + "/")
    page.keyboard.press("h")
    expect(page.locator("html.veiled").count() == 1, "h does not hide amounts")
    page.keyboard.press("h")
    page.keyboard.press("/")
    page.keyboard.type("clav")
    page.wait_for_url("**q=clav**")
    visitor.close(expected=LOCKED)


def live(browser, app):
    """Changes of the command line are shown within a second, but never under the hands."""
    visitor = enter(browser, app)
    page = visitor.page
    page.wait_for_timeout(500)
    app.run("add", "Ailleurs 7 €/mois")
    began = time.monotonic()
    page.get_by_role("link", name="Ailleurs").wait_for(timeout=5000)
    took = time.monotonic() - began
    expect(took < 1.5, f"a change of elsewhere took {took:.1f} s")
    page.get_by_role("link", name="Ailleurs").click()
    page.get_by_label("Notes").evaluate("element => { element.closest('details').open = true; }")
    page.get_by_label("Notes").fill("typed and not sent")
    app.run("add", "Encore 8 €/mois")
    page.wait_for_timeout(1500)
    expect(page.get_by_label("Notes").input_value() == "typed and not sent", "typed text was replaced")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("status").wait_for()
    expect("typed and not sent" in app.run("show", "Ailleurs"), "the note was not saved")
    visitor.close(expected=LOCKED)
    return took


def looks(browser, app):
    """Every page on every kind of screen, in both languages; each has to fit, and axe finds nothing."""
    app.run("add", "--name", HOSTILE[:80], "--amount", "1234567.89", "--currency", "EUR", "--cycle", "monthly", "--next",
            datetime.date.today().isoformat(), "--category", "streaming")
    count, axe = 0, Axe()
    for language in ("en", "fr"):
        app.run("settings", "set", "language", language)
        for width, dark, script in LOOKS:
            visitor = Visitor(browser, app, width=width, dark=dark, script=script)
            visitor.url = f"http://127.0.0.1:{app.port}"
            address = app.another_address()
            visitor.open("/", allowed=402)
            visitor.fits(f"locked page at {width} px")
            visitor.page.locator("#code").fill(address)
            visitor.page.keyboard.press("Enter")
            visitor.page.locator(".masthead").wait_for()
            first = visitor.page.locator(".subscriptions a").first.get_attribute("href")
            for path in ("/", "/due", "/calendar", "/calendar?month=2028-02", "/widget/small", "/widget/large", "/settings", "/backups", "/add", "/add?q=netflx", "/add?name=x", first, "/?q=nothing"):
                visitor.open(path)
                visitor.fits(f"{path} at {width} px")
                count += 1
                if not script:
                    continue
                found = [
                    f"{violation['id']} {[node['html'] for node in violation['nodes']][:2]}"
                    for violation in axe.run(visitor.page, options=AXE).response["violations"]]
                expect(not found, f"axe on {path} at {width} px, {'dark' if dark else 'light'}: {found}")
            visitor.close(expected=LOCKED)
    app.run("settings", "set", "language", "en")
    return count


class Evil(http.server.BaseHTTPRequestHandler):
    """A page on another port of this machine: of the same site, so its requests carry the cookie."""

    app = 0
    cookies = []

    def do_GET(self):
        Evil.cookies.append(self.headers.get("Cookie"))
        body = f"""<!doctype html><title>evil</title>
            <form id=form method=post action="http://127.0.0.1:{Evil.app}/add"><input name=name value=evil></form>
            <iframe src="http://127.0.0.1:{Evil.app}/"></iframe><script>
            const tell = (text) => {{ document.title += " " + text; }};
            fetch("http://127.0.0.1:{Evil.app}/", {{ credentials: "include" }}).then(() => tell("read"), () => tell("refused"));
            fetch("http://127.0.0.1:{Evil.app}/add", {{ method: "POST", mode: "no-cors", credentials: "include",
                body: new URLSearchParams({{ name: "evil" }}) }}).then((answer) => tell(answer.type), () => tell("failed"));
            </script>""".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def other_origins(browser, app):
    visitor = enter(browser, app)
    before = app.run("list")
    Evil.app = app.port
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Evil)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = visitor.context.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/")
    page.wait_for_function("document.title.split(' ').length === 3")
    expect("read" not in page.title(), "another origin reads a page")
    frame = page.frames[1]
    expect(frame.locator(".masthead").count() == 0, "another origin frames a page")
    page.evaluate("document.getElementById('form').submit()")
    page.wait_for_url(f"http://127.0.0.1:{app.port}/add")
    expect("another origin" in page.content(), "another origin sends a form")
    expect(app.run("list") == before, "another origin changed something")
    # A name that resolves to this machine.
    rebound = page.goto(f"http://rebind.example:{app.port}/")
    expect(rebound.status == 403, f"a foreign host gets {rebound.status}")
    server.shutdown()
    # A stolen address is used up.
    address = app.another_address()
    visitor.page.goto(address)
    thief = Visitor(browser, app)
    for _ in range(2):
        thief.page.goto(address)
        thief.page.wait_for_timeout(300)
    visitor.close(expected=LOCKED)
    thief.context.close()


def restarts(browser, app):
    """A kill loses nothing but what was not sent; remembered browsers stay."""
    visitor = Visitor(browser, app)
    visitor.url = f"http://127.0.0.1:{app.port}"
    visitor.open("/", allowed=402)
    visitor.page.locator("#code").fill(app.another_address())
    visitor.page.get_by_label("Remember this browser").check()
    visitor.page.keyboard.press("Enter")
    visitor.page.locator(".masthead").wait_for()
    before = app.run("list")
    visitor.open("/add?name=Typed")
    app.stop(signal.SIGKILL)
    app.start()
    visitor.page.get_by_label("Amount", exact=True).fill("9,99")
    visitor.page.get_by_label("Currency").fill("EUR")
    visitor.page.get_by_role("button", name="Add").click()
    visitor.page.get_by_role("status").wait_for()
    expect(all(line in app.run("list") for line in before.splitlines()[1:]), "the kill lost something")
    visitor.close(expected=(*LOCKED, "ERR_", "Failed to load"))


def check(folder):
    app = App(folder)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM,
                args=["--no-sandbox", "--host-resolver-rules=MAP rebind.example 127.0.0.1"])
            tasks(browser, app)
            keyboard(browser, app)
            took = live(browser, app)
            pages = looks(browser, app)
            other_origins(browser, app)
            restarts(browser, app)
            browser.close()
    finally:
        app.stop()
    return f"app: tasks by mouse, keyboard and without JavaScript; {pages} pages fit; a change is shown after {took:.1f} s"


main("app", check)
