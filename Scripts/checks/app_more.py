"""Tasks of the app beside subscriptions: budgets, the year, rows, splits, receipts, appearance, drafts and
notifications."""

import datetime
import io
import pathlib
import tempfile

from harness import eventually, expect
from PIL import Image


def picture():
    """A small PNG."""
    file = io.BytesIO()
    Image.new("RGB", (60, 80), (230, 220, 180)).save(file, "PNG")
    return file.getvalue()


def budgets(visitor):
    """A budget is set with a mistake first, then deleted; the year opens from the calendar."""
    page = visitor.page
    visitor.open("/calendar")
    page.locator("#budgets summary").click()
    page.locator("#amount").fill("abc")
    page.locator("#currency").fill("eur")
    page.locator("#target").select_option("personal")
    page.locator("form[action$='/budgets'] button").click()
    page.get_by_role("alert").first.wait_for()
    expect(page.locator("#target").input_value() == "personal", "the target of a budget is lost")
    page.locator("#amount").fill("123,45 €")
    page.locator("form[action$='/budgets'] button").click()
    page.get_by_role("status").wait_for()
    expect("€123.45" in page.locator("#budgets").inner_text(), "the budget is not there")
    page.locator("#budgets li", has_text="€123.45").get_by_role("button").click()
    page.get_by_role("status").wait_for()
    expect("€123.45" not in page.locator("#budgets").inner_text(), "the budget is still there")
    page.locator("a[href^='/year']").click()
    page.wait_for_url("**/year?year=*")
    expect(page.locator("tr.total").count() > 0, "the year has no sums")


def rows(visitor, app, name):
    """A subscription is paused, deleted and brought back without leaving the list."""
    page = visitor.page
    today = datetime.date.today()
    app.run("add", "--name", name, "--amount", "9.99", "--currency", "EUR", "--cycle", "monthly",
            "--trial-ends", (today + datetime.timedelta(5)).isoformat(),
            "--next", (today + datetime.timedelta(6)).isoformat())
    visitor.open("/")
    row = page.locator(".subscriptions > li", has_text=name)
    expect(row.locator(".badge").count() == 2, "a trial has no badges")
    for action in ("Pause", "Resume", "Delete"):
        row.locator("summary").click()
        row.get_by_role("button", name=f"{action}: {name}", exact=True).click()
        page.get_by_role("status").wait_for()
        expect(page.url.startswith(visitor.url + "/?done="), f"{action} leaves the list: {page.url}")
    expect(row.count() == 0, "the subscription is still there")
    page.get_by_role("button", name="Undo").click()
    row.wait_for()
    # A search stays.
    visitor.open(f"/?q={name}&sort=name".replace(" ", "%20"))
    row.locator("summary").click()
    row.get_by_role("button", name=f"Pause: {name}", exact=True).click()
    page.get_by_role("status").wait_for()
    expect(page.locator("#q").input_value() == name and page.locator("#sort").input_value() == "name",
        "the search begins anew")


def photo(visitor, app, what, script):
    """A photo that is too large becomes smaller in the browser, turned as the camera noted, and tells nothing of it."""
    page, name = visitor.page, f"Photo {what}"
    app.run("people", "add", "--name", name)
    visitor.open("/together")
    page.get_by_role("link", name=name, exact=True).click()
    wide = Image.effect_noise((1800, 1200), 90).convert("RGB")
    notes = Image.Exif()
    notes[0x0112], notes[0x010F] = 6, "Kamera"
    file = io.BytesIO()
    wide.save(file, "JPEG", quality=95, exif=notes)
    if not script:
        # As it is, it has too many pixels.
        file = io.BytesIO()
        Image.new("RGB", (1800, 12)).save(file, "PNG")
    send = page.locator("form[enctype] button")
    page.locator("#photo").set_input_files({"name": "é <b>.jpg", "mimeType": "image/jpeg", "buffer": file.getvalue()})
    if script:
        # Not by wait_for_function, which the content security policy keeps from looking twice.
        eventually(lambda: page.locator("#photo").evaluate("input => input.files[0].size") < 400_000, "a smaller photo")
        send.click()
    else:
        send.click()
        page.get_by_role("alert").wait_for()
        page.locator("#photo").set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": picture()})
        send.click()
    page.get_by_role("status").wait_for()
    page.locator(".portrait img").evaluate("image => image.decode()")
    with tempfile.TemporaryDirectory() as folder:
        stored = pathlib.Path(folder, "photo")
        app.run("people", "photo", name, str(stored))
        content = stored.read_bytes()
        with Image.open(stored) as image:
            expect(image.height > image.width and image.height <= 1024, f"the photo has {image.size}")
    expect(b"Kamera" not in content and b"Exif" not in content, "the photo tells of the camera")
    visitor.fits("person")
    page.locator("form[action$=delete] button").first.click()
    page.get_by_role("status").wait_for()
    expect(page.locator(".portrait img").count() == 0, "the photo is still there")


def receipts(visitor, app, what):
    """An expense is split by shares, and gets a receipt that is shown, downloaded and deleted."""
    page = visitor.page
    app.run("people", "add", "--name", f"Léa {what}")
    app.run("groups", "add", "--name", f"Groupe {what}", "--members", f"Léa {what}")
    visitor.open("/together")
    page.get_by_role("link", name=f"Groupe {what}").click()
    page.get_by_text("Change members").click()
    page.get_by_role("checkbox", name="Me", exact=True).last.check()
    page.locator("#members_from").fill("2020-01-01")
    page.locator("form[action$=members] button").click()
    page.get_by_role("status").wait_for()
    page.locator("#title").fill("Hôtel <b>")
    page.locator("#amount").fill("30")
    page.locator("#currency").fill("EUR")
    page.locator("#split").select_option("percent")
    parts = page.locator("input.part")
    parts.nth(0).fill("60")
    parts.nth(1).fill("30")
    page.locator("form[action$=expenses] button").click()
    page.get_by_role("alert").first.wait_for()
    expect(page.locator("input.part").nth(1).input_value() == "30", "a typed part is lost")
    page.locator("#split").select_option("shares")
    page.locator("input.part").nth(0).fill("2")
    page.locator("input.part").nth(1).fill("1")
    page.locator("form[action$=expenses] button").click()
    page.get_by_role("status").wait_for()
    page.get_by_role("link", name="Hôtel").click()
    expect("€20.00" in page.locator("main").inner_text(), "the expense is not split by shares")
    page.locator("#file").set_input_files({"name": "x.png", "mimeType": "image/png",
        "buffer": b"<script>alert(1)</script>"})
    page.locator("form[enctype] button").click()
    page.get_by_role("alert").wait_for()
    page.locator("#file").set_input_files({"name": "reçu <b>.png", "mimeType": "image/png", "buffer": picture()})
    page.locator("form[enctype] button").click()
    page.get_by_role("status").wait_for()
    image = page.locator("img.receipt")
    image.scroll_into_view_if_needed()
    for _ in range(50):
        if image.evaluate("image => image.naturalWidth") == 60:
            break
        page.wait_for_timeout(100)
    else:
        expect(False, "the receipt is not shown")
    with page.expect_download() as found:
        page.get_by_role("link", name="Download: reçu").click()
    expect(found.value.suggested_filename.startswith("reçu"), f"the file is {found.value.suggested_filename}")
    image.click()
    page.wait_for_url("**/receipts/*/view")
    page.locator("img.whole-receipt").wait_for()
    page.go_back()
    page.get_by_role("button", name="Delete: reçu").click()
    page.get_by_role("status").wait_for()
    expect(page.locator("img.receipt").count() == 0, "the receipt is still there")


def sharing(visitor, app, what):
    """A person, a group, an expense and a transaction are edited, deleted with what it means said before, and brought
    back."""
    page = visitor.page
    app.run("people", "add", "--name", f"Noé {what}")
    app.run("groups", "add", "--name", f"Coloc {what}", "--members", f"me,Noé {what}")
    app.run("expenses", "add", "--group", f"Coloc {what}", "--title", f"Courses {what}", "--amount", "30",
            "--currency", "EUR", "--paid-by", "me", "--on", datetime.date.today().isoformat())
    visitor.open("/together")
    page.get_by_role("link", name=f"Coloc {what}").click()
    group = page.url
    page.get_by_role("link", name=f"Courses {what}").click()
    page.get_by_text("Edit the expense").click()
    edit = page.locator("form[action$=edit]")
    edit.get_by_text("Several people paid").click()
    paid = edit.locator("input.paid-part")
    paid.nth(0).fill("10")
    paid.nth(1).fill("19,99")
    edit.get_by_role("button", name="Save").click()
    page.get_by_role("alert").first.wait_for()
    expect(paid.nth(1).input_value() == "19,99", "an amount paid is lost")
    paid.nth(1).fill("20,00")
    # Changed elsewhere meanwhile: the form keeps it.
    app.run("expenses", "edit", f"Courses {what}", "--category", "Maison")
    edit.get_by_role("button", name="Save").click()
    page.get_by_role("status").wait_for()
    shown = page.locator("main").inner_text()
    expect("€10.00" in shown and "€20.00" in shown, "two have not paid")
    page.get_by_text("Edit the expense").click()
    expect(edit.locator("#category").input_value() == "Maison", "a change of elsewhere is lost")
    page.get_by_text("Delete the expense").click()
    expect("Its debts and its receipts" in page.locator("main").inner_text(), "what deleting means is not said")
    page.locator("form[action$=delete]").last.get_by_role("button").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("link", name=f"Courses {what}").wait_for()
    page.get_by_text("Edit the group").click()
    page.locator("#name").fill(f"Colocation {what}")
    page.locator("form[action$='/edit'] button").click()
    page.get_by_role("heading", name=f"Colocation {what}").wait_for()
    visitor.open("/together")
    page.get_by_role("link", name=f"Noé {what}").click()
    page.get_by_text("Edit the person").click()
    page.locator("#name").fill(f"Noémie {what}")
    page.locator("form[action$='/edit'] button").click()
    page.get_by_role("heading", name=f"Noémie {what}").wait_for()
    page.get_by_text("Delete this person").click()
    page.locator("form[action$='/delete'] button").click()
    page.get_by_role("alert").wait_for()
    page.locator("[name=force]").check()
    page.locator("form[action$='/delete'] button").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("link", name=f"Noémie {what}", exact=True).wait_for()
    page.goto(group)
    page.get_by_text("Delete the group").click()
    expect("1 expense is deleted" in page.locator("main").inner_text(), "what deleting a group means is not said")
    visitor.open("/transactions")
    page.locator("#title").fill(f"Cadeau {what}")
    page.locator("#amount").fill("12,50")
    page.locator("#currency").fill("eur")
    page.locator("form[action$='/transactions'] button").click()
    page.get_by_role("link", name=f"Cadeau {what}").click()
    page.get_by_text("Edit the transaction").click()
    page.locator("#amount").fill("13,50")
    page.locator("form[action$='/edit'] button").click()
    page.get_by_role("status").wait_for()
    expect("€13.50" in page.locator("main").inner_text(), "the transaction was not edited")


def rises(visitor, app):
    """Price rises since another date."""
    page = visitor.page
    app.run("add", "--name", "Hausse", "--amount", "5", "--currency", "EUR", "--cycle", "monthly", "--next",
            (datetime.date.today() + datetime.timedelta(20)).isoformat(), "--started", "2020-01-01")
    app.run("price", "Hausse", "--amount", "4", "--from", "2020-01-01")
    app.run("price", "Hausse", "--amount", "5", "--from", "2021-01-01")
    visitor.open("/insights")
    expect("€4.00 → €5.00" not in page.locator("#rises").inner_text(), "an old rise is shown")
    page.locator("#since").fill("2020-06-01")
    page.locator("#rises button").click()
    page.wait_for_url("**since=2020-06-01**")
    expect("€4.00 → €5.00" in page.locator("#rises").inner_text(), "the rise is not shown")
    app.run("delete", "Hausse")


def look(visitor, script):
    """Dark stays after a reload, and amounts are hidden by a button; both in this browser only."""
    page = visitor.page
    colour = "getComputedStyle(document.documentElement).colorScheme"
    for theme in ("dark", "light", "system"):
        visitor.open("/settings")
        page.locator("#theme").select_option(theme)
        page.locator("form[action$='/look'] button", has_text="Save").click()
        page.wait_for_url("**/settings")
        shown = page.evaluate(colour)
        expect(shown == {"system": "light dark"}.get(theme, theme), f"{theme}: pages are {shown}")
    visitor.open("/")
    page.get_by_role("button", name="Hide amounts").click()
    page.locator("html.veiled").wait_for()
    visitor.open("/due")
    expect(page.locator("html.veiled").count() == 1, "amounts are shown again")
    visitor.open("/")
    page.get_by_role("button", name="Show amounts").click()
    page.locator("html:not(.veiled)").wait_for()
    if script:
        page.keyboard.press("h")
        page.reload()
        expect(page.locator("html.veiled").count() == 1, "the key hides amounts of one page only")
        page.keyboard.press("h")


def settings(visitor, app):
    """The pages below the settings say what they should without a server."""
    page = visitor.page
    for path, text in (("/server", "subguard open --server"), ("/premium", "Premium is on."), ("/categories", "Scope")):
        visitor.open(path)
        expect(text in page.locator("main").inner_text(), f"{path} does not say {text}")


HAS_DRAFT = "Object.keys(localStorage).some(key => key.startsWith('subguard-draft'))"


def drafts(visitor):
    """What was typed is there in another window, until it is added or discarded."""
    page = visitor.page
    visitor.open("/add?name=Brouillon")
    page.get_by_label("Amount", exact=True).fill("12,34")
    page.get_by_text("Trial, contract, notes").click()
    page.get_by_label("Notes", exact=True).fill("“à garder” <b>")
    page.close()
    visitor.page = page = visitor.new_page()
    visitor.open("/add")
    page.get_by_text("Brouillon").wait_for()
    page.get_by_role("link", name="Continue").click()
    page.wait_for_url("**/add?name=Brouillon#draft")
    expect(page.get_by_label("Amount", exact=True).input_value() == "12,34", "the draft has no amount")
    expect(page.get_by_label("Notes", exact=True).input_value() == "“à garder” <b>", "the draft has no notes")
    # A refusal keeps it.
    page.get_by_label("Currency").fill("EURO")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("alert").first.wait_for()
    expect(page.evaluate(HAS_DRAFT), "a refusal discards the draft")
    page.get_by_label("Currency").fill("EUR")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("status").wait_for()
    expect(page.evaluate(f"!({HAS_DRAFT})"), "the draft stays after it was added")
    visitor.open("/add?name=x")
    page.get_by_label("Amount", exact=True).fill("1")
    visitor.open("/add")
    page.get_by_role("button", name="Discard").click()
    expect(page.locator("[data-draft-offer]:visible").count() == 0, "the offer stays")
    visitor.open("/add")
    expect(page.evaluate(f"!({HAS_DRAFT})"), "a discarded draft is kept")
    # Another subscription leaves the draft alone.
    visitor.open("/add?name=Plus tard")
    page.get_by_label("Amount", exact=True).fill("1,23")
    visitor.open("/add?name=Maintenant")
    page.get_by_label("Amount", exact=True).fill("2")
    page.get_by_label("Currency").fill("EUR")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("link", name="Maintenant").wait_for()
    visitor.open("/add")
    offers = page.locator("[data-draft-offer]:visible")
    expect(offers.count() == 1 and "Plus tard" in offers.inner_text(), f"drafts: {offers.all_inner_texts()}")
    # An edit that was left is offered in the same window, with what the page had shown.
    visitor.open("/")
    page.get_by_role("link", name="Maintenant").click()
    page.locator("#edit > summary").click()
    page.get_by_text("Trial, contract, notes").click()
    page.get_by_label("Notes", exact=True).fill("pas envoyé")
    place = page.url
    # As if the window had gone without a question.
    page.evaluate("document.querySelector('form[action$=edit]').removeAttribute('data-guard')")
    visitor.open("/due")
    page.goto(place)
    page.get_by_role("link", name="Continue").click()
    expect(page.get_by_label("Notes", exact=True).input_value() == "pas envoyé", "the edit is lost")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("status").first.wait_for()
    page.goto(place)
    expect(page.locator("[data-draft-offer]:visible").count() == 0, "a saved edit is offered again")


def notices(visitor, app):
    """A reminder is shown once, by the page or by `subguard remind`."""
    page = visitor.page
    visitor.context.grant_permissions(["notifications"], origin=visitor.url)
    shown = "window.shown = []; window.Notification = class extends EventTarget { " \
        "constructor(title, options) { super(); window.shown.push([title, options.body]); } " \
        "static permission = 'granted'; static async requestPermission() { return 'granted'; } };"
    page.add_init_script(shown)
    visitor.open("/reminders")
    page.get_by_role("button", name="Show notifications from this page").click()
    page.get_by_role("button", name="Stop notifications").wait_for()
    app.run("settings", "set", "reminders.time", "00:00")
    app.run("settings", "set", "reminders.quiet_hours", "none")
    next_on = (datetime.date.today() + datetime.timedelta(3)).isoformat()
    app.run("add", "--name", "Rappel “é”", "--amount", "5", "--currency", "EUR", "--cycle", "yearly", "--next", next_on)
    visitor.open("/reminders")
    # Playwright's own wait evaluates in the page, which its policy forbids from the second time on.
    eventually(lambda: page.evaluate("window.shown.some(([title]) => title === 'Rappel “é”')"), "the reminder is shown")
    expect("Rappel" not in app.run("remind"), "a reminder is told twice")
    visitor.open("/reminders")
    page.wait_for_timeout(500)
    expect(page.evaluate("window.shown.length") == 0, "a reminder is shown twice")
    page.get_by_role("button", name="Stop notifications").click()
    page.get_by_role("button", name="Show notifications").wait_for()
