"""Check the sign-in to the console by OpenID Connect in Chromium, with a provider of others (oidc-provider-mock, on
Authlib): people with the role of a group and of a mail address, one without a role, and changes of access, which need a
proof that is not old. Each page has to fit, and axe finds nothing. The provider does not check PKCE and does not rotate
keys; that of the Swift tests does."""

import contextlib
import json
import subprocess
import sys
import time

from axe_playwright_python.sync_playwright import Axe
from console_browser import AXE, CHROMIUM, Visitor
from harness import Server, debug_binary, eventually, expect, free_port, main, status_of
from playwright.sync_api import sync_playwright

PEOPLE = [
    # The provider says that people have just proved who they are, unless a claim says otherwise.
    {"sub": "ann", "email": "ann@example.com", "email_verified": True, "groups": ["staff", "admins"]},
    {"sub": "eve", "email": "eve@example.com", "groups": "admins", "auth_time": int(time.time()) - 3600},
    {"sub": "bob", "email": "Bob@example.com", "email_verified": True},
    {"sub": "mallory", "email": "bob@example.com", "email_verified": False},
]
# Pages of the provider load files that are not there.
NOISE = ("net::", "404", "403", "127.0.0.1")


@contextlib.contextmanager
def provider(folder):
    port = free_port()
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
    for person in PEOPLE:
        command += ["--user-claims", json.dumps(person)]
    with (folder / "provider.log").open("wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    try:
        eventually(lambda: status_of(port, "/.well-known/openid-configuration") == 200, "the provider is ready")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def examine(visitor, what):
    """The page that is open, wide and light, then narrow and dark."""
    for width, scheme in ((1280, "light"), (320, "dark")):
        visitor.page.set_viewport_size({"width": width, "height": 900})
        visitor.page.emulate_media(color_scheme=scheme)
        visitor.fits(f"{what} at {width} px")
        found = [
            (violation["id"], [node["html"][:200] for node in violation["nodes"]])
            for violation in Axe().run(visitor.page, options=AXE).response["violations"]
        ]
        expect(not found, f"axe on {what} at {width} px: {found}")


def change_access(visitor):
    """Begins to make a token, and says whether the server asks for the provider first."""
    visitor.open("/console/access")
    form = visitor.page.locator("form:has(select[name=role])")
    form.locator("input[name=name]").fill("Made by somebody")
    form.locator("select[name=role]").select_option("analyst")
    form.locator("[type=submit]").click()
    again = visitor.page.locator("a[href^='/console/oidc?again=1']")
    again.or_(visitor.page.locator("#secret")).wait_for()
    return again.count() == 1


def sign_in(browser, server, name, script=True, language="en-GB"):
    visitor = Visitor(browser, server, script=script, language=language)
    page = visitor.page
    page.goto(visitor.url + "/console/login?next=/console/funnel")
    if script:
        examine(visitor, "the sign-in page")
    page.locator("a[href^='/console/oidc']").click()
    page.get_by_role("button", name=name, exact=True).click()
    page.wait_for_url(visitor.url + "/console/**")
    return visitor


def check(folder):
    with provider(folder) as issuer, sync_playwright() as playwright:
        settings = {
            "OIDC_ISSUER": issuer, "OIDC_CLIENT_ID": "console", "OIDC_CLIENT_SECRET": "s3cret",
            "OIDC_NAME": "Mock & Co", "OIDC_ROLES": "group:admins=owner, mail:bob@example.com=analyst",
            "ALERTS_PERMITTED_HOSTS": "127.0.0.1",
        }
        server = Server(debug_binary("subguardd"), folder / "server", settings, catalogue=False)
        server.environment["SUBGUARD_PUBLIC_URL"] = f"http://localhost:{server.port}"
        with server:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for script in (True, False):
                ann = sign_in(browser, server, "ann", script)
                expect(ann.page.url.endswith("/console/funnel"), f"not the page that was asked for: {ann.page.url}")
                expect("oidc: ann@example.com" in ann.page.content(), "the page does not say who is signed in")
                expect(not change_access(ann), "a proof of a moment ago is not enough")
                ann.close(expected=NOISE)
            # She proved who she is an hour ago.
            eve = sign_in(browser, server, "eve", language="fr-FR")
            expect(change_access(eve), "access is changed without a proof")
            examine(eve, "the page that asks for the provider")
            eve.close(expected=NOISE)
            bob = sign_in(browser, server, "bob")
            expect(bob.open("/console/access", allowed=500).status == 403, "an analyst manages access")
            bob.close(expected=NOISE)
            mallory = sign_in(browser, server, "mallory")
            examine(mallory, "the page of a refusal")
            alert = mallory.page.get_by_role("alert").inner_text()
            expect("oidc_roles" in alert, f"a mail that is not verified counts: {alert}")
            mallory.page.goto(mallory.url + "/console")
            expect("/console/login" in mallory.page.url, "signed in without a role")
            mallory.page.goto(mallory.url + "/console/oidc/callback?state=x&code=y")
            examine(mallory, "the page of a sign-in that was not begun")
            mallory.close(expected=NOISE)
            browser.close()
    return "three people signed in with their roles, one was refused"


main("oidc", check)
