"""Check the console in a real browser (Debian's Chromium, driven by Playwright): an operator's tasks with and without
JavaScript and by keyboard alone, every page in both languages, on narrow and wide screens, light and dark, and what
attackers try. Failures are: violations of the content security policy, errors of scripts, horizontal scrolling, and
whatever axe finds.

Arguments choose parts: sign_in_and_out moderate decide_in_place cursor manage_access passkeys read_the_log
explore_events lists security widths look"""

import csv
import json
import pathlib
import re
import sqlite3
import sys
import time

import console_lists
import console_security
from axe_playwright_python.sync_playwright import Axe
from console_browser import AXE, CHROMIUM, HOSTILE, Visitor, every_page
from console_data import fill, link
from harness import Server, debug_binary, expect, main
from playwright.sync_api import sync_playwright

BUDGET = json.loads((pathlib.Path(__file__).resolve().parents[2] / "Benchmarks/budget.json").read_text())["console"]
# Of the page and of all that it loads, as sent, also of what the browser kept.
SIZES = """() => ["navigation", "resource"].flatMap(type => performance.getEntriesByType(type))
    .map(entry => entry.encodedBodySize)"""
# Width, dark, JavaScript, language: each value with each other one at least once; axe where colours or layout differ.
LOOKS = [
    (1280, False, True, "en-GB", True), (1280, True, True, "fr-FR", True), (320, False, True, "fr-FR", True),
    (320, True, False, "en-GB", False), (1280, False, False, "fr-FR", False),
]

WIDTHS = [320, 480, 600, 768, 900, 1024, 1280, 1920]
# Where targets are measured.
TOUCHED = (320, 1024)
# Tables that scroll in their frame. Those with a column for each role or day keep their first column in view.
CLIPPED = """() => [...document.querySelectorAll("main .scroll")]
    .filter(frame => frame.offsetParent && !frame.querySelector(".matrix, .cohorts"))
    .map(frame => [frame.getAttribute("aria-label") ?? frame.className, frame.scrollWidth - frame.clientWidth])
    .filter(([, wide]) => wide > 0)"""


class ConsoleServer(Server):
    def age_sessions(self):
        """As if every sign-in had been 16 minutes ago."""
        with sqlite3.connect(self.store) as store:
            store.execute("UPDATE console_sessions SET confirmed_at = confirmed_at - 960000")


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
        visitor.close()
    visitor = Visitor(browser, server)
    visitor.page.goto(visitor.url + "/console/login")
    visitor.page.get_by_label("Access token").fill("sgt_" + "x" * 43)
    visitor.page.keyboard.press("Enter")
    visitor.page.get_by_role("alert").wait_for()
    visitor.close(expected=("422",))


def moderate(browser, server):
    """Reject and undo with the keyboard alone; with and without JavaScript."""
    for script in (True, False):
        visitor = Visitor(browser, server, script=script).follow(link(server))
        page = visitor.page
        visitor.open("/console/suggestions")
        page.locator("main").get_by_role("searchbox").fill("wordpad")
        page.keyboard.press("Enter")
        page.wait_for_url("**q=wordpad**")
        box = page.get_by_role("checkbox", name="Select Wordpad Plus")
        # Enter presses the first button of the form; with JavaScript, none.
        for field, keys in ((box, "Space"), (page.get_by_label("Reason"), "x")):
            visitor.press(field, keys)
            page.keyboard.press("Enter")
            if not script:
                page.get_by_text("Nothing was changed").wait_for()
                visitor.open("/console/suggestions?q=wordpad")
            expect(page.get_by_text("Rejected: 1.").count() == 0, "Enter in a field decides")
        if script:
            expect("1 selected" in page.locator("fieldset.bulk").inner_text(), "the selection is not counted")
        else:
            visitor.press(box, "Space")
        visitor.press(page.get_by_role("button", name="Reject", exact=True))
        page.get_by_text("Rejected: 1.").wait_for()
        visitor.press(page.get_by_role("button", name="Undo"))
        page.get_by_text("Put back into the queue: 1.").wait_for()
        visitor.close(expected=() if script else ("422",))


def decide_in_place(browser, server):
    """A decision on one row keeps the place: the list is read again, and the row that follows has the focus."""
    visitor = Visitor(browser, server, height=420).follow(link(server))
    page = visitor.page
    visitor.open("/console/suggestions")
    names = page.locator("tbody th a")
    expected = names.nth(4).inner_text()
    page.locator("tbody tr").nth(3).get_by_role("button", name="Reject").scroll_into_view_if_needed()
    before = page.locator("tbody tr").nth(3).bounding_box()["y"]
    decided = names.nth(3).inner_text()
    page.locator("tbody tr").nth(3).get_by_role("button", name="Reject").click()
    page.get_by_text("Rejected: 1.").wait_for(state="attached")
    expect("notice=done." in page.url, f"the address is {page.url}")
    expect(page.locator(".notice bdi").inner_text() == decided, "the notice does not name the suggestion")
    expect(page.evaluate("document.activeElement.innerText") == expected, "the next row has no focus")
    after = page.locator("tbody tr").nth(3).bounding_box()["y"]
    expect(abs(after - before) < 2, f"the list moved by {after - before} px")
    # The new list works as the first one did.
    page.keyboard.press("x")
    page.get_by_text("1 selected").wait_for()
    page.get_by_role("button", name="Undo: put 1 back").click()
    page.get_by_text("Put back into the queue: 1.").wait_for()
    page.keyboard.press("Control+k")
    page.keyboard.type("netflix")
    page.keyboard.press("Enter")
    page.wait_for_url("**/console/search?q=netflix")
    visitor.close()


def manage_access(browser, server):
    """Create and revoke a token, edit a role, end a session: with the keyboard alone, with and without JavaScript."""
    for script in (True, False):
        visitor = Visitor(browser, server, script=script).follow(link(server))
        page = visitor.page
        visitor.open("/console/access")
        name = f"keyboard {script} {HOSTILE}"
        visitor.tab_to(page.get_by_label("Name"))
        page.keyboard.type(name)
        page.keyboard.press("Tab")
        page.keyboard.type("moderator")
        visitor.press(page.get_by_role("button", name="Create token"))
        page.locator("#secret").wait_for()
        visitor.press(page.get_by_role("link", name="All tokens"))
        visitor.press(page.get_by_role("link", name=name))
        visitor.press(page.get_by_role("link", name="Revoke…"))
        visitor.press(page.get_by_role("button", name="Revoke the token"))
        page.get_by_text("The token is revoked.").wait_for()

        visitor.open("/console/access/roles")
        visitor.press(page.get_by_label("support: Read figures"), "Space")
        checked = page.get_by_label("support: Read figures").is_checked()
        visitor.press(page.get_by_role("button", name="Save roles"))
        page.get_by_text("The roles are saved.").wait_for()
        expect(page.get_by_label("support: Read figures").is_checked() == checked, "the role was not saved")

        other = Visitor(browser, server).follow(link(server))
        visitor.open("/console/sessions")
        visitor.press(page.get_by_role("link", name="End my other sessions"))
        visitor.press(page.get_by_role("button", name="End them"))
        page.get_by_text("The other sessions have ended.").wait_for()
        other.page.reload()
        expect("/console/login" in other.page.url, "an ended session goes on")
        other.close()
        visitor.close()


def passkeys(browser, server):
    """Add a passkey, sign in with it, remove it, with Chromium's virtual authenticator; without JavaScript, no
    button."""
    visitor = Visitor(browser, server).follow(link(server))
    page = visitor.page
    devices = visitor.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    device = devices.send("WebAuthn.addVirtualAuthenticator", {"options": {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True}})["authenticatorId"]
    visitor.open("/console/access/passkeys")
    visitor.tab_to(page.get_by_label("Name"))
    page.keyboard.type(HOSTILE)
    visitor.press(page.get_by_role("button", name="Continue"))
    page.get_by_role("button", name="Create the passkey").wait_for()
    page.set_viewport_size({"width": 320, "height": 640})
    visitor.fits("the page of a new passkey")
    page.set_viewport_size({"width": 1280, "height": 900})
    visitor.press(page.get_by_role("button", name="Create the passkey"))
    page.get_by_text("The passkey is added.").wait_for()
    visitor.fits("the list of passkeys")
    for _ in range(2):
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url("**/console/login?notice=out")
        page.goto(visitor.url + "/console/login?next=/console/funnel")
        visitor.press(page.get_by_role("button", name="Sign in with a passkey"))
        # In full: the address of the sign-in ends likewise.
        page.wait_for_url(visitor.url + "/console/funnel")
    refused = page.evaluate("""async () => (await fetch("/console/login/passkey", {method: "POST",
        headers: {"Content-Type": "application/x-www-form-urlencoded"}, body: "credential=AA"})).status""")
    expect(refused == 422, f"a sign-in without a passkey: {refused}")
    # The device has verified its user, which counts as the token, until that was too long ago.
    visitor.open("/console/access/passkeys")
    page.get_by_label("Name").fill("second")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Create the passkey").click()
    page.locator("form .fault").get_by_text("No passkey was made.").wait_for()
    server.age_sessions()
    visitor.open("/console/access/passkeys")
    visitor.press(page.get_by_role("link", name="Remove the passkey"))
    visitor.press(page.get_by_role("button", name="Remove the passkey"))
    page.get_by_role("heading", name="Confirm with your token").wait_for()
    visitor.follow(link(server))
    visitor.open("/console/access/passkeys")
    visitor.press(page.get_by_role("link", name="Remove the passkey"))
    visitor.press(page.get_by_role("button", name="Remove the passkey"))
    page.get_by_text("The passkey is removed.").wait_for()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_load_state("networkidle")
    page.get_by_text("This passkey is not accepted").wait_for()
    devices.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": device})
    visitor.close(expected=("422", "403"))
    visitor = Visitor(browser, server, script=False)
    visitor.open("/console/login")
    expect(not visitor.page.get_by_role("button", name="Sign in with a passkey").is_visible(),
        "a button without effect")
    visitor.close()


def read_the_log(browser, server):
    """Filter and verify the audit log, back up, by keyboard."""
    visitor = Visitor(browser, server).follow(link(server))
    page = visitor.page
    visitor.open("/console/audit")
    page.keyboard.press("/")
    page.keyboard.type("check owner")
    page.keyboard.press("Enter")
    page.wait_for_url("**actor=check+owner**")
    visitor.press(page.get_by_role("link", name="Console: signed in").first)
    page.get_by_role("heading", name="Console: signed in").wait_for()
    visitor.open("/console/audit")
    visitor.press(page.get_by_role("button", name="Verify the chain"))
    page.get_by_text("The chain is intact").wait_for()
    visitor.open("/console/operations")
    page.keyboard.press("/")
    page.keyboard.type("netfix")
    page.keyboard.press("Enter")
    page.wait_for_url("**/console/search?q=netfix")
    page.get_by_role("heading", name="Suggestions").wait_for()
    visitor.open("/console/audit")
    page.keyboard.press("?")
    page.wait_for_url("**/console/keys")
    visitor.press(page.get_by_role("button", name="Keys are on"))
    visitor.open("/console/audit")
    page.keyboard.press("/")
    expect(page.evaluate("document.activeElement === document.body"), "a key works though keys are off")

    visitor.open("/console/operations")
    visitor.press(page.get_by_role("button", name="Back up now"))
    page.get_by_text("is complete.").wait_for()
    visitor.press(page.get_by_role("button", name="Verify the newest backup"))
    page.get_by_text("restored and verified").wait_for()
    visitor.close()


def look(browser, server):
    """Every page on every kind of screen; each has to fit, and axe finds nothing."""
    axe, slowest, findings = Axe(), 0, []
    pages = None
    for width, dark, script, language, is_checked in LOOKS:
        visitor = Visitor(browser, server, width, 900 if width > 400 else 640, dark, script, language)
        visitor.page.goto(visitor.url + "/console/login")
        visitor.fits(f"login at {width} px")
        visitor.follow(link(server))
        pages = pages or every_page(visitor)
        for name, path in pages.items():
            began = time.monotonic()
            visitor.open(path)
            slowest = max(slowest, time.monotonic() - began)
            sizes = visitor.page.evaluate(SIZES)
            if len(sizes) > BUDGET["page_requests"] or sum(sizes) > BUDGET["page_and_assets_bytes"]:
                findings.append(f"{name}: {len(sizes)} requests, {sum(sizes):,} bytes: more than "
                    f"Benchmarks/budget.json allows")
            wide = visitor.overflow()
            if wide > 0:
                findings.append(f"{name}, {width} px, {language}: {wide} px wider than the window")
            if not is_checked:
                continue
            for violation in axe.run(visitor.page, options=AXE).response["violations"]:
                places = ", ".join(node["html"][:160] for node in violation["nodes"][:3])
                findings.append(f"{name}, {width} px, {'dark' if dark else 'light'}: {violation['id']}: {places}")
        visitor.close()
    expect(not findings, "pages have faults:\n" + "\n".join(findings))
    return len(pages), slowest


def widths(browser, server):
    """Every page at every width, with long words in both languages: neither page nor table is cut, and what is pressed
    is large enough for a finger on a touch screen, and for a pointer."""
    findings, pages = [], None
    for language in ("en-GB", "fr-FR"):
        visitor = Visitor(browser, server, language=language).follow(link(server))
        pages = pages or every_page(visitor)
        for name, path in pages.items():
            visitor.open(path)
            for width in WIDTHS:
                visitor.page.set_viewport_size({"width": width, "height": 900})
                if (wide := visitor.overflow()) > 0:
                    findings.append(f"{name}, {width} px, {language}: {wide} px wider than the window")
                for table, wide in visitor.page.evaluate(CLIPPED):
                    findings.append(f"{name}, {width} px, {language}: {table} is cut by {wide} px")
                if language == "fr-FR" and width in TOUCHED:
                    findings += [f"{name}, {width} px: {one}" for one in visitor.small_targets()]
        visitor.close()
    expect(not findings, "pages have faults:\n" + "\n".join(findings))


def explore_events(browser, server):
    """Filters of the event explorer: the page, its table and the file agree, and a wrong service is named."""
    for script in (True, False):
        visitor = Visitor(browser, server, script=script).follow(link(server))
        page = visitor.page
        totals = {}
        for event in ("", "app_opened"):
            visitor.open("/console/events")
            page.locator("#event").select_option(event)
            page.locator("form.filters button[type=submit]").click()
            page.wait_for_url("**event=*")
            expect("Counted in the database." in page.locator("main").inner_text(),
                "the page does not say where it counted")
            with page.expect_download() as found:
                page.locator("a[href*='format=csv']").click()
            rows = list(csv.DictReader(pathlib.Path(found.value.path()).read_text(encoding="utf-8-sig").splitlines()))
            totals[event] = sum(int(row["events"]) for row in rows)
            shown = int(re.match(r"[0-9,]+", page.locator("#selection + .hint").inner_text())[0].replace(",", ""))
            expect(shown == totals[event] > 0, f"{event}: {shown} on the page, {totals[event]} in the file")
        expect(totals["app_opened"] < totals[""], f"the event does not filter: {totals}")
        page.locator("#item").fill("<b>no such service")
        page.locator("form.filters button[type=submit]").click()
        page.locator("#item[aria-invalid]").wait_for()
        expect(page.locator("#item").input_value() == "<b>no such service", "what was typed is lost")
        visitor.close(expected=("422", "404", "400"))


def cursor(browser, server):
    visitor = Visitor(browser, server).follow(link(server))
    visitor.open("/console/series?figure=users")
    visitor.page.locator("svg.plot").hover()
    expect(visitor.page.locator(".tip").is_visible(), "the plot has no cursor")
    visitor.open("/console")
    visitor.page.get_by_role("button", name="Pause refresh").click()
    expect(visitor.page.get_by_role("button", name="Refresh every minute").is_visible(),
        "the refresh cannot be stopped")
    visitor.close()


def check(folder):
    began = time.monotonic()
    chosen = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    server = ConsoleServer(debug_binary("subguardd"), folder, {"RATE_LIMIT_ENABLED": "false"})
    with server, sync_playwright() as playwright:
        owner = fill(server)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        count, slowest = 0, 0
        for task in (sign_in_and_out, moderate, decide_in_place, cursor, manage_access, passkeys, read_the_log,
                explore_events):
            if not chosen or task.__name__ in chosen:
                task(browser, server)
        if not chosen or "lists" in chosen:
            console_lists.check(browser, server)
        if not chosen or "security" in chosen:
            console_security.check(browser, server, owner)
        if not chosen or "widths" in chosen:
            widths(browser, server)
        if not chosen or "look" in chosen:
            count, slowest = look(browser, server)
        browser.close()
    return (f"{count} pages on 320 and 1,280 px, slowest load {slowest * 1000:.0f} ms, "
            f"{time.monotonic() - began:.0f} s in all")


main("console", check)
