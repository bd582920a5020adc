"""Lists and forms of the console after a click, in a real browser: the address, the way back, the focus, keys."""

import urllib.parse

from console_browser import Visitor
from console_data import link
from harness import expect


def check(browser, server):
    for script in (True, False):
        keeps_the_list(browser, server, script)
    moves_by_keys(browser, server)
    remembers_the_pause(browser, server)
    merges_and_undoes(browser, server)
    has_large_targets(browser, server)


def query(page):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page.url).query))


def keeps_the_list(browser, server, script):
    """After a decision on some, the address has the filters and a notice; reloading and going back do no harm."""
    visitor = Visitor(browser, server, script=script).follow(link(server))
    page = visitor.page
    for path, box, button, said, undo in (
            ("/console/suggestions?status=pending&q=plus&sort=-last_seen_at", "Select Dysney Plus", "Reject",
             "Rejected: 1.", "Put back into the queue: 1."),
            ("/console/crashes?status=open&q=EXC&platform=ios", "Select EXC_BAD_ACCESS", "Resolve", "Resolved: 1.",
             "eopened: 1.")):
        visitor.open("/console")
        visitor.open(path)
        wanted = query(page)
        page.get_by_role("checkbox", name=box).first.check()
        group = page.locator("fieldset.bulk")
        group.get_by_role("button", name=button, exact=True).click()
        notice = page.locator(".notice[role=status]")
        notice.wait_for()
        expect(said in notice.inner_text(), f"{path}: {notice.inner_text()}")
        expect(wanted.items() <= query(page).items(), f"{path} became {page.url}")
        if script:
            expect(notice.evaluate("notice => notice === document.activeElement"), f"{path}: the notice has no focus")
        page.reload()
        expect(said in notice.inner_text(), f"{path}: the notice is lost when the page is read again")
        notice.get_by_role("button", name="Undo").click()
        page.get_by_text(undo).wait_for()
        expect(wanted.items() <= query(page).items(), f"{path}: the undo became {page.url}")
        page.go_back()
        page.go_back()
        expect(query(page) == wanted, f"{path}: the way back leads to {page.url}")
    # A list that could not be carried out keeps its address too.
    visitor.open("/console/suggestions?status=pending&q=plus")
    page.locator("fieldset.bulk").get_by_role("button", name="Reject", exact=True).click()
    page.get_by_text("Nothing was changed").wait_for()
    expect(query(page)["q"] == "plus", f"after a fault: {page.url}")
    visitor.close(expected=("422",))


def moves_by_keys(browser, server):
    visitor = Visitor(browser, server).follow(link(server))
    page = visitor.page
    visitor.open("/console/suggestions")
    names = page.locator("tbody th a").all_inner_texts()
    focused = "document.activeElement.innerText"
    for key, name in (("j", names[0]), ("j", names[1]), ("j", names[2]), ("k", names[1])):
        page.keyboard.press(key)
        expect(page.evaluate(focused) == name, f"{key} moves to {page.evaluate(focused)}")
    page.keyboard.press("x")
    expect(page.locator("tbody tr").nth(1).get_by_role("checkbox").is_checked(), "x does not select the row")
    expect("1 selected" in page.locator("fieldset.bulk").inner_text(), "x is not counted")
    page.get_by_label("Reason").focus()
    page.keyboard.type("jk")
    expect(page.get_by_label("Reason").input_value() == "jk", "keys act during typing")
    visitor.open("/console/keys")
    page.get_by_role("button", name="Keys are on").click()
    visitor.open("/console/suggestions")
    page.keyboard.press("j")
    expect(page.evaluate("document.activeElement === document.body"), "j works though keys are off")
    visitor.close()


def remembers_the_pause(browser, server):
    visitor = Visitor(browser, server).follow(link(server))
    visitor.page.get_by_role("button", name="Pause refresh").click()
    visitor.open("/console")
    paused = visitor.page.get_by_role("button", name="Refresh every minute")
    paused.wait_for()
    paused.click()
    visitor.open("/console")
    visitor.page.get_by_role("button", name="Pause refresh").wait_for()
    visitor.close()


def merges_and_undoes(browser, server):
    visitor = Visitor(browser, server).follow(link(server))
    page = visitor.page
    for slug in ("twin-one", "twin-two"):
        visitor.open("/console/catalogue/new")
        for label, value in (("Name", f"Twin service{slug[8:].replace('one', '')}"), ("Slug", slug),
                             ("Typical price", "5")):
            page.get_by_label(label, exact=False).first.fill(value)
        page.get_by_label("Category").first.select_option("streaming")
        page.get_by_role("button", name="Add the item").click()
        page.locator(".notice.good").wait_for()
    visitor.open("/console/catalogue/duplicates?min_score=60")
    page.locator("tr", has_text="twin-one").filter(has_text="twin-two").get_by_role("link", name="Compare").click()
    page.get_by_role("button", name="Merge").click()
    notice = page.locator(".notice.good")
    notice.get_by_role("button", name="Undo").click()
    page.get_by_text("The merge is undone").wait_for()
    visitor.open("/console/catalogue?q=twin-&sort=slug")
    texts = page.locator("tbody th small").all_inner_texts()
    expect({"twin-one", "twin-two"} <= set(texts), f"after the undo there are {texts}")
    visitor.close()


SMALL = """[...document.querySelectorAll("main :is(a, button, input, select, summary)")].filter(one => {
  const box = (one.closest("label") ?? one).getBoundingClientRect();
  const inSentence = one.matches("a") && getComputedStyle(one).display === "inline";
  return box.width > 0 && !inSentence && one.checkVisibility() && (box.width < 23.9 || box.height < 23.9);
}).map(one => `${one.outerHTML.slice(0, 100)} ${one.getBoundingClientRect().width.toFixed(1)} x `
  + one.getBoundingClientRect().height.toFixed(1))"""


def has_large_targets(browser, server):
    visitor = Visitor(browser, server).follow(link(server))
    for path in ("/console", "/console/suggestions", "/console/crashes", "/console/catalogue", "/console/audit",
                 "/console/search?q=plus", "/console/access", "/console/access/roles", "/console/alerts",
                 "/console/crashes/releases", "/console/catalogue/duplicates"):
        visitor.open(path)
        small = visitor.page.evaluate(SMALL)
        expect(not small, f"{path}: targets below 24 px: {small[:6]}")
    visitor.close()
