"""Hostile bodies, made from the examples of docs/openapi.json. Each looks valid to the route for as long as
possible."""

import dataclasses
import functools
import gzip
import json

from routes import POSTHOG_KEY, SENTRY_KEY

# Sizes after decompression: about the maximum of each route, so that the body is read and not rejected by its length.
INFLATED = {"/batch/": 6_000_000, "/ingest/api/{project_id}/envelope/": 8_000_000}
USUAL_INFLATED = 4_000_000
PLAIN_SIZES = (900, 60_000)
UNKNOWN_MEMBERS = 140
ALPHABET = "abcdefghijklmnopqrstuvwxyz"
# Regional indicators: stepping backwards counts the whole run of them before each step.
FLAG = "\U0001F1E6"
# The longest run that is read.
FLAGS = FLAG * 64 + "x"
# Each repetition may begin what is masked in a text: an address, an amount, a token, a telephone number.
MASKED_STARTS = ("a+", "a.", "a@", "1,", "1'", "111 ", "a:", "+1 ", "/a", "%41", "=a", "€", "eyJ.")


@dataclasses.dataclass(frozen=True)
class Body:
    name: str
    content: bytes
    media_type: str = "application/json"
    is_packed: bool = False


@functools.cache
def unknown_members(count=UNKNOWN_MEMBERS):
    """Members with short, unknown names."""
    return ",".join(f'"{first}{second}":0' for first in ALPHABET for second in ALPHABET[: count // 26 + 1])


def text_of(value):
    return json.dumps(value, separators=(",", ":"))


def first_text_member(example):
    return next((name for name, value in example.items() if isinstance(value, str)), "text")


def first_array_member(example):
    return next((name for name, value in example.items() if isinstance(value, list)), "items")


def object_of(example):
    return example if isinstance(example, dict) else {"items": example}


def with_member(example, name, text):
    """The example as text, with `text` inserted verbatim as the value of an additional first member."""
    rest = {key: value for key, value in object_of(example).items() if key != name}
    rendered = text_of(rest)[1:]
    # The project key stays first: if it is wrong, the server may skip the rest.
    if "api_key" in rest:
        rendered = text_of({key: value for key, value in rest.items() if key != "api_key"})[1:]
        return f'{{"api_key":{text_of(rest["api_key"])},"{name}":{text}{"" if rendered == "}" else ","}{rendered}'
    return f'{{"{name}":{text}{"" if rendered == "}" else ","}{rendered}'


def deep(example, size):
    return with_member(example, "deep", "[" * (size // 2) + "]" * (size // 2))


def deep_objects(example, size):
    nested = '[{"a":' * (size // 8) + "0" + "}]" * (size // 8)
    return with_member(example, first_array_member(object_of(example)), nested)


def wide(example, size):
    count = size // 12
    return with_member(example, "wide", "{" + ",".join(f'"{number:07}":0' for number in range(count)) + "}")


def wide_top(example, size):
    members = ",".join(f'"{number:07}":0' for number in range(size // 12))
    return text_of(object_of(example))[:-1] + f",{members}}}"


def long_text(example, size):
    return with_member(example, first_text_member(object_of(example)), f'"{"a" * size}"')


def escaped_text(example, size):
    return with_member(example, first_text_member(object_of(example)), '"' + "\\u00e9" * (size // 6) + '"')


def flags(example, size):
    return with_member(example, first_text_member(object_of(example)), f'"{FLAG * (size // 4)}"')


def short_flags(example, size):
    return with_member(example, first_text_member(object_of(example)), f'"{FLAGS * (size // 257)}"')


def bad_utf8(example, size):
    return long_text(example, size).encode().replace(b"a" * 64, b"\xff\xc0" * 32)


def zeros(example, size):
    return with_member(example, first_array_member(object_of(example)), "[" + ",".join(["0"] * (size // 2)) + "]")


def empty_names(example, size):
    return with_member(example, "properties", "{" + ",".join(['"":0'] * (size // 5)) + "}")


def long_number(example, size):
    return with_member(example, "number", "9" * size)


def many_faults(example, size):
    """The example with unknown members in every object and many such elements in every array, up to the maximum
    size."""
    def render(value, repeats, level=0):
        if isinstance(value, dict):
            members = [f"{text_of(name)}:{render(child, repeats, level + 1)}" for name, child in value.items()
                       if isinstance(child, (dict, list))]
            return "{" + ",".join([*members, unknown_members()]) + "}"
        if isinstance(value, list):
            return "[" + ",".join([render(value[0] if value else {}, 40, level + 1)] * repeats) + "]"
        return "0"

    key = object_of(example).get("api_key")
    start = "" if key is None else f'"api_key":{text_of(key)},'
    # The length is linear in the count.
    once, twice = (len(render(object_of(example), count)) for count in (1, 2))
    repeats = 1 + max(0, size - once - len(start)) // max(1, twice - once) if twice > once else 1
    best = render(object_of(example), repeats)
    return "{" + start + best[1:]


def repetition(example, size):
    """The example with its first array filled with valid elements."""
    whole = object_of(example)
    name = first_array_member(whole)
    element = text_of((whole.get(name) or [{}])[0])
    return with_member(whole, name, "[" + ",".join([element] * max(1, size // (len(element) + 1))) + "]")


KINDS = {
    "deep": deep, "deep objects": deep_objects, "wide": wide, "wide at the top": wide_top, "long text": long_text,
    "escaped text": escaped_text, "one run of flags": flags, "short runs of flags": short_flags,
    "bad UTF-8": bad_utf8, "array of zeros": zeros, "empty names": empty_names,
    "long number": long_number, "many faults": many_faults, "repetition": repetition,
}


def packed(content):
    return gzip.compress(content, 6, mtime=0)


@functools.cache
def zip_bomb():
    return packed(bytes(10_000_000))


def json_bodies(template, example, media_type="application/json"):
    for name, make in KINDS.items():
        for size in PLAIN_SIZES:
            yield Body(f"{name}, {size:,} B", encoded(make(example, size)), media_type)
        for size in (60_000, INFLATED.get(template, USUAL_INFLATED)):
            content = packed(encoded(make(example, size - 500)))
            yield Body(f"{name}, gzip of {size:,} B", content, media_type, is_packed=True)
    yield Body("zip bomb", zip_bomb(), media_type, is_packed=True)


def encoded(content):
    return content if isinstance(content, bytes) else content.encode()


def posthog_bodies(key):
    start, size = f'{{"api_key":"{key}",', INFLATED["/batch/"] - 1000
    event = '"event":"app_opened","distinct_id":"a","timestamp":"2026-11-20T10:00:00Z"'
    properties = ",".join(['"":0'] * (size // 5))
    distinct = ",".join(f'"{number:x}":0' for number in range(size // 10))
    many = ",".join([f'{{{event},"properties":{{{unknown_members()}}}}}'] * (size // 1_200))
    for name, text in {
        "properties of an event, one name": f'{start}"batch":[{{{event},"properties":{{{properties}}}}}]}}',
        "properties of an event, distinct": f'{start}"batch":[{{{event},"properties":{{{distinct}}}}}]}}',
        "events with unknown properties": f'{start}"batch":[{many}]}}',
        "the key last": f'{{"batch":[{{{event},"properties":{{{properties}}}}}],"api_key":"{key}"}}',
    }.items():
        yield Body(name, packed(text.encode()), is_packed=True)


def crash_texts(example):
    """Crashes whose messages are as long as they are stored, and look in every place as if something were to mask."""
    crash = example["crashes"][0]
    for start in MASKED_STARTS:
        crashes = [{**crash, "id": f"01934f0e-7c2a-7d3e-9b1a-{number:012}", "message": start * (1024 // len(start))}
                   for number in range(5)]
        yield Body(f"five messages of {start!r}", text_of({**example, "crashes": crashes}).encode())


def envelope_bodies(_key):
    size = INFLATED["/ingest/api/{project_id}/envelope/"] - 1000
    media_type = "application/x-sentry-envelope"
    event = '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","exception":{"values":[%s]}}'
    frame = '{"function":"f","module":"m","lineno":1}'
    frames = ",".join([frame] * 2_000)
    exception = f'{{"type":"E","value":"v","stacktrace":{{"frames":[{frames}]}}}}'
    wide_event = event % ",".join([exception] * 11)
    dsn = f'{{"dsn":"http://{SENTRY_KEY}@127.0.0.1/1"}}'
    texts = {
        "header line of 8 MB": '{"a":"' + "a" * size + '"}\n{}\n',
        "header line of 8 MB, no end": "a" * size,
        "header with members": "{" + ",".join(['"":0'] * (size // 5)) + "}\n",
        "dsn of flags": f'{{"dsn":"a://x@/{FLAG * 4_090}"}}\n',
        "dsn of short runs": f'{{"dsn":"a://x@/{FLAGS * 60}"}}\n',
        "header with zeros": '{"a":[' + ",".join(["0"] * (size // 2)) + "]}\n",
        "header with objects": '{"a":[' + ",".join(["{}"] * (size // 3)) + "]}\n",
        "empty lines": "{}\n" + "\n" * size,
        "item headers": dsn + "\n" + '{"type":"a","length":0}\n\n' * (size // 25),
        "item header of 8 MB": dsn + '\n{"type":"' + "a" * size + '"}\n{}\n',
        "an event with texts": dsn + '\n{"type":"event"}\n' + event % ",".join(
            text_of({"type": "E", "value": start * (1024 // len(start))}) for start in MASKED_STARTS) + "\n",
        "an event with frames": dsn + '\n{"type":"event"}\n' + wide_event + "\n",
        "sessions": dsn + "\n" + '{"type":"session"}\n{"sid":"a"}\n' * (size // 32),
    }
    for name, text in texts.items():
        yield Body(f"{name}, gzip", packed(text.encode()), media_type, is_packed=True)
        yield Body(f"{name}, 60,000 B", text.encode()[:60_000], media_type)


def csv_bodies(example):
    header, row = (example.split("\r\n") + [""])[:2]

    def priced(cell):
        return f"name,slug,category,typical_amount,currency,billing_cycle\nA,a,music,{cell},EUR,monthly\n"

    for name, text in {
        "wide row": header + "\r\n" + "," * 2_000_000,
        "wide header": "a," * 1_000_000,
        "empty rows": header + "\r\n" + "\r\n" * 2_000_000,
        "rows with faults": header + "\r\n" + ",,,,,,,,\r\n" * 300_000,
        "repeated rows": header + "\r\n" + (row + "\r\n") * 40_000,
        "an amount of flags": priced(FLAG * 100_000),
        "an amount of short runs": priced(FLAGS * 1_500),
        "an amount of points": priced("1." * 200_000),
        "open quote": header + '\r\n"' + "a" * 4_000_000,
        "quotes": header + '\r\n"' + '""' * 2_000_000,
        "bad UTF-8": None,
    }.items():
        content = text.encode() if text is not None else header.encode() + b"\r\n" + b"\xff\xc0" * 1_000_000
        yield Body(f"{name}, gzip", packed(content), "text/csv", is_packed=True)
        yield Body(f"{name}, 60,000 B", content[:60_000], "text/csv")


def symbol_bodies():
    for name, text in {
        "atos, a file of flags": f"0x1000 f (in A) ({FLAG * 16_300})\n",
        "atos, a file of short runs": f"0x1000 f (in A) ({FLAGS * 250})\n",
        "nm, a name of flags": f"0000000000001000 T {FLAG * 16_000}\n",
        "nm, a name of short runs": f"0000000000001000 T {FLAGS * 250}\n",
        "nm, a name of marks": f"0000000000001000 T e{chr(0x301) * 16_000}{chr(0x323) * 16_000}\n",
    }.items():
        yield Body(name, text.encode(), "application/octet-stream")


def image_bodies(media_type):
    start = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff\xe0",
             "image/webp": b"RIFF\xff\xff\xff\0WEBP"}
    chunk = {"image/png": b"\0\0\0\0tEXt\0\0\0\0", "image/jpeg": b"\xff\xfe\0\2", "image/webp": b"ABCD\0\0\0\0"}
    yield Body("zeros", start[media_type] + bytes(60_000), media_type)
    yield Body("empty chunks", start[media_type] + chunk[media_type] * 5_000, media_type)
    yield Body("zip bomb", zip_bomb(), media_type, is_packed=True)


def bodies_for(route, credential):
    """The hostile bodies for a route that takes a body."""
    for media_type, example in route.media.items():
        if isinstance(example, dict) and "api_key" in example:
            example = {**example, "api_key": credential.key}
        if media_type == "application/octet-stream" and route.template.endswith("/logo"):
            for image_type in ("image/png", "image/jpeg", "image/webp"):
                yield from image_bodies(image_type)
        elif "/symbols/" in route.template:
            yield from symbol_bodies()
        elif media_type == "application/octet-stream":
            yield from csv_bodies(example)
        elif route.security == "sentry":
            yield from envelope_bodies(credential.key)
            yield Body("zip bomb", zip_bomb(), media_type, is_packed=True)
        else:
            yield from json_bodies(route.template, example, media_type)
            if isinstance(example, dict) and "crashes" in example:
                yield from crash_texts(example)
    if route.security == "posthog":
        yield from posthog_bodies(credential.key)
    if not route.media:
        # The document defines no body here, so any body should cost next to nothing.
        yield Body("unwanted, long text", b'{"a":"' + b"a" * 50_000 + b'"}')
        yield Body("unwanted, zip bomb", zip_bomb(), is_packed=True)


def crash_faults():
    """100 crashes of 40 frames with 140 unknown members each: 20 KB with over 500,000 faults."""
    frames = ",".join(["{" + unknown_members() + "}"] * 40)
    return packed(('{"crashes":[' + ",".join([f'{{"frames":[{frames}]}}'] * 100) + "]}").encode()[:USUAL_INFLATED])


def property_flood(key=POSTHOG_KEY):
    return next(posthog_bodies(key)).content
