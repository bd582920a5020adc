/// RFC 9112 section 7.1: chunk sizes, line ends and extensions that programs parse differently.
enum ChunkRefusalCases {
    static let all = sizes + overflows + lineEnds + data + extensions

    /// A chunk with a size in this notation.
    private static func size(_ size: String) -> String { chunkedPost("\(size)\r\n[12.34]\r\n0\r\n\r\n") }

    private static let sizes: [ConformanceCase] = [
        .refused("chunk-size-plus", "9112 7.1", [400], size("+7"), "digits only (CVE-2023-38697)"),
        .refused("chunk-size-minus", "9112 7.1", [400], size("-7"), "digits only (CVE-2023-38697)"),
        .refused("chunk-size-minus-zero", "9112 7.1", [400], chunkedPost("7\r\n[12.34]\r\n-0\r\n\r\n"), "digits only"),
        .refused("chunk-size-0x", "9112 7.1", [400], size("0x7"), "digits only (CVE-2023-38697)"),
        .refused("chunk-size-underscore", "9112 7.1", [400], size("0_7"), "digits only (CVE-2023-38697)"),
        .refused("chunk-size-underscore-behind", "9112 7.1", [400], size("7_"), "digits only"),
        .refused("chunk-size-h", "9112 7.1", [400], size("7h"), "digits only"),
        .refused("chunk-size-letter", "9112 7.1", [400], size("g"), "digits only"),
        .refused("chunk-size-comma", "9112 7.1", [400], size("7,"), "digits only"),
        .refused("chunk-size-fraction", "9112 7.1", [400], size("7.0"), "digits only"),
        .refused("chunk-size-quoted", "9112 7.1", [400], size("\"7\""), "digits only"),
        .refused("chunk-size-empty", "9112 7.1", [400], size(""), "digits are missing"),
        .refused("chunk-size-only-extension", "9112 7.1", [400], size(";x"), "digits are missing"),
        .refused("chunk-size-blank-before", "9112 7.1", [400], size(" 7"), "no blanks before"),
        .refused("chunk-size-tab-before", "9112 7.1", [400], size("\t7"), "no blanks before"),
        .refused("chunk-size-blank-inside", "9112 7.1", [400], size("0 7"), "no blanks inside"),
        .refused(
            "chunk-size-blank-behind", "9112 7.1", [400, 202], size("7 "), "blanks are for extensions",
            ending: .closedOrOpen),
        .refused(
            "chunk-size-tab-behind", "9112 7.1", [400, 202], size("7\t"), "blanks are for extensions",
            ending: .closedOrOpen),
        .refused("chunk-size-nul", "9112 7.1", [400], size("7\0"), "NUL ends no number"),
        .refused("chunk-size-vertical-tab", "9112 7.1", [400], size("\u{0B}7"), "no white space before"),
        .refused("chunk-size-no-break-space", "9112 7.1", [400], size("\u{A0}7"), "no white space before"),
        .refused("chunk-size-full-width", "9112 7.1", [400], size("\u{EF}\u{BC}\u{97}"), "ASCII digits only"),
        .refused("chunk-size-two-numbers", "9112 7.1", [400], size("7 7"), "one number"),
    ]

    private static let overflows: [ConformanceCase] = [
        .refused("chunk-size-32-bits", "9112 7.1", [413, 400], size("100000007"), "2^32 + 7 cut to 32 bits is 7"),
        .refused(
            "chunk-size-64-bits", "9112 7.1", [400, 413], size("10000000000000007"), "2^64 + 7 cut to 64 bits is 7"),
        .refused("chunk-size-all-ones", "9112 7.1", [413, 400], size("ffffffffffffffff"), "-1 to some"),
        .refused("chunk-size-63-bits", "9112 7.1", [413, 400], size("8000000000000000"), "2^63 is negative to some"),
        .refused("chunk-size-most", "9112 7.1", [413, 400], size("7fffffffffffffff"), "adding to it overflows"),
        .refused("chunk-size-wraps", "9112 7.1", [413, 400], size("fffffffffffffff9"), "-7 to some"),
        .refused("chunk-size-100-digits", "9112 7.1", [400, 413], size(times(100, "1")), "more than any number type"),
        .refused(
            "chunk-size-zeros-endless", "9112 7.1", [400, 413], chunkedPost(times(20_000, "0")),
            "a size that never ends",
            ending: .closedOrAnything),
        .refused(
            "chunk-size-17-digits", "9112 7.1", [400, 202], size("00000000000000007"),
            "more digits than any size needs",
            ending: .closedOrOpen),
    ]

    private static let lineEnds: [ConformanceCase] = [
        .refused(
            "chunk-size-lf", "9112 7.1", [400, 202], chunkedPost("7\n[12.34]\r\n0\r\n\r\n"),
            "LF alone ends no line here (CVE-2025-22871)", ending: .closedOrOpen),
        .refused("chunk-size-cr", "9112 7.1", [400], chunkedPost("7\r[12.34]\r\n0\r\n\r\n"), "CR alone ends no line"),
        .refused(
            "chunk-size-cr-cr-lf", "9112 7.1", [400], chunkedPost("7\r\r\n[12.34]\r\n0\r\n\r\n"),
            "CR alone is invalid"),
        .refused(
            "chunk-data-lf", "9112 7.1", [400, 202], chunkedPost("7\r\n[12.34]\n0\r\n\r\n"), "CRLF ends the data",
            ending: .closedOrOpen),
        .refused("chunk-data-cr", "9112 7.1", [400], chunkedPost("7\r\n[12.34]\r0\r\n\r\n"), "CRLF ends the data"),
        .refused(
            "chunk-last-lf", "9112 7.1", [400, 202], chunkedPost("7\r\n[12.34]\r\n0\n\r\n"), "CRLF ends the last size",
            ending: .closedOrOpen),
        .refused(
            "chunk-end-lf", "9112 7.1", [400, 202], chunkedPost("7\r\n[12.34]\r\n0\r\n\n"), "CRLF ends the body",
            ending: .closedOrOpen),
        .refused("chunk-end-cr-x", "9112 7.1", [400], chunkedPost("7\r\n[12.34]\r\n0\r\n\rX"), "CRLF ends the body"),
        .refused(
            "chunk-all-lf", "9112 7.1", [400, 202], chunkedPost("7\n[12.34]\n0\n\n"), "LF alone ends no line here",
            ending: .closedOrOpen),
    ]

    private static let data: [ConformanceCase] = [
        .refused(
            "chunk-data-two-octets", "9112 7.1", [400], chunkedPost("7\r\n[12.34]XX0\r\n\r\n"),
            "what follows the data is CRLF and nothing else (CVE-2025-43859)"),
        .refused("chunk-data-no-end", "9112 7.1", [400], chunkedPost("7\r\n[12.34]0\r\n\r\n"), "CRLF is missing"),
        .refused(
            "chunk-data-short", "9112 7.1", [400], chunkedPost("9\r\n[12.34]\r\n0\r\n\r\n"), "less than announced"),
        .refused("chunk-data-long", "9112 7.1", [400], chunkedPost("6\r\n[12.34]\r\n0\r\n\r\n"), "more than announced"),
        .refused(
            "chunk-data-spill", "9112 7.1", [400], chunkedPost("2\r\n[12.34]\r\n0\r\n\r\n"), "more than announced"),
        .refused("chunk-none", "9112 7.1", [400], chunkedPost("[12.34]"), "no chunk at all"),
        .refused(
            "chunk-request-inside", "9112 7.1", [400], chunkedPost("7\r\n[12.34]\r\nGET / HTTP/1.1\r\n\r\n"),
            "a request line is no size"),
        .refused(
            "chunk-empty-line-between", "9112 7.1", [400], chunkedPost("7\r\n[12.34]\r\n\r\n0\r\n\r\n"), "no size"),
        .refused("chunk-empty-line-before", "9112 7.1", [400], chunkedPost("\r\n7\r\n[12.34]\r\n0\r\n\r\n"), "no size"),
    ]

    private static let extensions: [ConformanceCase] = [
        .refused(
            "chunk-ext-lf", "9112 7.1.1", [400], chunkedPost("7;x\n[12.34]\r\n0\r\n\r\n"),
            "who splits at LF sees the data here (CVE-2025-55315)", ending: .closedOrOpen),
        .refused(
            "chunk-ext-lf-smuggled", "9112 7.1.1", [400],
            chunkedPost("2;\nxx\r\n4c\r\n0\r\n\r\n" + get() + "\r\n0\r\n\r\n"),
            "what is inside a chunk to one is a request to the other (CVE-2025-55315)"),
        .refused(
            "chunk-ext-cr", "9112 7.1.1", [400], chunkedPost("7;x\ry\r\n[12.34]\r\n0\r\n\r\n"), "CR alone is invalid"),
        .refused(
            "chunk-ext-cr-end", "9112 7.1.1", [400], chunkedPost("7;x\r[12.34]\r\n0\r\n\r\n"), "CR alone is invalid"),
        .refused(
            "chunk-ext-nul", "9112 7.1.1", [400], chunkedPost("7;\0\r\n[12.34]\r\n0\r\n\r\n"), "NUL is in no token"),
        .refused(
            "chunk-ext-control", "9112 7.1.1", [400, 202], chunkedPost("7;\u{01}\r\n[12.34]\r\n0\r\n\r\n"),
            "control characters are invalid", ending: .closedOrOpen),
        .refused(
            "chunk-ext-5000", "9112 7.1.1", [400, 413, 202],
            chunkedPost("7;\(times(5000, "x"))\r\n[12.34]\r\n0\r\n\r\n"),
            "an extension means nothing, so a long one is an attack (CVE-2024-22019)", ending: .closedOrOpen),
        .refused(
            "chunk-ext-endless", "9112 7.1.1", [400, 413], chunkedPost("7;" + times(200_000, "x")),
            "an extension that never ends (CVE-2024-22019)"),
        .refused(
            "chunk-ext-flood", "9112 7.1.1", [400, 413, 202],
            chunkedPost("1\r\n[\r\n" + times(500, "1;\(times(50, "x"))\r\n \r\n") + "1\r\n]\r\n0\r\n\r\n"),
            "25 KB of extensions for 500 bytes (CVE-2023-39326)", ending: .closedOrOpen),
    ]
}
