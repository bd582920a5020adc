"""A person at a page, for checks of whole evenings: counts clicks and keys, and knows how long a person takes for
them."""

import time

# 250 words a minute, of which a page has at most this many that one looks for.
WORD_SECONDS = 0.24
WORDS_OF_A_GLANCE = 20
CLICK_SECONDS = 1.1
KEY_SECONDS = 0.2


class Hands:
    """Every step is done at once and its time added up; with `is_slow`, the step waits for it."""

    def __init__(self, page, is_slow=False):
        self.page, self.is_slow = page, is_slow
        self.clicks, self.keys, self.seconds = 0, 0, 0.0

    def wait(self, seconds):
        self.seconds += seconds
        if self.is_slow:
            time.sleep(seconds)

    def read(self, locator):
        """Reads what is there, but no more than a glance of it. Returns the text, with plain spaces."""
        text = locator.inner_text().replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
        self.wait(WORD_SECONDS * min(len(text.split()), WORDS_OF_A_GLANCE))
        return text

    def click(self, locator):
        self.wait(CLICK_SECONDS)
        locator.click()
        self.clicks += 1

    def fill(self, locator, text):
        """Clicks into a field and types in place of what is there."""
        self.click(locator)
        self.wait(KEY_SECONDS * len(text))
        locator.fill(text)
        self.keys += len(text)

    def choose(self, locator, label):
        """Opens a list and takes one of its entries."""
        self.wait(2 * CLICK_SECONDS)
        locator.select_option(label=label)
        self.clicks += 2

    def press(self, *keys):
        for key in keys:
            self.wait(KEY_SECONDS)
            self.page.keyboard.press(key)
            self.keys += 1

    def type(self, text):
        self.wait(KEY_SECONDS * len(text))
        self.page.keyboard.type(text)
        self.keys += len(text)

    def tab_to(self, locator, key="Tab", most=120):
        """Moves the focus with the keyboard alone. One who does so holds the key down, so each step is quick."""
        for _ in range(most):
            if locator.evaluate("element => element === document.activeElement"):
                return locator
            self.wait(KEY_SECONDS / 2)
            self.page.keyboard.press(key)
            self.keys += 1
        raise AssertionError(f"the keyboard does not reach {locator}")

    def __str__(self):
        minutes, seconds = divmod(round(self.seconds), 60)
        return f"{self.clicks} clicks, {self.keys} keys, {minutes} min {seconds} s for a person"
