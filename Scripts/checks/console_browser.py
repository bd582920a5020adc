"""A browser for the checks of the console: windows that note what must not happen, sign-in, and every page there is."""

import re
import urllib.parse

from harness import expect

# Chromium without its windows, which takes a third less of the processor.
CHROMIUM = "/usr/bin/chromium-headless-shell"
AXE = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "rules": {"target-size": {"enabled": True}},
}
HOSTILE = "\"><img src=x onerror=alert(1)>'<b>&Donaudampfschifffahrtsgesellschaft"
# What is pressed and is smaller than a size; links inside of a text have the height of its lines. A box beside its text
# is pressed with the text.
SMALL = """least => { const found = [];
    const all = "a[href], button, select, textarea, summary, input:not([type=hidden])";
    for (const one of document.querySelectorAll(all)) {
        if (!one.checkVisibility({visibilityProperty: true}) || one.closest(".unseen, .skip, [inert]")) continue;
        const around = one.parentElement;
        const isInText = getComputedStyle(one).display === "inline" && [...around.childNodes].some(
            node => node !== one && node.nodeType === Node.TEXT_NODE && /[\\p{L}\\p{N}]/u.test(node.data));
        if (isInText) continue;
        const pressed = one.matches("[type=checkbox], [type=radio]") ? one.closest("label") ?? one : one;
        const {width, height} = pressed.getBoundingClientRect();
        if (width > 0 && Math.min(width, height) < least - 0.5)
        {
            const name = (one.innerText || one.getAttribute("aria-label") || one.name || "").trim().slice(0, 30);
            found.push(`${one.localName}.${one.className} “${name}” in ${around.localName}.${around.className}: ${
                width.toFixed(1)} × ${height.toFixed(1)}`);
        }
    }
    return found; }"""
# One-time pages, downloads and pages that a visit changes.
SKIPPED = re.compile(r"^/console/(assets|link|logout|login)|[?&](format|lang|cursor)=")


class Visitor:
    """A browser window that notes everything that must not happen."""

    def __init__(self, browser, server, width=1280, height=900, dark=False, script=True, language="en-GB"):
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light",
            java_script_enabled=script, locale=language, reduced_motion="reduce",
            permissions=["clipboard-read", "clipboard-write"])
        self.url = f"http://localhost:{server.port}"
        self.troubles = []
        self.page = self.new_page()

    def new_page(self):
        page = self.context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", lambda line: line.type in ("error", "warning") and self.troubles.append(line.text))
        page.on("dialog", lambda dialog: (self.troubles.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        return page

    def open(self, path, allowed=400):
        answer = self.page.goto(self.url + path)
        expect(answer.status < allowed, f"{path}: status {answer.status}")
        return answer

    def follow(self, link):
        self.page.goto(link.replace("127.0.0.1", "localhost"))
        self.page.get_by_role("button").click()
        self.page.wait_for_url(self.url + "/console")
        return self

    def sign_in(self, token):
        self.page.goto(self.url + "/console/login")
        self.page.locator("#token").fill(token)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(self.url + "/console")
        return self

    def overflow(self):
        """How many pixels the page is wider than the window."""
        return self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def fits(self, what):
        overflow = self.overflow()
        expect(overflow <= 0, f"{what}: {overflow} px wider than the window")

    def small_targets(self):
        """What is smaller than a finger needs on a touch screen, and what is smaller than WCAG asks with a pointer."""
        found = []
        devices = self.context.new_cdp_session(self.page)
        for is_touch, least in ((True, 44), (False, 24)):
            devices.send("Emulation.setTouchEmulationEnabled", {"enabled": is_touch, "maxTouchPoints": 5})
            expect(self.page.evaluate("matchMedia('(pointer: coarse)').matches") == is_touch, "touch is not emulated")
            found += [f"{one}, less than {least} px" for one in self.page.evaluate(SMALL, least)]
        devices.detach()
        return found

    def tab_to(self, locator, key="Tab", most=250):
        """Moves the focus with the keyboard alone; it must be visible where it arrives."""
        for _ in range(most):
            if locator.evaluate("element => element === document.activeElement"):
                style = locator.evaluate("element => getComputedStyle(element).outlineStyle")
                expect(style != "none", f"the focus of {locator} is not visible")
                return locator
            self.page.keyboard.press(key)
        expect(False, f"the keyboard does not reach {locator}")

    def press(self, locator, key="Enter"):
        self.tab_to(locator)
        self.page.keyboard.press(key)

    def close(self, expected=()):
        troubles = [text for text in self.troubles if not any(part in text for part in expected)]
        expect(not troubles, f"the browser reports: {troubles}")
        self.context.close()


def template(path):
    """The address of a page without ids, numbers and its query."""
    path = urllib.parse.urlsplit(path).path
    path = re.sub(r"/[0-9a-f]{8}-[0-9a-f-]{27}", "/id", path)
    return re.sub(r"/[0-9]+(?=/|$)", "/number", path)


def every_page(visitor):
    """One address of each page, by a name for files: what the navigation lists, and what these pages link to."""
    found, waiting = {}, ["/console"]
    visitor.open("/console")
    links = "[...document.querySelectorAll('%s')].map(link => link.getAttribute('href'))"
    waiting += visitor.page.evaluate(links % "#nav a[href^=\"/console\"]")
    while waiting:
        path = waiting.pop(0)
        if SKIPPED.search(path) or template(path) in found:
            continue
        answer = visitor.page.goto(visitor.url + path)
        expect(answer.status < 400, f"{path}: status {answer.status}")
        found[template(path)] = path
        rows = visitor.page.evaluate(links % "main th[scope=row] a[href^=\"/console\"]")
        waiting += rows[:1] + visitor.page.evaluate(
            links % "main :is(.actions, .chips, .tabs, dd) a[href^=\"/console\"]")
    names = {"-".join(path.split("/")[2:]) or "overview": address for path, address in found.items()}
    names.pop("series", None)  # One of the next two.
    names["series-bars"] = "/console/series?figure=users"
    names["series-line"] = "/console/series?figure=active_30d"
    return names
