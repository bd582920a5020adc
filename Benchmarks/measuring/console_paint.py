"""Opens pages of the console in Chromium and prints the time from the navigation to the first paint, in milliseconds.

A program of its own, because it needs Playwright: reads JSON with `url`, `cookie`, `chromium` and `pages` (addresses by
name), and writes JSON with the times by name.
"""

import json
import sys

from playwright.sync_api import sync_playwright

TIMES = 3
PAINT = "() => performance.getEntriesByType('paint').find(entry => entry.name === 'first-paint')?.startTime ?? null"


def main():
    given = json.load(sys.stdin)
    name, value = given["cookie"].split("=", 1)
    times = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=given["chromium"], args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.add_cookies([{"name": name, "value": value, "url": given["url"]}])
        page = context.new_page()
        # The assets come from the cache afterwards, as in an operator's browser.
        page.goto(given["url"] + "/console")
        for _ in range(TIMES):
            for label, path in given["pages"].items():
                answer = page.goto(given["url"] + path)
                if answer.status != 200:
                    sys.exit(f"error: bench: {path}: status {answer.status}")
                times.setdefault(label, []).append(page.wait_for_function(PAINT).json_value())
        browser.close()
    json.dump(times, sys.stdout)


main()
