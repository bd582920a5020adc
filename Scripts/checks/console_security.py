"""What attackers and unlucky timing try against the console, in a real browser."""

import contextlib
import re

from console_browser import Visitor
from console_data import link
from harness import Receiver, expect, request


def check(browser, server, owner):
    for part in (foreign_pages, foreign_cookies, forged_fields, revoked_in_mid_session, after_the_sign_out, two_tabs,
                 double_submit, token_again):
        part(browser, server, owner)


@contextlib.contextmanager
def window(browser, server, expected=()):
    visitor = Visitor(browser, server)
    yield visitor
    visitor.close(expected)


def count(server, owner, path, condition):
    _, page, _ = server.json("GET", path, token=owner)
    return sum(bool(condition(item)) for item in page["items"])


def foreign_pages(browser, server, owner):
    """A page on another port posts a form: same site for cookies, but another origin. And one of another site."""
    def form(host):
        return (f'<form method="post" action="http://localhost:{server.port}/console/access">'
                f'<input name="name" value="by {host}"><input name="role" value="owner">'
                '<input name="idempotency_key" value="k"></form><script>document.forms[0].submit()</script>').encode()
    receiver = Receiver(lambda handler, _: (200, form(handler.headers["Host"]), {"Content-Type": "text/html"}))
    try:
        for host in ("localhost", "127.0.0.1"):
            with window(browser, server, expected=("403", "status of")) as visitor:
                visitor.sign_in(owner)
                with visitor.page.expect_response(f"**:{server.port}/console/access*") as answered:
                    visitor.page.goto(f"http://{host}:{receiver.port}/")
                expect(answered.value.status == 403, f"a page of {host} posts: status {answered.value.status}")
    finally:
        receiver.close()
    made = count(server, owner, "/api/v1/admin/tokens?limit=500", lambda token: token["name"].startswith("by "))
    expect(made == 0, "a foreign page has made a token")


def foreign_cookies(browser, server, owner):
    """A page on another port of localhost sets a cookie of the session's name: any text, then a session of its own."""
    with window(browser, server) as visitor:
        visitor.sign_in(server.token("analyst"))
        session = visitor.context.cookies()[0]["value"]
    for value, ends in (("A" * 43, False), (session, True)):
        cookie = {"Content-Type": "text/html", "Set-Cookie": f"subguard_console={value}; Path=/console"}
        # Not for the icon, which the browser asks for at any time.
        receiver = Receiver(lambda handler, _, cookie=cookie: (200, b"set", cookie if handler.path == "/" else {}))
        try:
            with window(browser, server) as visitor:
                visitor.sign_in(owner)
                visitor.page.goto(f"http://localhost:{receiver.port}/")
                visitor.open("/console/audit")
                sent = [one for one in visitor.context.cookies(f"{visitor.url}/console") if "console" in one["name"]]
                expect(ends == visitor.page.url.endswith("/console/login?next=%2Fconsole%2Faudit&notice=ended"),
                       f"{len(sent)} cookies: the page is {visitor.page.url}")
                expect(len(sent) == (0 if ends else 2), f"the browser has cookies of the session: {sent}")
                if ends:
                    visitor.sign_in(owner)
                visitor.open("/console/audit")
                expect(visitor.page.url.endswith("/console/audit"), f"the sign-in leads to {visitor.page.url}")
        finally:
            receiver.close()


def forged_fields(browser, server, owner):
    with window(browser, server) as visitor:
        visitor.sign_in(owner)
        cookie = "; ".join(f"{one['name']}={one['value']}" for one in visitor.context.cookies())
        own = f"localhost:{server.port}"
        for fields, status in [
            ({"Host": "evil.example"}, 403), ({"Host": f"evil.example:{server.port}"}, 403),
            ({"Host": own, "Origin": "https://evil.example"}, 403), ({"Host": own, "Origin": "null"}, 403),
            ({"Host": own, "Origin": f"http://{own}.evil.example"}, 403), ({"Host": own}, 403),
            ({"Host": own, "Sec-Fetch-Site": "same-site", "Origin": f"http://{own}"}, 403),
            ({"Host": own, "Origin": f"http://{own}"}, 422),
        ]:
            fields = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded", **fields}
            answer = request(server.port, "POST", "/console/access", "idempotency_key=k&name=&role=analyst", fields)[0]
            expect(answer == status, f"{fields}: status {answer} instead of {status}")
        answer = request(server.port, "GET", "/api/v1/admin/tokens", fields={"Cookie": cookie})[0]
        expect(answer == 401, "the API accepts the cookie")


def revoked_in_mid_session(browser, server, owner):
    _, made, _ = server.json("POST", "/api/v1/admin/tokens", {"name": "short", "role": "owner"}, token=owner)
    with window(browser, server) as visitor:
        visitor.sign_in(made["token"])
        visitor.open("/console/access")
        visitor.page.locator("main #f-name").fill("never made")
        visitor.page.locator("main #f-role").select_option("analyst")
        expect(server.call("DELETE", f"/api/v1/admin/tokens/{made['id']}", token=owner)[0] == 204, "not revoked")
        visitor.page.locator("main form[method=post] button").click()
        visitor.page.wait_for_url("**/console/login**")
        visitor.page.get_by_text("Your session has ended").wait_for()
    made = count(server, owner, "/api/v1/admin/tokens?limit=500", lambda token: token["name"] == "never made")
    expect(made == 0, "a session of a revoked token has made a token")


def after_the_sign_out(browser, server, owner):
    with window(browser, server) as visitor:
        visitor.sign_in(owner)
        visitor.open("/console/audit")
        visitor.page.get_by_role("button", name="Sign out").click()
        visitor.page.wait_for_url("**/console/login?notice=out")
        visitor.page.go_back()
        expect("/console/login" in visitor.page.url, f"the back button shows {visitor.page.url}")
        expect(not visitor.context.cookies(), "the cookie stays")


def two_tabs(browser, server, owner):
    with window(browser, server) as visitor:
        visitor.follow(link(server))
        first, second = visitor.page, visitor.new_page()
        for page in (first, second):
            page.goto(visitor.url + "/console/suggestions?status=pending")
        first.locator("button[name=reject]").first.click()
        first.get_by_text("Rejected: 1.").wait_for()
        second.locator("button[name=reject]").first.click()
        second.locator(".notice[role=status]").wait_for()
        second.get_by_role("button", name="Sign out").click()
        second.wait_for_url("**/console/login**")
        first.locator("main a").first.click()
        first.wait_for_url("**/console/login**")


def double_submit(browser, server, owner):
    with window(browser, server) as visitor:
        visitor.sign_in(owner)
        visitor.open("/console/access")
        visitor.page.locator("main #f-name").fill("made once")
        visitor.page.locator("main #f-role").select_option("analyst")
        visitor.page.locator("main form[method=post] button").dblclick()
        secret = visitor.page.locator("#secret")
        secret.wait_for()
        value = secret.input_value()
        expect(re.fullmatch(r"sgt_[\w-]{43}", value), "no token is shown")
        visitor.page.get_by_role("button", name="Copy").click()
        visitor.page.get_by_role("button", name="Copied").wait_for()
        expect(visitor.page.evaluate("navigator.clipboard.readText()") == value, "the token was not copied")
    made = count(server, owner, "/api/v1/admin/tokens?limit=500", lambda token: token["name"] == "made once")
    expect(made == 1, f"a double click has made {made} tokens")


def token_again(browser, server, owner):
    """A sign-in older than 15 minutes: the token is asked for again, and the form goes on with what was typed."""
    with window(browser, server, expected=("403", "422")) as visitor:
        visitor.sign_in(owner)
        server.age_sessions()
        visitor.open("/console/access")
        page = visitor.page
        page.locator("main #f-name").fill("after \"confirmation\" <b>")
        page.locator("main #f-role").select_option("analyst")
        page.locator("main form[method=post] button").click()
        for token in ("sgt_" + "x" * 43, owner):
            page.locator("#confirm_token").fill(token)
            page.keyboard.press("Enter")
            page.wait_for_load_state()
        page.locator("#secret").wait_for()
    name = "after \"confirmation\" <b>"
    made = count(server, owner, "/api/v1/admin/tokens?limit=500", lambda token: token["name"] == name)
    expect(made == 1, f"the confirmed form has made {made} tokens")
