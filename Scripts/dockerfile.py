"""Reads a Dockerfile into stages and instructions, as far as this project's own Dockerfile goes: no heredocs, no
variables in instructions. Read by lint-dockerfile and image-check, so that neither repeats what the Dockerfile says."""

import fnmatch
import json
import pathlib
import re
import shlex

ROOT = pathlib.Path(__file__).resolve().parent.parent


class DockerfileError(Exception):
    """A Dockerfile that cannot be read, with its line."""


def words_of(text):
    """The words of a JSON array of strings, or None when the text is no such array."""
    try:
        words = json.loads(text)
    except ValueError:
        return None
    is_words = isinstance(words, list) and words and all(isinstance(word, str) for word in words)
    return words if is_words else None


class Instruction:
    """One instruction, with its flags (`--from=build`) apart from the rest."""

    def __init__(self, line, keyword, text):
        self.line = line
        self.keyword = keyword
        self.flags = {}
        while flag := re.match(r"--([a-z-]+)=(\S+)\s+", text):
            self.flags[flag[1]] = flag[2]
            text = text[flag.end():]
        self.text = text

    def exec_form(self):
        """The words of the JSON array form, or None in shell form."""
        return words_of(self.text)

    def checked_command(self):
        """The words of `HEALTHCHECK CMD ["…"]`, or None when there is no such command."""
        return words_of(self.text.removeprefix("CMD ")) if self.text.startswith("CMD ") else None

    def assignments(self):
        """The names and values of ENV, ARG or LABEL; a name without a value has None."""
        pairs = (word.partition("=") for word in shlex.split(self.text))
        return {name: value if equals else None for name, equals, value in pairs}

    def copied(self):
        """Sources and destination of COPY."""
        words = shlex.split(self.text)
        if len(words) < 2:
            raise DockerfileError(f"line {self.line}: COPY needs a source and a destination")
        return words[:-1], words[-1]

    def installed_packages(self):
        """What `apt-get install` of this RUN installs; empty when it installs nothing."""
        packages = []
        for command in re.split(r"&&|;|\|\|", self.text):
            words = shlex.split(command)
            if words[:1] == ["apt-get"] and "install" in words:
                packages += [word for word in words[1:] if word != "install" and not word.startswith("-")]
        return packages


class Stage:
    """The instructions of one stage, without its FROM."""

    def __init__(self, line, image, name):
        self.line = line
        self.image = image
        self.name = name
        self.instructions = []

    def all(self, keyword):
        return [entry for entry in self.instructions if entry.keyword == keyword]

    def last(self, keyword):
        """The instruction that holds: Docker reads only the last USER, CMD and their like."""
        found = self.all(keyword)
        return found[-1] if found else None

    def environment(self):
        merged = {}
        for entry in self.all("ENV"):
            merged.update(entry.assignments())
        return merged


def instructions(text):
    """Every instruction in order: comments dropped, continued lines joined."""
    pending = ""
    begun = 0
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*#", line) or (pending and not line.strip()):
            continue
        if not pending:
            begun = number
        pending += line.rstrip()
        if pending.endswith("\\"):
            pending = pending[:-1]
            continue
        if pending.strip():
            keyword, _, rest = pending.strip().partition(" ")
            yield Instruction(begun, keyword.upper(), re.sub(r"\s{2,}", " ", rest.strip()))
        pending = ""
    if pending.strip():
        raise DockerfileError(f"line {begun}: the last line is continued")


def read_stages(path=ROOT / "Dockerfile"):
    stages = []
    for entry in instructions(path.read_text(encoding="utf-8")):
        if entry.keyword == "FROM":
            words = entry.text.split()
            named = len(words) == 3 and words[1].upper() == "AS"
            if len(words) != 1 and not named:
                raise DockerfileError(f"line {entry.line}: FROM is not `FROM image [AS name]`")
            stages.append(Stage(entry.line, words[0], words[2] if named else None))
        elif not stages:
            raise DockerfileError(f"line {entry.line}: {entry.keyword} stands before the first FROM")
        else:
            stages[-1].instructions.append(entry)
    if not stages:
        raise DockerfileError("there is no FROM")
    return stages


def is_ignored(path):
    """Whether .dockerignore keeps `path`, relative to the root, out of the build. The last pattern that matches decides."""
    ignored = False
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        pattern = line.strip()
        if not pattern or pattern.startswith("#"):
            continue
        keeps = pattern.startswith("!")
        pattern = pattern.removeprefix("!").strip("/")
        parts = pathlib.PurePosixPath(path).parts
        prefixes = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
        if any(fnmatch.fnmatchcase(prefix, pattern) for prefix in prefixes):
            ignored = not keeps
    return ignored
