"""Tasks of the app with files: a backup that is compared before it is restored, and statements that need a person's
word."""

import datetime
import pathlib
import subprocess

from axe_playwright_python.sync_playwright import Axe
from console_browser import AXE
from harness import expect

WORDS = {
    "en": {
        "disappears": "Would disappear", "appears": "Would come back", "changes": "Would change back",
        "restore": "Restore", "undo": "Undo", "same": "exactly what is here now", "import": "Import",
        "again": "Preview again", "prices": "New prices", "charges": "Charges to confirm",
        "order": "dates: day, month, year", "assumed": "proves the order",
        "unreadable": "Row {}, column “Quand”, “31/02/2026”",
    },
    "fr": {
        "disappears": "Disparaîtrait", "appears": "Reviendrait", "changes": "Redeviendrait comme avant",
        "restore": "Restaurer", "undo": "Annuler", "same": "exactement ce qui est là", "import": "Importer",
        "again": "Nouvel aperçu", "prices": "Nouveaux prix", "charges": "Échéances à confirmer",
        "order": "dates\u202f: jour, mois, année", "assumed": "prouve l’ordre",
        "unreadable": "Ligne {}, colonne «\u202fQuand\u202f», «\u202f31/02/2026\u202f»",
    },
}


def looks(visitor, what):
    """The page fits, and axe finds nothing in it."""
    visitor.fits(what)
    if not visitor.has_script:
        return
    found = [f"{violation['id']} {[node['html'] for node in violation['nodes']][:2]}"
             for violation in Axe().run(visitor.page, options=AXE).response["violations"]]
    expect(not found, f"axe on {what}: {found}")


def send(visitor, form, name, content):
    """Chooses a file in the form with this id of its field, and sends it."""
    page = visitor.page
    page.locator(form).set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})
    page.locator("form", has=page.locator(form)).locator("button").click()


def restore(visitor, app, words, script):
    """An earlier sealed backup is looked at, restored and taken back."""
    page, what = visitor.page, f"Été “{script}” <b>"
    lost, stays = (app.run("add", f"{name} {what} 12,34 €/mois", "--next", "2031-01-15") for name in ("Perdu", "Reste"))
    file = pathlib.Path(app.environment["SUBGUARD_STORE"]).with_name(f"{script}.sealed")
    subprocess.run([app.binary, "backup", str(file), "--seal"], check=True, capture_output=True,
                   env={**app.environment, "SUBGUARD_PASSPHRASE": "clé 🎉"})
    app.run("delete", lost)
    app.run("edit", stays, "--amount", "15.99")
    app.run("add", f"Nouveau {what} 1 €/an", "--next", "2031-01-15")
    before = app.run("list", "--json")
    visitor.open("/backups")
    page.locator("#restore-passphrase").fill("clé")
    send(visitor, "#restore-file", "b.json", file.read_bytes())
    page.get_by_role("alert").wait_for()
    page.locator("#restore-passphrase").fill("clé 🎉")
    send(visitor, "#restore-file", "b.json", file.read_bytes())
    for heading in ("disappears", "appears", "changes"):
        page.get_by_role("heading", name=words[heading]).wait_for()
    text = page.locator("main").inner_text()
    expect(f"Perdu {what}" in text and f"Nouveau {what}" in text, f"a name is missing: {text}")
    expect("15" in text and "→" in text, f"the price is missing: {text}")
    looks(visitor, "the comparison")
    expect(app.run("list", "--json") == before, "looking has changed something")
    page.locator("button.danger").click()
    page.get_by_role("status").wait_for()
    expect(f"Perdu {what}" in app.run("list", "--json"), "it was not restored")
    visitor.open("/backups")
    page.locator("#restore-passphrase").fill("clé 🎉")
    send(visitor, "#restore-file", "b.json", file.read_bytes())
    page.get_by_text(words["same"]).wait_for()
    expect(page.locator("button.danger").count() == 0, "there is something to restore")
    app.run("undo")
    expect(app.run("list", "--json") == before, "the restore cannot be undone")
    # The copy of what was there is in the list, and compared too.
    visitor.open("/backups")
    page.locator("a[href*='before-restore']").first.click()
    page.get_by_role("heading", level=1).wait_for()
    for name in (stays, f"Nouveau {what}"):
        app.run("delete", name)


def known(visitor, app, words, script):
    """Of a statement, one charge and the new price of a known subscription are declined."""
    page, name = visitor.page, f"Zorblax{script}"
    today = datetime.date.today()
    days = [today - datetime.timedelta(10 + 30 * months) for months in (3, 2, 1, 0)]
    app.run("add", "--name", name, "--amount", "12.34", "--currency", "EUR", "--cycle", "every:30d",
            "--next", (days[3] + datetime.timedelta(30)).isoformat(), "--started", days[0].isoformat())
    rows = [f"{day:%d/%m/%Y};CARTE {name.upper()} CB*4523;-{amount}" for day, amount in
            zip(days, ("12,34", "12,34", "13,99", "13,99"))]
    visitor.open("/import")
    send(visitor, "#file", "relevé.csv", ("Date;Libellé;Montant\n" + "\n".join(rows) + "\n").encode("windows-1252"))
    page.get_by_role("heading", name=words["prices"]).wait_for()
    expect("windows-1252" in page.locator("main").inner_text(), "the encoding is not named")
    boxes = page.locator("input[name=match]")
    count = boxes.count()
    expect(count >= 3 and all(boxes.nth(place).is_checked() for place in range(count)), f"{count} rows to accept")
    looks(visitor, "the preview of known charges")
    boxes.nth(0).uncheck()
    boxes.nth(1).uncheck()
    page.get_by_role("button", name=words["import"], exact=True).click()
    page.get_by_role("status").wait_for()
    expect("13.99" not in app.run("show", name).split("\n")[1], "the price was changed")
    visitor.open("/import")
    send(visitor, "#file", "relevé.csv", ("Date;Libellé;Montant\n" + "\n".join(rows) + "\n").encode("windows-1252"))
    page.get_by_role("heading", name=words["charges"]).wait_for()
    expect(page.locator("input[name=match]").count() == 2,
        "what was declined is not offered again, or something else is")
    app.run("undo")
    app.run("delete", name)


def columns(visitor, app, words, script):
    """An unknown table is read as the user says; its unreadable row is named, and the order of its dates."""
    page = visitor.page
    rows = "".join(f"0{day}/0{month}/2026;Théâtre {script};12\n" for day, month in ((3, 6), (3, 7), (3, 8)))
    content = ("Extrait de compte;;\nQuand;Quoi;Combien\n" + rows + "31/02/2026;<b>;12\n"
        + "03/09/2026;Été;7\n").encode("windows-1252")
    visitor.open("/import")
    page.locator("#currency").fill("EUR")
    send(visitor, "#file", "été.csv", content)
    page.get_by_role("alert").wait_for()
    expect("--map" not in page.locator("main").inner_text(), "a hint at the command line")
    looks(visitor, "the choice of columns")
    page.locator("#column_3").select_option("debit")
    page.locator("#column_2").select_option("payee")
    page.get_by_role("button", name=words["again"]).click()
    page.locator("input[name=proposal]").first.wait_for()
    text = page.locator("main").inner_text()
    for part in ("order", "assumed"):
        expect(words[part] in text, f"{part} is not named: {text}")
    expect(words["unreadable"].format(6) in text, f"the row is not named: {text}")
    looks(visitor, "the preview")
    page.get_by_role("checkbox", name=f"Théâtre {script}").set_checked(True)
    page.get_by_role("button", name=words["import"], exact=True).click()
    page.get_by_role("status").wait_for()
    expect(f"Théâtre {script}" in app.run("list", "--json"), "the proposal is not there")
    app.run("undo")


def files(browser, app, enter):
    """All of it, wide and narrow, in both languages, with and without JavaScript."""
    for script, language, width in ((True, "en", 320), (False, "fr", 1280), (True, "fr", 1280), (False, "en", 320)):
        app.run("settings", "set", "language", language)
        visitor = enter(browser, app, script=script, width=width)
        visitor.has_script = script
        what = f"{script}{language}"
        restore(visitor, app, WORDS[language], what)
        known(visitor, app, WORDS[language], what)
        columns(visitor, app, WORDS[language], what)
        visitor.close(expected=("422",))
    app.run("settings", "set", "language", "en")
