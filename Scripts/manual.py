"""Write a manual page from a program's own description of its commands, the source of its --help.

Usage: PROGRAM --experimental-dump-help | Scripts/manual.py SECTION VERSION DATE
"""

import json
import sys


def escaped(text):
    """The text for roff: nothing in it is a request or an escape."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\n".join("\\&" + line if line.startswith((".", "\\(aq")) else line for line in text.split("\n"))


def shown(items):
    return [item for item in items or [] if item.get("shouldDisplay", True)]


def spelled(argument):
    """How an argument is typed, such as `-h, --help` or `--role <role>`."""
    value = f" \\fI{escaped(argument['valueName'])}\\fR" if argument.get("valueName") else ""
    if argument["kind"] == "positional":
        return value.strip() + ("..." if argument["isRepeating"] else "")
    dashes = {"long": "--", "short": "-", "longWithSingleDash": "-"}
    names = ", ".join(f"\\fB{escaped(dashes[name['kind']] + name['name'])}\\fR" for name in argument["names"])
    return names + (value if argument["kind"] == "option" else "")


def described(argument):
    parts = [argument.get("abstract") or "", argument.get("discussion") or ""]
    if argument.get("allValues"):
        parts.append(f"(values: {', '.join(argument['allValues'])})")
    if argument.get("defaultValue"):
        parts.append(f"(default: {argument['defaultValue']})")
    return escaped(" ".join(part for part in parts if part))


def synopsis(path, arguments):
    """The command with what must be given and its positional arguments; the other options follow one by one."""
    words = [f"\\fB{escaped(' '.join(path))}\\fR"]
    for argument in arguments:
        if not argument["isOptional"]:
            words.append(spelled(argument))
        elif argument["kind"] == "positional":
            words.append(f"[{spelled(argument)}]")
    if any(item["isOptional"] and item["kind"] != "positional" for item in arguments):
        words.append("[\\fIoptions\\fR]")
    return " ".join(words)


def commands(command, path=()):
    """The command and those below it, each with its words."""
    path = (*path, command["commandName"])
    yield path, command
    for inner in shown(command.get("subcommands")):
        if inner["commandName"] != "help":
            yield from commands(inner, path)


def arguments_of(command):
    # Every command has --help and --version, which the page states once.
    return [item for item in shown(command.get("arguments"))
            if not {name["name"] for name in item.get("names") or []} & {"help", "version"}]


def listed(arguments):
    return [line for argument in arguments for line in (".TP", spelled(argument), described(argument) or "\\&")]


def section_of(path, command):
    arguments = arguments_of(command)
    lines = [f".SS \"{' '.join(path[1:])}\"", synopsis(path, arguments), ".PP", escaped(command.get("abstract") or "")]
    if command.get("discussion"):
        lines += [".PP", escaped(command["discussion"]).replace("\n\n", "\n.PP\n")]
    return lines + listed(arguments)


def page(tool, section, version, date):
    root = tool["command"]
    name = root["commandName"]
    lines = [f".TH {name.upper()} {section} {date} \"SubGuard {version}\"", ".SH NAME",
             f"{escaped(name)} \\- {escaped(root['abstract'].rstrip('.'))}", ".SH SYNOPSIS"]
    has_commands = any(len(path) > 1 for path, _ in commands(root))
    if has_commands:
        lines += [f"\\fB{name}\\fR \\fIcommand\\fR [\\fIarguments\\fR]", ".PP",
                  f"\\fB{name} help\\fR \\fIcommand\\fR, \\fB{name} \\-\\-version\\fR"]
    else:
        lines.append(synopsis((name,), arguments_of(root)))
    if root.get("discussion"):
        lines += [".SH DESCRIPTION", escaped(root["discussion"]).replace("\n\n", "\n.PP\n")]
    if not has_commands:
        return "\n".join([*lines, ".SH OPTIONS", *listed(arguments_of(root))]) + "\n"
    lines.append(".SH COMMANDS")
    for path, command in commands(root):
        if len(path) > 1:
            lines += section_of(path, command)
    return "\n".join(lines) + "\n"


sys.stdout.write(page(json.load(sys.stdin), *sys.argv[1:]))
