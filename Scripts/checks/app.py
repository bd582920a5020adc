"""Check the app in a real browser (Debian's Chromium, driven by Playwright): a person's tasks with and without
JavaScript and by keyboard alone, every page in both languages, on narrow and wide screens, light and dark, changes of
elsewhere, and pages of other origins. Failures are: violations of the content security policy, errors of scripts,
horizontal scrolling, and whatever axe finds."""

import datetime
import http.server
import os
import pathlib
import re
import signal
import subprocess
import threading
import time

import app_files
import app_kills
import app_more
import app_neighbour
from app_writers import three_writers
from axe_playwright_python.sync_playwright import Axe
from console_browser import AXE, CHROMIUM, HOSTILE, Visitor
from harness import debug_binary, expect, free_port, main
from playwright.sync_api import sync_playwright

SUBGUARD = debug_binary("subguard")
# Width, dark, JavaScript.
LOOKS = [(1280, False, True), (1280, True, False), (320, False, True), (320, True, True)]


PAGES = (
    "/", "/due", "/score", "/calendar", "/calendar?month=2028-02", "/insights?since=2020-01-01", "/together",
    "/widget/small", "/widget/large",
    "/settings", "/backups", "/backups/merge", "/export", "/rates", "/reminders", "/privacy", "/import", "/add",
    "/server", "/premium", "/categories", "/what-to-cancel", "/year?year=2026", "/year?year=2028", "/transactions",
    "/?category=streaming",
    "/add?q=netflx", "/add?name=x", "/?q=nothing", "/welcome", "/welcome?step=2", "/welcome?step=3", "/offline")


class App:
    """A running `subguard open` on a store of its own."""

    binary = SUBGUARD

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
        expect(self.address.startswith(f"http://127.0.0.1:{self.port}/launch?visit="),
            f"not an address: {self.address}")

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


def enter(browser, app, start=True, **look):
    """A window that is let in, at the list unless `start` is false."""
    visitor = Visitor(browser, app, **look)
    # Handing over a file of 20 MB takes long beside other checks.
    visitor.page.set_default_timeout(60_000)
    visitor.url = f"http://127.0.0.1:{app.port}"
    address = app.another_address()
    visitor.page.goto(address)
    if not look.get("script", True):
        visitor.page.locator("#code").fill(address)
        visitor.page.keyboard.press("Enter")
    visitor.page.locator("main:not(:has(#code))").wait_for()
    expect("#" not in visitor.page.url, "the code stays in the address")
    if start:
        visitor.open("/")
    return visitor


def first_run(browser, app):
    """From nothing to the first subscription, and around it."""
    for script, language in ((True, "fr"), (False, "en")):
        app.run("settings", "set", "language", language)
        app.run("undo")
        # Nothing but the language was ever set: still new, so the first screen is opened by hand.
        visitor = enter(browser, app, start=False, script=script)
        page = visitor.page
        visitor.open("/welcome")
        page.locator("a.primary").click()
        page.get_by_role("textbox").fill("eur")
        page.locator("button.primary").click()
        page.wait_for_url("**step=3")
        page.get_by_role("searchbox").fill("Zörblax “1”")
        page.keyboard.press("Enter")
        page.get_by_role("link", name="Zörblax").wait_for()
        visitor.open("/welcome?step=2")
        page.locator("a.button").last.click()
        page.wait_for_url(visitor.url + "/")
        visitor.close()
    app.run("settings", "set", "language", "en")


def away(browser, app):
    """The installed app says how to start the server, and has kept no page with data."""
    visitor = enter(browser, app)
    page = visitor.page
    page.evaluate("navigator.serviceWorker.ready.then(found => found.active.state)")
    for path in ("/", "/due", "/settings"):
        visitor.open(path)
    kept = page.evaluate("""async () => { const found = [];
        for (const name of await caches.keys())
            for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
        return found; }""")
    expect(len(kept) > 5 and all(path == "/offline" or path.startswith("/assets/") for path in kept), f"kept: {kept}")
    app.stop()
    page.goto(visitor.url + "/due")
    expect("subguard open" in page.locator("main").inner_text(), "the page does not say how to start the app")
    expect(page.locator("main").evaluate("element => getComputedStyle(element).maxInlineSize") != "none", "no styles")
    app.start()
    # The page that says so goes on by itself; the session has ended with the server.
    page.locator("#code").wait_for()
    visitor.close(expected=("401", "ERR_", "Failed to load"))


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
        for button, word in (("Pause", "paused"), ("Resume", "active"), ("Cancel subscription", "cancelled"),
                ("Delete", "")):
            if button.startswith("Cancel"):
                page.get_by_role("link", name="Cancel subscription…", exact=True).click()
            page.get_by_role("button", name=button, exact=True).click()
            page.get_by_role("status").wait_for()
            expect(word in page.locator("main").inner_text(), f"{button} does not make it {word}")
        visitor.close(expected=("422",))


STATEMENT = """Date;Libellé;Montant
{0};CARTE NETFLIX.COM CB*4523;-12,34
{1};CARTE NETFLIX.COM CB*4523;-12,34
{2};CARTE NETFLIX.COM CB*4523;-13,99
{3};CARTE NETFLIX.COM CB*4523;-13,99
{3};CARTE L'ÉPICERIE "D'À CÔTÉ" <script>alert(1)</script>;-50,00
"""


def statement():
    """A bank statement with one recurring charge, the last one ten days ago."""
    today = datetime.date.today()
    days = [today - datetime.timedelta(days=10 + 30 * months) for months in (3, 2, 1, 0)]
    return STATEMENT.format(*(day.strftime("%d/%m/%Y") for day in days)).encode()


def imports(browser, app):
    """A statement is looked at, its proposal accepted and taken back; files that are none are refused."""
    words = {"en": ("Recurring charges", "Import", "Undo", "archive", "larger than 16 MB"),
             "fr": ("Prélèvements récurrents", "Importer", "Annuler", "archive", "dépasse 16 Mo")}
    for script, language in ((True, "en"), (False, "fr")):
        found, accept, undo, archive, large = words[language]
        app.run("settings", "set", "language", language)
        visitor = enter(browser, app, script=script)
        page, name = visitor.page, "relevé “26” <b>.csv"

        def choose(name, content):
            visitor.open("/import")
            page.locator("#currency").fill("eur")
            page.locator("#file").set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})

        def send():
            page.locator("form[enctype] button").click()

        choose("bomb.zip", b"PK\x03\x04" + b"\0" * 100_000)
        send()
        expect(archive in page.get_by_role("alert").inner_text(), "an archive is not refused")
        choose("long.csv", b"a" * (20 << 20))
        if script:
            # Before it is sent.
            expect(large in page.locator("#file").evaluate("field => field.validationMessage"), "a long file is sent")
        else:
            send()
            expect(large in page.get_by_role("alert").inner_text(), "a long file is not refused")
        before = app.run("list")
        choose(name, statement())
        if script:
            # As if the file took long to read: the form is held back once.
            page.evaluate("addEventListener('submit', (event) => event.preventDefault(), { once: true })")
            send()
            page.get_by_text("Still working (").wait_for()
        send()
        page.get_by_role("heading", name=found).wait_for()
        expect(app.run("list") == before, "the preview has stored something")
        page.get_by_role("checkbox", name="Netflix").set_checked(True)
        page.get_by_role("button", name=accept, exact=True).click()
        page.get_by_role("status").wait_for()
        expect("Netflix" in app.run("list"), "the proposal is not there")
        page.get_by_role("button", name=undo).click()
        expect(app.run("list") == before, "the import cannot be undone")
        visitor.close(expected=("422", "413"))
    app.run("settings", "set", "language", "en")


def together(browser, app):
    """A person who shares a subscription owes a part, and gives it back."""
    words = {"en": ("Together", "Name", "Add a person", "Share", "owes you", "Paid back", "Save", "settled"),
             "fr": ("À plusieurs", "Nom", "Ajouter une personne", "Partager", "te doit", "Remboursé",
                    "Enregistrer", "réglé")}
    for script, language in ((True, "en"), (False, "fr")):
        tab, label, add, share, owes, paid, save, settled = words[language]
        app.run("settings", "set", "language", language)
        visitor = enter(browser, app, script=script)
        page, who, what = visitor.page, f"Zoé “{language}” O'Hara 🎉", f"Partagé {language}"
        app.run("add", f"{what} 12,34 €/mois", "--next", datetime.date.today().isoformat())
        page.get_by_role("link", name=tab).click()
        page.get_by_label(label, exact=True).fill(who)
        page.get_by_role("button", name=add).click()
        page.get_by_role("status").wait_for()
        visitor.open("/")
        page.get_by_role("link", name=what).click()
        page.locator("aside summary").click()
        page.get_by_role("checkbox", name=who).check()
        page.get_by_role("button", name=share, exact=True).click()
        page.get_by_role("status").wait_for()
        app.run("ack", what)
        page.get_by_role("link", name=tab).click()
        expect(owes in page.locator("main").inner_text(), "nothing is owed")
        card = page.get_by_role("listitem").filter(has_text=who).first
        card.get_by_text(paid).click()
        card.locator("[name=amount]").fill("abc")
        card.get_by_role("button", name=save).click()
        page.get_by_role("alert").wait_for()
        page.locator("[aria-invalid]").fill("6,17 €")
        page.locator("form", has=page.locator("[aria-invalid]")).get_by_role("button").click()
        page.get_by_role("status").wait_for()
        expect(settled in page.locator("main").inner_text(), "it is not settled")
        # A group with one expense that the other one gives back.
        page.locator("summary").last.click()
        page.locator("#group").fill(f"Été <b> {language}")
        page.locator("form[action$=groups]").get_by_label(who).check()
        page.locator("form[action$=groups] button").click()
        page.locator("#title").fill("Train 🚆")
        page.locator("#amount").fill("12,34")
        page.locator("#currency").fill("eur")
        page.locator("form[action$=expenses] button").click()
        page.get_by_role("status").wait_for()
        page.locator("form[action$=settle] button").click()
        page.get_by_role("status").wait_for()
        expect(settled in page.locator("main").inner_text(), "the group is not settled")
        visitor.fits("group")
        visitor.close(expected=("422",))
    app.run("settings", "set", "language", "en")


def more(browser, app):
    """Everything beside subscriptions, with and without JavaScript."""
    app.run("add", "Jardin 12,34 €/mois", "--category", "Mes plantes")
    for script in (True, False):
        visitor = enter(browser, app, script=script)
        app_more.budgets(visitor)
        app_more.rows(visitor, app, f"Essai {script}")
        app_more.receipts(visitor, app, f"{script}")
        app_more.photo(visitor, app, f"{script}", script)
        app_more.sharing(visitor, app, f"{script}")
        app_more.rises(visitor, app)
        app_more.look(visitor, script)
        app_more.settings(visitor, app)
        visitor.close(expected=("422",))
    visitor = enter(browser, app)
    app_more.drafts(visitor)
    app_more.notices(visitor, app)
    visitor.close(expected=("422",))


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
    visitor.close()


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
    page.locator("#edit > summary").click()
    page.get_by_text("Trial, contract, notes").click()
    page.get_by_label("Notes", exact=True).fill("typed and not sent")
    app.run("add", "Encore 8 €/mois")
    page.wait_for_timeout(1500)
    expect(page.get_by_label("Notes", exact=True).input_value() == "typed and not sent", "typed text was replaced")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("status").wait_for()
    expect("typed and not sent" in app.run("show", "Ailleurs"), "the note was not saved")
    visitor.close()
    return took


def tabs_fit(visitor, what):
    """No tab is cut off or covers another one; page scrolling would not show it."""
    spans = visitor.page.evaluate("""[...document.querySelectorAll(".tabbar a")].map(link => {
        const text = link.querySelector("span").getBoundingClientRect(), box = link.getBoundingClientRect();
        return [text.left - box.left, box.right - text.right, box.left, innerWidth - box.right].map(Math.round); })""")
    expect(all(gap >= 0 for gaps in spans for gap in gaps), f"{what}: tabs do not fit: {spans}")


# Words that no French page has, whatever people have entered here.
ENGLISH = re.compile(r"\b(the|and|with|your|this|that|from|must|when|which|are|have|been|none|home_currency)\b")


def is_french(visitor, what):
    """No English is left on a page, beside code and what `--lang` and formats name."""
    text = visitor.page.evaluate("""() => { const page = document.body.cloneNode(true);
        for (const element of page.querySelectorAll("code, script, [lang=en]")) element.remove();
        const labels = [...page.querySelectorAll("[aria-label]")].map(e => e.getAttribute("aria-label"));
        return [page.textContent, ...labels].join(" "); }""")
    # What the field of quiet hours takes.
    found = ENGLISH.findall(text.replace("ou none pour aucune", ""))
    expect(not found, f"{what} has English words: {found}")


def targets_are_large(visitor, what):
    """Links and buttons are at least 24 px high and wide."""
    small = visitor.page.evaluate("""[...document.querySelectorAll("main :is(a, button, summary)")].filter(element => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && (box.height < 24 || box.width < 24);
        }).map(element => element.outerHTML.slice(0, 120))""")
    expect(not small, f"{what}: less than 24 px: {small[:3]}")


def awkward(app):
    """Long names, a long link, emoji, two currencies, 40 subscriptions, and no exchange rates."""
    today = datetime.date.today()
    names = [HOSTILE[:80], "Rechtsschutzversicherungsgesellschaftsbeiträge 🎉", "日本経済新聞"]
    for index, name in enumerate(names + [f"Service {number}" for number in range(37)]):
        app.run("add", "--name", name, "--amount", ("1234567.89", "13.49")[index % 2], "--currency",
                ("EUR", "CHF")[index // 2 % 2], "--cycle", ("monthly", "every:4w", "yearly")[index % 3], "--next",
                (today + datetime.timedelta(index)).isoformat(), "--started",
                (today - datetime.timedelta(100)).isoformat(), "--category", ("streaming", "press")[index % 2])
    app.run("edit", HOSTILE[:80],
            "--website", "https://a-long-host-name-without-a-break.example/account/" + 20 * "cancel")
    app.run("settings", "set", "home_currency", "CHF")


def looks(browser, app):
    """Every page on every kind of screen, in both languages; each has to fit, and axe finds nothing."""
    awkward(app)
    count, axe = 0, Axe()
    for language in ("en", "fr"):
        app.run("settings", "set", "language", language)
        for width, dark, script in LOOKS:
            visitor = Visitor(browser, app, width=width, dark=dark, script=script)
            visitor.url = f"http://127.0.0.1:{app.port}"
            address = app.another_address()
            visitor.open("/launch")
            visitor.fits(f"locked page at {width} px")
            visitor.page.locator("#code").fill(address)
            visitor.page.keyboard.press("Enter")
            visitor.page.locator(".masthead").wait_for()
            visitor.open("/together")
            group = visitor.page.locator("a[href*=groups]").first.get_attribute("href")
            visitor.open(group)
            expense = visitor.page.locator("a[href^='/expenses']").first.get_attribute("href")
            visitor.open("/together")
            person = visitor.page.locator("a[href*='/people/']").last.get_attribute("href")
            visitor.open("/transactions")
            payment = visitor.page.locator("a[href^='/transactions/']").first.get_attribute("href")
            visitor.open("/?q=Donau")
            first = visitor.page.locator(".subscriptions a").first.get_attribute("href")
            for path in (*PAGES, first, group, expense, person, payment):
                visitor.open(path)
                # What is folded away has to fit, too.
                visitor.page.locator("main details.more").evaluate_all(
                    "all => { for (const one of all) one.open = true; }")
                visitor.fits(f"{path} at {width} px")
                tabs_fit(visitor, f"{path} at {width} px")
                targets_are_large(visitor, f"{path} at {width} px")
                if language == "fr":
                    is_french(visitor, path)
                count += 1
                # axe takes most of the time, and its findings depend on the words the least.
                if not script or language == "fr" and (width, dark) != (320, True):
                    continue
                found = [
                    f"{violation['id']} {[node['html'] for node in violation['nodes']][:2]}"
                    for violation in axe.run(visitor.page, options=AXE).response["violations"]]
                expect(not found, f"axe on {path} at {width} px, {'dark' if dark else 'light'}: {found}")
            visitor.close()
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
            fetch("http://127.0.0.1:{Evil.app}/", {{ credentials: "include" }})
                .then(() => tell("read"), () => tell("refused"));
            fetch("http://127.0.0.1:{Evil.app}/add", {{ method: "POST", mode: "no-cors", credentials: "include",
                body: new URLSearchParams({{ name: "evil" }}) }})
                .then((answer) => tell(answer.type), () => tell("failed"));
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
    app_kills.half_open(visitor, app)
    # A stolen address is used up.
    address = app.another_address()
    visitor.page.goto(address)
    thief = Visitor(browser, app)
    for _ in range(2):
        thief.page.goto(address)
        thief.page.wait_for_timeout(300)
    visitor.close()
    thief.context.close()


def check(folder):
    app = App(folder)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM,
                args=["--no-sandbox", "--host-resolver-rules=MAP rebind.example 127.0.0.1"])
            first_run(browser, app)
            tasks(browser, app)
            imports(browser, app)
            app_files.files(browser, app, enter)
            together(browser, app)
            more(browser, app)
            keyboard(browser, app)
            took = live(browser, app)
            pages = looks(browser, app)
            other_origins(browser, app)
            app_neighbour.neighbour(app)
            app_neighbour.cookie_tossing(browser, app, enter)
            app_neighbour.poisoned(browser, app, enter)
            away(browser, app)
            app_kills.remembered(browser, app)
            for script in (True, False):
                app_kills.forgotten(browser, app, enter, script)
            app_kills.launched(browser, app)
            windows = [enter(browser, app) for _ in range(2)]
            added = three_writers(app, windows, SUBGUARD)
            for window in windows:
                window.close()
            browser.close()
    finally:
        app.stop()
    return (f"app: tasks by mouse, keyboard and without JavaScript; {pages} pages fit; a change is shown after "
            f"{took:.1f} s; "
            f"{added} subscriptions of three writers")


if __name__ == "__main__":
    main("app", check)
