"""Check the sign-in to the console by OpenID Connect in Chromium, with a provider of others (oidc-provider-mock, on
Authlib): people with the role of a group and of a mail address, and one without a role. It does not check PKCE and
does not rotate keys; the Swift tests have a provider that does."""

import contextlib
import json
import subprocess
import sys

from console_browser import CHROMIUM, Visitor
from harness import Server, debug_binary, eventually, expect, free_port, main, status_of
from playwright.sync_api import sync_playwright

PEOPLE = [
    {"sub": "ann", "email": "ann@example.com", "email_verified": True, "groups": ["staff", "admins"]},
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


def sign_in(browser, server, name, script=True):
    visitor = Visitor(browser, server, script=script)
    page = visitor.page
    page.goto(visitor.url + "/console/login?next=/console/funnel")
    page.get_by_role("link", name="Sign in with Mock & Co").click()
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
                ann.open("/console/access")
                ann.close(expected=NOISE)
            bob = sign_in(browser, server, "bob")
            expect(bob.open("/console/access", allowed=500).status == 403, "an analyst manages access")
            bob.close(expected=NOISE)
            mallory = sign_in(browser, server, "mallory")
            alert = mallory.page.get_by_role("alert").inner_text()
            expect("oidc_roles" in alert, f"a mail that is not verified counts: {alert}")
            mallory.page.goto(mallory.url + "/console")
            expect("/console/login" in mallory.page.url, "signed in without a role")
            mallory.close(expected=NOISE)
            browser.close()
    return "two people signed in with their roles, one was refused"


main("oidc", check)
