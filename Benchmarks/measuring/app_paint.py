"""Opens pages of the app in Chromium and prints the time from the navigation to the first paint; and the time from the
start of `subguard open` to the first paint of its page, the browser running already. In milliseconds.

A program of its own, because it needs Playwright: reads JSON with `url`, `cookie`, `chromium`, `pages` (addresses by
name), `open` (the command) and `environment`, and writes JSON with `pages` (times by name) and `open`.
"""

import json
import subprocess
import sys
import time

from playwright.sync_api import sync_playwright

TIMES = 3
PAINT = "() => performance.getEntriesByType('paint').find(entry => entry.name === 'first-paint')?.startTime ?? null"


def main():
    given = json.load(sys.stdin)
    name, value = given["cookie"].split("=", 1)
    times = {"pages": {}, "open": []}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=given["chromium"], args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.add_cookies([{"name": name, "value": value, "url": given["url"]}])
        page = context.new_page()
        # The assets come from the cache afterwards, as in any browser.
        page.goto(given["url"] + "/")
        for _ in range(TIMES):
            for label, path in given["pages"].items():
                answer = page.goto(given["url"] + path)
                if answer.status != 200:
                    sys.exit(f"error: bench: {path}: status {answer.status}")
                times["pages"].setdefault(label, []).append(page.wait_for_function(PAINT).json_value())
        context.close()
        times["open"] = [opened(browser, given) for _ in range(TIMES)]
        browser.close()
    json.dump(times, sys.stdout)


def opened(browser, given):
    """A server of its own each time."""
    port = int(given["open"][-1]) + 1
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    begun = time.perf_counter()
    process = subprocess.Popen(
        [*given["open"][:-1], str(port)], env=given["environment"], stdout=subprocess.PIPE, text=True)
    try:
        page.goto(process.stdout.readline().strip())
        page.locator(".masthead").wait_for()
        page.wait_for_function(PAINT)
        return (time.perf_counter() - begun) * 1000
    finally:
        process.terminate()
        process.wait(20)


main()
