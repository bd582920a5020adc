"""Make the pictures of the console: each page light, dark and narrow, as WebP in docs/images/console.

Arguments: the folder (default docs/images/console), then names of pages (default: all). With --full the pictures are
PNG of whole pages, to look at."""

import io
import pathlib
import sys

from console_browser import CHROMIUM, Visitor, every_page
from console_data import fill, link
from harness import ROOT, Server, debug_binary, expect, main
from PIL import Image
from playwright.sync_api import sync_playwright

# Name, width, height, dark, width of the picture.
LOOKS = [("light", 1280, 800, False, 880), ("dark", 1280, 800, True, 880), ("narrow", 320, 640, False, 320)]
QUALITY = 38
MAXIMUM_BYTES = 1_700_000


def keep(page, target, name, width, is_full):
    if is_full:
        return page.screenshot(path=target / f"{name}.png", full_page=True)
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    size = (width, round(image.height * width / image.width))
    return image.resize(size, Image.Resampling.LANCZOS).save(target / f"{name}.webp", "WEBP", quality=QUALITY, method=6)


def check(folder):
    is_full = "--full" in sys.argv
    chosen = [argument for argument in sys.argv[1:] if argument != "--full"]
    target = pathlib.Path(chosen[0]) if chosen else ROOT / "docs/images/console"
    names = set(chosen[1:])
    target.mkdir(parents=True, exist_ok=True)
    server = Server(debug_binary("subguardd"), folder, {"RATE_LIMIT_ENABLED": "false"})
    with server, sync_playwright() as playwright:
        fill(server, hostile=False)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        pages = None
        for look, width, height, dark, shown in LOOKS:
            visitor = Visitor(browser, server, width, height, dark)
            visitor.open("/console/login")
            keep(visitor.page, target, f"login-{look}", shown, is_full)
            visitor.follow(link(server))
            pages = pages or every_page(visitor)
            for name, path in pages.items():
                if not names or name in names:
                    visitor.open(path)
                    visitor.fits(f"{name}, {look}")
                    keep(visitor.page, target, f"{name}-{look}", shown, is_full)
            visitor.close()
        browser.close()
    size = sum(path.stat().st_size for path in target.glob("*.webp"))
    expect(size < MAXIMUM_BYTES or names, f"the pictures have {size} bytes, more than {MAXIMUM_BYTES}")
    return f"{len(pages)} pages, {size // 1000} kB in {target}"


if __name__ == "__main__":
    main("screenshots", check)
