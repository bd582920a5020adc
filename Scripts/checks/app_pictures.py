"""Make the pictures of the app: each screen light, dark and narrow, as WebP in docs/images/app.

Arguments: the folder (default docs/images/app), then names of screens (default: all). With --full the pictures are PNG
of whole pages, to look at. With --lang=fr they are in French."""

import datetime
import pathlib
import sys

from app import App, enter
from console_browser import CHROMIUM
from console_pictures import LOOKS, keep
from harness import ROOT, expect, main
from playwright.sync_api import sync_playwright

MAXIMUM_BYTES = 700_000
SCREENS = {
    "subscriptions": "/", "subscription": "/subscriptions/{id}", "add": "/add", "due": "/due", "calendar": "/calendar",
    "year": "/year", "together": "/together", "import": "/import", "settings": "/settings", "server": "/server",
    "premium": "/premium", "categories": "/categories", "backups": "/backups",
    "widget-small": "/widget/small", "widget-medium": "/widget/medium", "widget-large": "/widget/large",
}
# Name, amount in euros, cycle, category, scope, days until the next charge, first day.
SUBSCRIPTIONS = [
    ("Netflix", "13.49", "monthly", "streaming", "personal", 3, "2025-03-01"),
    ("Spotify", "11.12", "monthly", "music", "personal", 9, "2024-11-20"),
    ("Figma", "15.00", "monthly", "software", "pro", 1, "2025-09-01"),
    ("iCloud+", "2.99", "monthly", "cloud", "personal", 17, "2023-05-01"),
    ("Le Monde", "12.99", "monthly", "press", "personal", 6, "2025-01-15"),
    ("Salle d’escalade", "39.90", "every:4w", "fitness", "personal", 12, "2025-10-01"),
    ("Adobe Creative Cloud", "66.99", "yearly", "software", "pro", 40, "2024-01-10"),
    ("Assurance vélo", "84.00", "yearly", "insurance", "personal", 128, "2024-04-02"),
    ("Nintendo Switch Online", "19.99", "yearly", "gaming", "personal", 201, "2023-06-12"),
]


def fill(app):
    """Made-up data of a person, with a history; returns the subscription to show."""
    today = datetime.date.today()
    ids = {}
    for name, amount, cycle, category, scope, days, started in SUBSCRIPTIONS:
        ids[name] = app.run(
            "add", "--name", name, "--amount", amount, "--currency", "EUR", "--cycle", cycle, "--category", category,
            "--scope", scope, "--next", (today + datetime.timedelta(days)).isoformat(), "--started", started)
    app.run("price", "netflix", "--amount", "10.99", "--from", "2025-03-01")
    app.run("price", "netflix", "--amount", "13.49", "--from", (today - datetime.timedelta(120)).isoformat())
    app.run("edit", "adobe", "--contract-ends", (today + datetime.timedelta(45)).isoformat(), "--notice-days", "30")
    app.run("budget", "set", "--amount", "60", "--currency", "EUR", "--scope", "personal")
    app.run("people", "add", "--name", "Zoé")
    app.run("people", "add", "--name", "Karim")
    app.run("share", "netflix", "--with", "zoé,karim")
    return ids["Netflix"]


def check(folder):
    is_full = "--full" in sys.argv
    language = "fr" if "--lang=fr" in sys.argv else "en"
    chosen = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    target = pathlib.Path(chosen[0]) if chosen else ROOT / "docs/images/app"
    names = set(chosen[1:])
    target.mkdir(parents=True, exist_ok=True)
    app = App(folder)
    try:
        app.run("settings", "set", "language", language)
        shown = fill(app)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for look, width, height, dark, picture in LOOKS:
                visitor = enter(browser, app, width=width, height=height, dark=dark)
                for name, path in SCREENS.items():
                    if not names or name in names:
                        visitor.open(path.format(id=shown))
                        visitor.fits(f"{name}, {look}")
                        keep(visitor.page, target, f"{name}-{look}", picture, is_full)
                visitor.close()
            browser.close()
    finally:
        app.stop()
    size = sum(path.stat().st_size for path in target.glob("*.webp"))
    expect(size < MAXIMUM_BYTES or names, f"the pictures have {size} bytes, more than {MAXIMUM_BYTES}")
    return f"{len(SCREENS)} screens, {size // 1000} kB in {target}"


if __name__ == "__main__":
    main("screenshots", check)
