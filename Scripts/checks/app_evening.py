"""A household's first evening with the app, in French and by mouse: ten subscriptions, a bank statement, a flatmate,
what is due, and a cancellation. At the end the device has exactly what this script knows: nothing doubled, nothing
lost.

--slow waits as a person reads and types."""

import datetime
import json
import re
import sys

from app import App, enter
from console_browser import CHROMIUM
from dateutil.relativedelta import relativedelta
from hands import Hands
from harness import expect, main
from playwright.sync_api import sync_playwright

TODAY = datetime.date.today()
MAXIMUM_CLICKS = 150
CYCLES = {"monthly": ("par mois", 12), "yearly": ("par an", 1), "weekly": ("par semaine", 52)}


def in_days(days):
    return TODAY + datetime.timedelta(days)


def a_month_after(day):
    return day + relativedelta(months=1)


# A day of the month that comes within two weeks, and that every month has.
THIS_MONTH = in_days(12) if in_days(15).day > 28 else in_days(15)
# Typed, name, amount if it is not the catalogue's, cycle, when: the last charge, the next one, or a day of the month.
# Then what is true: cents and the next charge.
SUBSCRIPTIONS = [
    ("netfl", "Netflix", "14,99", "monthly", ("last", in_days(-12)), 1499, a_month_after(in_days(-12))),
    ("spoti", "Spotify Premium", "11,12", "monthly", ("last", in_days(-20)), 1112, a_month_after(in_days(-20))),
    ("freebox", "Freebox", "39,99", "monthly", ("last", in_days(-9)), 4199, a_month_after(in_days(-9))),
    ("basic", "Basic-Fit", "29,99", "monthly", ("next", in_days(3)), 2999, in_days(3)),
    ("le monde", "Le Monde", "12,00", "monthly", ("next", TODAY), 1200, TODAY),
    ("edf", "EDF", "87,50", "monthly", ("last", in_days(-5)), 8750, a_month_after(in_days(-5))),
    ("disney", "Disney+", "109,90", "yearly", ("next", in_days(40)), 10990, None),
    ("icloud", "iCloud+", "2,99", "monthly", ("day", THIS_MONTH), 299, THIS_MONTH),
    ("Assurance vélo “été”", None, "84", "yearly", ("next", in_days(100)), 8400, in_days(100)),
    ("Panier de légumes", None, "12,50", "weekly", ("next", in_days(2)), 1250, in_days(2)),
]
# What the statement adds, and what it corrects: the Freebox costs more than was entered.
CANAL = in_days(-7)
IN_STATEMENT = [
    ("CARTE X4523 NETFLIX.COM AMSTERDAM", "14,99", in_days(-12)),
    ("CARTE X4523 SPOTIFY STOCKHOLM", "11,12", in_days(-20)),
    ("PRLV SEPA FREEBOX", "41,99", in_days(-9)),
    ("PRLV SEPA CANAL+ FRANCE", "24,99", CANAL),
]
OTHERS = [
    ("CARTE X4523 L'ÉPICERIE \"\"D'À CÔTÉ\"\"", "50,20", 3), ("CARTE X4523 BOULANGERIE", "4,30", 4),
    ("RETRAIT DAB PARIS", "60,00", 11),
    ("CARTE X4523 BOULANGERIE", "3,10", 16), ("CARTE X4523 LIBRAIRIE ZÖÉ", "23,50", 31),
    ("CARTE X4523 L'ÉPICERIE", "41,07", 47),
]


def statement():
    """Three months of an account, as Crédit Agricole exports them, with invented content."""
    rows = [(day - relativedelta(months=back), text, amount) for text, amount, day in IN_STATEMENT for back in range(3)]
    rows += [(in_days(-days), text, amount) for text, amount, days in OTHERS]
    rows += [(TODAY.replace(day=1) - relativedelta(months=back), "VIR SEPA LOYER M. DUPONT", "820,00")
        for back in range(3)]
    lines = [f"{day:%d/%m/%Y};\"{text}\nREF {index:04}\";{amount};;" for index, (day, text, amount) in
             enumerate(sorted(rows, reverse=True))]
    head = ["Téléchargement du 02/01/2027;", "", "Madame EXEMPLE;", "Compte de Dépôt n° 12345678901;", "",
        "Date;Libellé;Débit euros;Crédit euros;"]
    return ("\r\n".join(head + lines) + "\r\n").encode("windows-1252")


def add(hands, typed, name, amount, cycle, when):
    page = hands.page
    hands.click(page.get_by_role("link", name="Ajouter un abonnement").first)
    hands.fill(page.get_by_label("Nom du service"), typed)
    row = page.locator("#results li").filter(has=page.get_by_text(name or typed, exact=True))
    row.wait_for()
    hands.read(page.locator("#results"))
    hands.click(row.get_by_role("link"))
    field = page.get_by_label("Montant", exact=True)
    hands.read(page.locator("form.form"))
    if field.input_value() != amount:
        hands.fill(field, amount)
    if name is None or cycle != "monthly":
        choice = page.get_by_label("Fréquence", exact=True)
        if choice.input_value() != cycle:
            hands.choose(choice, {"yearly": "Annuel", "weekly": "Hebdomadaire"}.get(cycle))
    kind, day = when
    label, text = {"last": ("Dernier prélèvement", day.isoformat()), "next": ("Prochaine échéance", day.isoformat()),
                   "day": ("ou jour du mois", str(day.day))}[kind]
    hands.fill(page.get_by_label(label, exact=True), text)
    hands.click(page.get_by_role("button", name="Ajouter", exact=True))
    page.get_by_role("status").wait_for()
    hands.read(page.get_by_role("status"))


def read_statement(hands, accept):
    """Looks at the statement, and accepts what is proposed."""
    page = hands.page
    hands.click(page.get_by_role("link", name="Abonnements").first)
    hands.click(page.get_by_role("link", name="Ajouter un abonnement").first)
    hands.click(page.get_by_role("link", name="Importer un relevé bancaire"))
    hands.wait(5)
    hands.clicks += 2  # The dialog of the system.
    page.get_by_label("Fichier", exact=True).set_input_files(
        {"name": "relevé “CA”.csv", "mimeType": "text/csv", "buffer": statement()})
    hands.click(page.get_by_role("button", name="Aperçu", exact=True))
    page.get_by_role("button", name="Importer", exact=True).wait_for()
    shown = hands.read(page.locator("main"))
    if accept:
        hands.click(page.get_by_role("button", name="Importer", exact=True))
        page.get_by_role("status").wait_for()
    return shown


def share(hands, name, who):
    page = hands.page
    hands.click(page.get_by_role("link", name="Abonnements").first)
    hands.click(page.get_by_role("link", name=re.compile(rf"^{name} ")))
    hands.read(page.locator("main"))
    hands.click(page.get_by_text("Partager avec une autre personne"))
    hands.fill(page.get_by_label("Nom de la personne"), who)
    hands.click(page.get_by_role("button", name="Partager", exact=True))
    page.get_by_role("status").wait_for()
    expect(who in hands.read(page.locator("aside")), "the flatmate is not there")


def confirm(hands, names):
    page = hands.page
    hands.click(page.get_by_role("link", name="À confirmer").first)
    shown = hands.read(page.locator("main"))
    expect(all(name in shown for name in names), f"not due: {shown}")
    hands.click(page.get_by_role("button", name=f"Tout confirmer ({len(names)})"))
    page.get_by_role("status").wait_for()
    expect(page.locator(".charge").count() == 0, "a charge is still to confirm")


def cancel(hands, name):
    page = hands.page
    hands.click(page.get_by_role("link", name="Abonnements").first)
    row = page.locator(".subscriptions > li").filter(has=page.get_by_text(name, exact=True))
    hands.click(row.locator("summary"))
    hands.click(row.get_by_role("link", name=re.compile("^Résilier")))
    hands.read(page.locator(".panel"))
    hands.click(page.get_by_role("button", name="Résilier l’abonnement"))
    page.get_by_role("status").wait_for()


def truth():
    """What is to be there: amount in cents, cycle and next charge by name. What was cancelled has none."""
    found = {name or typed: (cents, cycle, day) for typed, name, _, cycle, _, cents, day in SUBSCRIPTIONS}
    found["Canal+"] = (2499, "monthly", a_month_after(CANAL))
    return found


def euros(cents):
    return f"{cents // 100}.{cents % 100:02}"


def compare(app):
    rows = json.loads(app.run("list", "--json"))
    names = sorted(row["name"] for row in rows)
    expect(names == sorted(truth()), f"doubled or lost: {names}")
    annual = 0
    for row in rows:
        cents, cycle, day = truth()[row["name"]]
        expect(row["amount"] == euros(cents) and row["currency"] == "EUR" and row["cycle"] == cycle,
            f"not {cents} {cycle}: {row}")
        expect(row["next_billing_on"] == (day and day.isoformat()), f"not next on {day}: {row}")
        annual += cents * CYCLES[cycle][1] if day else 0
    total = json.loads(app.run("total", "--json"))
    expect([(one["currency"], one["annual"], one["count"]) for one in total] == [("EUR", euros(annual), len(rows) - 1)],
           f"not {euros(annual)} a year: {total}")
    for command in ("pending", "missed"):
        left = json.loads(app.run(command, "--json"))
        expect(left == [], f"{command}: {left}")
    balance = json.loads(app.run("balance", "--json"))
    expect([(one["name"], one["amount"]) for one in balance] == [("Léa", "6.00")],
        f"Léa does not owe 6 euros: {balance}")
    for name in ("netflix", "canal"):
        one = json.loads(app.run("show", name, "--json"))
        expect(one["spent"] == euros(3 * truth()[one["name"]][0]) and len(one["history"]) == 3,
            f"not charged three times: {one}")
    return euros(annual)


def check(folder):
    app = App(folder)
    try:
        app.run("settings", "set", "language", "fr")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            visitor = enter(browser, app, language="fr-FR")
            hands = Hands(visitor.page, "--slow" in sys.argv)
            for typed, name, amount, cycle, when, _, _ in SUBSCRIPTIONS:
                add(hands, typed, name, amount, cycle, when)
            shown = read_statement(hands, accept=True)
            expect("Canal+" in shown, f"Canal+ is not proposed: {shown}")
            stored = app.run("list", "--json")
            share(hands, "Le Monde", "Léa")
            confirm(hands, ["Le Monde", "Panier de légumes", "Basic-Fit"])
            cancel(hands, "Disney+")
            annual = compare(app)
            # The same statement again changes nothing.
            read_statement(hands, accept=True)
            expect(json.loads(stored) and compare(app) == annual, "the statement was read twice")
            visitor.close()
            browser.close()
    finally:
        app.stop()
    expect(hands.clicks <= MAXIMUM_CLICKS, f"{hands.clicks} clicks, more than {MAXIMUM_CLICKS}")
    return f"{len(truth())} subscriptions for {annual} euros a year; {hands}"


if __name__ == "__main__":
    main("evening", check)
