/// RFC 9112 sections 2.2 and 3: the request line and what may precede it.
enum RequestLineCases {
    static let all = blanks + lineEnds + shapes + lengths

    private static func line(_ line: String) -> String { "\(line)\r\nHost: h\r\n\r\n" }

    private static let blanks: [ConformanceCase] = [
        .mayRefuse(
            "line-two-blanks-before-target", "9112 3", [400, 200], line("GET  /healthz HTTP/1.1"),
            "exactly one blank stands between the parts; being lenient is allowed"),
        .mayRefuse(
            "line-two-blanks-before-version", "9112 3", [400, 200], line("GET /healthz  HTTP/1.1"),
            "exactly one blank stands between the parts; being lenient is allowed"),
        .mayRefuse(
            "line-tab-after-method", "9112 3", [400, 200], line("GET\t/healthz HTTP/1.1"),
            "a tab is no separator here"),
        .mayRefuse(
            "line-tab-before-version", "9112 3", [400, 200], line("GET /healthz\tHTTP/1.1"),
            "a tab is no separator here"),
        .mayRefuse(
            "line-vertical-tab", "9112 3", [400, 200], line("GET\u{0B}/healthz\u{0B}HTTP/1.1"),
            "other white space is no separator"),
        .mayRefuse(
            "line-form-feed", "9112 3", [400, 200], line("GET\u{0C}/healthz\u{0C}HTTP/1.1"),
            "other white space is no separator"),
        .refused("line-no-break-space", "9112 3", [400], line("GET\u{A0}/healthz HTTP/1.1"), "0xA0 is no blank"),
        .mayRefuse(
            "line-blank-at-end", "9112 3", [400, 200], line("GET /healthz HTTP/1.1 "), "nothing follows the version"),
        .mayRefuse(
            "line-tab-at-end", "9112 3", [400, 200], line("GET /healthz HTTP/1.1\t"), "nothing follows the version"),
        .mayRefuse("line-blank-at-start", "9112 3", [400, 200], line(" GET /healthz HTTP/1.1"), "a method is a token"),
        .refused("line-blank-in-target", "9112 3.2", [400], line("GET /heal thz HTTP/1.1"), "a target has no blanks"),
        .refused(
            "line-word-at-end", "9112 3", [400], line("GET /healthz HTTP/1.1 x"), "nothing follows the version"),
        .refused("line-only-blank", "9112 3", [400], line(" "), "there is no method"),
    ]

    private static let lineEnds: [ConformanceCase] = [
        .mayRefuse(
            "line-bare-lf", "9112 2.2", [400, 200], "GET /healthz HTTP/1.1\nHost: h\n\n",
            "a server may take LF alone; ours does not, since others on the way may not"),
        .mayRefuse(
            "line-bare-lf-first", "9112 2.2", [400, 200], "GET /healthz HTTP/1.1\nHost: h\r\n\r\n",
            "mixed line ends"),
        .refused(
            "line-bare-cr", "9112 2.2", [400], "GET /healthz HTTP/1.1\rHost: h\r\r", "CR alone ends no line"),
        .refused(
            "line-cr-in-target", "9112 2.2", [400], line("GET /heal\rthz HTTP/1.1"), "CR alone is invalid"),
        .mayRefuse(
            "line-cr-cr-lf", "9112 2.2", [400, 200], "GET /healthz HTTP/1.1\r\r\nHost: h\r\n\r\n", "CR alone is invalid"
        ),
        .refused("line-nul-in-method", "9112 2.2", [400], line("G\0ET /healthz HTTP/1.1"), "NUL is in no token"),
        .refused("line-nul-at-start", "9112 2.2", [400], "\0" + line("GET /healthz HTTP/1.1"), "NUL is in no token"),
        .served(
            "line-empty-line-before", "9112 2.2", [200], "\r\n" + get(), "one empty line before a request is ignored"),
        .mayRefuse(
            "line-two-empty-lines-before", "9112 2.2", [400, 200], "\r\n\r\n" + get(),
            "only one empty line need be ignored"),
        .mayRefuse("line-lf-before", "9112 2.2", [400, 200], "\n" + get(), "an empty line ends with CRLF as well"),
        .mayRefuse("line-cr-before", "9112 2.2", [400, 200], "\r" + get(), "CR alone is no empty line"),
        .refused(
            "line-byte-order-mark", "9112 2.2", [400], "\u{EF}\u{BB}\u{BF}" + get(), "a message is octets, not text"),
        .refused(
            "line-blank-then-field", "9112 2.2", [400], "GET /healthz HTTP/1.1\r\n Host: h\r\nHost: h\r\n\r\n",
            "a blank before the first field could hide it from others"),
        .refused(
            "line-blank-line-of-blanks", "9112 2.2", [400], "GET /healthz HTTP/1.1\r\n  \r\nHost: h\r\n\r\n",
            "blanks are no empty line"),
    ]

    private static let shapes: [ConformanceCase] = [
        .refused("line-http09", "9112 3", [400, 505], "GET /healthz\r\n", "a request without version is HTTP/0.9"),
        .refused(
            "line-http09-with-fields", "9112 3", [400, 505], "GET /healthz\r\nHost: h\r\n\r\n", "the version is missing"
        ),
        .refused(
            "line-no-version", "9112 3", [400, 505], "GET /healthz \r\nHost: h\r\n\r\n", "the version is missing"),
        .refused("line-no-target", "9112 3", [400], line("GET HTTP/1.1"), "the target is missing"),
        .refused("line-no-target-two-blanks", "9112 3", [400], line("GET  HTTP/1.1"), "the target is missing"),
        .refused("line-only-method", "9112 3", [400], line("GET"), "target and version are missing"),
        .refused("line-only-version", "9112 3", [400], line("HTTP/1.1"), "method and target are missing"),
        .refused("line-a-status-line", "9112 3", [400], line("HTTP/1.1 200 OK"), "a response is no request"),
        .refused("line-no-method", "9112 3", [400], line("/healthz HTTP/1.1"), "the method is missing"),
        .refused("line-a-field", "9112 3", [400], "Host: h\r\n\r\n", "the request line is missing"),
        .refused(
            "line-tls-hello", "9112 3", [400], "\u{16}\u{03}\u{01}\u{02}\0\u{01}\0\u{01}\u{FC}\u{03}\u{03}",
            "a TLS client that finds the wrong port should not have to wait"),
        .refused("line-socks", "9112 3", [400], "\u{05}\u{01}\0\r\n\r\n", "another protocol"),
        .refused("line-ssh", "9112 3", [400], "SSH-2.0-OpenSSH_9.6\r\n\r\n", "another protocol"),
        .refused(
            "line-proxy-protocol", "9112 3", [400], "PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n" + get(),
            "who has not asked for the PROXY protocol must not accept it"),
    ]

    private static let lengths: [ConformanceCase] = [
        .served(
            "line-8000-octets", "9112 3", [200], get("/healthz?\(times(8000 - 22, "a"))"),
            "8000 octets should be taken at least"),
        .refused(
            "line-9000-octets", "9112 3", [414, 400], get("/\(times(9000, "a"))"), "the target is longer than wanted"),
        .refused(
            "line-endless", "9112 3", [414, 400], "GET /" + times(100_000, "a"),
            "a line that never ends must not be collected"),
        .refused(
            "line-endless-query", "9112 3", [414, 400], "GET /healthz?" + times(100_000, "a=&"),
            "a line that never ends must not be collected"),
        .refused(
            "line-endless-method", "9112 3", [414, 400, 501], times(100_000, "A"),
            "a method that never ends must not be collected"),
    ]
}
