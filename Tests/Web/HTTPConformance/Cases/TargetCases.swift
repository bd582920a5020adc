/// RFC 9112 section 3.2 and RFC 3986: the four forms of a target, and its allowed octets.
enum TargetCases {
    static let all = forms + badForms + octetsOfTargets + encodings

    private static let forms: [ConformanceCase] = [
        .served("target-query", "9112 3.2.1", [200], get("/healthz?a=b&a=c&&d"), "a query belongs to no path"),
        .served("target-empty-query", "9112 3.2.1", [200], get("/healthz?"), "an empty query is none"),
        .served("target-two-marks", "3986 3.4", [200], get("/healthz?a?b/c"), "? and / may stand in a query"),
        .served("target-dots-in-query", "3986 3.4", [200], get("/healthz?/../.."), "a query is no path"),
        .served(
            "target-absolute", "9112 3.2.2", [200], get("http://h/healthz"), "a server must take the absolute form"),
        .served("target-absolute-upper-case", "3986 3.1", [200], get("HTTP://H/healthz"), "a scheme has no case"),
        .served(
            "target-absolute-port", "9112 3.2.2", [200], get("http://h:80/healthz"), "an authority may have a port"),
        .served("target-absolute-ipv6", "3986 3.2.2", [200], get("http://[::1]:8080/healthz"), "an IP literal"),
        .served(
            "target-absolute-other-host", "9112 3.2.2", [200],
            "GET http://other.example/healthz HTTP/1.1\r\nHost: h\r\n\r\n", "the target wins over Host"),
        .served("target-absolute-query", "9112 3.2.2", [200], get("http://h/healthz?a=b"), "path and query of a URI"),
        .served(
            "target-absolute-no-path", "9112 3.2.2", [404, 200, 403], get("http://h"), "an empty path stands for /"),
        .served(
            "target-absolute-only-query", "3986 3.3", [404, 200, 403, 400], get("http://h?a"),
            "an empty path stands for /", ending: .openOrClosed),
        .served(
            "target-options-asterisk", "9112 3.2.4", [204, 200, 405], "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n",
            "OPTIONS may ask about the server itself"),
        .served(
            "target-two-slashes", "3986 3.3", [404, 200, 400], get("//h/healthz"), "this is a path, not an authority"),
        .served("target-case", "3986 6.2.2.1", [404], get("/HEALTHZ"), "paths have case"),
        .served("target-slash-behind", "3986 6.2.4", [404], get("/healthz/"), "another path"),
        .served("target-parameters", "3986 3.3", [404], get("/healthz;a=b"), "another path"),
    ]

    private static let badForms: [ConformanceCase] = [
        .mayRefuse("target-asterisk-with-get", "9112 3.2.4", [400, 404], get("*"), "* is for OPTIONS alone"),
        .refused("target-no-slash", "9112 3.2", [400], get("healthz"), "a path begins with a slash"),
        .refused("target-authority-with-get", "9112 3.2.3", [400], get("h:80"), "the authority form is CONNECT's"),
        .refused("target-asterisk-path", "9112 3.2.4", [400], request("OPTIONS", "*/healthz"), "* stands alone"),
        .refused(
            "target-other-scheme", "9110 4.2", [400, 404, 421], get("ftp://h/healthz"), "a scheme that is not ours",
            ending: .closedOrOpen),
        .refused("target-scheme-only", "9110 4.2", [400], get("http://"), "an http URI has a host"),
        .refused("target-empty-authority", "9110 4.2.1", [400], get("http:///healthz"), "an http URI has a host"),
        .refused("target-no-authority", "9110 4.2.1", [400], get("http:/healthz"), "an http URI has an authority"),
        .refused(
            "target-user-information", "9110 4.2.4", [400], get("http://u@h/healthz"), "an http URI names no user"),
        .refused("target-bad-port", "3986 3.2.3", [400], get("http://h:8o/healthz"), "a port is digits"),
        .refused("target-blank-authority", "3986 3.2.2", [400], get("http://a b/healthz"), "a host has no blanks"),
        .refused("target-open-bracket", "3986 3.2.2", [400], get("http://[::1/healthz"), "the bracket is not closed"),
        .refused("target-fragment", "9112 3.2", [400], get("/healthz#x"), "a fragment stays with the client"),
        .refused("target-empty-fragment", "9112 3.2", [400], get("/healthz#"), "a fragment stays with the client"),
    ]

    private static let octetsOfTargets: [ConformanceCase] = [
        .refused("target-nul", "3986 2", [400], get("/healthz\0"), "NUL is in no URI"),
        .refused("target-control", "3986 2", [400], get("/healthz\u{01}"), "control characters are in no URI"),
        .refused("target-delete", "3986 2", [400], get("/healthz\u{7F}"), "control characters are in no URI"),
        .refused("target-escape", "3986 2", [400], get("/\u{1B}[2J"), "control characters are in no URI"),
        .mayRefuse("target-utf8", "3986 2", [400, 404], get("/h\u{C3}\u{A9}"), "other octets must be encoded"),
        .mayRefuse("target-octet-255", "3986 2", [400, 404], get("/\u{FF}"), "other octets must be encoded"),
        .mayRefuse("target-backslash", "3986 2", [400, 404], get("/\\healthz"), "some read \\ as /"),
        .mayRefuse("target-quote", "3986 2", [400, 404], get("/\"healthz\""), "not in a URI"),
        .mayRefuse("target-less-than", "3986 2", [400, 404], get("/<healthz>"), "not in a URI"),
        .mayRefuse("target-brace", "3986 2", [400, 404], get("/{healthz}"), "not in a URI"),
        .mayRefuse("target-bar", "3986 2", [400, 404], get("/heal|thz"), "not in a URI"),
        .mayRefuse("target-caret", "3986 2", [400, 404], get("/heal^thz"), "not in a URI"),
        .mayRefuse("target-bracket", "3986 3.3", [400, 404], get("/[healthz]"), "brackets are for IP literals"),
        .mayRefuse("target-query-utf8", "3986 3.4", [400, 200], get("/healthz?q=\u{C3}\u{A9}"), "must be encoded"),
        .mayServe("target-query-brace", "3986 3.4", [200, 400], get("/healthz?q={}"), "as browsers send it"),
        .mayRefuse("target-query-quote", "3986 3.4", [400, 200], get("/healthz?q=\"a\""), "not in a URI"),
        .refused("target-query-nul", "3986 3.4", [400], get("/healthz?q=\0"), "NUL is in no URI"),
    ]

    private static let encodings: [ConformanceCase] = [
        .served(
            "target-encoded-letter", "3986 6.2.2.2", [404, 200], get("/health%7A"), "%7A is z, but not to a proxy"),
        .served(
            "target-encoded-lower-case", "3986 2.1", [404, 200], get("/health%7a"), "hexadecimal digits have no case"),
        .served("target-encoded-slash", "3986 2.2", [404, 200], get("/api%2Fv1%2Fcatalogue"), "%2F parts no segments"),
        .served("target-encoded-mark", "3986 2.2", [404], get("/healthz%3Fa"), "%3F begins no query"),
        .served("target-encoded-twice", "3986 2.4", [404], get("/health%257A"), "decoding is done once"),
        .refused("target-encoding-cut", "3986 2.1", [400], get("/healthz%"), "two digits follow %"),
        .refused("target-encoding-one-digit", "3986 2.1", [400], get("/healthz%4"), "two digits follow %"),
        .refused("target-encoding-no-digits", "3986 2.1", [400], get("/healthz%zz"), "two digits follow %"),
        .mayRefuse("target-query-encoding-cut", "3986 2.1", [400, 200], get("/healthz?q=%4"), "two digits follow %"),
        .served(
            "target-encoded-nul", "3986 7.3", [400, 404], get("/healthz%00.png"), "NUL would end a C string",
            ending: .openOrClosed),
        .served(
            "target-encoded-crlf", "9110 17.5", [404, 400], get("/x%0d%0aX-Injected:%20y"),
            "what is decoded must not become a field of the answer", .lacks("X-Injected"), ending: .openOrClosed),
        .served(
            "target-overlong-utf8", "3629 3", [400, 404], get("/%C0%AFhealthz"), "another spelling of a slash",
            ending: .openOrClosed),
        .served("target-not-utf8", "3986 2.5", [400, 404], get("/%FF"), "no text", ending: .openOrClosed),
    ]
}
