"""An operator's Monday in the console, with the keyboard alone: 20 suggestions decided, two pairs of items merged, a
logo, an alert rule and a crash. Compares the server with what this script knows, and fails if a person would take more
than three minutes.

--slow waits as a person reads and types. --mouse does the same with the mouse, and types only into fields."""

import io
import re
import sys

from console_browser import CHROMIUM, Visitor
from console_data import link, send_crashes
from hands import Hands
from harness import Server, debug_binary, expect, main
from PIL import Image
from playwright.sync_api import sync_playwright

MAXIMUM_SECONDS = 180
# What each suggested name is: a misspelling of an item, a new service, or nothing at all.
MISSPELT = {
    "Netfix": "Netflix", "Deezer Premum": "Deezer Premium", "YouTube Premuim": "YouTube Premium", "Freebx": "Freebox",
    "Orange Livebx": "Orange Livebox", "Spotify Premum": "Spotify Premium", "Disny+": "Disney+",
    "Amazon Pirme": "Amazon Prime",
}
# Category as it is shown, and price.
NEW = {"Zörblax Théâtre": ("Press", "12.90"), "Quixotik Jardin": ("Home", "8.50")}
NONSENSE = [
    "asdf", "qwertz 123", "test test", "xxxxxxx", "maman", "loyer mars", "???!", "blabla", "n/a 42", "“rien” <b>"]
PAIRS = [("Wombatix Vidéo", "Wombatix Videos"), ("Klubbo Musique", "Klubbo Musiques")]
RULE = ("Monday's crashes", "99.5")


def picture():
    file = io.BytesIO()
    Image.new("RGB", (96, 96), (20, 90, 160)).save(file, "PNG")
    return file.getvalue()


def fill(server):
    """The queue of a weekend. Returns the token of an owner."""
    owner = server.token("owner")
    names = [*MISSPELT, *NEW, *NONSENSE]
    for number, name in enumerate(sorted(names, key=lambda name: name[::-1])):
        identifier = f"0190b5d2-7c1e-7abc-8def-{number:012d}"
        status = server.call("POST", "/api/v1/suggestions", {"id": identifier, "name": name})[0]
        expect(status < 300, f"suggestion {name}: status {status}")
    for number, pair in enumerate(PAIRS):
        for name in pair:
            item = {"name": name, "category": "streaming", "typical_amount": "9.99", "currency": "EUR",
                    "billing_cycle": "monthly", "website": f"https://pair-{number}.example"}
            status, answer, _ = server.json("POST", "/api/v1/admin/catalogue", item, token=owner)
            expect(status == 201, f"item {name}: {answer}")
    send_crashes(server, ["EXC_BAD_ACCESS"])
    return owner


class Keys(Hands):
    """Steps with the keyboard."""

    def enter(self, locator):
        self.tab_to(locator)
        self.press("Enter")

    def section(self, name):
        self.enter(self.page.get_by_role("navigation").get_by_role("link", name=re.compile(rf"^{name}\b")).first)
        self.page.get_by_role("heading", name=name, level=1, exact=True).wait_for()

    def walk(self, key_of):
        """Goes down the list of suggestions, reads each name, and decides it by its key, if its row has that one."""
        rows = self.page.locator("form[data-bulk] tbody tr")
        self.press("j")
        for _ in range(rows.count()):
            self.wait(0.6)
            key = key_of(self.page.evaluate("document.activeElement.innerText"))
            row = self.page.locator("tbody tr:focus-within")
            if key is None or row.locator(f"[data-key={key}]").count() == 0:
                self.press("j")
                continue
            left = rows.count() - 1
            self.press(key)
            self.page.wait_for_function(
                "left => document.querySelectorAll('form[data-bulk] tbody tr').length === left", arg=left)

    def mark(self, names):
        """Goes down the list of suggestions, reads each name, and selects those given."""
        for _ in range(self.page.locator("tbody tr").count()):
            self.press("j")
            name = self.page.evaluate("document.activeElement.innerText")
            self.wait(0.6)
            if name in names:
                self.press("x")
        self.page.get_by_text(f"{len(names)} selected").wait_for()

    def entry(self, label, text):
        field = self.page.get_by_role("main").get_by_label(re.compile(rf"^{label}( \(|$)"))
        self.tab_to(field)
        if field.evaluate("field => field.tagName") != "SELECT":
            self.press("Control+a")
        self.type(text)

    def search(self, text):
        self.press("/")
        self.type(text)
        self.press("Enter")


class Mouse(Keys):
    """The same by mouse."""

    def enter(self, locator):
        self.click(locator)

    def walk(self, key_of):
        self.wait(0.6 * self.page.locator("form[data-bulk] tbody tr").count())

    def mark(self, names):
        for name in names:
            self.click(self.page.get_by_role("checkbox", name=f"Select {name}", exact=True))
        self.page.get_by_text(f"{len(names)} selected").wait_for()

    def entry(self, label, text):
        field = self.page.get_by_role("main").get_by_label(re.compile(rf"^{label}( \(|$)"))
        if field.evaluate("field => field.tagName") != "SELECT":
            return None if field.input_value() == text else self.fill(field, text)
        option = field.locator("option", has_text=re.compile(f"^{text}"))
        if field.input_value() == option.first.get_attribute("value"):
            return None
        return self.choose(field, option.first.inner_text())

    def search(self, text):
        self.fill(self.page.get_by_role("main").get_by_role("searchbox"), text)
        self.press("Enter")


def pending(page):
    return page.locator("form[data-bulk] tbody th").all_inner_texts()


def decide(keys):
    page = keys.page
    keys.section("Suggestions")
    keys.walk(lambda name: "r" if name in NONSENSE else "a" if name in MISSPELT else None)
    # What is left: with the mouse all of them, else names that are too little like an item for one key.
    for names, button in ((NONSENSE, page.get_by_role("button", name="Reject", exact=True).last),
                          (MISSPELT, page.get_by_role("button", name="Approve as aliases of the nearest items"))):
        left = [name for name in names if name in pending(page)]
        if left:
            keys.mark(left)
            keys.enter(button)
            page.get_by_text(re.compile(rf"ed: {len(left)}\.")).first.wait_for()
    for name, (category, amount) in NEW.items():
        row = page.locator("tbody tr").filter(has=page.get_by_role("link", name=name, exact=True))
        keys.enter(row.get_by_role("link", name=f"Add {name} as a new item"))
        page.locator("#new-category:focus").wait_for()
        for label, text in (
                ("Category", category), ("Price", amount), ("Currency", "EUR"), ("Billing cycle", "monthly")):
            keys.entry(label, text)
        keys.enter(row.get_by_role("button", name="Add", exact=True))
        row.wait_for(state="detached")


def merge(keys):
    page = keys.page
    for one, other in PAIRS:
        keys.section("Catalogue")
        keys.enter(page.locator("main").get_by_role("link", name=re.compile("^Duplicates")).first)
        keys.enter(page.get_by_role("link", name=re.compile(f"^Compare ({one} and {other}|{other} and {one})$")))
        keys.read(page.locator("main table"))
        keys.enter(page.get_by_role("button", name="Merge", exact=True))
        page.get_by_text("Merged.").wait_for()


def set_logo(keys):
    page = keys.page
    keys.section("Catalogue")
    keys.search("netflix")
    page.wait_for_url("**q=netflix**")
    keys.enter(page.get_by_role("link", name="Netflix", exact=True).first)
    if not isinstance(keys, Mouse):
        keys.tab_to(page.get_by_label("Image file"))
    # The dialog of the system: the beginning of a name and Enter twice, or three clicks.
    keys.wait(4)
    if isinstance(keys, Mouse):
        keys.clicks += 3
    else:
        keys.keys += 8
    page.get_by_label("Image file").set_input_files(
        {"name": "netflix.png", "mimeType": "image/png", "buffer": picture()})
    keys.enter(page.get_by_role("button", name="Upload"))
    page.get_by_text("The logo is set.").wait_for()


def add_rule(keys):
    page = keys.page
    keys.section("Alerts")
    keys.enter(page.get_by_role("link", name="New rule"))
    for label, text in (
            ("Name", RULE[0]), ("Figure", "Crash-free sess"), ("Comparison", "below"), ("Value", RULE[1]),
            ("Window", "24 h"), ("Minimum sample", "10")):
        keys.entry(label, text)
    keys.enter(page.get_by_role("button", name="Save rule"))
    page.get_by_text("The rule is saved.").wait_for()


def resolve(keys):
    page = keys.page
    keys.section("Crashes")
    keys.enter(page.locator("main").get_by_role("link", name="EXC_BAD_ACCESS").first)
    keys.read(page.locator("main"))
    keys.enter(page.get_by_role("button", name="Resolve", exact=True))
    page.get_by_role("status").wait_for()


def compare(server, owner):
    def get(path):
        status, answer, _ = server.json("GET", path, token=owner)
        expect(status == 200, f"{path}: {answer}")
        return answer
    states = {row["name"]: row["status"] for row in get("/api/v1/admin/suggestions?status=all&limit=500")["items"]}
    wanted = {**dict.fromkeys([*MISSPELT, *NEW], "approved"), **dict.fromkeys(NONSENSE, "rejected")}
    expect(states == wanted, f"suggestions: {states}")
    items, cursor = [], ""
    while cursor is not None:
        page = get(f"/api/v1/catalogue?limit=500{cursor and '&cursor=' + cursor}")
        items, cursor = items + page["items"], page["next_cursor"]
    byname = {item["name"]: item for item in items}
    expect(len(byname) == len(items), "an item is doubled")
    for typed, name in MISSPELT.items():
        expect(typed in byname[name]["aliases"], f"{typed} is no alias of {name}: {byname[name]['aliases']}")
    for name, (category, amount) in NEW.items():
        typed = (byname[name]["category"], byname[name]["typical_amount"])
        expect(typed == (category.lower(), amount), f"not as typed: {byname[name]}")
    for pair in PAIRS:
        left = [name for name in pair if name in byname]
        expect(len(left) == 1 and set(pair) - set(left) <= set(byname[left[0]]["aliases"]), f"not merged: {pair}")
    logo = byname["Netflix"]["logo_url"]
    expect(logo and server.call("GET", logo)[0] == 200, "Netflix has no logo")
    rules = [rule for rule in get("/api/v1/admin/alerts/rules")["items"] if rule["name"] == RULE[0]]
    expect([(rule["figure"], rule["comparison"], rule["value"]) for rule in rules] == [("crash_free_sessions", "below",
        float(RULE[1]))],
           f"rules: {rules}")
    groups = get("/api/v1/admin/crashes?status=all")["items"]
    expect([group["status"] for group in groups] == ["resolved"], f"crashes: {groups}")


def check(folder):
    with Server(debug_binary("subguardd"), folder) as server, sync_playwright() as playwright:
        owner = fill(server)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        visitor = Visitor(browser, server).follow(link(server))
        keys = (Mouse if "--mouse" in sys.argv else Keys)(visitor.page, "--slow" in sys.argv)
        taken = []
        for task in (decide, merge, set_logo, add_rule, resolve):
            before = keys.seconds
            task(keys)
            taken.append(f"{task.__name__} {keys.seconds - before:.0f} s")
        visitor.close()
        browser.close()
        compare(server, owner)
    expect((keys.clicks == 0 or "--mouse" in sys.argv) and keys.seconds <= MAXIMUM_SECONDS,
           f"too long: {keys}; {', '.join(taken)}")
    return f"20 suggestions, 2 merges, a logo, a rule and a crash: {keys}; {', '.join(taken)}"


if __name__ == "__main__":
    main("monday", check)
