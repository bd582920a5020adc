/// RFC 9112 section 7.1.2 and RFC 9110 section 6.5: trailer fields are parsed like fields and have no effect.
enum TrailerCases {
    static let all: [ConformanceCase] = [
        .served("trailer-one", "9112 7.1.2", [202], trailers("X: y"), "trailers are read and dropped"),
        .served(
            "trailer-several", "9112 7.1.2", [202], trailers("X: y\r\nDigest: z\r\nEmpty:"),
            "trailers are read and dropped"),
        .served(
            "trailer-length", "9110 6.5.1", [202, 400], trailers("Content-Length: 100"),
            "a length behind the body changes nothing", ending: .openOrClosed),
        .served(
            "trailer-coding", "9110 6.5.1", [202, 400], trailers("Transfer-Encoding: gzip"),
            "a coding behind the body changes nothing", ending: .openOrClosed),
        .served(
            "trailer-close", "9110 6.5.1", [202, 400], trailers("Connection: close"),
            "who closes says so in the head", ending: .openOrClosed),
        .served(
            "trailer-host", "9110 6.5.1", [202, 400], trailers("Host: other"), "a Host behind the body changes nothing",
            ending: .openOrClosed),
        .served(
            "trailer-announced", "9110 6.6.2", [202],
            post("Transfer-Encoding: chunked|Trailer: X", "7\r\n[12.34]\r\n0\r\nX: y\r\n\r\n"),
            "announced in the head"),
        .refused("trailer-blank-before-colon", "9112 5.1", [400], trailers("X : y"), "read like fields"),
        .refused("trailer-no-colon", "9112 5", [400], trailers("X"), "read like fields"),
        .refused("trailer-empty-name", "9112 5", [400], trailers(": y"), "read like fields"),
        .refused("trailer-fold", "9112 5.2", [400], trailers("X: y\r\n z"), "read like fields"),
        .refused("trailer-nul", "9110 5.5", [400], trailers("X: \0"), "read like fields"),
        .refused("trailer-cr", "9110 5.5", [400], trailers("X: y\rz"), "read like fields"),
        .refused(
            "trailer-lf", "9112 2.2", [400, 202], trailers("X: y\nZ: z"), "LF alone ends no line here",
            ending: .closedOrOpen
        ),
        .refused(
            "trailer-request", "9112 7.1.2", [400], chunkedPost("7\r\n[12.34]\r\n0\r\n" + get()),
            "the empty line is missing, so a request line stands where a field should"),
        .refused(
            "trailer-9000", "6585 5", [431, 400, 413, 202], trailers("X: " + times(9000, "y")), "trailers have a limit",
            ending: .closedOrOpen),
        .refused(
            "trailer-1000-fields", "6585 5", [431, 400, 413, 202], trailers(times(999, "X: y\r\n") + "X: z"),
            "trailers have a limit", ending: .closedOrOpen),
        .refused(
            "trailer-endless", "6585 5", [431, 400, 413],
            chunkedPost("7\r\n[12.34]\r\n0\r\n" + times(20_000, "X: 12.34\r\n")), "trailers that never end"),
    ]

    private static func trailers(_ lines: String) -> String { chunkedPost("7\r\n[12.34]\r\n0\r\n\(lines)\r\n\r\n") }
}
