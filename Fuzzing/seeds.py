#!/usr/bin/env python3
"""Write the seeds from which the corpus grew: Fuzzing/seeds.py FOLDER makes FOLDER/<target>/<number>.

After a run that begins with them, `Scripts/fuzz minimise` adds them to the corpus.
"""

import gzip
import io
import json
import pathlib
import struct
import sys
import zipfile
import zlib

CRLF = "\r\n"
PIECES = b"\x05\x00"  # the first two bytes of an input for targets that receive it in pieces


def head(line, *fields):
    return CRLF.join((line,) + fields) + CRLF + CRLF


GET = head("GET /healthz HTTP/1.1", "Host: subguard.example:8080", "Accept-Encoding: gzip;q=1.0, identity")
POST = head("POST /api/v1/suggestions HTTP/1.1", "Host: h", "Content-Type: application/json", "Content-Length: 14")
CHUNKED = head("PUT /logos/a.png?x=1 HTTP/1.1", "Host: h", "Transfer-Encoding: chunked", "Expect: 100-continue")
CHUNKS = "5\r\nhello\r\nA;name=value\r\n0123456789\r\n"
END = "0\r\n\r\n"

REQUESTS = [
    GET, GET + GET, POST + '{"name":"Zoé"}'[:14], POST + '{"name":"Abc"}' + GET, CHUNKED + CHUNKS + END,
    CHUNKED + END + GET, CHUNKED + CHUNKS + "0\r\nT: trailer\r\nU: v\r\n\r\n",
    "\r\n" + GET, "\r\n\r\n" + GET,
    head("GET / HTTP/1.0"), head("GET / HTTP/1.0", "Connection: keep-alive"), head("GET / HTTP/2.0", "Host: h"),
    head("OPTIONS * HTTP/1.1", "Host: h"), head("GET http://h.example/a?b=c HTTP/1.1", "Host: h.example"),
    head("GET http://[::1]:80?q HTTP/1.1", "Host: [::1]:80"), head("CONNECT h:443 HTTP/1.1", "Host: h:443"),
    head("GET / HTTP/1.1"), head("GET / HTTP/1.1", "Host: a", "Host: b"), head("GET / HTTP/1.1", "Host: a b"),
    head("GET / HTTP/1.1", "Host : h"), head("GET / HTTP/1.1", "Host: h", " folded: yes"),
    head("GET / HTTP/1.1", "Host: h", "X: a\x00b"), head("GET / HTTP/1.1", "Host: h", "X: \t caf\u00e9 \t"),
    head("GET / HTTP/1.1", "Host: h", *[f"X-{n}: {n}" for n in range(8)]),
    head("GET / HTTP/1.1", "Host: h", "Connection: close, TE", "If-None-Match: \"abc\"", "X-Request-Id: 42"),
    head("POST / HTTP/1.1", "Host: h", "Content-Length: 5", "Content-Length: 5") + "hello",
    head("POST / HTTP/1.1", "Host: h", "Content-Length: +5") + "hello",
    head("POST / HTTP/1.1", "Host: h", "Content-Length: 99999999999999999999"),
    head("POST / HTTP/1.1", "Host: h", "Content-Length: 5", "Transfer-Encoding: chunked") + END,
    head("POST / HTTP/1.1", "Host: h", "Transfer-Encoding: chunked, chunked") + END,
    head("POST / HTTP/1.1", "Host: h", "Transfer-Encoding: gzip, chunked") + END,
    head("POST / HTTP/1.1", "Host: h", "Transfer-Encoding: identity"),
    head("POST / HTTP/1.1", "Host: h", "Expect: a miracle", "Content-Length: 1") + "x",
    head("GET /%2e%2e/a%C3%A9%00 HTTP/1.1", "Host: h"), head("GET /é HTTP/1.1", "Host: h"),
    GET.replace("\r\n", "\n"), GET.replace("\r\n", "\r"), GET[:-2], "G", "\x16\x03\x01\x02\x00\x01",
]
MONTHS = ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"]
STATEMENTS = {
    "csv-statement": [
        "IBAN;DE00\n\nBuchungstag;Empf\u00e4nger;Betrag\n29.02.2024;\"a;\"\"b\";-1.234,50\n",
        "Date;Libelle;Montant\n" + "".join(f"{day};CARTE VIDEO;-12,34\n" for day in MONTHS),
        "Account,1\n\nDate,Description,Paid out,Paid in\n03/29/2026,\"A \"\"B\"\"\",\"1,234.56\",\n,,,\n",
        "\"01/13/2026\",\"-12.34\",\"*\",\"\",\"SHOP\"\n",
        "Datum\tNaam\tAf Bij\tBedrag\n20260103\tX\tAf\t1,00\n",
    ],
    "ofx": [
        "<STMTTRN><DTPOSTED>20240229120000[+1:CET]<TRNAMT>-9.99<FITID>1<MEMO>x<STMTTRN><TRNAMT>1</STMTTRN>",
        "<STMTTRN><DTPOSTED>2024<TRNAMT>--1<NAME></NAME></STMTTRN>", "<CURDEF>XXX</CURDEF><STMTTRN/></OFX><",
        "<CURDEF>EUR" + "".join(
            f"<STMTTRN><DTPOSTED>{day.replace('-', '')}<TRNAMT>-9.99<NAME>VIDEO</STMTTRN>" for day in MONTHS),
        "<STMTTRN><DTPOSTED>20260329</DTPOSTED><TRNAMT>-1,5</TRNAMT><NAME>A &amp; B &#233;</NAME></STMTTRN></OFX>",
    ],
    "qif": ["".join(f"D{day}\nT-9.99\nPVIDEO\n^\n" for day in MONTHS), "D1/ 3'26\nT1,234.50\nMx\n^\n!Type:Cat\nNa\n^",
        "!Type:Bank\nD31/12/25\nU-1 234,50\nNC\nLHome\n^\n", "D02/29/2024\nT0\nPA \u00e9\n^\nD\nT\n^\n",
        "^\n^\nT-5\n^"],
    "camt": [
        "<Ntry><Amt Ccy='EUR'>30.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-29</Dt>"
        "</BookgDt>"
        "<NtryDtls><TxDtls><Amt Ccy='EUR'>10</Amt><Cdtr><Nm>A</Nm></Cdtr></TxDtls><TxDtls><Amt Ccy='EUR'>20</Amt>"
        "</TxDtls>"
        "</NtryDtls></Ntry></BkToCstmrStmt></Document>",
        "<Ntry><Amt Ccy='JPY'>5</Amt><Sts><Cd>PDNG</Cd></Sts></Ntry></BkToCstmrStmt></Document>",
        "<Ntry><Amt Ccy='KWD'>1.234</Amt><CdtDbtInd>CRDT</CdtDbtInd><RvslInd>true</RvslInd><BookgDt><DtTm>"
        "2024-02-29T23:59:59+01:00</DtTm></BookgDt><AddtlNtryInf>A &#x26; B</AddtlNtryInf></Ntry></BkToCstmrStmt>"
        "</Document>",
        "<!-- x --><Ntry><![CDATA[<Amt>]]></Ntry><Ntry/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><Ntry>&b;</Ntry>",
        "<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy='EUR'>1</Amt><CdtDbtInd>DBIT</CdtDbtInd></Bal>"
        "<Ntry><Amt Ccy='EUR'>2</Amt><BookgDt><Dt>2026-03-29+02:00</Dt></BookgDt><TxDtls><CdtDbtInd>CRDT</CdtDbtInd>"
        "</TxDtls></Ntry>",
    ],
    "mt940": [
        "".join(f":61:{day[2:].replace('-', '')}D9,99NDDTNONREF\n:86:VIDEO\n" for day in MONTHS)
        + ":62F:D261231EUR119,88\n-}",
        ":61:2601310201DR13,49NDDTNONREF//1\nMORE\n:86:105?00LASTSCHRIFT?20SVWZ+A?21B?32VIDEO?33 AG\n"
        ":62F:D260131EUR13,49\n",
        ":61:240229RC1,N\n:86:/TRTP/SEPA/CNTP/NL00/BIC/VIDEO/X/REMI/a\n-\n{1:F01}{4:\n:20:2\n:60F:D260101JPY1,\n"
        ":61:x\n",
        ":61:261231EC1,5N\n:86:/ULTC//NAME/VIDEO/\n:60M:x\n:62M:\n", ":61:\n:86:??\n:61:260230C1,", "{4::20:1\n:86:a",
    ],
    "xlsx": [
        "<sst><si><t>Date</t></si><si><t>Payee</t></si><si><t>Amount</t></si></sst>\0<s><numFmts>"
        "<numFmt numFmtId='164' "
        "formatCode='dd/mm/yyyy'/></numFmts><cellXfs><xf numFmtId='0'/><xf numFmtId='164'/></cellXfs></s>\0<row r='1'>"
        "<c r='A1' t='s'><v>0</v></c><c r='B1' t='s'><v>1</v></c><c r='C1' t='s'><v>2</v></c></row><row r='2'>"
        "<c r='A2' s='1'>"
        "<v>46023</v></c><c r='B2' t='inlineStr'><is><t>VIDEO</t></is></c><c r='C2'><v>-13.490000000000002</v>"
        "</c></row>",
        "\0\0<row><c t='str'><v>Date</v></c><c t='str'><v>Amount</v></c></row><row r='9999999'><c r='ZZZZ1'><v>1e9</v>"
        "</c></row>",
        "<sst><si><rPh><t>a</t></rPh><r><t>b</t></r></si></sst>\0<cellXfs><xf/></cellXfs>\0<row><c t='s'><v>-1</v>"
        "</c></row>",
        "\0\0<row><c t='d'><v>2026-01-31T00:00:00</v></c><c t='b'><v>1</v></c><c t='e'><v>#N/A</v></c></row>",
        "\0\0<row/>",
    ],
}
RATES = [
    "Date,USD,JPY,XXX,\n2026-11-20,1.0823,162.5,N/A,\n2026-11-19,1.08,,1,\n", "Date, USD\n20 November 2026, 1.0823\n",
    "<Envelope><Cube><Cube time='2026-11-20'><Cube currency='USD' rate='1.0823'/><Cube currency='KWD' rate='0.333'/>"
    "</Cube></Cube></Envelope>", "<Cube time='2026-02-30'/>",
    "<Cube><Cube time='2024-02-29'><Cube currency='USD' rate='0'/>",
    "Date,USD\n2026-11-20,1\n2026-11-20,2\n", "PK\x03\x04", "Date,USD\n\"2026-11-20\",1e5\n",
]
LINES = [
    "netflx 13,49", "Le Monde 12,99 \u20ac/mois le 15 janvier", "Office 365 7 \u20ac", "Spotify $9.99 every 2 weeks",
    "AC/DC Club 5 EUR/an 31/12/2026", "7 7 7 7", "\u20ac/ /mois /", "a demain lundi 5 tous les 15 jours", " \u00a0 ",
]
SYMBOLS = [
    "0000000000002020 D __bss_start\n                 U printf\n00000000000006b0 T main\n0000000000000640 t weigh\n",
    "UUID: 5F3A1C9E-7B42-3D8A-9C01-2E4F6A8B0D13 (arm64) a/App\n0000000100000000 T __mh_execute_header\n"
    "0000000100003f50 T _$s4Shop4CartC5totalSiyF\n0000000100003f50 t __ZN4shop5totalEi\n",
    "0000000100003f50 (__TEXT,__text) non-external [cold func] -[Cart total]\n", "main T 6b0 31\nf(int, char) t 640\n",
    "0x100003f50 main (in Shop) (main.swift:12)\n0x100003e24 Cart.total() (in Shop) + 20\n",
    "MODULE mac arm64 5F3A1C9E7B423D8A9C012E4F6A8B0D130 Shop\nFILE 0 /a/Cart.swift\nFUNC m 3e10 2c 0 f() -> Int\n"
    "3e10 8 12 0\n3e18 24 3 7\nINLINE 0 14 0 0 3e18 8\nPUBLIC 4000 0 g\nSTACK CFI INIT 3e10 2c .cfa\n",
    "App (for architecture arm64):\n00000000000006b0 T _a\nApp (for architecture x86_64):\n",
]
CHUNK_BODIES = [
    END, CHUNKS + END, CHUNKS + "0\r\nT: u\r\n\r\n", "1\r\nx\r\n" * 5 + END, "00A\r\n0123456789\r\n" + END,
    "1 ;a\r\nx\r\n" + END, "1\t;a=\"b\"\r\nx\r\n" + END, "1 \r\nx\r\n" + END, "0x1\r\nx\r\n" + END, "-1\r\nx\r\n" + END,
    "1\nx\n0\n\n", "1\r\nxx\r\n" + END, "1\r\nx" + END, "ffffffffffffffff\r\nx", "0000000000000001\r\nx\r\n" + END,
    "00000000000000001\r\nx\r\n" + END, "0\r\nbad trailer\r\n\r\n", "0\r\n: v\r\n\r\n", "0;e\r\n\r\n", END + GET,
    "", "5\r\nhel",
]
QUERIES = [
    "a=1&b", "q=caf%C3%A9+au+lait", "limit=100&cursor=eyJ2IjoxfQ%3D%3D", "a&&b=&=c", "=", "&", "a=b=c", "%", "%4",
    "%zz", "%00", "%c3", "%F0%9F%98%80", "since=2024-02-29T12%3A34%3A56Z", "+%2B+", "a=1&a=2&A=3",
]
TARGETS = [
    "/", "/healthz", "/healthz/", "//", "/api/v1/catalogue?limit=100", "/api/v1/catalogue/search?q=net",
    "/api/v1/catalogue/0190b5d2-7c1e-7abc-8def-0123456789ab", "/api/v1/catalogue/0190B5D2-7C1E-7ABC-8DEF-0123456789AB",
    "/api/v1/catalogue/0190b5d2-7c1e-7abc-8def-0123456789aX", "/logos/3a7bd3e2.png", "/logos/a%2Fb", "/logos/..",
    "/logos/%2e%2E", "/logos/.", "/./healthz", "/%68ealthz", "/logos/%c3", "/logos/%00", "/ingest/api/7/envelope/",
    "/batch/", "*", "http://h.example/healthz", "HTTP://h:80?x", "https://[::1]/a", "/a[b]", "/?a?b", "/a%", "/a#b",
]
HOSTS = [
    "h", "subguard.example", "subguard.example:8080", "127.0.0.1", "127.0.0.1:65535", "h:65536", "h:", ":80", "[::1]",
    "[::1]:443", "[::1", "[]", "[::ffff:192.0.2.1]", "[fe80::1%25eth0]", "::1", "2001:db8::42", "a@b", "a,b", "a_b~",
    "h%41", "192.0.2.256", "::ffff:1.2.3.4", "1.2.3", "xn--caf-dma.example.",
]
TEXTS = [
    "null", "true", "false", "0", "-0", "-0.5e-10", "9223372036854775807", "-9223372036854775808", "1E400", "01", "1.",
    '""', '"caf\u00e9 \U0001F600"', '"\\u00e9\\ud83d\\ude00\\n\\"\\\\\\/"', '"\\ud800"', '"\\x"', '"tab\there"', "[]",
    "{}",
    '{"a":[1,{"b":null}],"c":"d"}', '{"a":1,"a":2}', '{"\u00e9":1,"e\u0301":2}', "[1,]", '{"a":1,}', "[1 2]",
    " [ 1 , 2 ] ",
    "[" * 64 + "]" * 64, "[" * 65 + "]" * 65, '{"a":' * 40 + "1" + "}" * 40, "\ufeff[]", "[] x",
    '{"long":"' + "x" * 70 + '"}',
]
ID = "0190b5d2-7c1e-7abc-8def-0123456789ab"
USER = "3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b"


def event(name="app_opened", **more):
    return {"id": ID, "name": name, "user_id": USER, "timestamp": "2026-02-28T12:34:56Z", **more}


PROPERTIES = {"app_version": "1.2.3", "os_version": "19.0", "platform": "iOS", "locale": "fr-CA"}
BATCHES = [
    [event()], {"events": [event(properties=PROPERTIES)]},
    {"sent_at": "2026-02-28T23:00:00+01:00", "events": [event(), event("app_downloaded")]},
    {"events": [event("subscription_added", properties={"catalogue_item_id": ID.upper(), "locale": "de"})]},
    {"events": [event("premium_conversion", properties={"price_tier": "yearly", "days_since_first_launch": 12})]},
    [event("premium_conversion", properties={"days_since_first_launch": 1.5})], [event(amount="12.34")],
    [event(properties={"note": "x"})], [event(properties=None)], [event("unknown")], [event(id="x")], [event(id=7)],
    [event(user_id=USER.upper())], [event(timestamp="2024-02-29T12:34:56Z")], [event(timestamp="2026-02-30T00:00:00Z")],
    [event(timestamp="2026-02-28T23:59:60.5Z")], [None, 1, "x", [], {}, event()], [], {}, {"events": {}},
    {"events": []}, {"events": [event()], "sent_at": "yesterday"}, {"events": [event()], "other": 1}, "events",
]

CRASH_ID = "9ec79c33ec9942ab8353589fcb2e04dc"
FRAME = {"function": "total", "module": "shop.cart", "filename": "/home/zoe/cart.py", "lineno": 7, "in_app": True}
CRASHES = [
    {"message": "m", "level": "info"}, {"event_id": CRASH_ID, "timestamp": 1772323199.5, "release": "app@1.2.3"},
    {"exception": {"values": [{"type": "E", "value": "v a@b.example", "stacktrace": {"frames": [FRAME, FRAME]}}]}},
    {"logentry": {"message": "user %s", "formatted": "user 1"}, "fingerprint": ["x", "{{ default }}"]},
    {"platform": "ios", "contexts": {"os": {"name": "iOS", "version": "18.1"}, "device": {"model": "iPhone15,2"}}},
    {"exception": [{"type": "E"}], "user": {"email": "a@b.example"}, "timestamp": "2026-02-28T12:34:56"},
]
SESSION = {"sid": ID, "init": True, "started": "2026-02-28T12:34:56Z", "status": "exited", "errors": 1,
    "attrs": {"release": "1.0"}}
AGGREGATES = {"aggregates": [{"started": "2026-02-28T12:34:00Z", "exited": 3, "crashed": 1}],
    "attrs": {"release": "1.0"}}
SECRETS = [
    "mail zoe.p+x@example.org or a%40b.example", "from 192.0.2.1:80 and [2001:db8::1%eth0] de:ad:be:ef:00:01",
    "password=hunter2 \"api_key\": \"abc\" Authorization: Bearer abcdef123456",
    "ghp_abcdefghijkl0123 AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "card 4111 1111 1111 1111",
    "/Users/Zoe P/x /home/zoe C:\\Users\\zoe\\x",
    "https://u:p@h.example/a?b=c#d=e", ID, "9f86d081884c7d659a2feaa0c55ad015", "aB3dE5fG7hI9jK1lM3nO5pQ7",
    "std::vector<int> 1.2.3",
]


def envelopes():
    for header in ({}, {"event_id": CRASH_ID, "sent_at": "2026-02-28T23:00:00Z", "dsn": "http://k@h/ingest/1"}):
        for kind, payloads in (
                ("event", CRASHES), ("session", [SESSION]), ("sessions", [AGGREGATES]), ("client_report", [{
                "discarded_events": [{"reason": "queue", "category": "error", "quantity": 3}]}]), ("attachment", [1])):
            for payload in payloads:
                text = json.dumps(payload)
                yield f"{json.dumps(header)}\n{json.dumps({'type': kind, 'length': len(text)})}\n{text}\n"
                yield f'{json.dumps(header)}\n{{"type":"{kind}"}}\n{text}\r\n\n'
    yield '{}\n{"type":"event","length":99}\n{}'
    yield '{"event_id":"x"}'


def packed(number):
    data = bytearray()
    while number >= 0x80:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(data) + bytes([number])


def packed_signed(number):
    return packed(number << 1 if number >= 0 else (-number << 1) - 1)


def blocks():
    """Blocks in the layout of Sources/Server/EventLog/EventBlock.swift."""
    members = [b'"locale":"fr"', b'"app_version":"1.2"', b""]
    for batches, users, sets in (([0], 1, []), ([1], 1, []), ([3, 2], 2, [[0], [0, 1]]), ([70], 70, [[0, 1, 2]]),
            ([1] * 9, 3, [[], [2]])):
        count = sum(batches)
        yield b"".join([
            b"\1", packed_signed(1_772_323_199_999), packed(len(batches)),
            *(packed(size) + packed_signed(n) for n, size in enumerate(batches)),
            packed(users), *(bytes([n]) * 32 for n in range(users)),
            packed(len(members)), *(packed(len(member)) + member for member in members),
            packed(len(sets)), *(packed(len(each)) + b"".join(map(packed, each)) for each in sets),
            bytes(range(16)) * count, b"\1" * count, *(packed(n % users) for n in range(count)),
            *(packed_signed(n * 1000 - 500) for n in range(count)),
            *(packed(n % (len(sets) + 1)) for n in range(count)),
        ])


def raw_deflate(text):
    compressor = zlib.compressobj(wbits=-15)
    return compressor.compress(text) + compressor.flush()


def compressed():
    texts = [b"", b"a", b"hello hello hello hello", json.dumps(BATCHES[2]).encode(), bytes(range(256)), b"\0" * 40_000]
    for text in texts:
        yield from (gzip.compress(text, mtime=0), zlib.compress(text, 1), zlib.compress(text, 0), raw_deflate(text))
    yield gzip.compress(b"one", mtime=0) + gzip.compress(b"two", mtime=0)
    yield zlib.compress(b"cut short here")[:-3]


def octets(text):
    """Encodes one octet per character where possible, so that bytes from 0x80 on can be written."""
    return text.encode("latin-1") if all(ord(c) < 256 for c in text) else text.encode()


def png(width, height, *more):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = zlib.compress((b"\0" + b"\x7f" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) + b"".join(
        chunk(kind, data) for kind, data in more) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def jpeg(width, height, frame=0xC0):
    def segment(marker, data):
        return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data
    return (b"\xff\xd8" + segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0") + segment(0xDB, b"\0" + b"\1" * 64)
            + segment(frame, struct.pack(">BHHB", 8, height, width, 1) + b"\1\x11\0")
            + segment(0xDA, b"\1\1\0\0\x3f\0") + b"\x12\xff\0\x34\xff\xd0\x56" + b"\xff\xd9")


def webp(*chunks):
    body = b"WEBP" + b"".join(
        kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2) for kind, data in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def logos():
    yield from (png(1, 1), png(7, 3, (b"tEXt", b"Title\0x")), png(1024, 1), png(1025, 1), png(2, 2)[:-5],
        png(2, 2) + b"<script>")
    yield from (jpeg(3, 5), jpeg(1024, 1024, 0xC2), jpeg(4, 0), jpeg(2, 2) + b"\0", jpeg(9, 9)[:-2])
    lossless = (b"VP8L", b"\x2f" + struct.pack("<I", 6 | 2 << 14) + b"\0")
    lossy = (b"VP8 ", b"\x10\0\0\x9d\x01\x2a" + struct.pack("<HH", 16, 9) + b"\0")
    extended = (b"VP8X", b"\x10\0\0\0" + struct.pack("<I", 99)[:3] + struct.pack("<I", 49)[:3])
    yield from (webp(lossless), webp(lossy), webp(extended, lossless), webp(extended), webp(lossy, (b"EXIF", b"x")))
    yield b'<svg xmlns="http://www.w3.org/2000/svg"/>'
    yield b"GIF89a"


def part(head, body):
    return f"--b\r\nContent-Disposition: form-data; {head}\r\n\r\n{body}\r\n"


FORMS = ["", "a=1&b=&a=%C3%A9+%26", "a", "=1", "a=%00", "t=a%0D%0Ab", "token=sgt_x&next=%2Fconsole", "&&", "a=1&"]
PARTS = [
    part('name="a"', "1") + "--b--\r\n",
    part('name="a"', "1") + part('name="f"; filename="x%22.png"', "\x89PNG") + "--b--",
    "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n"
    "Content-Type: image/png\r\n\r\n\r\n--\r\n--b--", "--b--",
    part('name="a"; other="b"', "1") + "--b--", part("name=a", "1") + "--b--", part('name="a"', "1") + "--b",
    "\r\n--b--",
]
PAGES = [
    b"\x00\x05<&\"'>", b"\x02\x04a\"b<\x00\x03xyz\x07", b"\x03\x13javascript:alert(1)", b"\x03\x09https://h",
    b"\x04\x02..\x03a/b", b"\x05\x04\x00\x01\r\n", b"\x06\x0b</textarea>", b"\x02\x00\x02\x00\x02\x00\x00\x02\xc3\xa9",
    b"\x03\x03//h",
]


def passkeys():
    point = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + b"x" * 32 + b"\x22\x58\x20" + b"y" * 32
    modulus = b"\xa4\x01\x03\x03\x39\x01\x00\x20\x59\x01\x00" + b"n" * 256 + b"\x21\x43\x01\x00\x01"
    head = b"h" * 32
    for key in (point, modulus):
        data = head + b"\x45" + bytes(4) + bytes(16) + b"\x00\x10" + b"i" * 16 + key
        yield from (b"\0" + key, b"\1" + data, b"\1" + data[:-1])
        whole = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59" + struct.pack(">H", len(data)) + data
        yield from (b"\0" + whole, b"\2" + whole)
    yield from (b"\1" + head + b"\x05\0\0\0\7", b"\1" + head + b"\x81\0\0\0\7\xa1\x61a\xf5",
        b"\1" + head + b"\x10\0\0\0\0")
    for text in (b"\x9f\xff", b"\x5b" + b"\xff" * 8, b"\x81" * 9 + b"\0", b"\xa2\0\0\0\0", b"\xc0\0", b"\xf9\0\0",
                 b"\x62\xc3\x28", b"\x3b" + b"\xff" * 8, b"\x98\x18" + bytes(24), b"\x19\0\1"):
        yield b"\0" + text


def archives():
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        for names in (["rates.csv"], ["a/b.csv", "c.csv"], []):
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w", method) as archive:
                archive.comment = b"" if len(names) == 1 else b"PK\5\6"
                for name in names:
                    archive.writestr(zipfile.ZipInfo(name, (2026, 11, 20, 16, 0, 0)), "Date,USD\n" * 30, method)
            yield packed.getvalue()


def seeds():
    yield "request", [PIECES[:1] + bytes([n % 4]) + octets(text) for n, text in enumerate(REQUESTS)]
    yield "chunked", [PIECES + octets(text) for text in CHUNK_BODIES]
    yield "inflate", [b"\x10\x00" + body for body in compressed()] + [b"\xff\xff" + body for body in compressed()]
    yield "query", [octets(text) for text in QUERIES]
    yield "target", [bytes([n % 8]) + octets(text) for n, text in enumerate(TARGETS)] + [
        b"\0" + octets(text) for text in TARGETS]
    yield "host", [octets(text) for text in HOSTS]
    yield "json", [text.encode() for text in TEXTS]
    yield "events", [json.dumps(batch).encode() for batch in BATCHES]
    yield "block", list(blocks())
    yield "envelope", [text.encode() for text in envelopes()]
    yield "scrub", [text.encode() for text in SECRETS]
    yield "logo", list(logos())
    yield "form", [bytes([2 * (n % 2)]) + octets(text) for n, text in enumerate(FORMS)] + [
        bytes([1 + 2 * (n % 2)]) + octets(text) for n, text in enumerate(PARTS)] + [
        b"\1" + octets(text) for text in PARTS]
    yield "html", PAGES
    yield "passkey", list(passkeys())
    for name, texts in STATEMENTS.items():
        yield name, [b"\0" + text.encode() for text in texts]
    yield "zip", [b"\x10\x00" + archive for archive in archives()] + [b"\x00\x09" + archive for archive in archives()]
    yield "rates", [text.encode() for text in RATES]
    yield "quick-entry", [text.encode() for text in LINES]
    yield "symbols", [PIECES + text.encode() for text in SYMBOLS]


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    for target, inputs in seeds():
        folder = pathlib.Path(sys.argv[1], target)
        folder.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(inputs):
            (folder / f"{number:03}").write_bytes(data)
    return 0


sys.exit(main())
