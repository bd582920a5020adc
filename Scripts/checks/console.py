"""Check the console in a real browser (Debian's chromium, driven by Playwright): an operator's tasks with and without
JavaScript, in both languages, on narrow and wide screens, light and dark. Violations of the content security policy,
errors of scripts and horizontal scrolling are failures.

--screenshots FOLDER keeps a picture of each page."""

import argparse
import pathlib
import sys
import time

from playwright.sync_api import sync_playwright

from harness import Server, debug_binary, expect, main

CHROMIUM = "/usr/bin/chromium"
PAGES = {
    "overview": "/console", "suggestions": "/console/suggestions", "funnel": "/console/funnel",
    "cohorts": "/console/cohorts", "ranking": "/console/ranking",
    "series-bars": "/console/series?figure=users", "series-line": "/console/series?figure=active_30d",
}
NAMES = ["Netfix", "Spotfy Family", "Dysney Plus", "Le Mondé", "Зоe Music", "Crème & Co <b>", "Wordpad Plus"]
ARGUMENTS = argparse.ArgumentParser(add_help=False)
ARGUMENTS.add_argument("--screenshots", type=pathlib.Path)


class Visitor:
    """A browser window that notes everything that must not happen."""

    def __init__(self, browser, server, width=1280, height=900, dark=False, script=True, language="en-GB"):
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light",
            java_script_enabled=script, locale=language, reduced_motion="reduce")
        self.page = self.context.new_page()
        self.url = f"http://localhost:{server.port}"
        self.troubles = []
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", lambda message: message.type in ("error", "warning") and self.troubles.append(message.text))

    def open(self, path):
        answer = self.page.goto(self.url + path)
        expect(answer.status < 400, f"{path}: status {answer.status}")

    def follow(self, link):
        self.page.goto(link.replace("127.0.0.1", "localhost"))
        self.page.get_by_role("button").click()
        self.page.wait_for_url(self.url + "/console")

    def fits(self, what):
        overflow = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        expect(overflow <= 0, f"{what}: {overflow} px wider than the window")

    def close(self):
        expect(not self.troubles, f"the browser reports: {self.troubles}")
        self.context.close()


def fill(server):
    """An owner, a history of devices and some suggestions."""
    server.token("owner")
    server.run("load", "--history", "--devices", "150", "--weeks", "6", "--url", server.url, "--seed", "7",
               "--token", server.token("analyst"))
    for number, name in enumerate(NAMES * 3):
        identifier = f"0190b5d2-7c1e-7abc-8def-{number:012d}"
        status = server.call("POST", "/api/v1/suggestions", {"id": identifier, "name": name})[0]
        expect(status < 300, f"suggestion {name}: status {status}")


def link(server):
    return server.run("console", "link").strip()


def sign_in_and_out(browser, server):
    for script in (True, False):
        visitor = Visitor(browser, server, script=script)
        page = visitor.page
        page.goto(visitor.url + "/console/funnel?from=2026-01-01")
        expect("/console/login" in page.url, "signed out, a page opens")
        page.get_by_label("Access token").fill(server.token("analyst"))
        page.keyboard.press("Enter")
        page.wait_for_url("**/console/funnel?from=2026-01-01")
        expect(page.get_by_label("From").input_value() == "2026-01-01", "the range is lost at the sign-in")
        expect(page.get_by_role("link", name="Suggestions").count() == 0, "a page without permission is listed")
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url("**/console/login?notice=out")
        page.go_back()
        page.reload()
        expect("/console/login" in page.url, "a page opens after the sign-out")
        visitor.close()
    visitor = Visitor(browser, server)
    visitor.page.goto(visitor.url + "/console/login")
    visitor.page.get_by_label("Access token").fill("sgt_" + "x" * 43)
    visitor.page.keyboard.press("Enter")
    visitor.page.get_by_role("alert").wait_for()
    visitor.context.close()


def moderate(browser, server):
    """Reject and undo with the keyboard alone; with and without JavaScript."""
    for script in (True, False):
        visitor = Visitor(browser, server, script=script)
        visitor.follow(link(server))
        page = visitor.page
        visitor.open("/console/suggestions")
        page.get_by_role("searchbox").fill("wordpad")
        page.keyboard.press("Enter")
        page.wait_for_url("**q=wordpad**")
        page.get_by_role("checkbox", name="Select Wordpad Plus").focus()
        page.keyboard.press("Space")
        if script:
            expect("1 selected" in page.get_by_role("group").inner_text(), "the selection is not counted")
        page.get_by_label("Reason").fill("spam")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Rejected: 1.").count() == 0, "Enter in a field decides")
        page.get_by_role("button", name="Reject", exact=True).focus()
        page.keyboard.press("Enter")
        page.get_by_text("Rejected: 1.").wait_for()
        page.get_by_role("button", name="Undo").focus()
        page.keyboard.press("Enter")
        page.get_by_text("Put back into the queue: 1.").wait_for()
        visitor.close()


def look(browser, server, folder):
    """Every page on four screens; each has to fit."""
    token_link = lambda: link(server)
    slowest = 0
    for width in (320, 1280):
        for dark in (False, True):
            for language in ("en-GB", "fr-FR") if not dark else ("en-GB",):
                visitor = Visitor(browser, server, width, 900 if width > 400 else 640, dark, language=language)
                visitor.page.goto(visitor.url + "/console/login")
                visitor.fits(f"login at {width} px")
                if folder:
                    visitor.page.screenshot(path=folder / f"login-{width}-{'dark' if dark else 'light'}-{language[:2]}.png")
                visitor.follow(token_link())
                for name, path in PAGES.items():
                    began = time.monotonic()
                    visitor.open(path)
                    slowest = max(slowest, time.monotonic() - began)
                    visitor.fits(f"{name} at {width} px in {language}")
                    if folder:
                        visitor.page.screenshot(
                            path=folder / f"{name}-{width}-{'dark' if dark else 'light'}-{language[:2]}.png",
                            full_page=True)
                visitor.close()
    return slowest


def cursor(browser, server):
    visitor = Visitor(browser, server)
    visitor.follow(link(server))
    visitor.open("/console/series?figure=users")
    visitor.page.locator("svg.plot").hover()
    expect(visitor.page.locator(".tip").is_visible(), "the plot has no cursor")
    visitor.open("/console")
    visitor.page.get_by_role("button", name="Pause refresh").click()
    expect(visitor.page.get_by_role("button", name="Refresh every minute").is_visible(), "the refresh cannot be stopped")
    visitor.close()


def check(folder):
    options, _ = ARGUMENTS.parse_known_args(sys.argv[1:])
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    server = Server(debug_binary("subguardd"), folder, {"RATE_LIMIT_ENABLED": "false"})
    with server, sync_playwright() as playwright:
        fill(server)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        sign_in_and_out(browser, server)
        moderate(browser, server)
        cursor(browser, server)
        slowest = look(browser, server, options.screenshots)
        browser.close()
    return f"{len(PAGES)} pages on 320 and 1,280 px, slowest load {slowest * 1000:.0f} ms"


main("console", check)
