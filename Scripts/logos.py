"""Match catalogue items with Simple Icons, render the icons, upload them. Started by Scripts/logos."""

import argparse
import http.client
import json
import os
import re
import ssl
import sys
import time
import unicodedata
import urllib.parse

import resvg_py
from simpleicons.all import icons

SIDE = 256
# Words that name a plan or a country, not the service.
PLANS = set(
    "abonnement annual annuel basic business creator deluxe deutschland developer duo espana essential essentiel "
    "family famille france german individual international italia mini monthly nederland online personal personnel "
    "plan plus portugal premium pro professional starter standard student subscription team teams uk ultimate "
    "unlimited usa workspace".split())
# Slug of an item -> slug of an icon, where names differ too much.
ALIASES = {
    "adidas-running-premium": "adidas", "adobe-photography-plan": "adobelightroom", "adobe-stock": "adobe",
    "amazon-web-services": "amazonaws", "bbc-tv-licence": "bbc", "ea-play": "ea", "f1-tv": "f1",
    "fathom-analytics": "fathom", "fnac-plus": "fnac", "github-copilot": "github", "hp-instant-ink": "hp",
    "microsoft-365-basic": "microsoftoffice", "microsoft-365-business": "microsoftoffice",
    "microsoft-365-famille": "microsoftoffice", "microsoft-365-personnel": "microsoftoffice",
    "microsoft-365-premium": "microsoftoffice", "pc-game-pass": "xbox", "playstation-plus": "playstation",
    "sky-sports": "sky", "tesco-mobile": "tesco", "the-new-york-times": "newyorktimes", "ufc-fight-pass": "ufc",
    "virgin-active": "virgin", "wordpress-com": "wordpress", "x-premium": "twitter",
    "xbox-game-pass-ultimate": "xbox",
}
# Slugs of items whose name is that of another brand.
OTHERS = {"hbo-max", "mega-energie", "now", "tails-com"}


def folded(text):
    """Lower-case ASCII letters and digits, with + as plus."""
    text = unicodedata.normalize("NFKD", text.lower().replace("+", " plus ").replace("&", " and "))
    return re.sub(r"[^a-z0-9 ]", " ", text.encode("ascii", "ignore").decode())


def joined(text):
    return folded(text).replace(" ", "")


class Matcher:
    """Finds the icon of an item; nothing is better than a wrong one."""

    def __init__(self):
        # Icons with a licence of their own are not CC0.
        self.icons = {}
        for icon in icons.values():
            if getattr(icon, "license", None):
                continue
            self.icons.setdefault(joined(icon.title), icon)
            self.icons.setdefault(icon.slug, icon)

    def find(self, item):
        if item["slug"] in OTHERS:
            return None
        if alias := ALIASES.get(item["slug"]):
            return self.icons.get(alias)
        for name in (item["name"], item["slug"].replace("-", ""), *item["aliases"]):
            if icon := self.icons.get(joined(name)):
                return icon
        words = folded(item["name"]).split()
        host = urllib.parse.urlsplit(item["website"] or "").hostname or ""
        # The name without plan words, then shorter and shorter beginnings of it that the website confirms.
        plain = [word for word in words if word not in PLANS]
        if plain and len("".join(plain)) > 3 and (icon := self.icons.get("".join(plain))):
            return icon
        for count in range(len(words) - 1, 0, -1):
            start = "".join(words[:count])
            icon = self.icons.get(start)
            if icon and len(start) > 2 and start in host.replace("-", "").split("."):
                return icon
        return None


def drawing(icon):
    """The icon on a tile in its colour, legible on light and dark pages."""
    path = re.search(r' d="([^"]+)"', icon.svg).group(1)
    red, green, blue = (int(icon.hex[place:place + 2], 16) for place in (0, 2, 4))
    ink = "#111" if 0.299 * red + 0.587 * green + 0.114 * blue > 170 else "#fff"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="8" '
            f'fill="#{icon.hex}"/><path transform="translate(8 8)" fill="{ink}" d="{path}"/></svg>')


def render(icon):
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing(icon), width=SIDE, height=SIDE, skip_system_fonts=True))


class API:
    def __init__(self, url, token):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme == "https":
            self.connection = http.client.HTTPSConnection(parts.netloc, timeout=60,
                context=ssl.create_default_context())
        else:
            self.connection = http.client.HTTPConnection(parts.netloc, timeout=60)
        self.token = token

    def call(self, method, path, body=None, **fields):
        """Status and body. Waits when the server asks for it."""
        while True:
            self.connection.request(method, path, body, {"Authorization": f"Bearer {self.token}", **fields})
            answer = self.connection.getresponse()
            content = answer.read()
            if answer.status not in (429, 503):
                return answer.status, content
            time.sleep(int(answer.headers.get("Retry-After") or 1))

    def items(self):
        """All items without a logo."""
        cursor = ""
        while True:
            status, content = self.call("GET", f"/api/v1/admin/catalogue?limit=500&has_logo=false&sort=slug{cursor}")
            if status != 200:
                sys.exit(f"logos: the list of items: status {status}: {content.decode(errors='replace')}")
            page = json.loads(content)
            yield from page["items"]
            if page["next_cursor"] is None:
                return
            cursor = f"&cursor={page['next_cursor']}"


def main():
    parser = argparse.ArgumentParser(prog="Scripts/logos", description=__doc__)
    parser.add_argument("--url", default="http://127.0.0.1:8080", help="address of the server")
    parser.add_argument("--dry-run", action="store_true", help="print what matches and upload nothing")
    parser.add_argument("--limit", type=int, default=100_000, help="upload at most this many")
    arguments = parser.parse_args()
    api = API(arguments.url, os.environ.get("SUBGUARD_TOKEN", ""))
    matcher = Matcher()
    items = list(api.items())
    found = [(item, icon) for item in items if (icon := matcher.find(item))][:arguments.limit]
    print(f"{len(items)} items without a logo, {len(found)} of them match an icon", flush=True)
    failures = 0
    for number, (item, icon) in enumerate(found, 1):
        line = f"{number}/{len(found)} {item['slug']} <- {icon.title}"
        if arguments.dry_run:
            print(line)
            continue
        # With the revision: an item that is edited at this moment is left alone.
        status, content = api.call(
            "PUT", f"/api/v1/admin/catalogue/{item['id']}/logo", render(icon),
            **{"Content-Type": "image/png", "If-Match": f'"r{item["revision"]}"'})
        if status != 200:
            failures += 1
            detail = json.loads(content).get("detail", "") if content else ""
            print(f"{line}: status {status} {detail}", file=sys.stderr)
        elif sys.stdout.isatty():
            print(f"\r\033[K{line}", end="", flush=True)
        elif number % 50 == 0 or number == len(found):
            print(line, flush=True)
    if not arguments.dry_run:
        print(f"\n{len(found) - failures} logos uploaded, {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
