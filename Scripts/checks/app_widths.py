"""Every page of the app fits every width, in both languages, with words as long as people have them; and on
a phone no word is broken that would fit its line. What is pressed is large enough for a finger, and for a pointer.

Arguments: a folder for pictures of the pages (default: none)."""

import pathlib
import sys

from app import PAGES, App, awkward
from console_browser import CHROMIUM, HOSTILE, Visitor
from harness import expect, main
from playwright.sync_api import sync_playwright

# Where targets are measured.
TOUCHED = (320, 1024)
WIDTHS = (320, 480, 600, 768, 900, 1024, 1280, 1920)
# Short words and numbers that stand in two lines; a hyphen or slash inside of one lets a browser break it rightly.
BROKEN = """() => { const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const node = texts.currentNode;
        const around = node.parentElement;
        if (!around.checkVisibility() || around.closest("code, input, textarea, .unseen")) continue;
        for (const word of node.data.matchAll(/[^\\s\\-\\/]+/gu)) {
            if (word[0].length > 20 || node.data[word.index - 1] === "/") continue;
            const range = document.createRange();
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            const boxes = [...range.getClientRects()].filter(box => box.width > 0);
            const lines = new Set(boxes.map(box => Math.round(box.top)));
            if (lines.size > 1) found.push(word[0]);
        }
    }
    return found; }"""


def people(app):
    """A group with an expense, and a share, with long names."""
    app.run("people", "add", "--name", "Marie-Antoinette d’Autriche-Lorraine 🎉")
    app.run("groups", "add", "--name", "Wohngemeinschaftsreinigungspläne", "--members", "me,Marie")
    app.run("expenses", "add", "--group", "Wohngemeinschaftsreinigungspläne", "--title", HOSTILE[:60],
            "--amount", "1234567.89", "--currency", "EUR", "--on", "2026-01-15", "--paid-by", "Marie")
    app.run("share", HOSTILE[:80], "--with", "Marie")
    app.run("budget", "set", "--amount", "9999999", "--currency", "EUR", "--scope", "personal")


def own_pages(visitor):
    """The pages of one subscription, its cancellation, one group, one expense and one person."""
    def first(path, links):
        visitor.open(path)
        return visitor.page.locator(links).last.get_attribute("href")
    subscription = first("/?q=Rechts", ".subscriptions > li > a")
    group = first("/together", "a[href*=groups]")
    return (subscription, subscription + "/cancel", group, first(group, "a[href^='/expenses']"),
            first("/together", "a[href*='/people/']"))


def check(folder):
    app = App(folder)
    pictures = [pathlib.Path(one) for one in sys.argv[1:]]
    count, broken, small = 0, [], []
    try:
        awkward(app)
        people(app)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for language in ("en", "fr"):
                app.run("settings", "set", "language", language)
                visitor = Visitor(browser, app, width=WIDTHS[0])
                visitor.url = f"http://127.0.0.1:{app.port}"
                visitor.page.goto(app.another_address())
                visitor.page.locator(".masthead").wait_for()
                for path in (*PAGES, *own_pages(visitor)):
                    visitor.open(path)
                    visitor.page.locator("main details.more").evaluate_all(
                        "all => { for (const one of all) one.open = true; }")
                    for width in WIDTHS:
                        visitor.page.set_viewport_size({"width": width, "height": 900})
                        visitor.fits(f"{path} at {width} px in {language}")
                        if language == "fr" and width in TOUCHED:
                            small += [f"{path}, {width} px: {one}" for one in visitor.small_targets()]
                        found = sorted(set(visitor.page.evaluate(BROKEN))) if width == WIDTHS[0] else []
                        broken += [f"{path} in {language}: {found}"] if found else []
                        count += 1
                        for target in pictures:
                            place = path.strip("/").replace("/", "_").replace("?", "_")[:40] or "list"
                            visitor.page.screenshot(path=target / f"{language}-{width}-{place}.png", full_page=True)
                visitor.close(expected=("422",))
            browser.close()
    finally:
        app.stop()
    expect(not small, "too small to be pressed:\n" + "\n".join(small))
    expect(not broken, "words are broken:\n" + "\n".join(broken))
    return f"app: {count} pages fit from {WIDTHS[0]} to {WIDTHS[-1]} px, and no word is broken"


if __name__ == "__main__":
    main("app_widths", check)
