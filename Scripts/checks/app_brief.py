"""The part of `app.py` that `make test` runs, in half a minute: a subscription is added, confirmed and taken back, in
English with JavaScript and in French without; then the main pages on a narrow screen, with axe."""

import datetime

from app import App, enter, tabs_fit
from axe_playwright_python.sync_playwright import Axe
from console_browser import AXE, CHROMIUM
from harness import expect, main
from playwright.sync_api import sync_playwright

# Of the fields and buttons, and what the page says in the end.
WORDS = {
    "en": ("Name of the service", "Amount", "Next charge", "Add", "Confirm", "Undo", "€12.34"),
    "fr": ("Nom du service", "Montant", "Prochaine échéance", "Ajouter", "Confirmer", "Annuler", "12,34 €"),
}
PAGES = ("/", "/due", "/calendar", "/together", "/settings", "/import", "/add?name=x")


def first_charge(browser, app, language, script):
    name_field, amount, due, add, confirm, undo, shown = WORDS[language]
    app.run("settings", "set", "language", language)
    visitor = enter(browser, app, script=script, width=320)
    page, name = visitor.page, f"L'Été “{language}” 🎉"
    visitor.open("/add")
    page.get_by_label(name_field).fill(name)
    if not script:
        page.keyboard.press("Enter")
    page.get_by_role("link", name=name).click()
    page.get_by_label(amount, exact=True).fill("12,34")
    page.locator("[name=currency]").fill("EUR")
    page.get_by_label(due).fill(datetime.date.today().isoformat())
    page.get_by_role("button", name=add, exact=True).click()
    page.get_by_role("status").wait_for()
    text = page.locator("main").inner_text()
    text = text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
    expect(shown in text, f"{shown} is not on the page: {text}")
    visitor.open("/due")
    page.get_by_role("button", name=f"{confirm}: {name}", exact=False).or_(
        page.get_by_role("button", name=f"{confirm} : {name}", exact=False)).click()
    page.get_by_role("status").wait_for()
    page.get_by_role("button", name=undo, exact=True).click()
    page.get_by_role("button", name=name).first.wait_for()
    for path in PAGES:
        visitor.open(path)
        visitor.fits(path)
        tabs_fit(visitor, path)
        if script:
            found = [violation["id"] for violation in Axe().run(page, options=AXE).response["violations"]]
            expect(not found, f"axe on {path}: {found}")
    visitor.close()


def check(folder):
    app = App(folder)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            first_charge(browser, app, "en", script=True)
            first_charge(browser, app, "fr", script=False)
            browser.close()
    finally:
        app.stop()
    return f"a subscription in two languages, with and without JavaScript; {len(PAGES)} pages fit 320 px"


if __name__ == "__main__":
    main("app_brief", check)
